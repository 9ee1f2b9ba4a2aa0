// Networks learned from data, and from resamples of them: which ones depends on the seed and their number alone.
#pragma once

#include "discrete_data.hpp"
#include "exact_sets.hpp"
#include "hill_climb.hpp"
#include "parallel.hpp"

namespace bnfuse {

struct LearnSetup {
    SetRules rules;
    bool anneals; // otherwise hill climbing is all
    ClimbSetup climb;
    SetEffort effort;
};

class StructureLearner {
public:
    struct Network {
        double score = 0;
        std::vector<std::vector<int>> parents;
        std::vector<int> order; // of elimination, which proves the clique size where that has a limit
        bool finished = false;
    };
    struct Proof {
        Network best;
        double bound; // no network without a limit scores more
        bool is_whole;
    };

    StructureLearner(DiscreteData data, ScoreRule rule, LearnSetup setup);

    const DiscreteData& data() const { return data_; }

    // From all rows; the best so far when it is ended from outside.
    Network learned(std::uint64_t seed, int threads) const;

    // From each of some resamples, several at once; not all of them are finished when it is ended from outside.
    std::vector<Network> resampled(std::uint64_t seed, std::uint64_t first, int count, int threads) const;

    // From all rows: a best network, if that can be proven, or a bound. With limits the network stays as it is. Not for
    // data with missing values, whose scores have no bound.
    Proof proved(const std::vector<ParentSet>& known, std::size_t most_sets, std::size_t most_nodes) const;

    // Of all rows, however few of them have all of a family; minus infinity where one is too large.
    double family_score(int child, const std::vector<int>& parents) const;
    double network_score(const std::vector<std::vector<int>>& parents) const;

private:
    DiscreteData data_;
    ScoreRule rule_;
    LearnSetup setup_;

    FamilyScore new_score(std::uint32_t rows, std::uint32_t unit) const;
    double score_of(int first, const std::vector<std::vector<int>>& parents) const;

    struct Work { // what one network is learned with
        FamilyScores& families;
        Random random;
        int threads;
    };
    Network found(Sample sample, FamilyScore& score, const Random& random, Workers* workers) const;
    FoundSets climbed(FamilyScores& families, const Random& random, const ClimbSetup& climb, bool& finished) const;
    FoundSets annealed(const Work& work, double units, bool& finished) const;
    FoundSets best_branching(FamilyScores& families, Random random) const;
};

} // namespace bnfuse
