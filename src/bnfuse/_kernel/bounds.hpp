// At least what any graph of clique size at most k + 1 weighs in some edges, which have positive weights and come in
// order of decreasing weight.
#pragma once

#include "objective.hpp"

namespace bnfuse {

struct Edge {
    int a, b;
    Weight weight;
    int id = 0; // the caller's own
};

// By the rigidity matroid.
Weight rigidity_weight(int n, std::vector<Edge> edges, int k);

// By minors: never more than the former; more rounds make it tighter.
Weight minor_weight(int n, std::vector<Edge> edges, int k, int rounds);

} // namespace bnfuse
