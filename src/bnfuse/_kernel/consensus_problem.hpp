// A consensus problem in whole numbers: the votes of the inputs on pairs of variables, and the constraints on a
// network. It contains everything that the search and the bound need, for Python as well as for a page with the kernel.
#pragma once

#include "direct_search.hpp"

namespace bnfuse {

enum class Directions { any, seen, majority };

// The sums over the inputs, by pairs of variables.
struct Votes {
    PairWeights arcs;  // the weight of the inputs with the arc
    PairWeights moral; // of those whose moral graph joins the pair
    PairWeights seen;  // the weight of those that have both variables, including pairs without numbers
    Weight weight = 0; // of all
    bool is_whole = true;
};

struct ConsensusProblem {
    static constexpr std::uint8_t may = 1, must = 2, may_any_way = 4;

    int n;
    int limit;                         // of the largest clique
    int wanted_parents;                // the requested limit on parents, or -1
    Metric metric;                     // FSim uses the gains of SMHD
    Directions directions;             // the rule that `arcs` follows
    bool is_listed;                    // whether there are constraints apart from that rule
    Votes inputs, references;          // the inputs that choose directions, and those to which the distance is measured
    PairWeights oriented;              // the votes that choose directions
    PairWeights worth;                 // of an arc, among equally close networks
    std::vector<std::uint8_t> arcs;    // what the constraints say of each: it may be there, it must be, it may be there
                                       // if arcs may run any way; for the pairs that have numbers
    std::vector<std::uint64_t> states; // of each variable; empty if tables have no limit
    std::uint64_t max_table = 0;
    std::uint8_t others = 0;                     // the most that the constraints allow for arcs between other pairs
    std::shared_ptr<const Seen> see_others = {}; // the inputs that have those pairs

    void check() const;
    const Pairs& pairs() const { return worth.pairs(); } // that have numbers

    bool by_arc() const { return metric == Metric::shd; }
    bool has_constraints() const { return is_listed || directions != Directions::any; }
    bool has_tables() const { return !states.empty(); }
    int max_parents() const { return wanted_parents < 0 ? limit - 1 : std::min(limit - 1, wanted_parents); }
    TableLimit tables() const { return has_tables() ? TableLimit(states, max_table, limit) : TableLimit(); }
    std::uint8_t said(int u, int v) const {
        const auto i = pairs().find(u, v);
        return i >= 0 ? arcs[i] : others;
    }
    bool fits(int a, int b) const { return !has_tables() || states[a] <= max_table / states[b]; } // in one clique

    // The worth of an arc by itself: above 0 if at least half of the inputs have it in that direction.
    static PairWeights own_worth(const PairWeights& oriented, const PairWeights& seen);

    // The decrease in the summed distance when a pair is joined: by an arc or by a moral edge.
    PairWeights gain() const;
    Weight distance_without_arcs() const;
    // The unit of a pair's gain: the mean weight of the inputs that vote on it.
    double unit() const;
};

// The largest number of variables, with these numbers of states, whose table has at most this many numbers.
int most_members(std::vector<std::uint64_t> counts, std::uint64_t most);

// A byte for each ordered pair of variables that has numbers.
using ArcBytes = std::vector<std::uint8_t>;

// The arcs that the constraints and the limit on tables allow; the required ones are among them.
ArcBytes allowed_arcs(const ConsensusProblem& problem);

// The arcs that a best network may have: the allowed ones, without those that never improve a network.
//
// For SMHD, an arc adds at most its own moral edge and those that join its source to the other parents. If these lose
// more than they gain, whatever the parents are, the network without the arc is closer. An edge that loses counts as 0
// if a common child may add it anyway, as it may stay when the arc is removed. Once such arcs are removed, there are
// fewer parents to join, so the test is repeated.
ArcBytes useful_arcs(const ConsensusProblem& problem);

// By arc: 1 means that it may be added, 2 that it must stay.
ArcBytes arc_rules(const ConsensusProblem& problem);

// The number of arcs that measures the work of a search: those that may be added, were any direction allowed. A rule on
// directions leaves fewer arcs, but more ways to get stuck.
int arcs_to_search(const ConsensusProblem& problem);

// The moral edges that the constraints allow: an arc in some direction, or a child that both may have. If not all pairs
// have numbers, arcs between the others are assumed to be allowed if any is.
ArcBytes possible_edges(const ConsensusProblem& problem);

// The moral edges that the required arcs bring.
ArcBytes forced_edges(const ConsensusProblem& problem);

// The best network in which each variable has at most one parent: exact.
ArcList best_branching(const ConsensusProblem& problem);

// The decrease in summed distance compared with a network without arcs.
Weight gain_of(const ConsensusProblem& problem, const PairWeights& gain, const ArcList& arcs);

} // namespace bnfuse
