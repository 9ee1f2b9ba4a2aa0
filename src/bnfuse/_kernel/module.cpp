// The Python face of the kernel. Graphs come and go as rows of 64-bit words, DAGs as rows of parents: one DAG is
// (variables, words), several are (DAGs, variables, words). Everything was validated before it gets here.
#include "branching.hpp"
#include "candidates.hpp"
#include "direct.hpp"
#include "distances.hpp"
#include "exact.hpp"
#include "fsim_search.hpp"
#include "minors.hpp"
#include "parallel.hpp"

#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/unique_ptr.h>
#include <nanobind/stl/vector.h>

#include <deque>
#include <memory>
#include <stdexcept>
#include <string>
#include <tuple>

namespace nb = nanobind;
using namespace bnfuse;

namespace {

using OneGraph = nb::ndarray<const std::uint64_t, nb::ndim<2>, nb::c_contig, nb::device::cpu>;
using Graphs = nb::ndarray<const std::uint64_t, nb::ndim<3>, nb::c_contig, nb::device::cpu>;
using Order = nb::ndarray<const std::int32_t, nb::ndim<1>, nb::c_contig, nb::device::cpu>;
using Weights = nb::ndarray<const std::int64_t, nb::ndim<1>, nb::c_contig, nb::device::cpu>;
using Arcs = nb::ndarray<const std::int32_t, nb::shape<-1, 4>, nb::c_contig, nb::device::cpu>;
using Population = nb::ndarray<const std::uint8_t, nb::ndim<2>, nb::c_contig, nb::device::cpu>;
using Counts = nb::ndarray<std::int64_t, nb::ndim<2>, nb::c_contig, nb::device::cpu>;
using PairNumbers = nb::ndarray<const std::int64_t, nb::ndim<2>, nb::c_contig, nb::device::cpu>;
using Rules = nb::ndarray<const std::uint8_t, nb::ndim<2>, nb::c_contig, nb::device::cpu>;
using Numbers = nb::ndarray<nb::numpy, std::int64_t, nb::shape<-1, 3>>;
using NewGraph = nb::ndarray<nb::numpy, std::uint64_t, nb::ndim<2>>;
using NewGraphs = nb::ndarray<nb::numpy, std::uint64_t, nb::ndim<3>>;

std::vector<int> to_vector(const Order& order) { return {order.data(), order.data() + order.size()}; }

template <int W> Rows<W> load(const std::uint64_t* data, std::size_t variables, std::size_t words) {
    Rows<W> rows(variables);
    for (auto& row : rows) {
        std::copy_n(data, words, row.word.begin());
        data += words;
    }
    return rows;
}

template <int W> Rows<W> load(const OneGraph& graph) { return load<W>(graph.data(), graph.shape(0), graph.shape(1)); }

template <int W> Rows<W> load(const Graphs& graphs, std::size_t index) {
    const auto size = graphs.shape(1) * graphs.shape(2);
    return load<W>(graphs.data() + index * size, graphs.shape(1), graphs.shape(2));
}

// With variable v called name[v].
template <int W> Rows<W> load(const Graphs& graphs, std::size_t index, const std::vector<int>& name) {
    const auto words = graphs.shape(2);
    const auto* data = graphs.data() + index * graphs.shape(1) * words;
    Rows<W> rows(graphs.shape(1));
    for (std::size_t v = 0; v < rows.size(); ++v) {
        auto& row = rows[name[v]];
        for (std::size_t i = 0; i < words; ++i)
            for (auto rest = *data++; rest; rest &= rest - 1) row.set(name[64 * i + std::countr_zero(rest)]);
    }
    return rows;
}

// With label v called name[v], into zeros.
template <int W> void store(const Rows<W>& rows, const std::vector<int>& name, std::size_t words, std::uint64_t* data) {
    for (std::size_t v = 0; v < rows.size(); ++v) {
        auto* row = data + name[v] * words;
        rows[v].each([&](int u) { row[name[u] >> 6] |= std::uint64_t{1} << (name[u] & 63); });
    }
}

// A numpy array that owns its data.
template <class Array, class T> Array owned(std::unique_ptr<T[]> values, std::initializer_list<std::size_t> shape) {
    auto* data = values.release();
    nb::capsule owner(data, [](void* p) noexcept { delete[] static_cast<T*>(p); });
    return Array(data, shape, owner);
}

int size_of(const OneGraph& graph) { return static_cast<int>(graph.shape(0)); }
int size_of(const Graphs& graphs) { return static_cast<int>(graphs.shape(1)); }
int count_of(const Graphs& graphs) { return static_cast<int>(graphs.shape(0)); }

std::vector<int> find_cycle_of(const OneGraph& dag) {
    return with_words(size_of(dag), [&]<int W>() { return find_cycle(load<W>(dag)); });
}

struct WeightedDags {
    Graphs dags;
    Weights weights;

