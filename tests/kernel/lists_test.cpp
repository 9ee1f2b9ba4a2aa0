// Graphs of many variables: rows of lists, pairs with numbers of their own, counts of edges, and the bound by counting.
#include "arc_graphs.hpp"
#include "consensus_bound.hpp"
#include "direct_search.hpp"
#include "edge_counts.hpp"
#include "sparsity.hpp"
#include "testing.hpp"

#include <map>

namespace {

using namespace bnfuse;
using namespace bnfuse::testing;

template <int W> std::vector<int> members(const Bits<W>& bits) {
    std::vector<int> all;
    bits.each([&](int i) { all.push_back(i); });
    return all;
}

void test_list_is_set(Random& random) {
    Bits<0> a, b;
    Bits<2> c, d;
    for (int i = 0; i < 60; ++i) {
        const int x = static_cast<int>(random.below(128)), y = static_cast<int>(random.below(128));
        a.set(x);
        c.set(x);
        b.set(y);
        d.set(y);
        if (i % 3) continue;
        a.reset(y);
        c.reset(y);
    }
    CHECK(128, members(a) == members(c) && a.count() == c.count() && a.lowest() == c.lowest());
    CHECK(128, a.highest() == c.highest() && a.any() == c.any());
    for (int i = 0; i < 128; ++i) CHECK(128, a.test(i) == c.test(i));
    CHECK(128, members(a | b) == members(c | d) && members(a & b) == members(c & d));
    CHECK(128, members(a - b) == members(c - d));
    CHECK(128, count_common(a, b) == count_common(c, d) && count_missing(a, b) == count_missing(c, d));
    CHECK(128, members(interval<0>(5, 77)) == members(interval<2>(5, 77)));
}

template <int W> Rows<0> listed(const Rows<W>& rows) {
    Rows<0> lists;
    for (const auto& row : rows) lists.push_back({members(row)});
    return lists;
}

// Without chance, heuristics on lists may break ties in another way, so orders are compared by what they claim.
void test_eliminations(int n, Random& random) {
    const auto graph = random_graph<2>(n, 2 * n, random);
    const auto lists = listed(graph);
    for (const auto& found : {min_fill(lists), min_degree(lists), max_cardinality(lists)}) {
        CHECK(n, is_permutation(found.order, n));
        CHECK(n, eliminated_along(graph, found.order).clique == found.clique);
        CHECK(n, eliminated_along(lists, found.order).clique == found.clique);
        CHECK(n, minor_min_width(lists, first<0>(n)) <= found.clique);
    }
    CHECK(n, min_degree(lists).clique == min_degree(graph).clique); // whose ties are broken alike
    const auto filled = min_fill(graph).clique;
    CHECK(n, min_fill(lists, filled - 1).clique >= 1 && min_fill(lists).clique <= 2 * filled);
}

void test_pairs(Random& random) {
    const int n = 40;
    std::vector<std::vector<int>> rows(n);
    const auto graph = random_graph<1>(n, 300, random);
    std::vector<std::int64_t> start{0};
    std::vector<int> columns;
    for (int a = 0; a < n; ++a) {
        graph[a].each([&](int b) { columns.push_back(b); });
        start.push_back(static_cast<std::int64_t>(columns.size()));
    }
    const Pairs pairs(n, start, columns);
    std::size_t next = 0;
    pairs.each([&](int a, int b, std::size_t i) {
        CHECK(n, i == next++ && graph[a].test(b) && pairs.find(a, b) == static_cast<std::ptrdiff_t>(i));
    });
    CHECK(n, next == pairs.count());
    for (int a = 0; a < n; ++a)
        for (int b = 0; b < n; ++b) CHECK(n, (pairs.find(a, b) >= 0) == graph[a].test(b));
    using Bad = std::invalid_argument;
    CHECK(2, throws<Bad>([] { Pairs(2, {0, 1, 1}, {1}); })); // one way round only
    CHECK(2, throws<Bad>([] { Pairs(2, {0, 1}, {1}); }));
    CHECK(2, throws<Bad>([] { Pairs(2, {0, 1, 2}, {0, 1}); }));
    CHECK(2, throws<Bad>([] { Pairs(2, {0, 1, 2}, {2, 0}); }));
    PairWeights numbers(pairs);
    numbers.set_elsewhere(1, -2,
                          std::make_shared<const Seen>(n, std::vector<std::uint8_t>(n, 1), std::vector<Weight>{7}));
    const auto& fixed = numbers;
    for (int a = 0; a < n; ++a)
        for (int b = 0; b < n; ++b) CHECK(n, fixed(a, b) == (graph[a].test(b) ? 0 : -13));
}

void test_edge_counts(int n, Random& random) {
    EdgeCounts counts(n);
    std::map<std::pair<int, int>, int> expected;
    for (int i = 0; i < 20'000; ++i) {
        int a = static_cast<int>(random.below(60)) * (n / 60), b = static_cast<int>(random.below(60)) * (n / 60);
        if (a == b) continue;
        auto& number = expected[{std::min(a, b), std::max(a, b)}];
        if (number && random.below(2)) {
            CHECK(n, counts.take(a, b) == --number);
        } else {
            CHECK(n, counts.add(a, b) == number++);
        }
        CHECK(n, counts(b, a) == number);
    }
    for (const auto& [edge, number] : expected) CHECK(n, counts(edge.first, edge.second) == number);
}

// Every set of vertices has at most k m - (2 k - 1) edges: brute force over all sets.
bool is_sparse(int n, const std::vector<Edge>& edges, int k) {
    for (int set = 1; set < 1 << n; ++set) {
        const int m = std::popcount(static_cast<unsigned>(set));
        const auto inside =
            std::ranges::count_if(edges, [&](const Edge& edge) { return set >> edge.a & set >> edge.b & 1; });
        if (m >= 2 && inside > k * m - (2 * k - 1)) return false;
    }
    return true;
}

void test_pebbles(int k, Random& random) {
    const int n = 8;
    std::vector<Edge> edges, kept;
    for (int a = 0; a < n; ++a)
        for (int b = a + 1; b < n; ++b)
            if (random.below(4)) edges.push_back({a, b, 1 + random.below(9)});
    std::ranges::stable_sort(edges, std::greater{}, &Edge::weight);
    PebbleGame game(n, k);
    Weight weight = 0;
    for (const auto& edge : edges) {
        kept.push_back(edge);
        const bool fits = is_sparse(n, kept, k);
        CHECK(k, game.add(edge.a, edge.b) == fits);
        if (!fits)
            kept.pop_back();
        else
            weight += edge.weight;
    }
    CHECK(k, sparse_weight(n, edges, k) == weight);
    CHECK(k, rigidity_weight(n, edges, k) <= weight);
    if (k == 1) CHECK(k, rigidity_weight(n, edges, k) == weight);
}

void test_counts(Random& random) {
    const int n = 30;
    std::vector<ArcGraph> dags;
    std::map<std::int64_t, std::pair<Weight, Weight>> expected;
    for (int i = 0; i < 4; ++i) {
        const auto parents = random_dag<1>(n, 50, random);
        auto& dag = dags.emplace_back(ArcGraph{n, {}});
        for (int v = 0; v < n; ++v)
            parents[v].each([&](int u) {
                dag.arcs.emplace_back(u, v);
                expected[u * n + v].second += i + 1;
            });
        const auto moral = moral_graph(parents);
        for (int v = 0; v < n; ++v) moral[v].each([&](int u) { expected[u * n + v].first += i + 1; });
        CHECK(n, find_cycle(dag).empty());
        CHECK(n, shd(dag, dags.front()) == shd(parents, [&] {
                     Rows<1> other(n);
                     for (const auto& [u, v] : dags.front().arcs) other[v].set(u);
                     return other;
                 }()));
    }
    const auto counts = count_pairs(dags, {1, 2, 3, 4});
    CHECK(n, counts.keys.size() == expected.size());
    for (std::size_t i = 0; i < counts.keys.size(); ++i)
        CHECK(n, expected[counts.keys[i]] == std::pair(counts.moral[i], counts.arcs[i]));
}

void test_all() {
    for (int round = 0; round < 100; ++round) {
        Random random(round, 9);
        test_list_is_set(random);
        test_eliminations(5 + round % 100, random);
        test_pairs(random);
        test_pebbles(1 + round % 4, random);
        test_counts(random);
    }
    Random random(0, 10);
    test_edge_counts(60, random);
    test_edge_counts(3000, random);
}

const Suite suite("lists", test_all);

} // namespace
