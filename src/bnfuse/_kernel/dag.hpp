// DAGs as rows of parents: relabelling, children, cycles.
#pragma once

#include "bitset.hpp"
#include "stop.hpp"

#include <algorithm>
#include <stdexcept>

namespace bnfuse {

// For DAGs from outside.
inline void require(bool holds, const char* claim) {
    if (!holds) throw std::invalid_argument(claim);
}

inline constexpr const char* has_a_cycle = "the arcs form a cycle";

// The position of each variable in an order.
inline std::vector<int> places(const std::vector<int>& order) {
    std::vector<int> place(order.size());
    for (int i = 0; i < static_cast<int>(order.size()); ++i) place[order[i]] = i;
    return place;
}

// The same graph with variable v named name[v]. With name = places(order), label i is the order's i-th variable.
template <int W> Rows<W> relabelled(const Rows<W>& rows, const std::vector<int>& name) {
    Rows<W> result(rows.size());
    for (std::size_t v = 0; v < rows.size(); ++v) {
        auto& row = result[name[v]];
        rows[v].each([&](int u) { row.set(name[u]); });
    }
    return result;
}

template <int W> Rows<W> children_of(const Rows<W>& parents) {
    Rows<W> children(parents.size());
    for (int v = 0; v < static_cast<int>(parents.size()); ++v) parents[v].each([&](int p) { children[p].set(v); });
    return children;
}

// A directed cycle in the direction of its arcs, or nothing. Removes sinks; every remaining variable has a child among
// them, so walking from child to child must close a cycle.
template <int W> std::vector<int> find_cycle(const Rows<W>& parents) {
    const int n = static_cast<int>(parents.size());
    std::vector<int> outdegree(n), sinks;
    for (const auto& row : parents) row.each([&](int p) { ++outdegree[p]; });
    for (int v = 0; v < n; ++v)
        if (!outdegree[v]) sinks.push_back(v);
    auto left = first<W>(n);
    while (!sinks.empty()) {
        const int v = sinks.back();
        sinks.pop_back();
        left.reset(v);
        parents[v].each([&](int p) {
            if (!--outdegree[p]) sinks.push_back(p);
        });
    }
    if (!left.any()) return {};
    const auto children = children_of(parents);
    std::vector<int> walk, seen_at(n, -1);
    for (int v = left.lowest(); seen_at[v] < 0; v = (children[v] & left).lowest()) {
        seen_at[v] = static_cast<int>(walk.size());
        walk.push_back(v);
    }
    const int last = walk.back();
    walk.erase(walk.begin(), walk.begin() + seen_at[(children[last] & left).lowest()]);
    return walk;
}

} // namespace bnfuse