    std::vector<Weight> weight_vector() const { return {weights.data(), weights.data() + weights.size()}; }
    template <int W> std::vector<Rows<W>> relabelled_by(const std::vector<int>& place) const {
        std::vector<Rows<W>> rows;
        for (int i = 0; i < count_of(dags); ++i) rows.push_back(load<W>(dags, i, place));
        return rows;
    }
};

std::vector<int> heuristic_order_of(const Graphs& dags, const Weights& weights, const Order& ties) {
    const auto tie_order = to_vector(ties);
    auto order = with_words(size_of(dags), [&]<int W>() {
        const WeightedDags weighted{dags, weights};
        return heuristic_order(weighted.relabelled_by<W>(places(tie_order)), weighted.weight_vector());
    });
    for (auto& v : order) v = tie_order[v];
    return order;
}

NewGraphs minimal_imaps_of(const Graphs& dags, const Order& order, int threads) {
    const auto size = dags.shape(1) * dags.shape(2);
    auto result = std::make_unique<std::uint64_t[]>(dags.shape(0) * size);
    {
        nb::gil_scoped_release release;
        const auto label = to_vector(order);
        const auto place = places(label);
        with_words(size_of(dags), [&]<int W>() {
            parallel(count_of(dags), threads, [&](auto&& take) {
                MinimalImap<W> minimal_imap;
                for (int i; (i = take()) >= 0;) {
                    auto rows = load<W>(dags, i, place);
                    minimal_imap(rows);
                    store(rows, label, dags.shape(2), result.get() + i * size);
                }
            });
        });
    }
    return owned<NewGraphs>(std::move(result), {dags.shape(0), dags.shape(1), dags.shape(2)});
}

std::vector<int> shd_to(const OneGraph& dag, const Graphs& others) {
    return with_words(size_of(dag), [&]<int W>() {
        const auto rows = load<W>(dag);
        std::vector<int> result;
        for (int i = 0; i < count_of(others); ++i) result.push_back(shd(rows, load<W>(others, i)));
        return result;
    });
}

std::vector<int> smhd_to(const OneGraph& dag, const Graphs& others) {
    return with_words(size_of(dag), [&]<int W>() {
        const auto moral = moral_graph(load<W>(dag));
        std::vector<int> result;
        for (int i = 0; i < count_of(others); ++i)
            result.push_back(moral_difference(moral, moral_graph(load<W>(others, i))));
        return result;
    });
}

std::vector<int> fsim_to(const OneGraph& dag, const Graphs& others, const Order& ties, bool directed, int threads) {
    std::vector<int> result(others.shape(0));
    const auto place = places(to_vector(ties));
    with_words(size_of(dag), [&]<int W>() {
        const auto rows = relabelled(load<W>(dag), place);
        parallel(count_of(others), threads, [&](auto&& take) {
            Fsim<W> fsim;
            for (int i; (i = take()) >= 0;) result[i] = fsim(rows, load<W>(others, i, place), directed);
        });
    });
    return result;
}

using Bounded = std::tuple<int, int, std::vector<int>>; // lower bound, size of the largest clique, elimination order

Bounded triangulate(const OneGraph& dag, const std::string& method, std::int64_t states) {
    return with_words(size_of(dag), [&]<int W>() -> Bounded {
        const auto moral = moral_graph(load<W>(dag));
        if (method == "exact") {
            auto bounds = exact_clique(moral, states);
            return {bounds.lower, bounds.upper.clique, std::move(bounds.upper.order)};
        }
        if (method == "best") {
            const int lower = minor_min_width(moral, first<W>(size_of(dag)));
            auto upper = best_elimination(moral, lower);
            return {lower, upper.clique, std::move(upper.order)};
        }
        auto upper = method == "mcs"          ? max_cardinality(moral)
                     : method == "min-degree" ? min_degree(moral)
                                              : min_fill(moral);
        int largest_family = 0; // a clique of every triangulation
        for (const auto& parents : load<W>(dag)) largest_family = std::max(largest_family, parents.count() + 1);
        return {largest_family, upper.clique, std::move(upper.order)};
    });
}

int clique_along(const OneGraph& dag, const Order& order) {
    return with_words(size_of(dag),
                      [&]<int W>() { return eliminated_along(moral_graph(load<W>(dag)), to_vector(order)).clique; });
}

// Adds the weight of each DAG to the counts of its moral edges (both ways round) and arcs.
void count_edges(const Graphs& dags, const Weights& weights, const Counts& moral, const Counts& arcs) {
    const auto n = static_cast<std::size_t>(size_of(dags));
    with_words(size_of(dags), [&]<int W>() {
        for (int i = 0; i < count_of(dags); ++i) {
            const auto parents = load<W>(dags, i);
            const auto graph = moral_graph(parents);
            const auto weight = weights.data()[i];
            for (std::size_t v = 0; v < n; ++v) {
                graph[v].each([&](int u) { moral.data()[v * n + u] += weight; });
                parents[v].each([&](int p) { arcs.data()[p * n + v] += weight; });
            }
        }
    });
}

PairWeights pair_weights(const PairNumbers& numbers) {
    const int n = static_cast<int>(numbers.shape(0));
    PairWeights weights(n);
    for (int a = 0; a < n; ++a)
        for (int b = 0; b < n; ++b) weights(a, b) = numbers.data()[static_cast<std::size_t>(a) * n + b];
    return weights;
}

// Independent annealing chains over DAGs; how many threads run them never shows.
class DirectSearch {
public:
    // Rules by pair: 1 an arc that may be added, 2 one that must stay.
    DirectSearch(const PairNumbers& gain, const PairNumbers& support, const Rules& rules, int limit, int max_parents,
                 double hot, double decay, int chains, std::uint64_t seed, std::uint64_t stream)
        : problem_{static_cast<int>(gain.shape(0)),
                   limit,
                   max_parents,
                   pair_weights(gain),
                   pair_weights(support),
                   {},
                   {rules.data(), rules.data() + rules.size()},
                   hot,
                   decay} {
        std::vector<std::pair<int, int>> required;
        for (int u = 0; u < problem_.n; ++u)
            for (int v = 0; v < problem_.n; ++v) {
                if (problem_.allowed(u, v)) problem_.arcs.emplace_back(u, v);
                if (problem_.is_required(u, v)) required.emplace_back(u, v);
            }
        for (int i = 0; i < chains; ++i) {
            auto& chain = *chains_.emplace_back(std::make_unique<Chain>(problem_, seed, stream + i));
            for (const auto& [u, v] : required)
                if (!chain.add_anyhow(u, v)) throw std::invalid_argument("the required arcs do not fit the limit");
            chain.remember();
        }
    }

