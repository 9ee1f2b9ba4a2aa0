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

// By clique sizes: without an edge a graph needs a clique of one member less, or as large a one as with it. So of edges
// whose graph needs k + 1 + q, at least q have to go; the q-th weighs no less than the lightest of the heaviest edges
// that need so much. It looks at so many `states` at most (see CliqueDecision), and at some of the different weights.
Weight excess_weight(int n, const std::vector<Edge>& edges, int k, std::int64_t states);

// At least what any network gains whose cliques have at most k + 1 members and whose variables have so many parents at
// most: by its moral edges, or by its arcs. `rules` by arc: 1 it may be there, 2 it must be. More rounds make it
// tighter.
Weight arcs_weight(const PairWeights& gain, const std::vector<std::uint8_t>& rules, bool by_arc, int k, int max_parents,
                   int rounds);

} // namespace bnfuse
