// Bounds against what any graph with small cliques weighs, by trying all.
#include "bounds.hpp"
#include "testing.hpp"

using namespace bnfuse;
using namespace bnfuse::testing;

namespace {

// Weights of edges and the most that any graph with small cliques has of them, by trying all.
void test_bounds_against_brute_force(int n, Random& random) {
    std::vector<Edge> edges;
    for (int a = 0; a < n; ++a)
        for (int b = 0; b < a; ++b)
            if (random.below(5)) edges.push_back({a, b, 1 + random.below(9)});
    std::ranges::stable_sort(edges, std::greater{}, &Edge::weight);
    std::vector<Weight> most(n + 1);
    for (std::uint32_t kept = 0; kept < 1u << edges.size(); ++kept) {
        Rows<1> graph(n);
        Weight weight = 0;
        for (std::size_t i = 0; i < edges.size(); ++i) {
            if (!(kept >> i & 1)) continue;
            graph[edges[i].a].set(edges[i].b);
            graph[edges[i].b].set(edges[i].a);
            weight += edges[i].weight;
        }
        auto& record = most[brute_force_clique(graph)];
        record = std::max(record, weight);
    }
    for (int k = 1; k < n; ++k) {
        most[k + 1] = std::max(most[k + 1], most[k]);
        const auto rigid = rigidity_weight(n, edges, k), tight = minor_weight(n, edges, k, 5);
        CHECK(n, most[k + 1] <= tight && tight <= rigid);
        CHECK(n, most[k + 1] <= excess_weight(n, edges, k, 1'000));
        if (k == 1) CHECK(n, rigid == most[2]);
    }
}

void test_all() {
    for (int round = 0; round < 6; ++round) {
        Random random(round, 2);
        test_bounds_against_brute_force(2 + round % 4, random);
    }
}

const Suite suite("bounds", test_all);

} // namespace
