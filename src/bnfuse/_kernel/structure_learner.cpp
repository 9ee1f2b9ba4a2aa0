#include "structure_learner.hpp"

#include "views.hpp"

namespace bnfuse {

namespace {

constexpr std::uint64_t no_resample = ~std::uint64_t{0};
constexpr std::uint64_t decisions = 0x5bd1e9955bd1e995; // so that they do not go with the rows that are drawn

} // namespace

StructureLearner::StructureLearner(DiscreteData data, ScoreRule rule, ClimbSetup setup)
    : data_(std::move(data)), rule_(rule), setup_(std::move(setup)) {
    check_rules(setup_.rules, data_.variables());
    new_score(data_.total(), data_.unit()); // which checks the rule
    require(setup_.limit >= 1 && setup_.max_parents >= 0, "the limits are too small for any network");
    if (setup_.limit < data_.variables()) setup_.max_parents = std::min(setup_.max_parents, setup_.limit - 1);
    require(setup_.tabu >= 0 && setup_.restarts >= 0, "the tabu list and the restarts are not negative");
}

FamilyScore StructureLearner::new_score(std::uint32_t rows, std::uint32_t unit) const {
    return {rule_, data_.variables(), rows, unit, data_.is_complete() ? 1 : AvailableCases::most_sets};
}

StructureLearner::Network StructureLearner::learned(std::uint64_t seed, int threads) const {
    check_threads(threads);
    Workers workers(threads);
    auto score = new_score(data_.total(), data_.unit());
    return climbed(data_.all(), score, Random(seed ^ decisions, no_resample), &workers);
}

std::vector<StructureLearner::Network> StructureLearner::resampled(std::uint64_t seed, std::uint64_t first, int count,
                                                                   int threads) const {
    check_threads(threads);
    require(0 <= count && count <= 1 << 20, "too many resamples at once");
    std::vector<Network> networks(count);
    parallel(count, threads, [&](const Take& take) {
        auto score = new_score(data_.total(), data_.unit());
        for (int i; (i = take()) >= 0;) {
            if (is_over()) continue;
            const auto number = first + static_cast<std::uint64_t>(i);
            auto sample = data_.drawn(seed, number);
            if (!score.is_for(sample.total, sample.unit)) // weights, or groups of different sizes
                score = new_score(sample.total, sample.unit);
            networks[i] = climbed(std::move(sample), score, Random(seed ^ decisions, number), nullptr);
        }
    });
    return networks;
}

double StructureLearner::family_score(int child, const std::vector<int>& parents) const {
    require(0 <= child && child < data_.variables(), "there is no such variable");
    return score_of(child, {parents});
}

double StructureLearner::network_score(const std::vector<std::vector<int>>& parents) const {
    require(parents.size() == static_cast<std::size_t>(data_.variables()), "each variable has a list of parents");
    return score_of(0, parents);
}

// Of so many variables from this one on.
double StructureLearner::score_of(int first, const std::vector<std::vector<int>>& parents) const {
    auto rule = new_score(data_.total(), data_.unit());
    Families families(data_, data_.all(), rule, setup_.rules, nullptr, 0);
    Points sum = 0;
    for (int child = first; const auto& own : parents) {
        std::vector<std::pair<int, int>> arcs;
        for (const int parent : own) arcs.emplace_back(parent, child);
        check_arcs(arcs, data_.variables());
        const auto points = families.score(child++, own);
        if (points == refused) return -HUGE_VAL;
        sum += points;
    }
    return rule.value(sum);
}

StructureLearner::Network StructureLearner::climbed(Sample sample, FamilyScore& score, Random random,
                                                    Workers* workers) const {
    Families families(data_, std::move(sample), score, setup_.rules, workers);
    auto found = HillClimb(setup_, families, random)();
    for (auto& parents : found.parents) std::ranges::sort(parents);
    auto order = found.bags.empty() ? std::vector<int>{} : elimination_order(found.bags, data_.variables());
    return {score.value(found.score), std::move(found.parents), std::move(order), found.finished};
}

} // namespace bnfuse
