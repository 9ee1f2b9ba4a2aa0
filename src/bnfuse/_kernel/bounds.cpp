#include "bounds.hpp"

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

} // namespace bnfuse