    DirectSearch(const DirectSearch&) = delete; // the chains refer to the problem

    // Arcs to add, one after the other, to every chain, as far as the limits allow.
    void start_from(const std::vector<std::pair<int, int>>& arcs) {
        for (auto& chain : chains_) {
            for (const auto& [u, v] : arcs)
                if (!chain->has(u, v)) chain->add_anyhow(u, v);
            chain->remember();
        }
    }

    // The same, with the elimination order that proves it to be within the limit.
    void start_at(const std::vector<std::pair<int, int>>& arcs, const std::vector<int>& order) {
        for (auto& chain : chains_) chain->start_at(arcs, order);
    }

    void anneal(std::int64_t from, std::int64_t to, std::int64_t total, int threads) {
        if (problem_.arcs.empty()) return;
        parallel(static_cast<int>(chains_.size()), threads, [&](auto&& take) {
            for (int i; (i = take()) >= 0;) chains_[i]->anneal(from, to, total);
        });
    }

    // (gain, support, arcs (from, to), elimination order that proves the clique size)
    using Network = std::tuple<Weight, Weight, std::vector<std::pair<int, int>>, std::vector<int>>;

    // The best network of all chains; of equal ones that of the first chain.
    Network best() const { return network(best_chain().best()); }

    // Turns the best network's arcs the way most inputs have them, as far as its distance allows.
    void polish(std::int64_t moves) {
        if (!problem_.arcs.empty()) best_chain().polish(moves);
    }

