// The min-cut consensus (Torrijos et al., AAAI 2026): from a network, always the arc x -> y is deleted whose minimum
// cuts in the inputs, between x and y given the other parents of y, are smallest in the weighted mean; then the arcs of
// these cuts are taken out of the inputs.
//
// All arcs into y share the ancestral graph of y and its parents, so cuts are kept by input and family. A family is
// looked at again only if it lost a parent, or if the input lost an arc into one of the family's ancestors. Without
// arcs cuts never grow: one of size 0 stays.
#pragma once

#include "min_cut.hpp"
#include "parallel.hpp"
#include "views.hpp"

#include <optional>

namespace bnfuse {

struct MinCutSetup {
    Graphs network, inputs;
    std::vector<Weight> weights;               // of the inputs
    PairWeights support;                       // by arc: among equal cuts, the one with the least is deleted first
    std::vector<std::pair<int, int>> required; // arcs that stay
    int threads;
};

struct WeightedCut {
    int source, target;
    Weight size; // summed over the inputs
};

class MinCutSearch {
public:
    virtual ~MinCutSearch() = default;
    // The next arc to delete; empty when all that may be deleted are.
    virtual std::optional<WeightedCut> least() = 0;
    // Deletes the arc that `least` returned last.
    virtual void remove_least() = 0;
    // The number of computed cuts.
    virtual std::int64_t cuts() const = 0;
};

template <int W> class MinCutSearchOf final : public MinCutSearch {
public:
    explicit MinCutSearchOf(MinCutSetup setup)
        : n_(setup.inputs.n()), weights_(std::move(setup.weights)), support_(std::move(setup.support)),
          parents_(checked(setup, weights_, support_).network.template load<W>(0)), kept_(n_), workers_(setup.threads) {
        require(find_cycle(parents_).empty(), has_a_cycle);
        for (int i = 0; i < setup.inputs.count(); ++i) {
            inputs_.push_back(setup.inputs.load<W>(i));
            require(find_cycle(inputs_.back()).empty(), has_a_cycle);
            children_.push_back(children_of(inputs_.back()));
            check_stop();
        }
        for (const auto& [source, target] : setup.required) kept_[target].set(source);
        for (int y = 0; y < n_; ++y) {
            first_.push_back(static_cast<int>(sources_.size()));
            parents_[y].each([&](int x) { sources_.push_back(x); });
        }
        first_.push_back(static_cast<int>(sources_.size()));
        sizes_.assign(inputs_.size() * sources_.size(), unknown);
        totals_.resize(sources_.size());
        state_.assign(inputs_.size() * n_, State::unlike);
        changed_.assign(n_, true);
    }

    MinCutSearchOf(const MinCutSearchOf&) = delete;

    std::optional<WeightedCut> least() override {
        look_again();
        least_.reset();
        for (int y = 0; y < n_; ++y)
            for (int arc = first_[y]; arc < first_[y + 1]; ++arc) {
                const int x = sources_[arc];
                if (!parents_[y].test(x) || kept_[y].test(x)) continue;
                const WeightedCut cut{x, y, totals_[arc]};
                if (!least_ || goes_before(cut, *least_)) least_ = cut;
            }
        return least_;
    }

    void remove_least() override {
        require(least_.has_value(), "there is no arc to delete");
        const auto [x, y, size] = *least_;
        const auto cut_arcs = arcs_of_cuts(x, y); // no memory is needed after this
        for (std::size_t i = 0; i < inputs_.size(); ++i) {
            const auto& gone = cut_arcs[i];
            Bits<W> heads;
            for (const auto& [source, target] : gone) heads.set(target);
            const auto below = closure(children_[i], heads);
            for (const auto& [source, target] : gone) {
                inputs_[i][target].reset(source);
                children_[i][source].reset(target);
            }
            for (int v = 0; v < n_; ++v)
                if (below.test(v) || (parents_[v] & below).any()) mark(i, v, State::smaller);
        }
        parents_[y].reset(x);
        for (std::size_t i = 0; i < inputs_.size(); ++i) mark(i, y, State::unlike);
        least_.reset();
    }

    std::int64_t cuts() const override { return cuts_; }

private:
    enum class State : std::uint8_t { known, smaller, unlike }; // may have shrunk; a different question
    static constexpr int unknown = -1;

    int n_;
    std::vector<Weight> weights_;
    PairWeights support_;
    Rows<W> parents_; // of the network
    Rows<W> kept_;    // those that stay
    std::vector<Rows<W>> inputs_, children_;
    std::vector<int> first_, sources_; // the arcs of the network by target: all of the original ones
    std::vector<int> sizes_;           // of cuts, by input and arc
    std::vector<Weight> totals_;       // by arc
    std::vector<State> state_;         // by input and family
    std::vector<bool> changed_;        // families for which some input has to be examined again
    std::optional<WeightedCut> least_;
    std::int64_t cuts_ = 0;
    Workers workers_;

    static const MinCutSetup& checked(const MinCutSetup& setup, const std::vector<Weight>& weights,
                                      const PairWeights& support) {
        check_some(setup.inputs);
        check_same_size(setup.network, setup.inputs);
        check_weights(weights, setup.inputs);
        check_arcs(setup.required, setup.inputs.n());
        check_threads(setup.threads);
        require(support.size() == setup.inputs.n(), "numbers are given by pairs of variables");
        return setup;
    }

    bool goes_before(const WeightedCut& a, const WeightedCut& b) const {
        const auto key = [&](const WeightedCut& cut) {
            return std::tuple(cut.size, support_(cut.source, cut.target), cut.source, cut.target);
        };
        return key(a) < key(b);
    }

    int arc_of(int x, int y) const {
        const auto begin = sources_.begin();
        return static_cast<int>(std::lower_bound(begin + first_[y], begin + first_[y + 1], x) - begin);
    }

    // By input: the edges of the cut between x and y that are arcs, not common-child edges.
    std::vector<std::vector<std::pair<int, int>>> arcs_of_cuts(int x, int y) {
        std::vector<std::vector<std::pair<int, int>>> all(inputs_.size());
        FamilyCuts<W> cuts(n_);
        for (std::size_t i = 0; i < inputs_.size(); ++i) {
            if (!sizes_[i * sources_.size() + arc_of(x, y)]) continue;
            cuts.look_at(inputs_[i], y, parents_[y]);
            ++cuts_;
            cuts.each_cut_edge(x, [&](int u, int v) {
                if (inputs_[i][v].test(u)) all[i].emplace_back(u, v);
                if (inputs_[i][u].test(v)) all[i].emplace_back(v, u);
            });
        }
        return all;
    }

    void mark(std::size_t input, int family, State state) {
        auto& known = state_[input * n_ + family];
        known = std::max(known, state);
        changed_[family] = true;
    }

    void look_again() {
        std::vector<std::pair<int, int>> jobs;
        for (int y = 0; y < n_; ++y)
            for (int i = 0; changed_[y] && i < static_cast<int>(inputs_.size()); ++i)
                if (state_[static_cast<std::size_t>(i) * n_ + y] != State::known) jobs.emplace_back(i, y);
        std::atomic<std::int64_t> computed{0};
        workers_.run(static_cast<int>(jobs.size()), [&](const Take& take) {
            FamilyCuts<W> cuts(n_);
            for (int job; (job = take()) >= 0; check_stop())
                computed += look_at(cuts, jobs[job].first, jobs[job].second);
        });
        cuts_ += computed;
        for (int y = 0; y < n_; ++y)
            if (changed_[y]) add_up(y);
    }

    // The number of cuts computed.
    int look_at(FamilyCuts<W>& cuts, std::size_t i, int y) {
        auto& state = state_[i * n_ + y];
        int computed = 0;
        for (int arc = first_[y]; arc < first_[y + 1]; ++arc) {
            auto& size = sizes_[i * sources_.size() + arc];
            if (!parents_[y].test(sources_[arc]) || (state == State::smaller && !size)) continue;
            if (!computed++) cuts.look_at(inputs_[i], y, parents_[y]);
            size = cuts.size_to(sources_[arc]);
        }
        state = State::known;
        return computed;
    }

    void add_up(int y) {
        for (int arc = first_[y]; arc < first_[y + 1]; ++arc) {
            totals_[arc] = 0;
            for (std::size_t i = 0; i < inputs_.size(); ++i)
                totals_[arc] += weights_[i] * sizes_[i * sources_.size() + arc];
        }
        changed_[y] = false;
    }
};

} // namespace bnfuse
