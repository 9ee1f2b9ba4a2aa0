// Maximum-weight branchings (Edmonds 1967), by contracting cycles over mergeable heaps (Tarjan 1977): O(arcs log n).
//
// A network of clique size 2 has at most one parent for each variable, and its moral graph is its skeleton, so the best
// branching is the best such network.
#pragma once

#include "objective.hpp"
#include "wide.hpp"

#include <numeric>

namespace bnfuse {

struct WeightedArc {
    int from, to;
    Weight gain, support; // between -2^40 and 2^40
    bool required;
};

template <class Number = Wide> class MaximumBranching { // `Number` has 128 bits
public:
    // Arcs that are neither required nor improve the branching are never used. Required arcs must form a branching.
    MaximumBranching(int n, const std::vector<WeightedArc>& arcs) : MaximumBranching(n) {
        Pulse pulse(1 << 12);
        for (const auto& arc : arcs) {
            pulse();
            offer(arc.from, arc.to, combined(arc));
        }
    }

    // Without arcs, for `offer`.
    explicit MaximumBranching(int n) : n_(n), heap_(n, -1), group_(n), outer_(n, -1) {
        std::iota(group_.begin(), group_.end(), 0);
        for (int v = 0; v < n; ++v) push({-1, v, 0}); // no parent
    }

    // An arc by its weight alone: sums of n weights must fit a Number.
    void offer(int from, int to, Number weight) {
        if (weight > Number{0}) push({from, to, weight});
    }

    // The parent of each variable, or -1. Of branchings with the most required arcs, one with the largest gain; of
    // those, one with the largest support.
    std::vector<int> operator()() {
        for (int v = 0; v < n_; ++v) {
            check_stop();
            settle(v);
        }
        auto chosen = chosen_;
        std::vector<bool> entered(chosen.size());
        for (int top = static_cast<int>(chosen.size()) - 1; top >= 0; --top) {
            if (entered[top]) continue;
            // The arc into a contracted cycle replaces, at each level, the one into the member that it enters.
            const int arc = chosen[top];
            for (int member = arcs_[arc].to; member != outer_[top]; member = outer_[member]) {
                entered[member] = true;
                chosen[member] = arc;
            }
        }
        std::vector<int> parent(n_);
        for (int v = 0; v < n_; ++v) parent[v] = arcs_[chosen[v]].from;
        return parent;
    }

private:
    struct Arc { // and a node of a leftist heap of the arcs into one group
        int from, to;
        Number weight;
        Number pending = 0; // still to be added to all below
        int left = -1, right = -1, rank = 1;
    };

    // Sums over 2^11 arcs compare as their triples (required arcs, gain, support) would.
    static Number combined(const WeightedArc& arc) {
        constexpr int support_bits = 53, gain_bits = 108;
        return (Number{arc.required} << gain_bits) + (Number{arc.gain} << support_bits) + Number{arc.support};
    }

    int n_;
    std::vector<Arc> arcs_;
    std::vector<int> heap_;   // by group: variables first, then contracted cycles
    std::vector<int> group_;  // union-find: the outermost group of each
    std::vector<int> outer_;  // the cycle that a group was contracted into, or -1
    std::vector<int> chosen_; // the arc into each group
    std::vector<int> state_;  // 0 new, 1 on the current path, 2 finished

    void push(Arc arc) {
        arcs_.push_back(arc);
        heap_[arc.to] = merged(heap_[arc.to], static_cast<int>(arcs_.size()) - 1);
    }

    void push_down(int root) {
        for (const int below : {arcs_[root].left, arcs_[root].right}) {
            if (below < 0) continue;
            arcs_[below].weight += arcs_[root].pending;
            arcs_[below].pending += arcs_[root].pending;
        }
        arcs_[root].pending = 0;
    }

    int rank(int root) const { return root < 0 ? 0 : arcs_[root].rank; }

    int merged(int a, int b) {
        if (a < 0 || b < 0) return std::max(a, b);
        if (arcs_[b].weight > arcs_[a].weight || (arcs_[b].weight == arcs_[a].weight && b < a)) std::swap(a, b);
        push_down(a);
        arcs_[a].right = merged(arcs_[a].right, b);
        if (rank(arcs_[a].left) < rank(arcs_[a].right)) std::swap(arcs_[a].left, arcs_[a].right);
        arcs_[a].rank = rank(arcs_[a].right) + 1;
        return a;
    }

    int find(int v) {
        while (group_[v] != v) v = group_[v] = group_[group_[v]];
        return v;
    }

    // The heaviest arc into a group from outside it. There always is one: "no parent".
    int best_into(int group) {
        while (true) {
            const int arc = heap_[group];
            if (arcs_[arc].from < 0 || find(arcs_[arc].from) != group) return arc;
            push_down(arc);
            heap_[group] = merged(arcs_[arc].left, arcs_[arc].right);
        }
    }

    // Follows best arcs backwards from v to a finished group, contracting each cycle on the way.
    void settle(int v) {
        chosen_.resize(heap_.size());
        state_.resize(heap_.size());
        std::vector<int> path;
        for (int group = find(v); state_[group] != 2;) {
            if (state_[group] == 1) {
                group = contract(path, group);
                continue;
            }
            state_[group] = 1;
            path.push_back(group);
            chosen_[group] = best_into(group);
            const int from = arcs_[chosen_[group]].from;
            if (from < 0) break;
            group = find(from);
        }
        for (const int group : path) state_[group] = 2;
    }

    // The cycle at the end of the path, from `first` on, becomes one group. An arc into it now weighs what it gains
    // over the arc that it replaces.
    int contract(std::vector<int>& path, int first) {
        const int cycle = static_cast<int>(heap_.size());
        int heap = -1, member;
        do {
            member = path.back();
            path.pop_back();
            const auto replaced = arcs_[chosen_[member]].weight;
            arcs_[heap_[member]].weight -= replaced;
            arcs_[heap_[member]].pending -= replaced;
            heap = merged(heap, heap_[member]);
            group_[member] = outer_[member] = cycle;
        } while (member != first);
        heap_.push_back(heap);
        group_.push_back(cycle);
        outer_.push_back(-1);
        chosen_.push_back(-1);
        state_.push_back(0);
        return cycle;
    }
};

} // namespace bnfuse
