// The Python face of the kernel. Graphs come and go as rows of 64-bit words, DAGs as rows of parents: one DAG is
// (variables, words), several are (DAGs, variables, words). Everything was validated before it gets here.
#include "candidates.hpp"
#include "distances.hpp"
#include "exact.hpp"
#include "parallel.hpp"

#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/unique_ptr.h>
#include <nanobind/stl/vector.h>

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
using Numbers = nb::ndarray<nb::numpy, std::int64_t, nb::shape<-1, 3>>;
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

template <int W> void store(const Rows<W>& rows, std::size_t words, std::uint64_t* data) {
    for (const auto& row : rows) data = std::copy_n(row.word.begin(), words, data);
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

std::vector<int> heuristic_order_of(const Graphs& dags, const Order& ties) {
    const auto tie_order = to_vector(ties);
    auto order = with_words(size_of(dags), [&]<int W>() {
        const auto place = places(tie_order);
        std::vector<Rows<W>> rows;
        for (int i = 0; i < count_of(dags); ++i) rows.push_back(relabelled(load<W>(dags, i), place));
        return heuristic_order(rows);
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
                    auto rows = relabelled(load<W>(dags, i), place);
                    minimal_imap(rows);
                    store(relabelled(rows, label), dags.shape(2), result.get() + i * size);
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
            for (int i; (i = take()) >= 0;) result[i] = fsim(rows, relabelled(load<W>(others, i), place), directed);
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
        const int lower = minor_min_width(moral, first<W>(size_of(dag)));
        auto upper = method == "mcs"          ? max_cardinality(moral)
                     : method == "min-degree" ? min_degree(moral)
                     : method == "min-fill"   ? min_fill(moral)
                                              : best_elimination(moral, lower);
        return {lower, upper.clique, std::move(upper.order)};
    });
}

int clique_along(const OneGraph& dag, const Order& order) {
    return with_words(size_of(dag),
                      [&]<int W>() { return eliminated_along(moral_graph(load<W>(dag)), to_vector(order)).clique; });
}

// Candidates of the pruning searches, whatever the word count.
class Candidates {
public:
    virtual ~Candidates() = default;
    virtual void evaluate(Genes genes, int count, int threads, Value* values) = 0;
    virtual void decode(Genes genes, std::uint64_t* parents, std::size_t words) const = 0;
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
    void decode(Genes genes, std::uint64_t* parents, std::size_t words) const override {
        store(relabelled(evaluator_.network(genes), order_), words, parents);
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

struct WeightedDags {
    Graphs dags;
    Weights weights;

    std::vector<Weight> weight_vector() const { return {weights.data(), weights.data() + weights.size()}; }
    template <int W> std::vector<Rows<W>> relabelled_by(const std::vector<int>& place) const {
        std::vector<Rows<W>> rows;
        for (int i = 0; i < count_of(dags); ++i) rows.push_back(relabelled(load<W>(dags, i), place));
        return rows;
    }
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
        setup.support = directed_support(inputs.relabelled_by<W>(place), inputs.weight_vector());
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

NewGraphs decode(const Candidates& candidates, const Population& population, std::size_t variables) {
    const auto words = (variables + 63) / 64, size = variables * words;
    auto result = std::make_unique<std::uint64_t[]>(population.shape(0) * size);
    for (std::size_t i = 0; i < population.shape(0); ++i)
        candidates.decode(population.data() + i * population.shape(1), result.get() + i * size, words);
    return owned<NewGraphs>(std::move(result), {population.shape(0), variables, words});
}

} // namespace

NB_MODULE(_kernel, m) {
    using Free = nb::call_guard<nb::gil_scoped_release>;
    m.attr("MAX_VARIABLES") = max_variables;
    m.def("find_cycle", find_cycle_of, nb::arg("dag").noconvert(), Free());
    m.def("heuristic_order", heuristic_order_of, nb::arg("dags").noconvert(), nb::arg("ties").noconvert(), Free());
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
        .def("decode", decode, nb::arg("population").noconvert(), nb::arg("variables"))
        .def("start_greedy", &Candidates::start_greedy, nb::arg("limit"))
        .def("offer", &Candidates::offer, nb::arg("genes"), Free());
    m.def("clique_along", clique_along, nb::arg("dag").noconvert(), nb::arg("order").noconvert(), Free());
}