    // The network of the first chain as it is.
    Network current() const { return network(chains_.front()->current()); }

    int arc_count() const { return static_cast<int>(problem_.arcs.size()); }

private:
    DirectProblem problem_;
    std::vector<std::unique_ptr<Chain>> chains_;

    Chain& best_chain() const {
        Chain* best = chains_.front().get();
        for (const auto& chain : chains_)
            if (chain->best().score > best->best().score) best = chain.get();
        return *best;
    }

    Network network(const Found& found) const {
        std::vector<std::pair<int, int>> arcs;
        for (int v = 0; v < problem_.n; ++v)
            for (const int p : found.parents[v]) arcs.emplace_back(p, v);
        auto order =
            with_words(problem_.n, [&]<int W>() { return max_cardinality(found.template chordal_graph<W>()).order; });
        return {found.score.gain, found.score.support, std::move(arcs), std::move(order)};
    }
};

// Annealing chains for FSim, whatever the word count; how many threads run them never shows.
class FsimSearch {
public:
    // (distance, minus directed support, parents, elimination order that proves the clique size)
    using Network = std::tuple<Weight, Weight, NewGraph, std::vector<int>>;

    virtual ~FsimSearch() = default;
    virtual void start_at(int chain, const OneGraph& dag, const std::vector<int>& order) = 0;
    virtual void restart() = 0;
    virtual void anneal(std::int64_t until, std::int64_t total, double hot, int threads) = 0;
    virtual Network best() const = 0;
    virtual std::int64_t networks() const = 0;
};

template <int W> class FsimSearchOf final : public FsimSearch {
public:
    FsimSearchOf(FsimProblem<W> problem, std::vector<int> ties, int chains, std::uint64_t seed)
        : problem_(std::move(problem)), ties_(std::move(ties)), place_(places(ties_)) {
        for (int i = 0; i < chains; ++i) chains_.emplace_back(problem_, seed, i);
    }

    void start_at(int chain, const OneGraph& dag, const std::vector<int>& order) override {
        std::vector<int> labels;
        for (const int v : order) labels.push_back(place_[v]);
        chains_[chain].start_at(relabelled(load<W>(dag), place_), std::move(labels));
        words_ = dag.shape(1);
    }
    void restart() override {
        const auto found = best_found();
        for (auto& chain : chains_) {
            chain.start_at(found);
            chain.rewind();
        }
    }
    void anneal(std::int64_t until, std::int64_t total, double hot, int threads) override {
        if (problem_.arcs.empty()) return;
        parallel(static_cast<int>(chains_.size()), threads, [&](auto&& take) {
            for (int i; (i = take()) >= 0;) chains_[i].anneal(until, total, hot);
        });
    }
    // The best network of all chains; of equal ones that of the first chain.
    Network best() const override {
        const auto& found = best_found();
        auto rows = std::make_unique<std::uint64_t[]>(problem_.n * words_);
        store(found.parents, ties_, words_, rows.get());
        std::vector<int> order;
        for (const int v : found.order) order.push_back(ties_[v]);
        const auto n = static_cast<std::size_t>(problem_.n);
        return {found.distance, -found.support, owned<NewGraph>(std::move(rows), {n, words_}), std::move(order)};
    }
    std::int64_t networks() const override {
        std::int64_t total = 0;
        for (const auto& chain : chains_) total += chain.networks();
        return total;
    }

private:
    FsimProblem<W> problem_;
    std::vector<int> ties_, place_; // label -> variable, variable -> label
    std::deque<FsimChain<W>> chains_;
    std::size_t words_ = 0;

    const FsimFound<W>& best_found() const {
        const FsimFound<W>* best = &chains_.front().best();
        for (const auto& chain : chains_)
            if (chain.best().better_than(*best)) best = &chain.best();
        return *best;
    }
};

// `rules` by arc: 1 it may be added, 2 it must stay; `frequency`: how often each arc is drawn, in all below 2^32.
std::unique_ptr<FsimSearch> make_fsim_search(const Graphs& references, const Weights& weights, const Order& ties,
                                             const PairNumbers& support, const PairNumbers& frequency,
                                             const Rules& rules, int limit, int max_parents, int chains,
                                             std::uint64_t seed) {
    const int n = size_of(references);
    return with_words(n, [&]<int W>() -> std::unique_ptr<FsimSearch> {
        auto tie_order = to_vector(ties);
        const auto place = places(tie_order);
        FsimProblem<W> problem;
        problem.n = n;
        problem.limit = limit;
        problem.max_parents = max_parents;
        problem.support = PairWeights(n);
        std::uint32_t drawn = 0;
        for (int a = 0; a < n; ++a)
            for (int b = 0; b < n; ++b) {
                const int u = tie_order[a], v = tie_order[b];
                problem.support(a, b) = support(u, v);
                problem.rules.push_back(rules(u, v));
                if (!(rules(u, v) & 1)) continue;
                problem.arcs.emplace_back(a, b);
                problem.drawn_until.push_back(drawn += static_cast<std::uint32_t>(frequency(u, v)));
            }
        const WeightedDags targets{references, weights};
        const auto dags = targets.relabelled_by<W>(place);
        for (std::size_t i = 0; i < dags.size(); ++i) problem.add_reference(dags[i], weights(i));
        return std::make_unique<FsimSearchOf<W>>(std::move(problem), std::move(tie_order), chains, seed);
    });
}

// Candidates of the pruning searches, whatever the word count.
class Candidates {
public:
    virtual ~Candidates() = default;
    virtual void evaluate(Genes genes, int count, int threads, Value* values) = 0;
    // Stores the network's parents; gives the elimination order that proves its clique size.
    virtual std::vector<int> decode(Genes genes, std::uint64_t* parents, std::size_t words) const = 0;
    virtual std::vector<std::uint8_t> offer(const std::vector<int>& genes) = 0;
    virtual void start_greedy(int limit) = 0;
    virtual int gene_count() const = 0;
};

template <int W> class CandidatesOf final : public Candidates {
public:
    CandidatesOf(typename Evaluator<W>::Setup setup, std::vector<int> order)
        : evaluator_(std::move(setup)), order_(std::move(order)) {}

    void evaluate(Genes genes, int count, int threads, Value* values) override {
        evaluator_.evaluate(genes, count, threads, values);
    }
    std::vector<int> decode(Genes genes, std::uint64_t* parents, std::size_t words) const override {
        auto network = evaluator_.network(genes);
        store(network.parents, order_, words, parents);
        for (auto& v : network.elimination_order) v = order_[v];
        return network.elimination_order;
    }
    void start_greedy(int limit) override { greedy_.emplace(evaluator_, limit); }
    std::vector<std::uint8_t> offer(const std::vector<int>& genes) override {
        std::vector<std::uint8_t> kept;
        for (const int gene : genes) kept.push_back(greedy_->offer(gene));
        return kept;
    }
    int gene_count() const override { return evaluator_.gene_count(); }

private:
    Evaluator<W> evaluator_;
    std::vector<int> order_; // label -> variable
    std::optional<GreedyPruning<W>> greedy_;
};

// `arcs` has a row (input, from, to, gene) for each arc, sorted by input. `order` is what labels stand for: the order
// under which pruned inputs are fused, or that of the variables. `support` are the networks whose directions count.
std::unique_ptr<Candidates> make_candidates(const std::string& decoding, const std::string& triangulation,
                                            const Arcs& arcs, const Order& order, const Graphs& support,
                                            const Weights& support_weights, const std::string& metric,
                                            const Graphs& references, const Weights& reference_weights,
                                            const Order& ties) {
    const int n = size_of(support);
    return with_words(n, [&]<int W>() -> std::unique_ptr<Candidates> {
        const auto variables = to_vector(order);
        const auto place = places(variables), tie_place = places(to_vector(ties));
        const WeightedDags inputs{support, support_weights}, targets{references, reference_weights};
        typename Evaluator<W>::Setup setup;
        setup.n = n;
        setup.decoding = decoding == "keep-arcs" ? Decoding::keep_arcs
                         : decoding == "fuse"    ? Decoding::fuse
                                                 : Decoding::fuse_in_own_order;
        setup.triangulation = triangulation == "mcs" ? Triangulation::max_cardinality : Triangulation::min_fill;
        for (std::size_t i = 0; i < arcs.shape(0); ++i) {
            const auto* row = arcs.data() + 4 * i;
            setup.arcs.push_back({row[0], place[row[1]], place[row[2]], row[3]});
        }
        setup.weights = inputs.weight_vector();
        setup.support = directed_support(inputs.relabelled_by<W>(place), setup.weights);
        if (metric == "smhd")
            setup.smhd.emplace(targets.relabelled_by<W>(place), targets.weight_vector());
        else
            setup.fsim.emplace(targets.relabelled_by<W>(tie_place), targets.weight_vector());
        for (const int variable : variables) setup.tie_place.push_back(tie_place[variable]);
        return std::make_unique<CandidatesOf<W>>(std::move(setup), variables);
    });
}

// A row (distance, directed support, clique) for each candidate.
Numbers evaluate(Candidates& candidates, const Population& population, int threads) {
    const auto count = population.shape(0);
    auto result = std::make_unique<std::int64_t[]>(3 * count);
    {
        nb::gil_scoped_release release;
        std::vector<Value> values(count);
        candidates.evaluate(population.data(), static_cast<int>(count), threads, values.data());
        for (std::size_t i = 0; i < count; ++i) {
            result[3 * i] = values[i].distance;
            result[3 * i + 1] = values[i].support;
            result[3 * i + 2] = values[i].clique;
        }
    }
    return owned<Numbers>(std::move(result), {count, 3});
}

// The network of one candidate, and the elimination order that proves its clique size.
std::tuple<NewGraph, std::vector<int>> decode(const Candidates& candidates, const Population& candidate,
                                              std::size_t variables) {
    const auto words = (variables + 63) / 64;
    auto result = std::make_unique<std::uint64_t[]>(variables * words);
    auto order = candidates.decode(candidate.data(), result.get(), words);
    return {owned<NewGraph>(std::move(result), {variables, words}), std::move(order)};
}

using Edges = nb::ndarray<const std::int32_t, nb::shape<-1, 2>, nb::c_contig, nb::device::cpu>;

// Edges with positive weights, in order of decreasing weight.
std::vector<Edge> weighted_edges(const Edges& edges, const Weights& weights) {
    std::vector<Edge> list;
    for (std::size_t i = 0; i < weights.size(); ++i) list.push_back({edges(i, 0), edges(i, 1), weights(i)});
    return list;
}

Weight rigidity_weight_of(int n, const Edges& edges, const Weights& weights, int k) {
    return rigidity_weight(n, weighted_edges(edges, weights), k);
}

Weight minor_weight_of(int n, const Edges& edges, const Weights& weights, int k, int rounds) {
    return minor_weight(n, weighted_edges(edges, weights), k, rounds);
}

// `rules` by arc: 1 it may be used, 2 it must be.
std::vector<int> maximum_branching(const PairNumbers& gain, const PairNumbers& support, const Rules& rules) {
    const int n = static_cast<int>(rules.shape(0));
    std::vector<WeightedArc> arcs;
    for (int u = 0; u < n; ++u)
        for (int v = 0; v < n; ++v)
            if (rules(u, v)) arcs.push_back({u, v, gain(u, v), support(u, v), (rules(u, v) & 2) != 0});
    return MaximumBranching(n, arcs)();
}

} // namespace

