// The search over parent sets: rounds of independent annealing chains, each round longer than the previous one. In
// every round, one half of the chains starts without arcs, the other is reheated a little from the best network so far.
// The result does not depend on the number of threads.
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
    int moves;  // of a chain for each variable, in the first round; each is half as long again as the previous one
};

class SetSearch {
public:
    // Each list has at least one set. `units` is the number of units in 1.
    SetSearch(SetRules rules, std::vector<SetList> lists, const SetEffort& effort, double units, std::uint64_t seed);
    SetSearch(const SetSearch&) = delete; // the problem refers to its rules

    // With other lists, as far as they contain the network found: for sets that were scored in the meantime.
    void replace(std::vector<SetList> lists);

    // The next round; false if it was ended from outside. Its results up to then count.
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
    // For the last round: the result of each chain.
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
