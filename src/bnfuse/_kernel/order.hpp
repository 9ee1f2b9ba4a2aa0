// The heuristic variable order for fusing DAGs (Puerta, Aledo, Gámez, Laborda 2021).
//
// The order is filled from its last place to its first. Each step takes the variable that is cheapest to turn into a
// sink of every DAG, does so by arc reversals, and deletes it. Costs are integers; a tie goes to the smaller label.
#pragma once

#include "dag.hpp"

namespace bnfuse {

// One DAG while its variables are eliminated. The cost of x is made of three counts: its children - 1; the pairs of a
// parent and a child of x that are not adjacent; the strangers of x, that is, the variables that share a child with x
// but are not adjacent to it. An elimination makes neighbours of variables and never parts any, so each count can
// follow it at the price of a row operation for each variable concerned.
template <int W> class SinkCosts {
public:
    SinkCosts(Rows<W> dag, std::int64_t weight)
        : weight_(weight), parents_(std::move(dag)), children_(children_of(parents_)), strangers_(parents_.size()),
          pairs_(parents_.size()), cost_(parents_.size()) {
        for (const auto& row : parents_) row.each([&](int p) { strangers_[p] |= row; });
        for (int v = 0; v < static_cast<int>(parents_.size()); ++v) {
            strangers_[v] -= neighbours(v);
            strangers_[v].reset(v);
            pairs_[v] = count_pairs(v);
            cost_[v] = current_cost(v);
        }
    }

    int size() const { return static_cast<int>(cost_.size()); }
    std::int64_t cost(int v) const { return weight_ * cost_[v]; }

    // Turns x into a sink, deletes it, and adds the changes of the others' costs to `total`.
    void eliminate(int x, std::vector<std::int64_t>& total) {
        const auto kids = children_[x];
        auto affected = neighbours(x);
        parents_[x].each([&](int p) {
            pairs_[p] -= count_missing(parents_[p], affected);
            children_[p].reset(x);
        });
        if (kids.any())
            affected |= reverse_arcs_to(kids, x);
        else
            part_strangers(parents_[x]);
        affected.each([&](int v) {
            const int fresh = current_cost(v);
            total[v] += weight_ * (fresh - cost_[v]);
            cost_[v] = fresh;
        });
    }

private:
    std::int64_t weight_;
    Rows<W> parents_, children_, strangers_;
    std::vector<int> pairs_, cost_;
    std::vector<int> parents_left_, reversal_order_, released_; // scratch

    Bits<W> neighbours(int v) const { return parents_[v] | children_[v]; }

    int current_cost(int v) const { return children_[v].count() - 1 + pairs_[v] + strangers_[v].count(); }

    int count_pairs(int v) const {
        int pairs = 0;
        children_[v].each([&](int c) { pairs += count_missing(parents_[v], neighbours(c)); });
        return pairs;
    }

    // The parents of a removed sink stay strangers only if they share another child.
    void part_strangers(const Bits<W>& parents) {
        parents.each([&](int p) {
            (strangers_[p] & parents).each([&](int q) {
                if (q < p || (children_[p] & children_[q]).any()) return;
                strangers_[p].reset(q);
                strangers_[q].reset(p);
            });
        });
    }

    // Reverses x -> c for every child. Returns all variables whose rows changed except x, whose own rows are left
    // outdated: it is deleted next.
    Bits<W> reverse_arcs_to(const Bits<W>& kids, int x) {
        auto gathered = parents_[x];
        Bits<W> family; // the parents of the last child: each reversal's parents are among the next one's
        find_reversal_order(kids, parents_[x]);
        for (const int next : reversal_order_) {
            auto& row = parents_[next];
            row.reset(x);
            pairs_[next] -= count_missing(children_[next], kids);
            const auto fresh = gathered - row;
            fresh.each([&](int q) {
                pairs_[next] += count_missing(children_[next], neighbours(q));
                (children_[q] & row).each([&](int p) { --pairs_[p]; });
            });
            row |= gathered;
            const auto beside = neighbours(next);
            fresh.each([&](int q) {
                pairs_[q] += count_missing(parents_[q], beside);
                children_[q].set(next);
            });
            family = row;
            gathered = row;
            gathered.set(next);
        }
        gathered.each([&](int v) {
            if (family.test(v)) strangers_[v] |= family;
            strangers_[v] -= neighbours(v);
            strangers_[v].reset(v);
            strangers_[v].reset(x);
        });
        return gathered;
    }

    // Always the smallest child without a directed path from another remaining one. Reversals neither create nor
    // destroy such paths between the remaining ones, so the order can be computed beforehand: as a topological order of
    // all descendants of x, in which variables other than children never wait.
    void find_reversal_order(const Bits<W>& kids, const Bits<W>& above) {
        reversal_order_.clear();
        Bits<W> below;
        for (auto frontier = kids; frontier.any();) {
            Bits<W> next;
            frontier.each([&](int v) { next |= children_[v]; });
            frontier = next - below;
            below |= next;
        }
        require(!((below | kids) & above).any(), has_a_cycle);
        if (!(below & kids).any()) {
            kids.each([&](int c) { reversal_order_.push_back(c); });
            return;
        }
        below |= kids;
        parents_left_.resize(parents_.size());
        auto ready = kids;
        below.each([&](int v) {
            parents_left_[v] = count_common(parents_[v], below);
            if (parents_left_[v]) ready.reset(v);
        });
        while (ready.any()) {
            const int c = ready.lowest();
            ready.reset(c);
            reversal_order_.push_back(c);
            released_.push_back(c);
            while (!released_.empty()) {
                const int v = released_.back();
                released_.pop_back();
                children_[v].each([&](int child) {
                    if (--parents_left_[child]) return;
                    if (kids.test(child))
                        ready.set(child);
                    else
                        released_.push_back(child);
                });
            }
        }
        require(static_cast<int>(reversal_order_.size()) == kids.count(), has_a_cycle);
    }
};

// The order in which the cheapest sink over all DAGs goes last; the DAGs are eliminated. The total costs are scratch.
template <int W> std::vector<int> sink_order(std::vector<SinkCosts<W>>& states, std::vector<std::int64_t>& total) {
    const int n = states.front().size();
    total.assign(n, 0);
    for (const auto& state : states)
        for (int v = 0; v < n; ++v) total[v] += state.cost(v);
    std::vector<int> remaining(n), order(n);
    for (int v = 0; v < n; ++v) remaining[v] = v;
    Pulse pulse(256);
    for (int place = n - 1; place >= 0; --place) {
        pulse(static_cast<int>(states.size()));
        const auto cheapest = std::ranges::min_element(remaining, {}, [&](int v) { return total[v]; });
        const int x = *cheapest;
        remaining.erase(cheapest);
        order[place] = x;
        for (auto& state : states) state.eliminate(x, total);
    }
    return order;
}

// Labels represent the tie-breaking order: pass DAGs relabelled by it. A DAG of weight 2 counts as two.
template <int W>
std::vector<int> heuristic_order(const std::vector<Rows<W>>& dags, const std::vector<std::int64_t>& weights) {
    std::vector<SinkCosts<W>> states;
    states.reserve(dags.size());
    for (std::size_t i = 0; i < dags.size(); ++i) {
        states.emplace_back(dags[i], weights[i]);
        check_stop();
    }
    std::vector<std::int64_t> total;
    return sink_order(states, total);
}

} // namespace bnfuse
