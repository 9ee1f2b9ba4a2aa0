// The better of two heuristics for graphs of many vertices. Maximum cardinality search and random rounds cost too much
// there: if a graph is far from chordal, their intermediate cliques have thousands of members.
#pragma once

#include "triangulation.hpp"

namespace bnfuse {

inline Elimination best_elimination(const Rows<0>& graph, int) {
    constexpr int many_members = 100; // of a clique: min-fill would count that number of pairs at each of its steps
    auto best = min_degree(graph);
    if (best.clique > many_members) return best;
    auto other = min_fill(graph, best.clique - 1);
    return other.clique < best.clique ? other : best;
}

} // namespace bnfuse
