// The best network without a limit on cliques, from lists of parent sets.
//
// Sets that no network as good as a known one can have are left out: when every other variable has its best set, or
// when the variables of its group are ordered as is best for them and all other groups as is best for those, the sum is
// too low. What is left falls into strongly connected components of "may be a parent of", each of which is solved alone
// (Fan, Malone, Yuan 2014). Within one: dynamic programming over the sets of variables that come first in a topological
// order (Silander, Myllymäki 2006), a size at a time, without those from which no better network can be reached
// (Malone, Yuan, Hansen, Bridges 2011); how much the rest can add is bounded by the groups (Yuan, Malone 2012).
#pragma once

#include "set_search.hpp"

namespace bnfuse {

struct ProvenSets {
    FoundSets best; // the known network, or a better one
    Points bound;   // no network scores higher; the score of the best one if it is proven
    bool is_whole;  // otherwise there was too little memory, or it was ended from outside
};

inline constexpr int most_proven = 64; // variables

// `known` is a network whose families the lists have, or better subsets of them; it stays unless a better one is found.
// A node is a set of variables that come first: 24 bytes.
ProvenSets proven(const std::vector<SetList>& lists, const FoundSets& known, std::size_t most_nodes);

} // namespace bnfuse
