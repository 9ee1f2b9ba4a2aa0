// The interface of the pruning searches: candidates over the inputs' arcs, by population or one gene at a time.
#pragma once

#include "candidates.hpp"
#include "views.hpp"

namespace bnfuse {

struct CandidatesSetup {
    Decoding decoding;
    Triangulation triangulation;
    std::vector<ArcGene> arcs; // sorted by input; ends are variables
    std::vector<int> order;    // the meaning of labels: the order of the fusion, or that of the variables
    Graphs support;            // the networks whose directions count
    std::vector<Weight> support_weights;
    Metric metric;
    Graphs references;
    std::vector<Weight> reference_weights;
    std::vector<int> ties; // of FSim
    TableLimit tables = {};
};

class Candidates {
public:
    virtual ~Candidates() = default;
    virtual int n() const = 0;
    virtual int gene_count() const = 0;
    // Candidates are rows of genes, 0 or 1.
    virtual std::vector<Value> evaluate(Genes genes, int count, int threads) = 0;
    // Stores the network's parents into zeros; returns the elimination order that proves its clique size.
    virtual std::vector<int> decode(Genes genes, std::uint64_t* parents) const = 0;
    virtual void start_greedy(int limit) = 0;
    // Which of these genes are kept. If it is ended before the last of them, greedy pruning has to be started again, as
    // nobody knows which were kept.
    virtual std::vector<std::uint8_t> offer(const std::vector<int>& genes) = 0;
};

template <int W> class CandidatesOf final : public Candidates {
public:
    explicit CandidatesOf(const CandidatesSetup& setup) : evaluator_(labelled(setup)), order_(setup.order) {}
    CandidatesOf(const CandidatesOf&) = delete; // greedy pruning refers to the evaluator

    int n() const override { return static_cast<int>(order_.size()); }
    int gene_count() const override { return evaluator_.gene_count(); }

    std::vector<Value> evaluate(Genes genes, int count, int threads) override {
        check_threads(threads);
        check_genes(genes, count);
        std::vector<Value> values(count);
        evaluator_.evaluate(genes, count, threads, values.data());
        return values;
    }
    std::vector<int> decode(Genes genes, std::uint64_t* parents) const override {
        check_genes(genes, 1);
        auto network = evaluator_.network(genes);
        store(network.parents, order_, (order_.size() + 63) / 64, parents);
        for (auto& v : network.elimination_order) v = order_[v];
        return network.elimination_order;
    }
    void start_greedy(int limit) override { greedy_.emplace(evaluator_, limit); }
    std::vector<std::uint8_t> offer(const std::vector<int>& genes) override {
        require(greedy_.has_value(), "greedy pruning has not been started");
        for (const int gene : genes) require(0 <= gene && gene < gene_count(), "there is no such gene");
        std::vector<std::uint8_t> kept;
        try {
            for (const int gene : genes) {
                check_stop();
                kept.push_back(greedy_->offer(gene));
            }
        } catch (...) {
            greedy_.reset();
            throw;
        }
        return kept;
    }

private:
    Evaluator<W> evaluator_;
    std::vector<int> order_; // label -> variable
    std::optional<GreedyPruning<W>> greedy_;

    void check_genes(Genes genes, int count) const {
        const auto size = static_cast<std::size_t>(count) * gene_count();
        std::uint8_t seen = 0;
        for (std::size_t i = 0; i < size; ++i) seen |= genes[i];
        require(seen <= 1, "a gene is 0 or 1");
    }

    static void check(const CandidatesSetup& setup) {
        const int n = setup.support.n();
        check_some(setup.support);
        check_some(setup.references);
        check_same_size(setup.support, setup.references);
        check_weights(setup.support_weights, setup.support);
        check_weights(setup.reference_weights, setup.references);
        check_order(setup.order, n);
        check_order(setup.ties, n);
        check_tables(setup.tables, n);
        int input = 0;
        for (const auto& arc : setup.arcs) {
            check_arcs({{arc.source, arc.target}}, n);
            require(input <= arc.input && arc.input < setup.support.count(), "arcs are sorted by their inputs");
            input = arc.input;
            require(0 <= arc.gene && arc.gene < static_cast<int>(setup.arcs.size()), "there are more genes than arcs");
        }
    }

    static typename Evaluator<W>::Setup labelled(const CandidatesSetup& from) {
        check(from);
        const auto place = places(from.order), tie_place = places(from.ties);
        typename Evaluator<W>::Setup setup;
        setup.n = from.support.n();
        setup.decoding = from.decoding;
        setup.triangulation = from.triangulation;
        for (const auto& arc : from.arcs)
            setup.arcs.push_back({arc.input, place[arc.source], place[arc.target], arc.gene});
        setup.weights = from.support_weights;
        setup.support = directed_support(from.support.load_all<W>(place), setup.weights);
        if (from.metric == Metric::smhd)
            setup.smhd.emplace(from.references.load_all<W>(place), from.reference_weights);
        else if (from.metric == Metric::shd)
            setup.shd.emplace(from.references.load_all<W>(place), from.reference_weights);
        else
            setup.fsim.emplace(from.references.load_all<W>(tie_place), from.reference_weights);
        for (const int variable : from.order) setup.tie_place.push_back(tie_place[variable]);
        setup.tables = from.tables.of(from.order);
        return setup;
    }
};

} // namespace bnfuse
