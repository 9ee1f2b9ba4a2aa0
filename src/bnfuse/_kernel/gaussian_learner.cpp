#include "gaussian_learner.hpp"

#include "parallel.hpp"
#include "views.hpp"

namespace bnfuse {

GaussianLearner::GaussianLearner(GaussianData data, GaussianRule rule, LearnSetup setup)
    : data_(std::move(data)), rule_(rule), search_(std::move(setup), data_.variables()), moments_(data_.all()) {
    families(); // which checks the rule
}

LearnedNetwork GaussianLearner::learned(std::uint64_t seed, int threads) const {
    check_threads(threads);
    auto own = families();
    return search_.found(own, own.units(), decisions_of(seed), threads);
}

std::vector<LearnedNetwork> GaussianLearner::resampled(std::uint64_t seed, std::uint64_t first, int count,
                                                       int threads) const {
    check_threads(threads);
    require(0 <= count && count <= 1 << 20, "too many resamples at once");
    std::vector<LearnedNetwork> networks(count);
    parallel(count, threads, [&](const Take& take) {
        for (int i; (i = take()) >= 0;) {
            if (is_over()) continue;
            const auto number = first + static_cast<std::uint64_t>(i);
            try {
                GaussianFamilies own(data_, data_.drawn(seed, number), rule_, search_.rules());
                networks[i] = search_.found(own, own.units(), decisions_of(seed, number), 1);
            } catch (const Stopped&) { // not finished
            }
        }
    });
    return networks;
}

NetworkProof GaussianLearner::proved(const std::vector<ParentSet>& known, std::size_t most_sets,
                                     std::size_t most_nodes) const {
    auto own = families();
    require(rule_.kind == GaussianKind::bge || own.dependent().empty(),
            "a proof needs variables of which none is a linear function of others");
    return search_.proved(own, own.units(), known, most_sets, most_nodes);
}

double GaussianLearner::family_score(int child, const std::vector<int>& parents) const {
    require(0 <= child && child < data_.variables(), "there is no such variable");
    auto own = families();
    return NetworkSearch::score_of(own, own.units(), child, {parents});
}

double GaussianLearner::network_score(const std::vector<std::vector<int>>& parents) const {
    require(parents.size() == static_cast<std::size_t>(data_.variables()), "each variable has a list of parents");
    auto own = families();
    return NetworkSearch::score_of(own, own.units(), 0, parents);
}

std::vector<int> GaussianLearner::dependent() const {
    return GaussianFamilies(data_, moments_, {GaussianKind::bic, 0, 0}, search_.rules()).dependent();
}

} // namespace bnfuse
