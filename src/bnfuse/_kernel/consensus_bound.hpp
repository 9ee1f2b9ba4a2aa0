// How far any network within the limits must be from the inputs, in summed SMHD or SHD: a proof, not an estimate.
//
// Summed SMHD falls with each moral edge, and SHD with each arc, so the bound follows from the most that the edges of a
// graph with small cliques can weigh: those of the heaviest independent set of a rigidity matroid, and for cliques of
// 2, where that is a forest, exactly what the best network reaches. Above that, rounds of looking for minors tighten
// it.
#pragma once

#include "bounds.hpp"
#include "consensus_problem.hpp"

namespace bnfuse {

// Rounds of the search for minors for this number of edges, within about a second.
int most_rounds(std::int64_t edges);

inline constexpr int usual_rounds = -1; // `most_rounds` of the edges that there are

// A lower bound on the summed distance of any network within the limits and the constraints. With 0 rounds, it never
// rises with the clique limit; with more it may, and then the bound for the larger limit also holds for the smaller
// one.
Weight consensus_bound(const ConsensusProblem& problem, int rounds = usual_rounds);

// The largest gain of each pair of variables (the first one first), where it is positive, and the loss through required
// arcs. The pairs that a network joins in its moral graph, or for SHD by arcs, bring it no closer than these sums
// allow.
std::pair<PairWeights, Weight> positive_pairs(const ConsensusProblem& problem);

// An upper bound on the weight of the edges, heaviest first, of a graph whose clique tables have at most this many
// numbers.
Weight shared_out_weight(const std::vector<Edge>& edges, const std::vector<std::uint64_t>& states,
                         std::uint64_t max_table);

} // namespace bnfuse
