#include "bounds.hpp"

#include "exact.hpp"
#include "minors.hpp"

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
    std::vector<std::size_t> levels; // how many edges weigh at least as much as each of the different weights
    Weight weight = 0;
    for (std::size_t i = 0; i < edges.size(); ++i) {
        weight += edges[i].weight;
        if (i + 1 == edges.size() || edges[i + 1].weight < edges[i].weight) levels.push_back(i + 1);
    }
    if (levels.empty()) return weight;
    with_words(n, [&]<int W>() {
        const auto needs = [&](std::size_t count, int clique) {
            check_stop();
            Rows<W> graph(n);
            for (std::size_t i = 0; i < count; ++i) {
                graph[edges[i].a].set(edges[i].b);
                graph[edges[i].b].set(edges[i].a);
            }
            auto left = states;
            return decide_clique(graph, clique - 1, left) == Answer::no;
        };
        auto first = levels.begin();
        for (int clique = std::min(k, n) + 2; needs(edges.size(), clique); ++clique) {
            first = std::partition_point(first, levels.end() - 1, [&](auto count) { return !needs(count, clique); });
            weight -= edges[*first - 1].weight;
        }
    });
    return weight;
}

} // namespace bnfuse
