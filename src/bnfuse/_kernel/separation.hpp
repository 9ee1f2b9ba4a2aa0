// Inequalities that hold for the edges of every graph within the limits, and that a choice of edges breaks.
//
// A choice gives each edge a number from 0 to 1, as the solution of a linear program does. Three kinds are looked for:
// an obstruction, a set of edges whose graph alone is over the limits, so that one of them has to go; minors
// (minors.hpp); and sets of edges of which no more can be there than their rank in the rigidity matroid (rigidity.hpp).
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

    // Obstructions that a choice breaks, none of them with an edge to spare where the tests were exact; at most one a
    // try. Of whole choices that are over the limits, at least one is found.
    std::vector<EdgeSet> obstructions(const Choice& choice, int tries, std::uint64_t seed) const;

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

    bool is_over(const EdgeSet& chosen) const; // proven
    EdgeSet shrunk(EdgeSet obstruction, const std::vector<double>& wish) const;
    EdgeSet obstruction_in(EdgeSet pool, const std::vector<double>& wish) const;
    void check(const Choice& choice) const;
};

} // namespace bnfuse
