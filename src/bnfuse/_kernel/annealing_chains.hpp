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

    // Chains over the DAGs within the limits and constraints, starting from the required arcs. `by_majority`: they add
    // no arcs that more inputs have reversed.
    std::unique_ptr<DirectSearch> operator()(int count, Heat heat, std::uint64_t seed, std::uint64_t stream,
                                             bool by_majority = false) const;

    // A chain with the worth of arcs itself as second objective: an arc that fewer than half support is a cost.
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
