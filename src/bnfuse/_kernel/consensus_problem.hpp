// A consensus problem in whole numbers: how the inputs vote on pairs of variables, and what a network must keep to. All
// that the search and the bound need follows from it, whoever asks: Python, or a page with the kernel in it.
#pragma once

#include "direct_search.hpp"

namespace bnfuse {

enum class Directions { any, seen, majority };

// What inputs add up to, by pairs of variables.
struct Votes {
    PairWeights arcs;  // the weight of the inputs with the arc
    PairWeights moral; // of those whose moral graph joins the pair
    PairWeights seen;  // of those that have both variables; of pairs without numbers, too
    Weight weight = 0; // of all
    bool is_whole = true;
};

struct ConsensusProblem {
    static constexpr std::uint8_t may = 1, must = 2, may_any_way = 4;

    int n;
    int limit;                         // of the largest clique
    int wanted_parents;                // the most parents that somebody asked for, or -1
    Metric metric;                     // FSim takes the gains of SMHD
    Directions directions;             // the rule that `arcs` keeps to
    bool is_listed;                    // whether there are constraints beside that rule
    Votes inputs, references;          // whose directions count, and to whom the distance is measured
    PairWeights oriented;              // the votes that choose directions
    PairWeights worth;                 // of an arc, between networks that are equally close
    std::vector<std::uint8_t> arcs;    // what the constraints say of each: it may be there, it must be, it may be there
                                       // if arcs may run any way; for the pairs that have numbers
    std::vector<std::uint64_t> states; // of each variable; none where tables have no limit
    std::uint64_t max_table = 0;
    std::uint8_t others = 0;                     // what the constraints say of arcs between other pairs, at most
    std::shared_ptr<const Seen> see_others = {}; // who sees those pairs

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

    // What an arc is worth by itself: above 0 if at least half of the inputs have it in that direction.
    static PairWeights own_worth(const PairWeights& oriented, const PairWeights& seen);

    // By how much the summed distance falls when a pair is joined: by an arc or by a moral edge.
    PairWeights gain() const;
    Weight distance_without_arcs() const;
    // What the gain of a pair is measured by: the weight of those that have a vote on it, on average.
    double unit() const;
};

// The most variables, of these numbers of states, that a table of at most so many numbers can have.
int most_members(std::vector<std::uint64_t> counts, std::uint64_t most);

// A byte for each ordered pair of variables that has numbers.
using ArcBytes = std::vector<std::uint8_t>;

// The arcs that the constraints and the limit on tables allow; the required ones are among them.
ArcBytes allowed_arcs(const ConsensusProblem& problem);

// The arcs that a best network may have: the allowed ones but those that it is always better without.
//
// For SMHD an arc brings at most its own moral edge and those that marry its source to the other parents. Where these
// lose more than they gain, whichever parents they are, the network without the arc is closer. An edge that a common
// child may bring anyway counts for nothing where it loses: it may stay when the arc goes. With such arcs gone there
// are fewer parents to marry, so it is asked again.
ArcBytes useful_arcs(const ConsensusProblem& problem);

// By arc: 1 it may be added, 2 it must stay.
ArcBytes arc_rules(const ConsensusProblem& problem);

// How many arcs the work of a search is counted by: those that may be added, were any direction allowed. A rule on
// directions leaves fewer arcs, but more ways to get stuck.
int arcs_to_search(const ConsensusProblem& problem);

// The moral edges that the constraints leave: an arc one way or the other, or a child that both may have. Where not all
// pairs have numbers, arcs between the others are taken to be allowed if any is.
ArcBytes possible_edges(const ConsensusProblem& problem);

// The moral edges that the required arcs bring.
ArcBytes forced_edges(const ConsensusProblem& problem);

// The best network in which a variable has one parent at most: exact.
ArcList best_branching(const ConsensusProblem& problem);

// By how much a network is closer, in summed distance, than no arcs.
Weight gain_of(const ConsensusProblem& problem, const PairWeights& gain, const ArcList& arcs);

} // namespace bnfuse
