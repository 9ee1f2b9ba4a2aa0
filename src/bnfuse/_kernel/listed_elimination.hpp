// The elimination heuristics of triangulation.hpp for graphs of many vertices, whose rows are lists: the next vertex
// comes from a queue, so that the work grows with the edges and not with the square of the vertices. Ties are broken in
// the same way.
#pragma once

#include "triangulation.hpp"

#include <queue>

namespace bnfuse {

// Vertices by a key that changes: the smallest key first, then the smallest tie. Outdated entries stay in the queue
// until they are reached.
template <class Key> class VertexQueue {
public:
    void start(int n) {
        queue_ = {};
        key_.assign(n, {});
        is_in_.assign(n, true);
    }
    const Key& key(int v) const { return key_[v]; }
    void set(int v, Key key) {
        key_[v] = key;
        if (is_in_[v]) queue_.push({key, v});
    }
    int smallest() {
        while (!is_in_[queue_.top().second] || queue_.top().first != key_[queue_.top().second]) queue_.pop();
        return queue_.top().second;
    }
    void remove(int v) { is_in_[v] = false; }
    bool is_in(int v) const { return is_in_[v]; }

private:
    using Entry = std::pair<Key, int>;
    std::priority_queue<Entry, std::vector<Entry>, std::greater<>> queue_;
    std::vector<Key> key_;
    std::vector<bool> is_in_;
};

template <> class MinDegree<0> {
public:
    void start(const Rows<0>& graph) {
        queue_.start(static_cast<int>(graph.size()));
        for (int v = 0; v < static_cast<int>(graph.size()); ++v) queue_.set(v, graph[v].count());
    }
    int best() { return queue_.smallest(); }
    void eliminate(Rows<0>& graph, int v) {
        queue_.remove(v);
        bnfuse::eliminate(graph, v, [](int, int) {});
        graph[v].each([&](int u) { queue_.set(u, graph[u].count()); });
    }
    bool is_left(int v) const { return queue_.is_in(v); }

private:
    VertexQueue<int> queue_;
};

template <> class MinTable<0> {
public:
    explicit MinTable(const TableLimit& tables) : tables_(tables) {}

    void start(const Rows<0>& graph) {
        queue_.start(static_cast<int>(graph.size()));
        for (int v = 0; v < static_cast<int>(graph.size()); ++v) queue_.set(v, tables_.table(graph[v], v));
    }
    int best() { return queue_.smallest(); }
    void eliminate(Rows<0>& graph, int v) {
        queue_.remove(v);
        bnfuse::eliminate(graph, v, [](int, int) {});
        graph[v].each([&](int u) { queue_.set(u, tables_.table(graph[u], u)); });
    }
    bool is_left(int v) const { return queue_.is_in(v); }

private:
    const TableLimit& tables_;
    VertexQueue<std::uint64_t> queue_;
};

template <> class MinFill<0> {
public:
    explicit MinFill(Random* random = nullptr) : random_(random) {}

    void start(const Rows<0>& graph) {
        const int n = static_cast<int>(graph.size());
        queue_.start(n);
        std::vector<std::int64_t> joined(n); // twice the pairs of neighbours that are joined
        for (int v = 0; v < n; ++v)
            graph[v].each([&](int u) {
                if (u > v) return;
                const int common = count_common(graph[v], graph[u]);
                joined[v] += common;
                joined[u] += common;
            });
        for (int v = 0; v < n; ++v) {
            const std::int64_t degree = graph[v].count();
            queue_.set(v, {(degree * (degree - 1) - joined[v]) / 2, drawn()});
        }
    }
    int best() { return queue_.smallest(); }
    void eliminate(Rows<0>& graph, int v) {
        queue_.remove(v);
        const auto neighbours = graph[v];
        // Pairs (v, x) of neighbours of u without an edge vanish with v.
        neighbours.each([&](int u) { add(u, 1 - count_missing(graph[u], neighbours)); });
        bnfuse::eliminate(graph, v, [&](int a, int b) {
            const auto common = graph[a] & graph[b];
            common.each([&](int w) { add(w, -1); });
            const int shared = common.count();
            add(a, graph[a].count() - shared);
            add(b, graph[b].count() - shared);
        });
    }
    bool is_left(int v) const { return queue_.is_in(v); }

private:
    using Key = std::pair<std::int64_t, std::uint32_t>; // fill edges, and chance
    Random* random_;
    VertexQueue<Key> queue_;

    std::uint32_t drawn() { return random_ ? random_->below(1u << 16) : 0; }
    void add(int v, int change) {
        if (change) queue_.set(v, {queue_.key(v).first + change, drawn()});
    }
};

template <class Score, class Count = Members>
Elimination greedy_elimination(Rows<0> graph, Score&& score, int limit = no_limit, const Count& count = {}) {
    const int n = static_cast<int>(graph.size());
    Elimination result;
    score.start(graph);
    const auto remaining = [&] {
        Bits<0> rest;
        for (int v = 0; v < n; ++v)
            if (score.is_left(v)) rest.members.push_back(v);
        return rest;
    };
    Pulse pulse(64);
    for (int left = n; left > result.clique || counted(remaining(), count) > result.clique; --left) {
        pulse();
        const int v = score.best();
        result.order.push_back(v);
        result.clique = std::max(result.clique, count(graph[v], v));
        if (result.clique > limit) return result;
        score.eliminate(graph, v);
    }
    remaining().each([&](int v) { result.order.push_back(v); });
    return result;
}

template <class Count = Members> Elimination max_cardinality(const Rows<0>& graph, const Count& count = {}) {
    const int n = static_cast<int>(graph.size());
    VertexQueue<int> unvisited; // by minus the neighbours visited
    unvisited.start(n);
    for (int v = 0; v < n; ++v) unvisited.set(v, 0);
    std::vector<int> order(n);
    for (int place = n - 1; place >= 0; --place) {
        const int v = unvisited.smallest();
        unvisited.remove(v);
        order[place] = v;
        graph[v].each([&](int u) { unvisited.set(u, unvisited.key(u) - 1); });
    }
    return eliminated_along(graph, std::move(order), count);
}

inline int minor_min_width(Rows<0> graph, const Bits<0>& alive) {
    VertexQueue<int> queue; // by degree
    queue.start(static_cast<int>(graph.size()));
    alive.each([&](int v) { queue.set(v, graph[v].count()); });
    int bound = 0;
    Pulse pulse(64);
    for (int left = alive.count(); left > bound; --left) {
        pulse();
        const int v = queue.smallest();
        queue.remove(v);
        bound = std::max(bound, graph[v].count() + 1);
        const auto neighbours = graph[v];
        int into = -1, fewest = std::numeric_limits<int>::max();
        neighbours.each([&](int u) {
            graph[u].reset(v);
            if (const int common = count_common(neighbours, graph[u]); common < fewest) {
                fewest = common;
                into = u;
            }
        });
        if (into < 0) continue;
        auto gained = neighbours - graph[into];
        gained.reset(into);
        gained.each([&](int u) { graph[u].set(into); });
        graph[into] |= gained;
        neighbours.each([&](int u) { queue.set(u, graph[u].count()); });
    }
    return bound;
}

} // namespace bnfuse
