// Annealing chains for FSim; the result does not depend on the number of threads.
#pragma once

#include "fsim_chain.hpp"
#include "parallel.hpp"
#include "views.hpp"

#include <deque>
#include <memory>

namespace bnfuse {

struct FsimSetup {
    Graphs references;
    std::vector<Weight> weights; // of the references
    std::vector<int> ties;       // the order that breaks them
    PairWeights support;         // by arc
    PairWeights frequency;       // how often each arc is drawn, in all below 2^32
    std::vector<std::uint8_t> rules;
    int limit, max_parents, chains;
    std::uint64_t seed;
    TableLimit tables = {};
};

struct FsimNetwork {
    Weight distance, support;
    std::vector<std::uint64_t> parents; // rows
    std::vector<int> order;             // an elimination order that proves the clique size
};

class FsimSearch {
public:
    virtual ~FsimSearch() = default;
    virtual void start_at(int chain, const Graphs& dag, const std::vector<int>& order) = 0;
    // All chains continue from the best network.
    virtual void restart() = 0;
    // Whether the work was done, or ended before that.
    virtual bool anneal(std::int64_t until, std::int64_t total, double hot, int threads) = 0;
    virtual bool tidy() = 0;
    // Of all chains; among equal ones, that of the first chain.
    virtual FsimNetwork best() const = 0;
    virtual std::int64_t networks() const = 0;
    virtual int n() const = 0;
};

template <int W> class FsimSearchOf final : public FsimSearch {
public:
    explicit FsimSearchOf(FsimSetup setup) : ties_(std::move(setup.ties)) {
        const int n = problem_.n = setup.references.n();
        check_weights(setup.weights, setup.references);
        check_order(ties_, n);
        check_rules(setup.rules, n);
        require(setup.support.size() == n && setup.frequency.size() == n, "numbers are given by pairs of variables");
        require(setup.limit >= 1 && setup.max_parents >= 0, "the limits are too small for any network");
        require(1 <= setup.chains && setup.chains <= most_chains, "the number of chains is out of range");
        check_tables(setup.tables, n);
        place_ = places(ties_);
        problem_.tables = setup.tables.of(ties_);
        problem_.limit = setup.limit;
        problem_.max_parents = setup.max_parents;
        problem_.support = PairWeights(n);
        add_arcs(setup);
        for (int i = 0; i < setup.references.count(); ++i)
            problem_.add_reference(setup.references.load<W>(i, place_), setup.weights[i]);
        require(!problem_.references.empty(), "all weights are 0");
        for (int i = 0; i < setup.chains; ++i) chains_.emplace_back(problem_, setup.seed, i);
    }

    FsimSearchOf(const FsimSearchOf&) = delete; // the chains refer to the problem

    void start_at(int chain, const Graphs& dag, const std::vector<int>& order) override {
        require(0 <= chain && chain < static_cast<int>(chains_.size()), "there is no such chain");
        require(dag.n() == problem_.n, "the network has another number of variables");
        check_order(order, problem_.n);
        std::vector<int> labels;
        for (const int v : order) labels.push_back(place_[v]);
        auto rows = dag.load<W>(0, place_);
        require(find_cycle(rows).empty(), has_a_cycle);
        chains_[chain].start_at(std::move(rows), std::move(labels));
    }
    void restart() override {
        const auto found = best_found();
        for (auto& chain : chains_) {
            chain.start_at(found);
            chain.rewind();
        }
    }
    bool anneal(std::int64_t until, std::int64_t total, double hot, int threads) override {
        require(total >= 1 && until >= 0, "the work must be above 0");
        require(std::isfinite(hot) && hot >= 0, "the temperature must be a number that is not negative");
        check_threads(threads);
        best_found();
        if (problem_.arcs.empty()) return true;
        return unless_stopped([&] {
            parallel(static_cast<int>(chains_.size()), threads, [&](auto&& take) {
                for (int i; (i = take()) >= 0;) chains_[i].anneal(until, total, hot);
            });
        });
    }
    bool tidy() override {
        best_found();
        return unless_stopped([&] { best_chain().tidy(); });
    }
    FsimNetwork best() const override {
        const auto& found = best_found();
        const std::size_t words = (problem_.n + 63) / 64;
        FsimNetwork network{found.distance, found.support, {}, {}};
        network.parents.resize(problem_.n * words);
        store(found.parents, ties_, words, network.parents.data());
        for (const int v : found.order) network.order.push_back(ties_[v]);
        return network;
    }
    std::int64_t networks() const override {
        std::int64_t total = 0;
        for (const auto& chain : chains_) total += chain.networks();
        return total;
    }
    int n() const override { return problem_.n; }

private:
    static constexpr int most_chains = 1 << 16;
    FsimProblem<W> problem_;
    std::vector<int> ties_, place_; // label -> variable, variable -> label
    std::deque<FsimChain<W>> chains_;

    void add_arcs(const FsimSetup& setup) {
        std::uint64_t drawn = 0;
        for (int a = 0; a < problem_.n; ++a)
            for (int b = 0; b < problem_.n; ++b) {
                const int u = ties_[a], v = ties_[b];
                problem_.support(a, b) = setup.support(u, v);
                const auto rule = setup.rules[static_cast<std::size_t>(u) * problem_.n + v];
                problem_.rules.push_back(rule);
                if (!(rule & 1)) continue;
                problem_.arcs.emplace_back(a, b);
                require(setup.frequency(u, v) >= 1, "every arc that may be added is drawn sometimes");
                drawn += static_cast<std::uint64_t>(setup.frequency(u, v));
                require(drawn <= UINT32_MAX, "the frequencies add up to 2^32 or more");
                problem_.drawn_until.push_back(static_cast<std::uint32_t>(drawn));
            }
    }

    template <class Work> static bool unless_stopped(Work&& work) {
        try {
            work();
            return true;
        } catch (const Stopped&) {
            return false;
        }
    }

    FsimChain<W>& best_chain() {
        auto* best = &chains_.front();
        for (auto& chain : chains_)
            if (chain.best().better_than(best->best())) best = &chain;
        return *best;
    }
    const FsimFound<W>& best_found() const {
        const FsimFound<W>* best = &chains_.front().best();
        for (const auto& chain : chains_) {
            require(!chain.best().parents.empty(), "each chain needs a network to start at");
            if (chain.best().better_than(*best)) best = &chain.best();
        }
        return *best;
    }
};

} // namespace bnfuse
