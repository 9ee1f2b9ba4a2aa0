// The Python face of the kernel. Graphs come and go as rows of 64-bit words, DAGs as rows of parents: one DAG is
// (variables, words), several are (DAGs, variables, words). The kernel checks what it gets.
#include "bounds.hpp"
#include "branching.hpp"
#include "direct_search.hpp"
#include "kernel.hpp"

#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include <cmath>
#include <string>
#include <tuple>

namespace nb = nanobind;
using namespace bnfuse;

namespace {

template <class T, class... Rest> using In = nb::ndarray<const T, Rest..., nb::c_contig, nb::device::cpu>;
using OneDag = In<std::uint64_t, nb::ndim<2>>;
using ManyDags = In<std::uint64_t, nb::ndim<3>>;
using OrderIn = In<std::int32_t, nb::ndim<1>>;
using WeightsIn = In<std::int64_t, nb::ndim<1>>;
using ArcGenes = In<std::int32_t, nb::shape<-1, 4>>;
using Population = In<std::uint8_t, nb::ndim<2>>;
using PairNumbers = In<std::int64_t, nb::ndim<2>>;
using Rules = In<std::uint8_t, nb::ndim<2>>;
using Edges = In<std::int32_t, nb::shape<-1, 2>>;
using Counts = nb::ndarray<std::int64_t, nb::ndim<2>, nb::c_contig, nb::device::cpu>;
using Numbers = nb::ndarray<nb::numpy, std::int64_t, nb::shape<-1, 3>>;
using NewDag = nb::ndarray<nb::numpy, std::uint64_t, nb::ndim<2>>;
using NewDags = nb::ndarray<nb::numpy, std::uint64_t, nb::ndim<3>>;

// In

Graphs view(const OneDag& dag) { return {dag.data(), 1, dag.shape(0), dag.shape(1)}; }
Graphs view(const ManyDags& dags) { return {dags.data(), dags.shape(0), dags.shape(1), dags.shape(2)}; }

template <class To, class Array> std::vector<To> list(const Array& array) {
    return {array.data(), array.data() + array.size()};
}
std::vector<int> order_of(const OrderIn& order) { return list<int>(order); }
std::vector<Weight> weights_of(const WeightsIn& weights) { return list<Weight>(weights); }

void check_square(std::size_t rows, std::size_t columns, int n) {
    const auto size = static_cast<std::size_t>(n);
    require(rows == size && columns == size, "numbers and rules are given by pairs of the variables");
}
PairWeights pairs_of(const PairNumbers& numbers, int n) {
    check_square(numbers.shape(0), numbers.shape(1), n);
    return {n, list<Weight>(numbers)};
}
std::vector<std::uint8_t> rules_of(const Rules& rules, int n) {
    check_square(rules.shape(0), rules.shape(1), n);
    auto bytes = list<std::uint8_t>(rules);
    check_rules(bytes, n);
    return bytes;
}

template <class Choice>
Choice one_of(const std::string& text, std::initializer_list<std::pair<const char*, Choice>> choices) {
    for (const auto& [name, choice] : choices)
        if (text == name) return choice;
    throw std::invalid_argument("there is no '" + text + "' to choose");
}

// Out

// A numpy array that owns its data.
template <class Array, class T> Array owned(std::unique_ptr<T[]> values, std::initializer_list<std::size_t> shape) {
    nb::capsule owner(values.get(), [](void* p) noexcept { delete[] static_cast<T*>(p); });
    return Array(values.release(), shape, owner);
}

// Signals

bool a_signal_raised() {
    nb::gil_scoped_acquire gil;
    return PyErr_CheckSignals() != 0;
}

// Works without the GIL, and lets Python handle signals all the while: what a handler raises ends the work.
template <class Work> auto interruptible(Work&& work, double seconds = HUGE_VAL) {
    const auto watched = [&] {
        Watch watch(a_signal_raised, seconds);
        const nb::gil_scoped_release release;
        const Watched now(&watch);
        return work();
    };
    try {
        auto result = watched();
        if (PyErr_Occurred()) throw nb::python_error();
        return result;
    } catch (const Stopped&) {
        throw nb::python_error();
    }
}

// What one call at a time may use: the GIL does not see to that where it is released.
template <class Object> class Exclusive {
public:
    explicit Exclusive(std::unique_ptr<Object> object) : object_(std::move(object)) {}

    template <class Use> auto use(Use&& work) {
        if (busy_.exchange(true)) throw std::runtime_error("another call is using this object");
        const Busy busy{busy_};
        return work(*object_);
    }

private:
    struct Busy {
        std::atomic<bool>& flag;
        ~Busy() { flag = false; }
    };
    std::unique_ptr<Object> object_;
    std::atomic<bool> busy_{false};
};

// Functions

std::vector<int> heuristic_order_of(const ManyDags& dags, const WeightsIn& weights, const OrderIn& ties) {
    const auto graphs = view(dags);
    return interruptible(
        [&] { return kernel_for(graphs).heuristic_order(graphs, weights_of(weights), order_of(ties)); });
}

NewDags minimal_imaps_of(const ManyDags& dags, const OrderIn& order, int threads) {
    const auto graphs = view(dags);
    auto maps = interruptible([&] {
        auto rows = std::make_unique<std::uint64_t[]>(dags.size());
        kernel_for(graphs).minimal_imaps(graphs, order_of(order), threads, rows.get());
        return rows;
    });
    return owned<NewDags>(std::move(maps), {dags.shape(0), dags.shape(1), dags.shape(2)});
}

std::vector<int> shd_to(const OneDag& dag, const ManyDags& others) {
    return interruptible([&] { return kernel_for(view(dag)).shd(view(dag), view(others)); });
}

std::vector<int> smhd_to(const OneDag& dag, const ManyDags& others) {
    return interruptible([&] { return kernel_for(view(dag)).smhd(view(dag), view(others)); });
}

std::vector<int> fsim_to(const OneDag& dag, const ManyDags& others, const OrderIn& ties, bool directed, int threads) {
    return interruptible(
        [&] { return kernel_for(view(dag)).fsim(view(dag), view(others), order_of(ties), directed, threads); });
}

// (lower bound, size of the largest clique, elimination order)
std::tuple<int, int, std::vector<int>> triangulate(const OneDag& dag, const std::string& name, std::int64_t states) {
    const auto method = one_of<Method>(name, {{"best", Method::best},
                                              {"mcs", Method::max_cardinality},
                                              {"min-fill", Method::min_fill},
                                              {"min-degree", Method::min_degree},
                                              {"exact", Method::exact}});
    auto found = interruptible([&] { return kernel_for(view(dag)).triangulate(view(dag), method, states); });
    return {found.lower, found.upper, std::move(found.order)};
}

int clique_along(const OneDag& dag, const OrderIn& order) {
    return interruptible([&] { return kernel_for(view(dag)).clique_along(view(dag), order_of(order)); });
}

void count_edges(const ManyDags& dags, const WeightsIn& weights, const Counts& moral, const Counts& arcs) {
    const auto graphs = view(dags);
    for (const auto* counts : {&moral, &arcs}) check_square(counts->shape(0), counts->shape(1), graphs.n());
    interruptible([&] {
        kernel_for(graphs).count_edges(graphs, weights_of(weights), moral.data(), arcs.data());
        return true;
    });
}

// Edges with positive weights, in order of decreasing weight.
std::vector<Edge> weighted_edges(int n, const Edges& edges, const WeightsIn& weights, int k) {
    checked_size(static_cast<std::size_t>(std::max(n, 0)));
    require(k >= 0, "the number of edges at a vertex is not negative");
    require(edges.shape(0) == weights.size(), "each edge has one weight");
    std::vector<Edge> all;
    Weight last = largest_total;
    for (std::size_t i = 0; i < weights.size(); ++i) {
        const Edge edge{edges(i, 0), edges(i, 1), weights(i)};
        check_arcs({{edge.a, edge.b}}, n);
        require(0 < edge.weight && edge.weight <= last, "edges come with decreasing weights of 2^38 to 1");
        last = edge.weight;
        all.push_back(edge);
    }
    return all;
}

Weight rigidity_weight_of(int n, const Edges& edges, const WeightsIn& weights, int k) {
    return interruptible([&] { return rigidity_weight(n, weighted_edges(n, edges, weights, k), std::min(k, n)); });
}

Weight minor_weight_of(int n, const Edges& edges, const WeightsIn& weights, int k, int rounds) {
    require(0 <= rounds && rounds <= 1 << 28, "the rounds are 0 to 2^28");
    return interruptible([&] { return minor_weight(n, weighted_edges(n, edges, weights, k), k, rounds); });
}

// `rules` by arc: 1 it may be used, 2 it must be.
std::vector<int> maximum_branching(const PairNumbers& gain, const PairNumbers& support, const Rules& rules) {
    return interruptible([&] {
        const int n = checked_size(rules.shape(0));
        const auto gains = pairs_of(gain, n), supports = pairs_of(support, n);
        const auto kinds = rules_of(rules, n);
        std::vector<WeightedArc> arcs;
        for (int u = 0; u < n; ++u)
            for (int v = 0; v < n; ++v)
                if (const auto kind = kinds[static_cast<std::size_t>(u) * n + v])
                    arcs.push_back({u, v, gains(u, v), supports(u, v), (kind & 2) != 0});
        return MaximumBranching<>(n, arcs)();
    });
}

// Candidates of the pruning searches

using PyCandidates = Exclusive<Candidates>;

Metric metric_of(const std::string& name) {
    return one_of<Metric>(name, {{"smhd", Metric::smhd}, {"fsim", Metric::fsim}, {"shd", Metric::shd}});
}

void make_candidates(PyCandidates* self, const std::string& decoding, const std::string& triangulation,
                     const ArcGenes& arcs, const OrderIn& order, const ManyDags& support,
                     const WeightsIn& support_weights, const std::string& metric, const ManyDags& references,
                     const WeightsIn& reference_weights, const OrderIn& ties) {
    CandidatesSetup setup{one_of<Decoding>(decoding, {{"keep-arcs", Decoding::keep_arcs},
                                                      {"fuse", Decoding::fuse},
                                                      {"fuse-in-own-order", Decoding::fuse_in_own_order}}),
                          one_of<Triangulation>(triangulation, {{"min-fill", Triangulation::min_fill},
                                                                {"mcs", Triangulation::max_cardinality}}),
                          {},
                          order_of(order),
                          view(support),
                          weights_of(support_weights),
                          metric_of(metric),
                          view(references),
                          weights_of(reference_weights),
                          order_of(ties)};
    for (std::size_t i = 0; i < arcs.shape(0); ++i)
        setup.arcs.push_back({arcs(i, 0), arcs(i, 1), arcs(i, 2), arcs(i, 3)});
    new (self) PyCandidates(interruptible([&] { return kernel_for(setup.support).candidates(setup); }));
}

void check_population(const Candidates& candidates, const Population& population) {
    require(population.shape(1) == static_cast<std::size_t>(candidates.gene_count()), "a candidate has all genes");
    require(population.shape(0) <= 1u << 30, "too many candidates");
}

// A row (distance, directed support, clique) for each candidate.
Numbers evaluate(PyCandidates& self, const Population& population, int threads) {
    const auto count = population.shape(0);
    const auto values = self.use([&](Candidates& candidates) {
        check_population(candidates, population);
        return interruptible([&] { return candidates.evaluate(population.data(), static_cast<int>(count), threads); });
    });
    auto rows = std::make_unique<std::int64_t[]>(3 * count);
    for (std::size_t i = 0; i < count; ++i) {
        rows[3 * i] = values[i].distance;
        rows[3 * i + 1] = values[i].support;
        rows[3 * i + 2] = values[i].clique;
    }
    return owned<Numbers>(std::move(rows), {count, 3});
}

// The network of one candidate, and the elimination order that proves its clique size.
std::tuple<NewDag, std::vector<int>> decode(PyCandidates& self, const Population& candidate, std::size_t variables) {
    const auto words = (variables + 63) / 64;
    std::unique_ptr<std::uint64_t[]> rows;
    auto order = self.use([&](Candidates& candidates) {
        check_population(candidates, candidate);
        require(candidate.shape(0) == 1, "one candidate at a time");
        require(variables == static_cast<std::size_t>(candidates.n()), "the network has another number of variables");
        rows = std::make_unique<std::uint64_t[]>(variables * words);
        return interruptible([&] { return candidates.decode(candidate.data(), rows.get()); });
    });
    return {owned<NewDag>(std::move(rows), {variables, words}), std::move(order)};
}

void start_greedy(PyCandidates& self, int limit) {
    self.use([&](Candidates& candidates) { candidates.start_greedy(limit); });
}

std::vector<std::uint8_t> offer(PyCandidates& self, const std::vector<int>& genes) {
    return self.use([&](Candidates& candidates) { return interruptible([&] { return candidates.offer(genes); }); });
}

// Direct search

using PyDirectSearch = Exclusive<DirectSearch>;
using DirectTuple = std::tuple<Weight, Weight, ArcList, std::vector<int>>;

void make_direct_search(PyDirectSearch* self, const PairNumbers& gain, const PairNumbers& support, const Rules& rules,
                        int limit, int max_parents, double hot, double decay, int chains, std::uint64_t seed,
                        std::uint64_t stream, double support_share, bool by_arc) {
    const int n = checked_size(gain.shape(0));
    DirectProblem problem{
        n,     limit,         max_parents, pairs_of(gain, n), pairs_of(support, n), {}, rules_of(rules, n), hot,
        decay, support_share, by_arc};
    new (self) PyDirectSearch(
        interruptible([&] { return std::make_unique<DirectSearch>(std::move(problem), chains, seed, stream); }));
}

DirectTuple tuple_of(DirectSearch::Network network) {
    return {network.score.gain, network.score.support, std::move(network.arcs), std::move(network.order)};
}

template <auto method, class... Arguments> void direct_void(PyDirectSearch& self, const Arguments&... arguments) {
    self.use([&](DirectSearch& search) {
        interruptible([&] {
            (search.*method)(arguments...);
            return true;
        });
    });
}

bool direct_anneal(PyDirectSearch& self, std::int64_t start, std::int64_t stop, std::int64_t total, int threads,
                   double seconds) {
    return self.use([&](DirectSearch& search) {
        return interruptible([&] { return search.anneal(start, stop, total, threads); }, seconds);
    });
}

bool direct_polish(PyDirectSearch& self, std::int64_t moves, double seconds) {
    return self.use([&](DirectSearch& search) { return interruptible([&] { return search.polish(moves); }, seconds); });
}

DirectTuple direct_best(PyDirectSearch& self) {
    return self.use([](const DirectSearch& search) { return tuple_of(search.best()); });
}

DirectTuple direct_current(PyDirectSearch& self) {
    return self.use([](const DirectSearch& search) { return tuple_of(search.current()); });
}

int direct_arc_count(PyDirectSearch& self) {
    return self.use([](const DirectSearch& search) { return search.arc_count(); });
}

// Direct search for FSim

using PyFsimSearch = Exclusive<FsimSearch>;

void make_fsim_search(PyFsimSearch* self, const ManyDags& references, const WeightsIn& weights, const OrderIn& ties,
                      const PairNumbers& support, const PairNumbers& frequency, const Rules& rules, int limit,
                      int max_parents, int chains, std::uint64_t seed) {
    const auto dags = view(references);
    const int n = dags.n();
    FsimSetup setup{dags,
                    weights_of(weights),
                    order_of(ties),
                    pairs_of(support, n),
                    pairs_of(frequency, n),
                    rules_of(rules, n),
                    limit,
                    max_parents,
                    chains,
                    seed};
    new (self) PyFsimSearch(interruptible([&] { return kernel_for(n).fsim_search(std::move(setup)); }));
}

void fsim_start_at(PyFsimSearch& self, int chain, const OneDag& dag, const std::vector<int>& order) {
    self.use([&](FsimSearch& search) {
        interruptible([&] {
            search.start_at(chain, view(dag), order);
            return true;
        });
    });
}

void fsim_restart(PyFsimSearch& self) {
    self.use([&](FsimSearch& search) {
        interruptible([&] {
            search.restart();
            return true;
        });
    });
}

bool fsim_anneal(PyFsimSearch& self, std::int64_t until, std::int64_t total, double hot, int threads, double seconds) {
    return self.use([&](FsimSearch& search) {
        return interruptible([&] { return search.anneal(until, total, hot, threads); }, seconds);
    });
}

bool fsim_tidy(PyFsimSearch& self, double seconds) {
    return self.use([&](FsimSearch& search) { return interruptible([&] { return search.tidy(); }, seconds); });
}

// (distance, minus directed support, parents, elimination order that proves the clique size)
std::tuple<Weight, Weight, NewDag, std::vector<int>> fsim_best(PyFsimSearch& self) {
    auto found = self.use([](const FsimSearch& search) { return search.best(); });
    const auto n = found.order.size(), words = (n + 63) / 64;
    auto rows = std::make_unique<std::uint64_t[]>(n * words);
    std::ranges::copy(found.parents, rows.get());
    return {found.distance, -found.support, owned<NewDag>(std::move(rows), {n, words}), std::move(found.order)};
}

std::int64_t fsim_networks(PyFsimSearch& self) {
    return self.use([](const FsimSearch& search) { return search.networks(); });
}

} // namespace

