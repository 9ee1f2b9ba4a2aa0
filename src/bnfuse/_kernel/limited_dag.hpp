// A DAG that changes an arc at a time, with a topological order that tells which arcs would close a cycle and, where
// its largest clique has a limit, a tree of bags that proves it to be kept.
#pragma once

#include "decomposition.hpp"

#include <optional>

namespace bnfuse {

class LimitedDag {
public:
    // `limit` is that of the largest clique; none where it is not below the number of variables.
    LimitedDag(int n, int limit)
        : limit_(limit), parents_(n), children_(n), moral_(n), place_(n), seen_(n),
          multiplicity_(limit < n ? static_cast<std::size_t>(n) * n : 0) {
        for (int v = 0; v < n; ++v) place_[v] = v;
        if (limit < n) tree_.emplace(n, limit, no_tables_);
    }
    LimitedDag(const LimitedDag&) = delete; // the tree refers to it

    int size() const { return static_cast<int>(parents_.size()); }
    bool is_limited() const { return tree_.has_value(); }
    const std::vector<int>& parents(int v) const { return parents_[v]; }
    const std::vector<std::vector<int>>& parents() const { return parents_; }
    bool has(int u, int v) const { return std::ranges::find(parents_[v], u) != parents_[v].end(); }

    // False, with nothing changed, where the arc would close a cycle or the clique limit is not seen to allow it.
    bool add(int u, int v) {
        if (is_limited() && static_cast<int>(parents_[v].size()) + 1 >= limit_) return false;
        if (!order_allows(u, v)) return false;
        attach(u, v);
        if (!is_limited() || fits(v)) return true;
        detach(u, v);
        return false;
    }
    void remove(int u, int v) { detach(u, v); }
    bool reverse(int u, int v) {
        detach(u, v);
        if (add(v, u)) return true;
        order_allows(u, v); // the order may have changed meanwhile
        attach(u, v);
        return false;
    }
    // Whether an arc would close a cycle.
    bool closes_cycle(int u, int v) { return !order_allows(u, v); }

    // From no arcs on.
    void assign(const std::vector<std::vector<int>>& parents, const std::vector<int>& elimination_order) {
        for (int v = 0; v < size(); ++v)
            while (!parents_[v].empty()) detach(parents_[v].back(), v);
        for (int v = 0; v < size(); ++v)
            for (const int u : parents[v]) {
                order_allows(u, v);
                attach(u, v);
            }
        if (is_limited()) with_words(size(), [&]<int W>() { tree_->rebuild(moral<W>(), elimination_order); });
    }

    // An elimination order that proves the clique size; empty where it has no limit.
    std::vector<int> elimination_order() const {
        if (!is_limited()) return {};
        return with_words(size(),
                          [&]<int W>() { return max_cardinality(chordal_graph<W>(tree_->bags(), size())).order; });
    }

private:
    int limit_;
    TableLimit no_tables_;
    std::vector<std::vector<int>> parents_, children_, moral_; // moral_: neighbours in the moral graph, where limited
    std::vector<int> place_;                                   // in a topological order
    std::vector<int> seen_, forward_, backward_, shared_;
    int sight_ = 0;
    std::vector<std::uint16_t> multiplicity_; // of the moral edges
    std::optional<TreeDecomposition> tree_;

    void attach(int u, int v) {
        if (is_limited()) {
            for (const int x : parents_[v]) join(u, x);
            join(u, v);
        }
        parents_[v].push_back(u);
        children_[u].push_back(v);
    }
    void detach(int u, int v) {
        drop(parents_[v], u);
        drop(children_[u], v);
        if (!is_limited()) return;
        for (const int x : parents_[v]) part(u, x);
        part(u, v);
    }
    std::uint16_t& joined(int a, int b) {
        return multiplicity_[static_cast<std::size_t>(std::min(a, b)) * parents_.size() + std::max(a, b)];
    }
    void join(int a, int b) {
        if (joined(a, b)++) return;
        moral_[a].push_back(b);
        moral_[b].push_back(a);
    }
    void part(int a, int b) {
        if (--joined(a, b)) return;
        drop(moral_[a], b);
        drop(moral_[b], a);
    }
    static void drop(std::vector<int>& list, int member) {
        *std::ranges::find(list, member) = list.back();
        list.pop_back();
    }

    // By a triangulation of the whole graph where the local one fails.
    bool fits(int v) {
        std::vector<int> family{v};
        family.insert(family.end(), parents_[v].begin(), parents_[v].end());
        if (tree_->holds_family(family) || tree_->make_room(family, moral_)) return true;
        return with_words(size(), [&]<int W>() {
            auto graph = moral<W>();
            const auto elimination = min_fill(graph, limit_);
            if (elimination.clique > limit_) return false;
            tree_->rebuild(std::move(graph), elimination.order);
            return true;
        });
    }

    template <int W> Rows<W> moral() const {
        Rows<W> graph(parents_.size());
        for (int v = 0; v < size(); ++v)
            for (const int u : moral_[v]) graph[v].set(u);
        return graph;
    }

    // The topological order (Pearce, Kelly 2006): makes u precede v, or says that v reaches u.
    bool order_allows(int u, int v) {
        const int low = place_[v], high = place_[u];
        if (high < low) return true;
        ++sight_;
        forward_.assign(1, v);
        seen_[v] = sight_;
        for (std::size_t i = 0; i < forward_.size(); ++i)
            for (const int child : children_[forward_[i]]) {
                if (child == u) return false;
                if (place_[child] < high && seen_[child] != sight_) {
                    seen_[child] = sight_;
                    forward_.push_back(child);
                }
            }
        backward_.assign(1, u);
        seen_[u] = sight_;
        for (std::size_t i = 0; i < backward_.size(); ++i)
            for (const int parent : parents_[backward_[i]])
                if (place_[parent] > low && seen_[parent] != sight_) {
                    seen_[parent] = sight_;
                    backward_.push_back(parent);
                }
        const auto by_place = [&](int x) { return place_[x]; };
        std::ranges::sort(forward_, {}, by_place);
        std::ranges::sort(backward_, {}, by_place);
        shared_.clear(); // the places to share out
        for (const int x : backward_) shared_.push_back(place_[x]);
        for (const int x : forward_) shared_.push_back(place_[x]);
        std::ranges::sort(shared_);
        std::size_t next = 0;
        for (const int x : backward_) place_[x] = shared_[next++];
        for (const int x : forward_) place_[x] = shared_[next++];
        return true;
    }
};

} // namespace bnfuse
