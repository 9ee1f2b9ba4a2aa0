#include "bounds.hpp"

#include "arc_relaxation.hpp"
#include "exact.hpp"

namespace bnfuse {

Weight rigidity_weight(int n, std::vector<Edge> edges, int k) {
    std::vector<Edge> kept;
    keep_independent(n, std::move(edges), k, kept);
    Weight weight = 0;
    for (const auto& edge : kept) weight += edge.weight;
    return weight;
}

Weight minor_weight(int n, std::vector<Edge> edges, int k, int rounds) {
    k = std::min(k, n); // no more edges than that can meet at a vertex
    const auto rigid = rigidity_weight(n, edges, k);
    if (k <= 1 || edges.empty() || !rounds) return rigid; // k = 1: the best forest itself
    return std::min(rigid, MinorBound(n, std::move(edges), k)(rounds));
}

Weight excess_weight(int n, const std::vector<Edge>& edges, int k, std::int64_t states) {
    constexpr std::size_t most_levels = 16;
    Weight weight = 0;
    std::vector<std::size_t> levels; // how many edges weigh at least as much as each of the different weights
    for (std::size_t i = 0; i < edges.size(); ++i) {
        weight += edges[i].weight;
        if (i + 1 == edges.size() || edges[i + 1].weight < edges[i].weight) levels.push_back(i + 1);
    }
    if (edges.empty()) return 0;
    with_words(n, [&]<int W>() {
        const auto needs = [&](std::size_t count, int clique) { // proven
            check_stop();
            Rows<W> graph(n);
            for (std::size_t i = 0; i < count; ++i) {
                graph[edges[i].a].set(edges[i].b);
                graph[edges[i].b].set(edges[i].a);
            }
            return decide_clique(graph, clique - 1, states) == Answer::no;
        };
        int clique = std::min(k, n) + 1, largest = clique;
        while (needs(edges.size(), largest + 1)) ++largest;
        const auto skipped = (levels.size() - 1) / most_levels;
        for (std::size_t i = 0; i < levels.size(); i += skipped + 1)
            for (; clique < largest && needs(levels[i], clique + 1); ++clique) weight -= edges[levels[i] - 1].weight;
        weight -= (largest - clique) * edges.back().weight;
    });
    return weight;
}

Weight arcs_weight(const PairWeights& gain, const std::vector<std::uint8_t>& rules, bool by_arc, int k, int max_parents,
                   int rounds) {
    return ArcRelaxation(gain, rules, by_arc, std::min(k, gain.size()), max_parents)(rounds);
}

} // namespace bnfuse
