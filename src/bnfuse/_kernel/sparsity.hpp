// The weight that the edges of a graph of bounded clique size can have at most, where rigidity matroids are too large:
// by counting.
//
// A graph whose triangulation has cliques of at most k + 1 has at most k m - k (k + 1) / 2 edges among any m >= k
// vertices, and m (m - 1) / 2 among fewer: so never more than k m - l with l = 2 k - 1. Sets of edges that keep to this
// are independent in a matroid, as l < 2 k (Lee, Streinu 2008, whose pebble game this is): the heaviest such set, which
// the greedy algorithm finds, bounds what such a graph weighs.
#pragma once

#include "bounds.hpp"
#include "stop.hpp"

#include <array>

namespace bnfuse {

class PebbleGame {
public:
    PebbleGame(int n, int k) : k_(k), free_(n, k), covers_(n), seen_(n), from_(n) {}

    // Adds an edge unless that would be one too many.
    bool add(int a, int b) {
        while (free_[a] + free_[b] < 2 * k_) // l + 1 of the pebbles
            if (!gather(a, b) && !gather(b, a)) return false;
        covers_[a].push_back(b);
        --free_[a];
        return true;
    }

private:
    int k_;
    std::vector<int> free_;                // pebbles that cover no edge
    std::vector<std::vector<int>> covers_; // by vertex: the other ends of the edges that its pebbles cover
    std::vector<int> seen_, from_, queue_;
    int sight_ = 0;

    // Brings a pebble to a vertex, and none from `kept`: the edges on its path are covered from their other ends.
    bool gather(int to, int kept) {
        if (free_[to] == k_) return false;
        ++sight_;
        seen_[to] = seen_[kept] = sight_;
        queue_.assign(1, to);
        for (std::size_t i = 0; i < queue_.size(); ++i)
            for (const int next : covers_[queue_[i]]) {
                if (seen_[next] == sight_) continue;
                seen_[next] = sight_;
                from_[next] = queue_[i];
                if (free_[next]) {
                    turn_back(next, to);
                    return true;
                }
                queue_.push_back(next);
            }
        return false;
    }

    void turn_back(int v, int to) {
        --free_[v];
        for (; v != to; v = from_[v]) {
            auto& covered = covers_[from_[v]];
            *std::ranges::find(covered, v) = covered.back();
            covered.pop_back();
            covers_[v].push_back(from_[v]);
        }
        ++free_[to];
    }
};

// For edges of positive weight in order of decreasing weight.
inline Weight sparse_weight(int n, const std::vector<Edge>& edges, int k) {
    if (k <= 0) return 0;
    PebbleGame game(n, k);
    Weight weight = 0;
    Pulse pulse(64);
    for (const auto& edge : edges) {
        pulse();
        if (game.add(edge.a, edge.b)) weight += edge.weight;
    }
    return weight;
}

} // namespace bnfuse
