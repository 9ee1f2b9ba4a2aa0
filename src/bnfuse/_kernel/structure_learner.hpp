// Networks learned from data, and from resamples of them, which depend on the seed and their number alone.
#pragma once

#include "discrete_data.hpp"
#include "network_search.hpp"
#include "parallel.hpp"

namespace bnfuse {

class StructureLearner {
public:
    StructureLearner(DiscreteData data, ScoreRule rule, LearnSetup setup);

    // From all rows; the best so far if it is ended from outside.
    LearnedNetwork learned(std::uint64_t seed, int threads) const;

    // From each of some resamples, several at a time; not all of them are finished if it is ended from outside.
    std::vector<LearnedNetwork> resampled(std::uint64_t seed, std::uint64_t first, int count, int threads) const;

    // From all rows. Not for data with missing values, whose scores have no bound.
    NetworkProof proved(const std::vector<ParentSet>& known, std::size_t most_sets, std::size_t most_nodes) const;

    // For all rows, however few of them have all of a family; minus infinity if a family is too large.
    double family_score(int child, const std::vector<int>& parents) const;
    double network_score(const std::vector<std::vector<int>>& parents) const;

private:
    DiscreteData data_;
    ScoreRule rule_;
    NetworkSearch search_;

    FamilyScore new_score(std::uint32_t rows, std::uint32_t unit) const;
    double score_of(int first, const std::vector<std::vector<int>>& parents) const;
    LearnedNetwork found(Sample sample, FamilyScore& score, const Random& random, Workers* workers) const;
};

} // namespace bnfuse