NB_MODULE(_kernel, m) {
    using Free = nb::call_guard<nb::gil_scoped_release>;
    m.attr("MAX_VARIABLES") = max_variables;
    m.def("find_cycle", find_cycle_of, nb::arg("dag").noconvert(), Free());
    m.def("heuristic_order", heuristic_order_of, nb::arg("dags").noconvert(), nb::arg("weights").noconvert(),
          nb::arg("ties").noconvert(), Free());
    m.def("minimal_imaps", minimal_imaps_of, nb::arg("dags").noconvert(), nb::arg("order").noconvert(),
          nb::arg("threads"));
    m.def("shd", shd_to, nb::arg("dag").noconvert(), nb::arg("others").noconvert(), Free());
    m.def("smhd", smhd_to, nb::arg("dag").noconvert(), nb::arg("others").noconvert(), Free());
    m.def("fsim", fsim_to, nb::arg("dag").noconvert(), nb::arg("others").noconvert(), nb::arg("ties").noconvert(),
          nb::arg("directed"), nb::arg("threads"), Free());
    m.def("triangulate", triangulate, nb::arg("dag").noconvert(), nb::arg("method"), nb::arg("states"), Free());
    nb::class_<Candidates>(m, "Candidates")
        .def(nb::new_(&make_candidates), nb::arg("decoding"), nb::arg("triangulation"), nb::arg("arcs").noconvert(),
             nb::arg("order").noconvert(), nb::arg("support").noconvert(), nb::arg("support_weights").noconvert(),
             nb::arg("metric"), nb::arg("references").noconvert(), nb::arg("reference_weights").noconvert(),
             nb::arg("ties").noconvert())
        .def("evaluate", evaluate, nb::arg("population").noconvert(), nb::arg("threads"))
        .def("decode", decode, nb::arg("candidate").noconvert(), nb::arg("variables"))
        .def("start_greedy", &Candidates::start_greedy, nb::arg("limit"))
        .def("offer", &Candidates::offer, nb::arg("genes"), Free());
    nb::class_<DirectSearch>(m, "DirectSearch")
        .def(nb::init<const PairNumbers&, const PairNumbers&, const Rules&, int, int, double, double, int,
                      std::uint64_t, std::uint64_t>(),
             nb::arg("gain").noconvert(), nb::arg("support").noconvert(), nb::arg("rules").noconvert(),
             nb::arg("limit"), nb::arg("max_parents"), nb::arg("hot"), nb::arg("decay"), nb::arg("chains"),
             nb::arg("seed"), nb::arg("stream"))
        .def("start_from", &DirectSearch::start_from, nb::arg("arcs"))
        .def("start_at", &DirectSearch::start_at, nb::arg("arcs"), nb::arg("order"))
        .def("anneal", &DirectSearch::anneal, nb::arg("start"), nb::arg("stop"), nb::arg("total"), nb::arg("threads"),
             Free())
        .def("polish", &DirectSearch::polish, nb::arg("moves"), Free())
        .def("best", &DirectSearch::best)
        .def("current", &DirectSearch::current)
        .def("arc_count", &DirectSearch::arc_count);
    nb::class_<FsimSearch>(m, "FsimSearch")
        .def(nb::new_(&make_fsim_search), nb::arg("references").noconvert(), nb::arg("weights").noconvert(),
             nb::arg("ties").noconvert(), nb::arg("support").noconvert(), nb::arg("frequency").noconvert(),
             nb::arg("rules").noconvert(), nb::arg("limit"), nb::arg("max_parents"), nb::arg("chains"), nb::arg("seed"))
        .def("start_at", &FsimSearch::start_at, nb::arg("chain"), nb::arg("dag").noconvert(), nb::arg("order"))
        .def("restart", &FsimSearch::restart, Free())
        .def("anneal", &FsimSearch::anneal, nb::arg("until"), nb::arg("total"), nb::arg("hot"), nb::arg("threads"),
             Free())
        .def("best", &FsimSearch::best)
        .def("networks", &FsimSearch::networks);
    m.def("count_edges", count_edges, nb::arg("dags").noconvert(), nb::arg("weights").noconvert(),
          nb::arg("moral").noconvert(), nb::arg("arcs").noconvert(), Free());
    m.def("clique_along", clique_along, nb::arg("dag").noconvert(), nb::arg("order").noconvert(), Free());
    m.def("rigidity_weight", rigidity_weight_of, nb::arg("n"), nb::arg("edges").noconvert(),
          nb::arg("weights").noconvert(), nb::arg("k"), Free());
    m.def("minor_weight", minor_weight_of, nb::arg("n"), nb::arg("edges").noconvert(), nb::arg("weights").noconvert(),
          nb::arg("k"), nb::arg("rounds"), Free());
    m.def("maximum_branching", maximum_branching, nb::arg("gain").noconvert(), nb::arg("support").noconvert(),
          nb::arg("rules").noconvert(), Free());
}
