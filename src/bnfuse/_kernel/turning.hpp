// Directions that cost nothing: arcs are reversed to agree with more inputs while the moral graph stays the same.
#pragma once

#include "consensus_problem.hpp"

#include <functional>

namespace bnfuse {

// The same network, sorted, in which no single arc can be turned to more support at the same moral graph and distance.
// SMHD depends on the moral graph alone, and so does the clique size. For SHD the gain of the arc decides, for other
// distances the caller: `keeps` says whether a network is as far from the inputs as the one before it.
ArcList turned_to_support(const ConsensusProblem& problem, const ArcList& arcs,
                          const std::function<bool(const ArcList&)>& keeps = {});

} // namespace bnfuse
