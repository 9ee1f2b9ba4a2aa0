// The heuristic variable order for fusing DAGs (Puerta, Aledo, Gámez, Laborda 2021).
//
// The order is filled from its last place to its first. Each step takes the variable that is cheapest to turn into a
// sink of every DAG, does so by arc reversals, and deletes it. Costs are integers; a tie goes to the smaller label.
#pragma once

#include "dag.hpp"

namespace bnfuse {

template <int W> class SinkCosts { // one DAG while its variables are eliminated
public:
    explicit SinkCosts(Rows<W> dag)
        : parents_(std::move(dag)), children_(children_of(parents_)), cost_(parents_.size()) {
        for (int v = 0; v < static_cast<int>(parents_.size()); ++v) cost_[v] = compute(v);
    }

    int cost(int v) const { return cost_[v]; }

    // Turns x into a sink, deletes it, and adds to `total` how the costs of the others changed.
    void eliminate(int x, std::vector<std::int64_t>& total) {
        const auto old_parents = parents_[x], kids = children_[x];
        auto affected = old_parents | kids;
        reverse_arcs_to(kids, x);
        old_parents.each([&](int p) { children_[p].reset(x); });
        kids.each([&](int c) { affected |= parents_[c]; });
        affected.each([&](int v) {
            const int fresh = compute(v);
            total[v] += fresh - cost_[v];
            cost_[v] = fresh;
        });
    }

private:
    Rows<W> parents_, children_;
    std::vector<int> cost_;

    int compute(int x) const {
        const auto& children = children_[x];
        int cost = -1;
        Bits<W> co_parents;
        children.each([&](int c) {
            cost += 1 + count_missing(parents_[x], parents_[c] | children_[c]);
            co_parents |= parents_[c];
        });
        co_parents.reset(x);
        return cost + count_missing(co_parents, parents_[x] | children);
    }

    // Reverses x -> c for every child, always the smallest c without another directed path from x. Such paths run
    // through other children only, and a reversal neither makes nor breaks one between those that remain, so they are
    // found once. Rows of x itself are left stale: x is deleted next.
    void reverse_arcs_to(const Bits<W>& kids, int x) {
        auto gathered = parents_[x];
        auto waiting = kids;
        const auto blockers = kids_above(kids);
        while (waiting.any()) {
            int next = -1;
            for (int c = waiting.lowest(); next < 0; ++c)
                if (waiting.test(c) && !(blockers[kid_index_[c]] & waiting).any()) next = c;
            waiting.reset(next);
            auto& row = parents_[next];
            row.reset(x);
            (gathered - row).each([&](int p) { children_[p].set(next); });
            const auto shared = gathered | row;
            row = shared;
            gathered = shared;
            gathered.set(next);
        }
    }

    // For each child the other children that reach it, in the order of kid_index_.
    const Rows<W>& kids_above(const Bits<W>& kids) {
        const int count = kids.count();
        blockers_.assign(count, {});
        kid_index_.resize(parents_.size());
        int index = 0;
        kids.each([&](int c) { kid_index_[c] = index++; });
        if (count > 1)
            kids.each([&](int c) {
                Bits<W> reached, frontier = children_[c];
                while (frontier.any()) {
                    reached |= frontier;
                    Bits<W> next;
                    frontier.each([&](int v) { next |= children_[v]; });
                    frontier = next - reached;
                }
                (reached & kids).each([&](int below) { blockers_[kid_index_[below]].set(c); });
            });
        return blockers_;
    }

    Rows<W> blockers_;
    std::vector<int> kid_index_;
};

// Labels stand for the tie-breaking order: pass DAGs relabelled by it.
template <int W> std::vector<int> heuristic_order(const std::vector<Rows<W>>& dags) {
    const int n = static_cast<int>(dags.front().size());
    std::vector<SinkCosts<W>> states;
    states.reserve(dags.size());
    std::vector<std::int64_t> total(n);
    for (const auto& dag : dags) {
        states.emplace_back(dag);
        for (int v = 0; v < n; ++v) total[v] += states.back().cost(v);
    }
    std::vector<int> remaining(n), order(n);
    for (int v = 0; v < n; ++v) remaining[v] = v;
    for (int place = n - 1; place >= 0; --place) {
        const auto cheapest = std::ranges::min_element(remaining, {}, [&](int v) { return total[v]; });
        const int x = *cheapest;
        remaining.erase(cheapest);
        order[place] = x;
        for (auto& state : states) state.eliminate(x, total);
    }
    return order;
}

} // namespace bnfuse
