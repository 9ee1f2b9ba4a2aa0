// The annealing chains of a consensus problem.
#pragma once

#include "consensus_problem.hpp"

namespace bnfuse {

// The first temperature, in units of the total weight, and the power of 1/e by which it falls.
struct Heat {
    double hot, decay;
};

class AnnealingChains {
public:
    explicit AnnealingChains(const ConsensusProblem& problem);

    // Chains over the DAGs within the limits and constraints, without arcs but the required ones. `by_majority`: they
    // add no arcs that more inputs have the other way round.
    std::unique_ptr<DirectSearch> operator()(int count, Heat heat, std::uint64_t seed, std::uint64_t stream,
                                             bool by_majority = false) const;

    // One whose second objective is the worth of arcs itself: an arc for which fewer than half stand is a cost.
    std::unique_ptr<DirectSearch> voting(Heat heat, std::uint64_t seed) const;

    const PairWeights& gain() const { return gain_; }

private:
    const ConsensusProblem& problem_;
    PairWeights gain_;
    ArcBytes rules_;
    double unit_;

    DirectProblem setup(const PairWeights& support, ArcBytes rules, double hot, double decay) const;
};

} // namespace bnfuse
