// Variables that may be ancestors of each other, with the sets that each may have, and their best order.
#pragma once

#include "set_search.hpp"

namespace bnfuse {

using Mask = std::uint64_t;

constexpr Mask one(int v) { return Mask{1} << v; }

struct MaskedSet {
    Points score;
    Mask parents; // in the component; those outside are always there
    int number;   // in the list of the variable
};

struct Component {
    std::vector<int> variables;
    std::vector<std::vector<MaskedSet>> sets; // best first, none empty; those of the known network are included
    Points known;                             // its score

    std::size_t sets_left() const {
        std::size_t sum = 0;
        for (const auto& own : sets) sum += own.size();
        return sum;
    }
};

struct UnreachableSet {
    int variable; // of the component
    int number;
};

// Sets that no network as good as the known one has, by the groups' bounds.
std::vector<UnreachableSet> out_of_reach(const Component& component);

struct OrderedComponent {
    std::vector<int> sets; // of a network better than the known one; empty if there is none, or none was found
    Points bound;
    bool is_whole;
    std::size_t nodes;
};

OrderedComponent ordered(const Component& component, std::size_t most_nodes);

} // namespace bnfuse
