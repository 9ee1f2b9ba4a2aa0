// Elimination orders that prove a network to be within the limits on its cliques and on their tables.
#pragma once

#include "consensus_problem.hpp"

namespace bnfuse {

// The results of eliminating a network in an order.
struct ProvingOrder {
    std::vector<int> order;
    int clique = 0;          // members of the largest clique
    std::uint64_t table = 0; // numbers in the largest clique table; TableLimit::too_large if 64 bits cannot hold them

    bool is_within(const ConsensusProblem& problem) const {
        return clique <= problem.limit && (!problem.has_tables() || table <= problem.max_table);
    }
};

// Along this order.
ProvingOrder proven_along(const ConsensusProblem& problem, const ArcList& arcs, std::vector<int> order);

// The best among a search's own order, if it has one, and new ones: the order with the smallest largest clique. With a
// limit on tables, the one with the smallest largest table, among those within the clique limit if there are any.
ProvingOrder proving_order(const ConsensusProblem& problem, const ArcList& arcs, const std::vector<int>* own = nullptr);

// The order that proves a network to be within the limits, if it also satisfies the constraints.
std::optional<ProvingOrder> within_limits(const ConsensusProblem& problem, const ArcList& arcs);

} // namespace bnfuse