NB_MODULE(_kernel, m) {
    m.attr("MAX_VARIABLES") = max_variables;
    m.def(
        "find_cycle", [](const OneDag& dag) { return kernel_for(view(dag)).find_cycle(view(dag)); },
        nb::arg("dag").noconvert());
    m.def("heuristic_order", heuristic_order_of, nb::arg("dags").noconvert(), nb::arg("weights").noconvert(),
          nb::arg("ties").noconvert());
    m.def("minimal_imaps", minimal_imaps_of, nb::arg("dags").noconvert(), nb::arg("order").noconvert(),
          nb::arg("threads"));
    m.def("shd", shd_to, nb::arg("dag").noconvert(), nb::arg("others").noconvert());
    m.def("smhd", smhd_to, nb::arg("dag").noconvert(), nb::arg("others").noconvert());
    m.def("fsim", fsim_to, nb::arg("dag").noconvert(), nb::arg("others").noconvert(), nb::arg("ties").noconvert(),
          nb::arg("directed"), nb::arg("threads"));
    m.def("triangulate", triangulate, nb::arg("dag").noconvert(), nb::arg("method"), nb::arg("states"));
    m.def("clique_along", clique_along, nb::arg("dag").noconvert(), nb::arg("order").noconvert());
    m.def("count_edges", count_edges, nb::arg("dags").noconvert(), nb::arg("weights").noconvert(),
          nb::arg("moral").noconvert(), nb::arg("arcs").noconvert());
    m.def("rigidity_weight", rigidity_weight_of, nb::arg("n"), nb::arg("edges").noconvert(),
          nb::arg("weights").noconvert(), nb::arg("k"));
    m.def("minor_weight", minor_weight_of, nb::arg("n"), nb::arg("edges").noconvert(), nb::arg("weights").noconvert(),
          nb::arg("k"), nb::arg("rounds"));
    m.def("maximum_branching", maximum_branching, nb::arg("gain").noconvert(), nb::arg("support").noconvert(),
          nb::arg("rules").noconvert());
    nb::class_<PyCandidates>(m, "Candidates")
        .def("__init__", make_candidates, nb::arg("decoding"), nb::arg("triangulation"), nb::arg("arcs").noconvert(),
             nb::arg("order").noconvert(), nb::arg("support").noconvert(), nb::arg("support_weights").noconvert(),
             nb::arg("metric"), nb::arg("references").noconvert(), nb::arg("reference_weights").noconvert(),
             nb::arg("ties").noconvert())
        .def("evaluate", evaluate, nb::arg("population").noconvert(), nb::arg("threads"))
        .def("decode", decode, nb::arg("candidate").noconvert(), nb::arg("variables"))
        .def("start_greedy", start_greedy, nb::arg("limit"))
        .def("offer", offer, nb::arg("genes"));
    nb::class_<PyDirectSearch>(m, "DirectSearch")
        .def("__init__", make_direct_search, nb::arg("gain").noconvert(), nb::arg("support").noconvert(),
             nb::arg("rules").noconvert(), nb::arg("limit"), nb::arg("max_parents"), nb::arg("hot"), nb::arg("decay"),
             nb::arg("chains"), nb::arg("seed"), nb::arg("stream"), nb::arg("support_share") = 1.0 / 64,
             nb::arg("by_arc") = false)
        .def("start_from", direct_void<&DirectSearch::start_from, ArcList>, nb::arg("arcs"))
        .def("start_at", direct_void<&DirectSearch::start_at, ArcList, std::vector<int>>, nb::arg("arcs"),
             nb::arg("order"))
        .def("anneal", direct_anneal, nb::arg("start"), nb::arg("stop"), nb::arg("total"), nb::arg("threads"),
             nb::arg("seconds") = HUGE_VAL)
        .def("polish", direct_polish, nb::arg("moves"), nb::arg("seconds") = HUGE_VAL)
        .def("tidy", direct_void<&DirectSearch::tidy>)
        .def("best", direct_best)
        .def("current", direct_current)
        .def("arc_count", direct_arc_count);
    nb::class_<PyFsimSearch>(m, "FsimSearch")
        .def("__init__", make_fsim_search, nb::arg("references").noconvert(), nb::arg("weights").noconvert(),
             nb::arg("ties").noconvert(), nb::arg("support").noconvert(), nb::arg("frequency").noconvert(),
             nb::arg("rules").noconvert(), nb::arg("limit"), nb::arg("max_parents"), nb::arg("chains"), nb::arg("seed"))
        .def("start_at", fsim_start_at, nb::arg("chain"), nb::arg("dag").noconvert(), nb::arg("order"))
        .def("restart", fsim_restart)
        .def("anneal", fsim_anneal, nb::arg("until"), nb::arg("total"), nb::arg("hot"), nb::arg("threads"),
             nb::arg("seconds") = HUGE_VAL)
        .def("tidy", fsim_tidy, nb::arg("seconds") = HUGE_VAL)
        .def("best", fsim_best)
        .def("networks", fsim_networks);
}
