// From the scores of families to a network: hill climbing finds a first one, and annealing over parent sets continues
// from it; or, if cliques have at most two members, the best branching.
#pragma once

#include "exact_sets.hpp"
#include "hill_climb.hpp"

namespace bnfuse {

struct LearnSetup {
    SetRules rules;
    bool anneals; // otherwise only hill climbing is used
    ClimbSetup climb;
    SetEffort effort;
    std::size_t all_families = 0; // up to this number, annealing starts from all of them
};

struct LearnedNetwork {
    double score = 0;
    std::vector<std::vector<int>> parents;
    std::vector<int> order; // of elimination, which proves the clique size if that has a limit
    bool finished = false;
};

struct NetworkProof {
    LearnedNetwork best;
    double bound; // no network without a limit scores more
    bool is_whole;
};

class NetworkSearch {
public:
    NetworkSearch(LearnSetup setup, int variables);

    const std::vector<std::uint8_t>& rules() const { return setup_.rules.rules; }

    // `units` is the number of units in 1. The best so far if it is ended from outside.
    LearnedNetwork found(FamilyScores& families, double units, const Random& random, int threads) const;

    // A best network, if that can be proven, or a bound. With limits, the network stays unchanged.
    NetworkProof proved(FamilyScores& families, double units, const std::vector<ParentSet>& known,
                        std::size_t most_sets, std::size_t most_nodes) const;

    // The scores of this number of variables from this one on; minus infinity if a family is refused.
    static double score_of(FamilyScores& families, double units, int first,
                           const std::vector<std::vector<int>>& parents);

private:
    LearnSetup setup_;

    struct Work { // the tools for learning one network
        FamilyScores& families;
        Random random;
        int threads;
    };
    FoundSets climbed(FamilyScores& families, const Random& random, const ClimbSetup& climb, bool& finished) const;
    FoundSets annealed(const Work& work, double units, bool& finished) const;
    FoundSets best_branching(FamilyScores& families, Random random) const;
    bool has_few_families() const;
};

// Random numbers for the decisions of a search, separate from those for the rows that are drawn.
Random decisions_of(std::uint64_t seed);
Random decisions_of(std::uint64_t seed, std::uint64_t resample);

} // namespace bnfuse
