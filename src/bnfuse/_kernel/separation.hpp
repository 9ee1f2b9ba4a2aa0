// Inequalities that hold for the edges of every graph within the limits, and that a choice of edges breaks.
//
// A choice gives each edge a number from 0 to 1, as the solution of a linear program does. Three kinds are looked for:
// an obstruction, a set of edges whose graph alone is over the limits, so that one of them has to go, or several if it
// needs a clique that is larger by so many, because an edge less makes it smaller by one at most; minors (minors.hpp);
// and sets of edges of which no more can be there than their rank in the rigidity matroid (rigidity.hpp).
#pragma once

#include "minors.hpp"
#include "tables.hpp"

namespace bnfuse {

class Separation {
public:
    using EdgeSet = std::vector<int>; // numbers of edges
    using Choice = std::vector<double>;

    // Cliques have at most `limit` members, and their tables are within a limit where there is one.
    Separation(int n, std::vector<Edge> edges, int limit, TableLimit tables);

    // Whether the graph of these edges is within the limits; true where the work it may take has not shown that.
    bool fits(const EdgeSet& chosen) const;

    // Obstructions that a choice breaks, none of them with an edge to spare unless that takes much work; at most one a
    // try. Of whole choices that are over the limits, at least one is found.
    std::vector<EdgeSet> obstructions(const Choice& choice, int tries, std::uint64_t seed) const;

    struct Excess {
        EdgeSet edges;
        int excess; // so many of them have to go
    };
    // Obstructions that a choice breaks and of which two edges or more have to go: those that it breaks most, with no
    // edge to spare as above. A test of a graph looks at so many `states` at most (see CliqueDecision).
    std::vector<Excess> excesses(const Choice& choice, int most, std::int64_t states) const;

    // Minors that bound the weight of a choice: those of so many rounds (see MinorBound).
    std::vector<MinorCut> bounding_minors(const std::vector<Weight>& weights, int rounds) const;

    // Minors that a choice breaks, at most a few of each try.
    std::vector<MinorCut> minors(const Choice& choice, int tries, std::uint64_t seed) const;

    struct RankedSet {
        EdgeSet edges;
        int rank;
    };
    // Sets of the edges that are wished for most, of which a choice has more than their rank: those that it breaks
    // most.
    std::vector<RankedSet> ranks(const std::vector<double>& wish, const Choice& choice, int most) const;

private:
    int n_, limit_;
    std::vector<Edge> edges_;
    TableLimit tables_;

    struct Test {
        int excess = 1; // by so many is a graph over the limit
        std::int64_t states = 20'000;
    };
    bool is_over(const EdgeSet& chosen, const Test& test, std::int64_t* work = nullptr) const; // proven
    EdgeSet shrunk(EdgeSet obstruction, const std::vector<double>& wish, const Test& test) const;
    // The fewest edges from the start of the list that are over the limits, more than `least`, if all of them are.
    std::size_t first_over(const EdgeSet& edges, std::size_t least, const Test& test) const;
    void check(const Choice& choice) const;
};

} // namespace bnfuse
