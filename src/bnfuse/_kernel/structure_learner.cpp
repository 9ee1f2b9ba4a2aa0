#include "structure_learner.hpp"

#include "families.hpp"
#include "views.hpp"

namespace bnfuse {

StructureLearner::StructureLearner(DiscreteData data, ScoreRule rule, LearnSetup setup)
    : data_(std::move(data)), rule_(rule), search_(std::move(setup), data_.variables()) {
    new_score(data_.total(), data_.unit()); // which checks the rule
}

FamilyScore StructureLearner::new_score(std::uint32_t rows, std::uint32_t unit) const {
    return {rule_, data_.variables(), rows, unit, data_.is_complete() ? 1 : AvailableCases::most_sets};
}

LearnedNetwork StructureLearner::learned(std::uint64_t seed, int threads) const {
    check_threads(threads);
    Workers workers(threads);
    auto score = new_score(data_.total(), data_.unit());
    return found(data_.all(), score, decisions_of(seed), &workers);
}

std::vector<LearnedNetwork> StructureLearner::resampled(std::uint64_t seed, std::uint64_t first, int count,
                                                        int threads) const {
    check_threads(threads);
    require(0 <= count && count <= 1 << 20, "too many resamples at once");
    std::vector<LearnedNetwork> networks(count);
    parallel(count, threads, [&](const Take& take) {
        auto score = new_score(data_.total(), data_.unit());
        for (int i; (i = take()) >= 0;) {
            if (is_over()) continue;
            const auto number = first + static_cast<std::uint64_t>(i);
            auto sample = data_.drawn(seed, number);
            if (!score.is_for(sample.total, sample.unit)) // weights, or groups of different sizes
                score = new_score(sample.total, sample.unit);
            networks[i] = found(std::move(sample), score, decisions_of(seed, number), nullptr);
        }
    });
    return networks;
}

NetworkProof StructureLearner::proved(const std::vector<ParentSet>& known, std::size_t most_sets,
                                      std::size_t most_nodes) const {
    require(data_.is_complete(), "a proof needs all values");
    auto score = new_score(data_.total(), data_.unit());
    Families families(data_, data_.all(), score, search_.rules());
    return search_.proved(families, score.units(), known, most_sets, most_nodes);
}

double StructureLearner::family_score(int child, const std::vector<int>& parents) const {
    require(0 <= child && child < data_.variables(), "there is no such variable");
    return score_of(child, {parents});
}

double StructureLearner::network_score(const std::vector<std::vector<int>>& parents) const {
    require(parents.size() == static_cast<std::size_t>(data_.variables()), "each variable has a list of parents");
    return score_of(0, parents);
}

// For this number of variables from this one on.
double StructureLearner::score_of(int first, const std::vector<std::vector<int>>& parents) const {
    auto score = new_score(data_.total(), data_.unit());
    Families families(data_, data_.all(), score, search_.rules(), nullptr, 0);
    return NetworkSearch::score_of(families, score.units(), first, parents);
}

LearnedNetwork StructureLearner::found(Sample sample, FamilyScore& score, const Random& random,
                                       Workers* workers) const {
    Families families(data_, std::move(sample), score, search_.rules(), workers);
    return search_.found(families, score.units(), random, workers ? workers->threads() : 1);
}

} // namespace bnfuse
