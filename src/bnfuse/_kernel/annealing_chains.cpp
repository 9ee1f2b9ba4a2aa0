#include "annealing_chains.hpp"

namespace bnfuse {

namespace {
constexpr double arc_decay = 0.6; // of the decay for moral edges: if arcs gain, networks freeze at higher temperatures
constexpr double worth_span = 4;  // the worth of an arc spans this many times its support
} // namespace

AnnealingChains::AnnealingChains(const ConsensusProblem& problem)
    : problem_(problem), gain_(problem.gain()), rules_(arc_rules(problem)), unit_(problem.unit()) {}

std::unique_ptr<DirectSearch> AnnealingChains::operator()(int count, Heat heat, std::uint64_t seed,
                                                          std::uint64_t stream, bool by_majority) const {
    auto rules = rules_;
    const auto& oriented = problem_.oriented;
    if (by_majority)
        problem_.pairs().each([&](int u, int v, std::size_t i) {
            if (oriented[i] < oriented(v, u)) rules[i] &= 2;
        });
    auto own = setup(oriented, std::move(rules), heat.hot * unit_, heat.decay * (problem_.by_arc() ? arc_decay : 1));
    return std::make_unique<DirectSearch>(std::move(own), count, seed, stream);
}

std::unique_ptr<DirectSearch> AnnealingChains::voting(Heat heat, std::uint64_t seed) const {
    auto own = setup(problem_.worth, rules_, worth_span * heat.hot * unit_, heat.decay);
    return std::make_unique<DirectSearch>(std::move(own), 1, seed, 0);
}

DirectProblem AnnealingChains::setup(const PairWeights& support, ArcBytes rules, double hot, double decay) const {
    DirectProblem own{problem_.n, problem_.limit, problem_.max_parents(), gain_, support, {}, std::move(rules),
                      hot,        decay};
    own.by_arc = problem_.by_arc();
    own.tables = problem_.tables();
    return own;
}

} // namespace bnfuse
