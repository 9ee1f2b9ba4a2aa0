// Linear networks with normal noise, learned from rows of numbers, and from resamples of them, which depend on the seed
// and their number alone.
#pragma once

#include "gaussian_families.hpp"
#include "network_search.hpp"

namespace bnfuse {

class GaussianLearner {
public:
    GaussianLearner(GaussianData data, GaussianRule rule, LearnSetup setup);

    // From all rows; the best so far if it is ended from outside.
    LearnedNetwork learned(std::uint64_t seed, int threads) const;

    // From each of some resamples, several at a time; not all of them are finished if it is ended from outside.
    std::vector<LearnedNetwork> resampled(std::uint64_t seed, std::uint64_t first, int count, int threads) const;

    // From all rows. Not by BIC if a variable is a linear function of others.
    NetworkProof proved(const std::vector<ParentSet>& known, std::size_t most_sets, std::size_t most_nodes) const;

    double family_score(int child, const std::vector<int>& parents) const;
    double network_score(const std::vector<std::vector<int>>& parents) const;

    // The variables that are linear functions of those before them.
    std::vector<int> dependent() const;

private:
    GaussianData data_;
    GaussianRule rule_;
    NetworkSearch search_;
    Moments moments_; // of all rows

    GaussianFamilies families() const { return {data_, moments_, rule_, search_.rules()}; }
};

} // namespace bnfuse
