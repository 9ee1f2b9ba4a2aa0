// The search over parent sets: rounds of independent annealing chains, each round longer than the one before. In every
// round one half of the chains starts from nothing, the other is heated a little from the best network so far. How many
// threads run them never shows.
#pragma once

#include "parallel.hpp"
#include "set_chain.hpp"

namespace bnfuse {

struct FoundSets {
    Points score = refused;
    std::vector<ParentSet> parents;
    std::vector<int> order; // of elimination, where there are limits
};

struct SetEffort {
    int rounds;
    int chains; // in a round; a single one always starts from the best
    int moves;  // of a chain for each variable, in the first round; each is half as long again as the one before
};

class SetSearch {
public:
    // Each list holds at least one set. `units` are the points of 1.
    SetSearch(SetRules rules, std::vector<SetList> lists, const SetEffort& effort, double units, std::uint64_t seed);
    SetSearch(const SetSearch&) = delete; // the problem refers to its rules

    // With other lists, as far as they have what was found: for sets that were scored meanwhile.
    void replace(std::vector<SetList> lists);

    // The next round; false when it was ended from outside. What was found by then counts.
    bool round(int threads);

    // A network from elsewhere, within the limits along the order.
    void offer(const std::vector<ParentSet>& parents, const std::vector<int>& order);

    const SetRules& rules() const { return rules_; }
    const std::vector<SetList>& lists() const { return problem_.lists; }
    const SetList& list(int v) const { return problem_.lists[v]; }
    bool is_done() const { return rounds_ >= effort_.rounds; }
    double value(Points points) const { return static_cast<double>(points) / units_; }
    std::int64_t moves() const { return moves_; } // so far
    FoundSets best() const { return found(best_); }
    // Of the last round: what each chain found.
    std::vector<FoundSets> last() const;

private:
    SetRules rules_;
    SetProblem problem_;
    SetEffort effort_;
    double units_;
    std::uint64_t seed_;
    int rounds_ = 0;
    std::int64_t moves_ = 0;
    ChosenSets first_, best_;
    std::vector<ChosenSets> last_;

    ChosenSets first_network() const;
    FoundSets found(const ChosenSets& chosen) const;
    ChosenSets chosen(const std::vector<ParentSet>& parents, const std::vector<int>& order) const;
    double hottest() const;
};

} // namespace bnfuse
