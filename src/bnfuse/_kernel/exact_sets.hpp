// The best network without a limit on cliques, from lists of parent sets: dynamic programming over the sets of
// variables that come first in a topological order (Silander, Myllymäki 2006), a size at a time, without those from
// which no network better than a known one can be reached (Malone, Yuan, Hansen, Bridges 2011).
//
// How much the rest can add is bounded by two halves of the variables, each of which is ordered as is best for itself,
// with the whole other half before it (Yuan, Malone 2012).
#pragma once

#include "set_search.hpp"

namespace bnfuse {

struct ProvenSets {
    FoundSets best; // the known network, or a better one
    Points bound;   // no network scores more; that of the best one where it is proven
    bool is_whole;  // otherwise there was too little room, or it was ended from outside
};

inline constexpr int most_proven = 32; // variables

// `known` is a network with sets of the lists; it keeps its place unless a better one is found.
ProvenSets proven(const std::vector<SetList>& lists, const FoundSets& known, std::size_t most_nodes);

} // namespace bnfuse
