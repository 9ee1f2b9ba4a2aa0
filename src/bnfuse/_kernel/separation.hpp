// Inequalities that hold for the edges of every graph within the limits, and that a choice of edges breaks.
//
// A choice gives each edge a number from 0 to 1, as the solution of a linear program does. There are three kinds: an
// obstruction, a set of edges whose graph alone is over the limits, so that at least one of them must be absent, or
// several if it needs a clique larger by that number, because removing an edge makes it smaller by at most one; minors
// (minors.hpp); and sets of edges of which at most as many can be present as their rank in the rigidity matroid
// (rigidity.hpp).
#pragma once

#include "minors.hpp"
#include "tables.hpp"

namespace bnfuse {

class Separation {
public:
    using EdgeSet = std::vector<int>; // numbers of edges
    using Choice = std::vector<double>;

    // Cliques have at most `limit` members, and their tables are within a limit if there is one.
    Separation(int n, std::vector<Edge> edges, int limit, TableLimit tables);

    // Whether the graph of these edges is within the limits; true if the permitted work did not decide it.
    bool fits(const EdgeSet& chosen) const;

    // Obstructions that a choice breaks, minimal unless that takes much work; at most one per attempt. For complete
    // choices over the limits, at least one is found.
    std::vector<EdgeSet> obstructions(const Choice& choice, int tries, std::uint64_t seed) const;

    struct Excess {
        EdgeSet edges;
        int excess; // the number of them that must be absent
    };
    // Obstructions that a choice breaks and of which two edges or more must be absent: those that it breaks most,
    // minimal as above. A test of a graph examines at most `states` sets (see CliqueDecision).
    std::vector<Excess> excesses(const Choice& choice, int most, std::int64_t states) const;

    // Minors that bound the weight of a choice: those of this number of rounds (see MinorBound).
    std::vector<MinorCut> bounding_minors(const std::vector<Weight>& weights, int rounds) const;

    // Minors that a choice breaks, at most a few per attempt.
    std::vector<MinorCut> minors(const Choice& choice, int tries, std::uint64_t seed) const;

    struct RankedSet {
        EdgeSet edges;
        int rank;
    };
    // Sets of the edges with the largest values of which a choice has more than their rank: those that it breaks most.
    std::vector<RankedSet> ranks(const std::vector<double>& wish, const Choice& choice, int most) const;

private:
    int n_, limit_;
    std::vector<Edge> edges_;
    TableLimit tables_;

    struct Test {
        int excess = 1; // the excess of a graph over the limit
        std::int64_t states = 20'000;
    };
    bool is_over(const EdgeSet& chosen, const Test& test, std::int64_t* work = nullptr) const; // proven
    EdgeSet shrunk(EdgeSet obstruction, const std::vector<double>& wish, const Test& test) const;
    // The fewest edges from the start of the list that are over the limits, more than `least`, if all of them are.
    std::size_t first_over(const EdgeSet& edges, std::size_t least, const Test& test) const;
    void check(const Choice& choice) const;
};

} // namespace bnfuse
