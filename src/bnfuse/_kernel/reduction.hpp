// Vertices that can be eliminated first without a choice, when cliques of at most t are asked for (Bodlaender, Koster,
// van den Eijkhof 2005). Simplicial vertices always can: their neighbours are a clique. The others have fewer than t
// neighbours, and what their elimination leaves is a minor of the graph, so that it fits if the graph does:
// - almost simplicial vertices: all neighbours but one are a clique. Contract the vertex into that one.
// - buddies: two vertices with the same three neighbours a, b, c. Contract one into a, the other into b.
// - a cube: three vertices with the neighbours {v, a, b}, {v, b, c}, {v, c, a}. Contract them into a, b and c.
#pragma once

#include "triangulation.hpp"

namespace bnfuse {

template <int W> class Reduction {
public:
    Reduction(Rows<W> graph, int limit)
        : graph_(std::move(graph)), left_(first<W>(static_cast<int>(graph_.size()))), limit_(limit) {}

    // Calls on_bag(v, neighbours) for each eliminated vertex; false if a clique over the limit is found.
    template <class OnBag> bool operator()(OnBag&& on_bag) {
        auto todo = left_; // vertices near a change
        const auto remove = [&](int v) {
            on_bag(v, graph_[v]);
            todo |= graph_[v];
            graph_[v].each([&](int u) { todo |= graph_[u]; });
            eliminate(graph_, v, [](int, int) {});
            left_.reset(v);
            todo &= left_;
        };
        Pulse pulse(64);
        while (todo.any()) {
            pulse();
            const int v = todo.lowest();
            todo.reset(v);
            const auto kind = simpliciality(v);
            const bool fits = graph_[v].count() < limit_;
            if (kind == Kind::simplicial && !fits) return false;
            if (!fits) continue;
            if (kind != Kind::neither || has_buddy(v))
                remove(v);
            else
                for (const int corner : cube_around(v)) remove(corner);
        }
        return true;
    }

    const Rows<W>& graph() const { return graph_; } // rows of eliminated vertices keep their last values
    const Bits<W>& left() const { return left_; }

private:
    enum class Kind { simplicial, almost, neither };
    Rows<W> graph_;
    Bits<W> left_;
    int limit_;

    Kind simpliciality(int v) const {
        int missing = 0, most = 0; // the one neighbour outside the clique is an end of every missing edge
        graph_[v].each([&](int u) {
            const int lacks = count_missing(graph_[v], graph_[u]) - 1;
            missing += lacks;
            most = std::max(most, lacks);
        });
        if (missing == 0) return Kind::simplicial;
        return 2 * most == missing ? Kind::almost : Kind::neither;
    }

    bool has_buddy(int v) const {
        if (graph_[v].count() != 3) return false;
        bool found = false;
        graph_[graph_[v].lowest()].each([&](int u) { found |= u != v && graph_[u] == graph_[v]; });
        return found;
    }

    std::vector<int> cube_around(int v) const { // its three corners next to v, or none
        if (graph_[v].count() != 3) return {};
        std::vector<int> corners;
        Bits<W> far;
        bool fits = true;
        graph_[v].each([&](int u) {
            corners.push_back(u);
            fits &= graph_[u].count() == 3;
            far |= graph_[u];
        });
        far.reset(v);
        if (!fits || far.count() != 3 || (far & graph_[v]).any()) return {};
        for (int i = 0; i < 3; ++i)
            if (graph_[corners[i]] == graph_[corners[(i + 1) % 3]]) return {};
        return corners;
    }
};

} // namespace bnfuse
