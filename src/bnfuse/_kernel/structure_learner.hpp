// Networks learned from data, and from resamples of them: which ones depends on the seed and their number alone.
#pragma once

#include "hill_climb.hpp"

namespace bnfuse {

class StructureLearner {
public:
    struct Network {
        double score = 0;
        std::vector<std::vector<int>> parents;
        std::vector<int> order; // of elimination, which proves the clique size where that has a limit
        bool finished = false;
    };

    StructureLearner(DiscreteData data, ScoreRule rule, ClimbSetup setup);

    const DiscreteData& data() const { return data_; }

    // From all rows; the best so far when it is ended from outside.
    Network learned(std::uint64_t seed, int threads) const;

    // From each of some resamples, several at once; not all of them are finished when it is ended from outside.
    std::vector<Network> resampled(std::uint64_t seed, std::uint64_t first, int count, int threads) const;

    // Of all rows, however few of them have all of a family; minus infinity where one is too large.
    double family_score(int child, const std::vector<int>& parents) const;
    double network_score(const std::vector<std::vector<int>>& parents) const;

private:
    DiscreteData data_;
    ScoreRule rule_;
    ClimbSetup setup_;

    FamilyScore new_score(std::uint32_t rows, std::uint32_t unit) const;
    double score_of(int first, const std::vector<std::vector<int>>& parents) const;
    Network climbed(Sample sample, FamilyScore& score, Random random, Workers* workers) const;
};

} // namespace bnfuse
