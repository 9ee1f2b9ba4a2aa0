// The Python interface of the kernel: its functions.
#include "arc_graphs.hpp"
#include "bounds.hpp"
#include "branching.hpp"
#include "layered_rows.hpp"
#include "python.hpp"

using namespace bnfuse;

namespace {

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
using Triangulated = std::tuple<int, int, std::vector<int>>;

Method method_of(const std::string& name) {
    return one_of<Method>(name, {{"best", Method::best},
                                 {"mcs", Method::max_cardinality},
                                 {"min-fill", Method::min_fill},
                                 {"min-degree", Method::min_degree},
                                 {"exact", Method::exact}});
}

Triangulated triangulated(const OneDag& dag, const std::string& name, std::int64_t states) {
    const auto method = method_of(name);
    auto found = interruptible([&] { return kernel_for(view(dag)).triangulate(view(dag), method, states); });
    return {found.lower, found.upper, std::move(found.order)};
}

int clique_of_rows_along(const OneDag& dag, const OrderIn& order) {
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

// A graph of many variables: their number, and its arcs.
using ArcGraphIn = std::tuple<int, Edges>;

ArcGraph graph_of(const ArcGraphIn& given) {
    const auto& [n, arcs] = given;
    ArcGraph graph{n, {}};
    for (std::size_t i = 0; i < arcs.shape(0); ++i) graph.arcs.emplace_back(arcs(i, 0), arcs(i, 1));
    return graph;
}

Triangulated triangulated_arcs(const ArcGraphIn& dag, const std::string& name, std::int64_t) {
    const auto method = method_of(name);
    auto found = interruptible([&] { return triangulate(graph_of(dag), method); });
    return {found.lower, found.upper, std::move(found.order)};
}

std::vector<int> cycle_of_arcs(const ArcGraphIn& dag) {
    return interruptible([&] { return find_cycle(graph_of(dag)); });
}

int clique_of_arcs_along(const ArcGraphIn& dag, const OrderIn& order) {
    return interruptible([&] { return clique_along(graph_of(dag), order_of(order)); });
}

template <int (*distance)(const ArcGraph&, const ArcGraph&)>
std::vector<int> distances_of_arcs(const ArcGraphIn& dag, const std::vector<ArcGraphIn>& others) {
    return interruptible([&] {
        const auto graph = graph_of(dag);
        std::vector<int> distances;
        for (const auto& other : others) distances.push_back(distance(graph, graph_of(other)));
        return distances;
    });
}

using NewNumbers = nb::ndarray<nb::numpy, std::int64_t, nb::ndim<1>>;

// (keys of pairs, counts of moral edges, counts of arcs)
std::tuple<NewNumbers, NewNumbers, NewNumbers> counted_pairs(const std::vector<ArcGraphIn>& dags,
                                                             const WeightsIn& weights) {
    const auto counts = interruptible([&] {
        std::vector<ArcGraph> graphs;
        for (const auto& dag : dags) graphs.push_back(graph_of(dag));
        return count_pairs(graphs, weights_of(weights));
    });
    const auto array = [](const std::vector<std::int64_t>& numbers) {
        auto values = std::make_unique<std::int64_t[]>(numbers.size());
        std::ranges::copy(numbers, values.get());
        return owned<NewNumbers>(std::move(values), {numbers.size()});
    };
    return {array(counts.keys), array(counts.moral), array(counts.arcs)};
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

Weight excess_weight_of(int n, const Edges& edges, const WeightsIn& weights, int k, std::int64_t states) {
    require(states >= 0, "the number of states is not negative");
    return interruptible([&] { return excess_weight(n, weighted_edges(n, edges, weights, k), k, states); });
}

Weight arcs_weight_of(const PairNumbers& gain, const Rules& rules, bool by_arc, int k, int max_parents, int rounds) {
    require(k >= 0 && max_parents >= 0, "the number of edges at a vertex is not negative");
    require(0 <= rounds && rounds <= 1 << 28, "the rounds are 0 to 2^28");
    return interruptible([&] {
        const int n = checked_size(rules.shape(0));
        return arcs_weight(pairs_of(gain, n), rules_of(rules, n), by_arc, k, max_parents, rounds);
    });
}

// `rules` by arc: 1 means that it may be used, 2 that it must be.
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

// (the items from the first row on, each row from the left; where each item stands)
std::tuple<std::vector<int>, std::vector<double>> placed_rows_of(const OrderIn& rows, const Reals& widths,
                                                                 const Edges& links, const Reals& pulls, int sweeps,
                                                                 int exchanges, double inwards) {
    require(links.shape(0) == pulls.size(), "each link pulls by one number");
    require(sweeps >= 0 && exchanges >= 0 && inwards > 0, "work is not negative, and the middle pulls");
    RowItems items{order_of(rows), list<double>(widths), {}};
    for (std::size_t i = 0; i < pulls.size(); ++i) items.links.push_back({links(i, 0), links(i, 1), pulls(i)});
    auto found = interruptible([&] { return placed_rows(items, {sweeps, exchanges, inwards}); });
    return {std::move(found.order), std::move(found.x)};
}

} // namespace

NB_MODULE(_kernel, m) {
    m.attr("MAX_VARIABLES") = max_variables;
    m.attr("MOST_IN_ROWS") = most_in_rows;
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
    m.def("find_cycle", cycle_of_arcs, nb::arg("dag"));
    m.def("shd", distances_of_arcs<shd>, nb::arg("dag"), nb::arg("others"));
    m.def("smhd", distances_of_arcs<smhd>, nb::arg("dag"), nb::arg("others"));
    m.def("triangulate", triangulated_arcs, nb::arg("dag"), nb::arg("method"), nb::arg("states"));
    m.def("clique_along", clique_of_arcs_along, nb::arg("dag"), nb::arg("order").noconvert());
    m.def("count_pairs", counted_pairs, nb::arg("dags"), nb::arg("weights").noconvert());
    m.def("triangulate", triangulated, nb::arg("dag").noconvert(), nb::arg("method"), nb::arg("states"));
    m.def("clique_along", clique_of_rows_along, nb::arg("dag").noconvert(), nb::arg("order").noconvert());
    m.def("count_edges", count_edges, nb::arg("dags").noconvert(), nb::arg("weights").noconvert(),
          nb::arg("moral").noconvert(), nb::arg("arcs").noconvert());
    m.def("rigidity_weight", rigidity_weight_of, nb::arg("n"), nb::arg("edges").noconvert(),
          nb::arg("weights").noconvert(), nb::arg("k"));
    m.def("minor_weight", minor_weight_of, nb::arg("n"), nb::arg("edges").noconvert(), nb::arg("weights").noconvert(),
          nb::arg("k"), nb::arg("rounds"));
    m.def("excess_weight", excess_weight_of, nb::arg("n"), nb::arg("edges").noconvert(), nb::arg("weights").noconvert(),
          nb::arg("k"), nb::arg("states"));
    m.def("arcs_weight", arcs_weight_of, nb::arg("gain").noconvert(), nb::arg("rules").noconvert(), nb::arg("by_arc"),
          nb::arg("k"), nb::arg("max_parents"), nb::arg("rounds"));
    m.def("maximum_branching", maximum_branching, nb::arg("gain").noconvert(), nb::arg("support").noconvert(),
          nb::arg("rules").noconvert());
    m.def("placed_rows", placed_rows_of, nb::arg("rows").noconvert(), nb::arg("widths").noconvert(),
          nb::arg("links").noconvert(), nb::arg("pulls").noconvert(), nb::arg("sweeps"), nb::arg("exchanges"),
          nb::arg("inwards"));
    bind_searches(m);
    bind_problems(m);
    bind_learning(m);
}
