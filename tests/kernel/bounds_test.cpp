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

// The most that a network of these arcs gains by its moral edges and by its arcs, if there is any within the limits.
std::pair<Weight, Weight> best_of_arcs(const PairWeights& gain, const PairWeights& by_arc,
                                       const std::vector<std::uint8_t>& rules,
                                       const std::vector<std::pair<int, int>>& arcs, int k, int parents) {
    const int n = gain.size();
    constexpr auto none = std::numeric_limits<Weight>::min();
    std::pair<Weight, Weight> most{none, none};
    for (std::uint32_t kept = 0; kept < 1u << arcs.size(); ++kept) {
        Rows<1> dag(n); // by child: its parents
        Weight of_edges = 0, of_arcs = 0;
        bool is_allowed = true;
        for (std::size_t i = 0; i < arcs.size(); ++i) {
            const auto [a, b] = arcs[i];
            if (kept >> i & 1) {
                dag[b].set(a);
                of_arcs += by_arc(a, b);
            } else if (rules[static_cast<std::size_t>(a) * n + b] & 2) {
                is_allowed = false;
            }
        }
        for (int v = 0; v < n; ++v) is_allowed = is_allowed && dag[v].count() <= parents;
        if (!is_allowed || !find_cycle(dag).empty()) continue;
        const auto moral = moral_graph(dag);
        if (brute_force_clique(moral) > k + 1) continue;
        for (int a = 0; a < n; ++a) moral[a].each([&](int b) { of_edges += a < b ? gain(a, b) : 0; });
        most = {std::max(most.first, of_edges), std::max(most.second, of_arcs)};
    }
    return most;
}

// What networks of a few arcs gain, by trying all sets of them.
void test_arcs_against_brute_force(int n, Random& random) {
    PairWeights gain(n), by_arc(n);
    std::vector<std::uint8_t> rules(static_cast<std::size_t>(n) * n);
    std::vector<std::pair<int, int>> arcs;
    for (int a = 0; a < n; ++a)
        for (int b = 0; b < n; ++b) {
            if (a == b) continue;
            by_arc(a, b) = static_cast<Weight>(random.below(9)) - 3;
            if (a < b) gain(a, b) = gain(b, a) = static_cast<Weight>(random.below(13)) - 5;
            if (arcs.size() >= 9 || random.below(2)) continue;
            rules[static_cast<std::size_t>(a) * n + b] = static_cast<std::uint8_t>(random.below(8) ? 1 : 3);
            arcs.emplace_back(a, b);
        }
    for (int k = 1; k < n; ++k)
        for (int parents = 1; parents <= k; ++parents) {
            const auto [most, most_by_arc] = best_of_arcs(gain, by_arc, rules, arcs, k, parents);
            for (const int rounds : {0, 4}) {
                CHECK(n, most <= arcs_weight(gain, rules, false, k, parents, rounds));
                CHECK(n, most_by_arc <= arcs_weight(by_arc, rules, true, k, parents, rounds));
            }
        }
}

void test_all() {
    for (int round = 0; round < 12; ++round) {
        Random random(round, 3);
        test_arcs_against_brute_force(2 + round % 4, random);
    }
    for (int round = 0; round < 6; ++round) {
        Random random(round, 2);
        test_bounds_against_brute_force(2 + round % 4, random);
    }
}

const Suite suite("bounds", test_all);

} // namespace
