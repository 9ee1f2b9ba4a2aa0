// Moral graphs, elimination orders, and bounds of the clique size around the exact one.
#include "exact.hpp"
#include "testing.hpp"

using namespace bnfuse;
using namespace bnfuse::testing;

namespace {

template <int W> bool is_moral_graph(const Rows<W>& graph, const Rows<W>& parents) {
    const int n = static_cast<int>(parents.size());
    const auto children = children_of(parents);
    for (int u = 0; u < n; ++u)
        for (int v = 0; v < n; ++v) {
            const bool joined = parents[u].test(v) || parents[v].test(u) || (children[u] & children[v]).any();
            if (graph[u].test(v) != (u != v && joined)) return false;
        }
    return true;
}

template <int W> void test_elimination(const Rows<W>& graph, const Elimination& elimination, int lower) {
    const int n = static_cast<int>(graph.size());
    CHECK(n, is_permutation(elimination.order, n));
    CHECK(n, plain_clique(graph, elimination.order) == elimination.clique);
    CHECK(n, eliminated_along(graph, elimination.order).clique == elimination.clique);
    CHECK(n, lower <= elimination.clique);
}

// A min-fill that counts every pair anew at every step.
template <int W> std::vector<int> plain_min_fill(Rows<W> graph) {
    const int n = static_cast<int>(graph.size());
    std::vector<int> order;
    std::vector<bool> gone(n);
    while (static_cast<int>(order.size()) < n) {
        int best = -1, least = 0;
        for (int v = 0; v < n; ++v) {
            if (gone[v]) continue;
            int fill = 0;
            for (int a = 0; a < n; ++a)
                for (int b = 0; b < a; ++b) fill += graph[v].test(a) && graph[v].test(b) && !graph[a].test(b);
            if (best < 0 || fill < least) best = v, least = fill;
        }
        gone[best] = true;
        order.push_back(best);
        eliminate(graph, best, [](int, int) {});
        graph[best] = {};
    }
    return order;
}

template <int W> void test_triangulations(const Rows<W>& graph, std::int64_t states) {
    const int n = static_cast<int>(graph.size());
    const int lower = minor_min_width(graph, first<W>(n));
    CHECK(n, 1 <= lower);
    CHECK(n, MinFillClique<W>()(graph) == min_fill(graph).clique);
    const auto best = best_elimination(graph, lower);
    test_elimination(graph, best, lower);
    for (const auto& elimination : {max_cardinality(graph), min_degree(graph), min_fill(graph)}) {
        test_elimination(graph, elimination, lower);
        CHECK(n, best.clique <= elimination.clique);
    }
    const auto exact = exact_clique(graph, states);
    test_elimination(graph, exact.upper, lower);
    CHECK(n, lower <= exact.lower && exact.lower <= exact.upper.clique && exact.upper.clique <= best.clique);
}

void test_min_fill_order(const Rows<1>& graph) { // up to where what is left is a clique that was seen already
    const int n = static_cast<int>(graph.size());
    const auto elimination = min_fill(graph);
    const auto plain = plain_min_fill(graph);
    CHECK(n, std::equal(plain.begin(), plain.end() - std::min(n, elimination.clique), elimination.order.begin()));
    CHECK(n, plain_clique(graph, plain) == elimination.clique);
}

void test_complete(int n) {
    with_words(n, [&]<int W>() {
        const auto moral = moral_graph(complete_dag<W>(n));
        CHECK(n, exact_clique(moral, 0).lower == n);
        CHECK(n, min_fill(moral).clique == n && min_degree(moral).clique == n && max_cardinality(moral).clique == n);
    });
}

void test_all() {
    each_size([]<int W>(int n, int round, Random& random) {
        const auto dag = random_dag<W>(n, arcs_of_round(n, round), random);
        const auto moral = moral_graph(dag);
        if (n <= 257) CHECK(n, is_moral_graph(moral, dag));
        test_triangulations(moral, n <= 129 ? 20 : 2);
    });
    for (const int n : {1, 2, 64, 65, 129, 512, 2048}) test_complete(n);
    for (int round = 0; round < 100; ++round) {
        Random random(round, 1);
        const int m = 5 + round % 20;
        test_min_fill_order(random_graph<1>(m, m + static_cast<int>(random.below(2 * m)), random));
    }
}

const Suite suite("triangulation", test_all);

} // namespace
