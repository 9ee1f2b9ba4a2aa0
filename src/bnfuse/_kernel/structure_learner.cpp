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
    FamilyScore(rule_, data_.variables(), data_.total(), data_.unit()); // which checks the rule
    require(setup_.limit >= 1 && setup_.max_parents >= 0, "the limits are too small for any network");
    if (setup_.limit < data_.variables()) setup_.max_parents = std::min(setup_.max_parents, setup_.limit - 1);
    require(setup_.tabu >= 0 && setup_.restarts >= 0, "the tabu list and the restarts are not negative");
}

StructureLearner::Network StructureLearner::learned(std::uint64_t seed, int threads) const {
    check_threads(threads);
    Workers workers(threads);
    FamilyScore score(rule_, data_.variables(), data_.total(), data_.unit());
    return climbed(data_.all(), score, Random(seed ^ decisions, no_resample), &workers);
}

std::vector<StructureLearner::Network> StructureLearner::resampled(std::uint64_t seed, std::uint64_t first, int count,
                                                                   int threads) const {
    check_threads(threads);
    require(0 <= count && count <= 1 << 20, "too many resamples at once");
    std::vector<Network> networks(count);
    parallel(count, threads, [&](const Take& take) {
        FamilyScore score(rule_, data_.variables(), data_.total(), data_.unit());
        for (int i; (i = take()) >= 0;) {
            if (is_over()) continue;
            const auto number = first + static_cast<std::uint64_t>(i);
            auto sample = data_.drawn(seed, number);
            if (!score.is_for(sample.total, sample.unit)) // weights, or groups of different sizes
                score = FamilyScore(rule_, data_.variables(), sample.total, sample.unit);
            networks[i] = climbed(std::move(sample), score, Random(seed ^ decisions, number), nullptr);
        }
    });
    return networks;
}

double StructureLearner::family_score(int child, const std::vector<int>& parents) const {
    const int n = data_.variables();
    require(0 <= child && child < n, "there is no such variable");
    std::vector<std::pair<int, int>> arcs;
    for (const int parent : parents) arcs.emplace_back(parent, child);
    check_arcs(arcs, n);
    FamilyScore score(rule_, n, data_.total(), data_.unit());
    const auto points = Families(data_, data_.all(), score, setup_.rules).score(child, parents);
    return points == refused ? -HUGE_VAL : score.value(points);
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
