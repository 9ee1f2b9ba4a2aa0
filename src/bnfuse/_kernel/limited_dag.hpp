// A DAG that changes one arc at a time, with a topological order that shows which arcs would close a cycle and, if its
// largest clique has a limit, a tree of bags that proves it. No call is ended from outside.
#pragma once

#include "decomposition.hpp"
#include "edge_counts.hpp"
#include "sorting.hpp"

#include <optional>

namespace bnfuse {

class LimitedDag {
public:
    // `limit` is that of the largest clique, and `tables` that of their tables, if any: they must outlive it.
    LimitedDag(int n, int limit, const TableLimit& tables, bool is_limited = true)
        : limit_(limit), tables_(tables), parents_(n), children_(n), moral_(n), place_(n), seen_(n),
          multiplicity_(is_limited ? n : 0), changed_(n) {
        for (int v = 0; v < n; ++v) place_[v] = v;
        if (is_limited) tree_.emplace(n, limit, tables);
    }

    int size() const { return static_cast<int>(parents_.size()); }
    bool is_limited() const { return tree_.has_value(); }
    const std::vector<int>& parents(int v) const { return parents_[v]; }
    const std::vector<std::vector<int>>& parents() const { return parents_; }
    bool has(int u, int v) const { return std::ranges::find(parents_[v], u) != parents_[v].end(); }
    std::uint16_t joined(int a, int b) const { return multiplicity_(a, b); } // the multiplicity in the moral graph

    // Updates a copy of the parents and bags: all changes since the last call are copied. The copy stays unchanged if
    // memory runs out.
    void copy_changes(ChangedLists::Lists& parents, ChangedLists::Lists& bags) {
        changed_.prepare(parents, [&](int v) -> const std::vector<int>& { return parents_[v]; });
        tree_->prepare(bags);
        changed_.update(parents);
        tree_->update(bags);
    }

    // Whether an arc would close no cycle: makes u precede v in the topological order (Pearce, Kelly 2006), or finds
    // that v reaches u.
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
        share_places();
        return true;
    }

    // An arc that the order allows. `on_join` is called for each newly joined pair.
    template <class OnJoin> void attach(int u, int v, OnJoin&& on_join) {
        if (is_limited()) {
            for (const int x : parents_[v]) join(u, x, on_join);
            join(u, v, on_join);
        }
        parents_[v].push_back(u);
        children_[u].push_back(v);
        changed_.note(v);
    }
    void attach(int u, int v) {
        attach(u, v, [](int, int) {});
    }

    // `on_part` is called for each pair that is no longer joined.
    template <class OnPart> void detach(int u, int v, OnPart&& on_part) {
        drop(parents_[v], u);
        drop(children_[u], v);
        changed_.note(v);
        if (!is_limited()) return;
        for (const int x : parents_[v]) part(u, x, on_part);
        part(u, v, on_part);
    }
    void detach(int u, int v) {
        detach(u, v, [](int, int) {});
    }

    // Whether the family of v, which got a parent, is found to be within the limits: if no bag contains it, by a new
    // triangulation of the bags between its members.
    bool fits(int v) {
        family_.assign(1, v);
        family_.insert(family_.end(), parents_[v].begin(), parents_[v].end());
        return tree_->holds_family(family_) || tree_->make_room(family_, moral_);
    }

    // Local triangulations keep edges that are no longer needed: starts from the moral graph itself, if min-fill
    // succeeds.
    bool rebuild() {
        const Watched whole(nullptr);
        return with_rows(size(), [&]<int W>() {
            auto graph = moral<W>();
            const auto elimination = min_fill(graph, limit_, tables_);
            if (elimination.clique > limit_) return false;
            tree_->rebuild(std::move(graph), elimination.order);
            return true;
        });
    }

    // The same from an elimination order of the moral graph that is known to be within the limits.
    void rebuild_along(const std::vector<int>& order) {
        const Watched whole(nullptr);
        with_rows(size(), [&]<int W>() { tree_->rebuild(moral<W>(), order); });
    }

    // The same from bags that contain every family.
    void rebuild_from(const std::vector<int>& bags) {
        const Watched whole(nullptr);
        with_rows(size(), [&]<int W>() {
            auto chordal = chordal_graph<W>(bags, size());
            const auto order = max_cardinality(chordal).order;
            tree_->rebuild(std::move(chordal), order);
        });
    }

    // The proof of the clique size: concatenated bags, each ended by -1.
    std::vector<int> bags() const { return tree_->bags(); }

private:
    int limit_;
    const TableLimit& tables_;
    std::vector<std::vector<int>> parents_, children_, moral_; // moral_: neighbours in the moral graph, if limited
    std::vector<int> place_;                                   // in a topological order
    std::vector<int> seen_, forward_, backward_, shared_, family_;
    int sight_ = 0;
    EdgeCounts multiplicity_; // of the moral edges
    std::optional<TreeDecomposition> tree_;
    ChangedLists changed_; // since `copy_changes`: the parents of a variable

    template <class OnJoin> void join(int a, int b, OnJoin&& on_join) {
        if (multiplicity_.add(a, b)) return;
        on_join(a, b);
        moral_[a].push_back(b);
        moral_[b].push_back(a);
    }
    template <class OnPart> void part(int a, int b, OnPart&& on_part) {
        if (multiplicity_.take(a, b)) return;
        on_part(a, b);
        drop(moral_[a], b);
        drop(moral_[b], a);
    }
    static void drop(std::vector<int>& list, int member) {
        *std::ranges::find(list, member) = list.back();
        list.pop_back();
    }

    // Between variables that are to come first and those that are to come after them.
    void share_places() {
        const auto by_place = [&](int x) { return place_[x]; };
        bnfuse::sort(forward_, {}, by_place);
        bnfuse::sort(backward_, {}, by_place);
        shared_.clear();
        for (const int x : backward_) shared_.push_back(place_[x]);
        for (const int x : forward_) shared_.push_back(place_[x]);
        bnfuse::sort(shared_);
        std::size_t next = 0;
        for (const int x : backward_) place_[x] = shared_[next++];
        for (const int x : forward_) place_[x] = shared_[next++];
    }

    template <int W> Rows<W> moral() const {
        Rows<W> graph(parents_.size());
        for (int v = 0; v < size(); ++v)
            for (const int u : moral_[v]) graph[v].set(u);
        return graph;
    }
};

// For the graph whose maximal cliques the bags are: it makes no clique outside a bag. It belongs to the result, so it
// is not ended from outside.
inline std::vector<int> elimination_order(const std::vector<int>& bags, int n) {
    const Watched whole(nullptr);
    return with_rows(n, [&]<int W>() { return max_cardinality(chordal_graph<W>(bags, n)).order; });
}

} // namespace bnfuse
