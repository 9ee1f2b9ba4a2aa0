// A chordal graph that covers a changing moral graph and proves it to be within the limits on cliques: an elimination
// order, and for each variable its later neighbours in it. These and the variable are a bag; the bag of the first of
// them contains the others, so the bags form trees.
//
// If no bag contains a new family, edges are added along the order.
// If these make a bag too large, the cover is first freed of edges that the graph no longer needs; then the bags above
// the family are eliminated again (min-fill), and occasionally all of them.
#pragma once

#include "sorting.hpp"
#include "triangulation.hpp"

#include <numeric>
#include <span>

namespace bnfuse {

struct CoverLimits {
    int n;
    int limit; // the most members of a bag
    const TableLimit& tables;
};

template <int W> class ChordalCover {
public:
    explicit ChordalCover(const CoverLimits& limits)
        : limits_(limits), order_(limits.n), place_(limits.n), next_(limits.n, -1), later_(limits.n), spare_(limits.n),
          pending_(limits.n), label_(limits.n, -1) {
        std::iota(order_.begin(), order_.end(), 0);
        std::iota(place_.begin(), place_.end(), 0);
    }

    const std::vector<int>& order() const { return order_; }

    // Starts from the order; false if the graph exceeds the limits along it.
    bool start(const std::vector<int>& order, const Rows<W>& graph) {
        order_ = order;
        place_ = places(order);
        return tighten(graph);
    }

    // Whether a bag contains v and these parents.
    bool holds(int v, std::span<const std::uint16_t> parents) const {
        const int first = earliest(v, parents);
        const auto& bag = later_[first];
        if (first != v && !bag.test(v)) return false;
        return std::ranges::all_of(parents, [&](int u) { return u == first || bag.test(u); });
    }

    // Adds the edges of a family and those that follow from them along the order. False if a bag becomes too large:
    // then `undo` reverts all changes since `mark`.
    bool extend(int v, std::span<const std::uint16_t> parents) {
        if (parents.empty()) return true;
        int x = earliest(v, parents);
        Bits<W> wanted;
        wanted.set(v);
        for (const int u : parents) wanted.set(u);
        wanted.reset(x);
        while (true) {
            const auto missing = wanted - later_[x];
            if (!missing.any()) return true;
            const auto bag = later_[x] | missing;
            if (!fits(bag, x)) {
                too_large_ = bag;
                too_large_.set(x);
                return false;
            }
            undo_.push_back({x, next_[x], later_[x]});
            later_[x] = bag;
            missing.each([&](int u) {
                if (next_[x] < 0 || place_[u] < place_[next_[x]]) next_[x] = u;
            });
            wanted = bag;
            x = next_[x];
            wanted.reset(x);
        }
    }
    void mark() { undo_.clear(); }
    void undo() {
        for (; !undo_.empty(); undo_.pop_back()) {
            const auto& [x, next, later] = undo_.back();
            next_[x] = next;
            later_[x] = later;
        }
    }

    // Only the edges that the graph needs along the order. False, with nothing changed, if that exceeds the limits.
    bool tighten(const Rows<W>& graph) {
        pending_ = graph; // the variables to which each one must be joined, including earlier ones
        auto after = first<W>(limits_.n);
        for (const int v : order_) {
            after.reset(v);
            const auto bag = pending_[v] & after;
            if (!fits(bag, v)) {
                too_large_ = bag;
                too_large_.set(v);
                return false;
            }
            spare_[v] = bag;
            if (const int next = nearest(bag); next >= 0) pending_[next] |= bag;
        }
        std::swap(later_, spare_);
        for (int v = 0; v < limits_.n; ++v) next_[v] = nearest(later_[v]);
        return true;
    }

    // Eliminates the variables above the members of a family again, if there are few: along the present order if
    // possible, as the graph may need less than before, otherwise by min-fill.
    bool eliminate_above(std::span<const int> members, const Rows<W>& graph, Random& random) {
        region_.clear();
        for (const int member : members)
            for (int x = member; x >= 0 && label_[x] < 0; x = next_[x]) {
                label_[x] = 0;
                region_.push_back(x);
            }
        bnfuse::sort(region_, {}, [&](int v) { return place_[v]; });
        for (std::size_t i = 0; i < region_.size(); ++i) label_[region_[i]] = static_cast<int>(i);
        bool done = false;
        if (region_.size() <= 64)
            done = eliminate_region<1>(graph, random);
        else if (region_.size() <= 128)
            done = eliminate_region<2>(graph, random);
        for (const int v : region_) label_[v] = -1;
        return done;
    }

    // Eliminates all variables again.
    bool eliminate_all(const Rows<W>& graph, Random& random) {
        const auto order = fitting_order(graph, limits_.tables, random);
        return !order.empty() && start(order, graph);
    }

    // The bag that was too large when something last failed.
    const Bits<W>& too_large() const { return too_large_; }

private:
    struct Change {
        int variable, next;
        Bits<W> later;
    };

    CoverLimits limits_;
    std::vector<int> order_, place_;
    std::vector<int> next_; // the first of the later neighbours, -1 if there are none
    Rows<W> later_, spare_, pending_;
    std::vector<Change> undo_;
    std::vector<int> region_;
    std::vector<int> label_; // for the variables of the region, otherwise -1
    Bits<W> too_large_;

    int earliest(int v, std::span<const std::uint16_t> parents) const {
        int first = v;
        for (const int u : parents)
            if (place_[u] < place_[first]) first = u;
        return first;
    }
    int nearest(const Bits<W>& bag) const {
        int first = -1;
        bag.each([&](int u) {
            if (first < 0 || place_[u] < place_[first]) first = u;
        });
        return first;
    }
    bool fits(const Bits<W>& others, int v) const {
        if (others.count() >= limits_.limit) return false;
        return !limits_.tables.is_set() || limits_.tables.table(others, v) < TableLimit::too_large;
    }

    // Empty if min-fill, with ties broken at random, finds none; with tables, the smallest-table rule is tried first.
    template <int V>
    std::vector<int> fitting_order(const Rows<V>& graph, const TableLimit& tables, Random& random) const {
        const Watched whole(nullptr);
        const auto offer = [&](Elimination found) {
            return found.clique <= limits_.limit ? std::move(found.order) : std::vector<int>{};
        };
        if (!tables.is_set()) return offer(greedy_elimination(graph, MinFill<V>(&random), limits_.limit));
        auto order = offer(greedy_elimination(graph, MinFill<V>(&random), limits_.limit, tables));
        if (order.empty()) order = offer(greedy_elimination(graph, MinTable<V>(tables), limits_.limit, tables));
        return order;
    }

    // The graph among the region's variables, and the bags that hang below it as cliques.
    template <int V> bool eliminate_region(const Rows<W>& graph, Random& random) {
        Rows<V> own(region_.size());
        for (std::size_t i = 0; i < region_.size(); ++i)
            graph[region_[i]].each([&](int u) {
                if (label_[u] >= 0) own[i].set(label_[u]);
            });
        for (int v = 0; v < limits_.n; ++v) {
            if (label_[v] >= 0 || next_[v] < 0 || label_[next_[v]] < 0) continue;
            Bits<V> bag;
            later_[v].each([&](int u) { bag.set(label_[u]); });
            bag.each([&](int i) {
                own[i] |= bag;
                own[i].reset(i);
            });
        }
        const auto tables = limits_.tables.of(region_);
        std::vector<int> order(region_.size());
        std::iota(order.begin(), order.end(), 0);
        if (clique_along(own, order, tables) > limits_.limit) order = fitting_order(own, tables, random);
        if (order.empty()) return false;
        replace_region(std::move(own), order);
        return true;
    }

    template <int V>
    static int clique_along(const Rows<V>& graph, const std::vector<int>& order, const TableLimit& tables) {
        const Watched whole(nullptr);
        return tables.is_set() ? eliminated_along(graph, order, tables).clique : eliminated_along(graph, order).clique;
    }

    // The region's variables come last, in their new order.
    template <int V> void replace_region(Rows<V> own, const std::vector<int>& order) {
        std::erase_if(order_, [&](int v) { return label_[v] >= 0; });
        for (const int i : order) order_.push_back(region_[i]);
        for (int i = 0; i < limits_.n; ++i) place_[order_[i]] = i;
        for (const int i : order) {
            const int v = region_[i];
            later_[v] = {};
            own[i].each([&](int j) { later_[v].set(region_[j]); });
            eliminate(own, i, [](int, int) {});
            next_[v] = nearest(later_[v]);
        }
        for (int v = 0; v < limits_.n; ++v) // their later neighbours changed positions
            if (next_[v] >= 0 && label_[next_[v]] >= 0) next_[v] = nearest(later_[v]);
    }
};

} // namespace bnfuse
