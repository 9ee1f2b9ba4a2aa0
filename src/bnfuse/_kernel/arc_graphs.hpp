// The kernel's functions for graphs as lists of arcs, with any number of variables. All arguments are checked, as in
// kernel.hpp.
#pragma once

#include "arc_list.hpp"
#include "kernel.hpp"

namespace bnfuse {

struct ArcGraph {
    int n;
    ArcList arcs;
};

std::vector<int> find_cycle(const ArcGraph& graph);
int clique_along(const ArcGraph& dag, const std::vector<int>& order);

// As `Kernel::triangulate`; an exact size is computed only for graphs as rows, and here by the best of the heuristics.
CliqueSize triangulate(const ArcGraph& dag, Method method);

int shd(const ArcGraph& one, const ArcGraph& other);
int smhd(const ArcGraph& one, const ArcGraph& other);

// By ordered pair that some DAG joins, in order, in both directions: the weight of the DAGs whose moral graphs join it,
// and of those that have the arc.
struct PairCounts {
    std::vector<std::int64_t> keys; // the first variable times n, and the second one
    std::vector<Weight> moral, arcs;
};
PairCounts count_pairs(const std::vector<ArcGraph>& dags, const std::vector<Weight>& weights);

} // namespace bnfuse
