// Minimum cuts: what is cut separates, and as many edges as paths that share none prove that fewer do not.
#include "min_cut_search.hpp"
#include "testing.hpp"

using namespace bnfuse;
using namespace bnfuse::testing;

namespace {

// The moral graph of the ancestors of a family, without the parents but one, by the definition.
template <int W> Rows<W> conditioned(const Rows<W>& dag, int variable, const Bits<W>& parents, int parent) {
    auto members = parents;
    members.set(variable);
    for (int round = 0; round < static_cast<int>(dag.size()); ++round)
        for (int v = 0; v < static_cast<int>(dag.size()); ++v)
            if (members.test(v)) members |= dag[v];
    auto open = members - parents;
    open.set(parent);
    Rows<W> graph(dag.size());
    const auto join = [&](int a, int b) {
        if (a == b || !open.test(a) || !open.test(b)) return;
        graph[a].set(b);
        graph[b].set(a);
    };
    for (int v = 0; v < static_cast<int>(dag.size()); ++v)
        if (members.test(v))
            dag[v].each([&](int a) {
                join(a, v);
                dag[v].each([&](int b) { join(a, b); });
            });
    return graph;
}

template <int W> void test_cuts(const Rows<W>& dag, const Rows<W>& network) {
    const int n = static_cast<int>(dag.size());
    FamilyCuts<W> cuts(n);
    for (int y = 0; y < n; ++y) {
        if (!network[y].any()) continue;
        cuts.look_at(dag, y, network[y]);
        network[y].each([&](int x) {
            const int size = cuts.size_to(x);
            auto graph = conditioned(dag, y, network[y], x);
            const auto whole = graph;
            int cut = 0;
            bool exist = true;
            cuts.each_cut_edge(x, [&](int u, int v) {
                exist &= graph[u].test(v);
                graph[u].reset(v);
                graph[v].reset(u);
                ++cut;
            });
            CHECK(n, exist && cut == size);
            Bits<W> from;
            from.set(y);
            CHECK(n, !closure(graph, from).test(x));
            CHECK(n, size <= whole[x].count() && size <= whole[y].count());
            CHECK(n, (size > 0) == closure(whole, from).test(x));
        });
    }
}

// All arcs go, the same ones for the same sums on one thread and on three.
template <int W> void test_search(const Rows<W>& a, const Rows<W>& b, const Rows<W>& network) {
    const int n = static_cast<int>(a.size());
    const std::size_t words = (n + 63) / 64;
    std::vector<int> own(n);
    for (int v = 0; v < n; ++v) own[v] = v;
    std::vector<std::uint64_t> inputs(2 * n * words), start(n * words);
    store(a, own, words, inputs.data());
    store(b, own, words, inputs.data() + n * words);
    store(network, own, words, start.data());
    const std::size_t size = n;
    const auto setup = [&](int threads) {
        const Graphs dag(start.data(), 1, size, words), dags(inputs.data(), 2, size, words);
        return MinCutSetup{dag, dags, {2, 3}, PairWeights(n), {}, threads};
    };
    MinCutSearchOf<W> one(setup(1)), other(setup(3));
    int arcs = 0;
    for (const auto& row : network) arcs += row.count();
    for (; arcs; --arcs) {
        const auto least = one.least(), same = other.least();
        CHECK(n, least && same && least->source == same->source && least->target == same->target);
        CHECK(n, least->size == same->size);
        one.remove_least();
        other.remove_least();
    }
    CHECK(n, !one.least() && !other.least());
    CHECK(n, one.cuts() == other.cuts());
}

void test_all() {
    each_size([]<int W>(int n, int round, Random& random) {
        const auto dag = random_dag<W>(n, arcs_of_round(n, round), random);
        const auto network = random_dag<W>(n, arcs_of_round(n, round), random);
        test_cuts(dag, network);
        if (n <= 65) test_search(dag, random_dag<W>(n, arcs_of_round(n, round), random), network);
    });
}

const Suite suite("min_cut", test_all);

} // namespace
