#include "majority_vote.hpp"

#include "annealing_chains.hpp"
#include "sorting.hpp"

namespace bnfuse {

namespace {

// Whether a strength is over a threshold, relative to its largest possible value `most`: compared exactly.
bool is_over_threshold(Weight strength, Weight most, Threshold threshold) {
    const auto product = [](Weight a, std::int64_t b) {
        return static_cast<Weight>(static_cast<std::uint64_t>(a) * static_cast<std::uint64_t>(b));
    };
    return product(strength, threshold.denominator) > product(most, threshold.numerator);
}

struct Offer {
    int from, to;
    Weight strength, tie; // the strongest first, then the smallest tie
};

ArcList sorted(std::vector<Offer> offers) {
    bnfuse::stable_sort(offers, {}, [](const Offer& one) { return std::pair(-one.strength, one.tie); });
    ArcList arcs;
    for (const auto& one : offers) arcs.emplace_back(one.from, one.to);
    return arcs;
}

ArcList offered_by_arc(const ConsensusProblem& problem, Threshold threshold) {
    const auto& [arcs, moral, seen, weight, is_whole] = problem.inputs;
    std::vector<Offer> offers;
    problem.pairs().each([&](int u, int v, std::size_t i) {
        const auto strength = 2 * arcs[i] + arcs(v, u);
        if (!(problem.arcs[i] & ConsensusProblem::may)) return;
        if (!is_over_threshold(strength, 2 * seen[i], threshold)) return;
        offers.push_back({u, v, strength, arcs[i] - problem.oriented[i]}); // 0 unless classes were counted
    });
    return sorted(std::move(offers));
}

ArcList offered_by_pair(const ConsensusProblem& problem, Threshold threshold) {
    const auto& [arcs, moral, seen, weight, is_whole] = problem.inputs;
    std::vector<Offer> offers;
    problem.pairs().each([&](int a, int b, std::size_t i) {
        if (a >= b) return;
        const auto strength = arcs[i] + arcs(b, a), most = seen[i];
        // An arc that all inputs have counts, even if that is the threshold.
        if (!is_over_threshold(strength, most, threshold) && !(strength == most && most > 0)) return;
        int u = a, v = b;
        if (problem.oriented[i] < problem.oriented(b, a)) std::swap(u, v);
        if (!(problem.said(u, v) & ConsensusProblem::may)) std::swap(u, v);
        if (problem.said(u, v) & ConsensusProblem::may) offers.push_back({u, v, strength, 0});
    });
    return sorted(std::move(offers));
}

} // namespace

ArcList offered_arcs(const ConsensusProblem& problem, Threshold threshold, bool by_arc) {
    require(threshold.numerator >= 0 && threshold.denominator > 0, "a threshold is a share");
    return by_arc ? offered_by_arc(problem, threshold) : offered_by_pair(problem, threshold);
}

DirectSearch::Network majority_vote(const ConsensusProblem& problem, Threshold threshold, bool by_arc) {
    const auto chain = AnnealingChains(problem)(1, {1, 1}, 0, 0);
    chain->start_from(offered_arcs(problem, threshold, by_arc));
    return chain->current();
}

} // namespace bnfuse
