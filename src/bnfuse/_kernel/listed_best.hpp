// The better of two heuristics for graphs of many vertices. Maximum cardinality search, and rounds of chance, cost too
// much there: where a graph is far from chordal, the cliques that they make on the way have thousands of members.
#pragma once

#include "triangulation.hpp"

namespace bnfuse {

inline Elimination best_elimination(const Rows<0>& graph, int) {
    auto best = min_fill(graph);
    auto other = min_degree(graph);
    return other.clique < best.clique ? other : best;
}

} // namespace bnfuse
