// Minimum cuts between two variables of a DAG given others: the fewest edges whose removal separates the two in the
// moral graph of the ancestors of all of them, without the given ones.
#pragma once

#include "dag.hpp"

namespace bnfuse {

// A set and everything reachable from it along rows: ancestors by rows of parents, descendants by children.
template <int W> Bits<W> closure(const Rows<W>& rows, const Bits<W>& from) {
    auto reached = from, fresh = from;
    while (fresh.any()) {
        Bits<W> next;
        fresh.each([&](int v) { next |= rows[v]; });
        fresh = next - reached;
        reached |= fresh;
    }
    return reached;
}

// Unit flows by augmenting paths, in the graph of one family: a variable and its parents in another network.
template <int W> class FamilyCuts {
public:
    explicit FamilyCuts(int n) : graph_(n), full_(n), from_(n) {}

    // Of a DAG, given as rows of parents. The graph is the same for each parent: only the given variables differ.
    void look_at(const Rows<W>& dag, int variable, const Bits<W>& parents) {
        members_.each([&](int v) { graph_[v] = {}; });
        variable_ = variable;
        parents_ = parents;
        members_ = parents;
        members_.set(variable);
        members_ = closure(dag, members_);
        members_.each([&](int v) {
            auto family = dag[v];
            family.set(v);
            family.each([&](int u) { graph_[u] |= family; });
        });
    }

    // Between the variable and one of its parents, given the others.
    int size_to(int parent) {
        start(parent);
        const int most = std::min((graph_[parent] & open_).count(), (graph_[variable_] & open_).count()) - 1;
        int flow = 0;
        while (flow < most && augment(parent)) ++flow;
        return flow;
    }

    // The edges of the minimum cut nearest to the variable: they do not depend on the paths of the flow.
    template <class Visit> void each_cut_edge(int parent, Visit&& visit) {
        start(parent);
        while (augment(parent)) {
        }
        reached_.each([&](int u) { ((graph_[u] & open_) - reached_).each([&](int v) { visit(u, v); }); });
    }

private:
    Rows<W> graph_; // each member is also its own neighbour, which affects no path and no cut
    Rows<W> full_;  // the directions of flow: from the row's variable
    std::vector<int> from_, queue_, touched_;
    Bits<W> members_, parents_, open_, reached_;
    int variable_ = 0;

    void start(int parent) {
        for (const int v : touched_) full_[v] = {};
        touched_.clear();
        open_ = members_ - parents_;
        open_.set(parent);
    }

    // One more unit along a shortest path, if there is one; otherwise `reached_` is the variable's side of the cut.
    bool augment(int parent) {
        reached_ = {};
        reached_.set(variable_);
        queue_.assign(1, variable_);
        for (std::size_t next = 0; next < queue_.size(); ++next) {
            const int u = queue_[next];
            const auto fresh = ((graph_[u] & open_) - full_[u]) - reached_;
            reached_ |= fresh;
            fresh.each([&](int v) {
                from_[v] = u;
                queue_.push_back(v);
            });
            if (fresh.test(parent)) {
                push(parent);
                return true;
            }
        }
        return false;
    }

    void push(int parent) {
        for (int v = parent; v != variable_; v = from_[v]) {
            const int u = from_[v];
            if (full_[v].test(u)) { // the opposite flow is cancelled
                full_[v].reset(u);
            } else {
                full_[u].set(v);
                touched_.push_back(u);
            }
        }
    }
};

} // namespace bnfuse
