// An upper bound on the weight of any graph of clique size at most k + 1 among some edges, which have positive weights
// and come in order of decreasing weight.
#pragma once

#include "objective.hpp"

namespace bnfuse {

struct Edge {
    int a, b;
    Weight weight;
    int id = 0; // the caller's own number
};

// By the rigidity matroid.
Weight rigidity_weight(int n, std::vector<Edge> edges, int k);

// By minors: never more than the previous bound; more rounds make it tighter.
Weight minor_weight(int n, std::vector<Edge> edges, int k, int rounds);

// By clique sizes: without an edge a graph needs a clique of one member less, or as large a one as with it. So at least
// q of the edges of a graph that needs k + 1 + q must be absent; the q-th weighs no less than the lightest of the
// heaviest edges that need as much. At most `states` sets (see CliqueDecision), and some of the different weights, are
// examined.
Weight excess_weight(int n, const std::vector<Edge>& edges, int k, std::int64_t states);

// An upper bound on the gain of any network whose cliques have at most k + 1 members and whose variables have at most
// that many parents: by its moral edges, or by its arcs. `rules` by arc: 1 allowed, 2 required. More rounds make it
// tighter.
Weight arcs_weight(const PairWeights& gain, const std::vector<std::uint8_t>& rules, bool by_arc, int k, int max_parents,
                   int rounds);

} // namespace bnfuse
