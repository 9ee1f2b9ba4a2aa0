// The weight that the edges of a graph of bounded clique size can have at most: rigidity matroids.
//
// A graph whose triangulation has cliques of at most k + 1 is built by adding a vertex with at most k edges at a time.
// Put the vertices at points of which any k + 1 are affinely independent: then each such step adds independent rows to
// the rigidity matrix, so every such graph is independent in the matroid of these rows, and the heaviest independent
// set, which the greedy algorithm finds, bounds what any of them weighs. That holds over every field; here it is the
// integers modulo a prime, with points (x, x^2, ..., x^k), x = 1, 2, ...: exact, and the same everywhere.
#pragma once

#include "bounds.hpp"
#include "sorting.hpp"

namespace bnfuse {

// Numbers modulo 2^31 - 1, so that a product fits a word.
struct Modular {
    static constexpr std::uint64_t prime = (std::uint64_t{1} << 31) - 1;

    static std::uint64_t reduce(std::uint64_t x) { // below 2^63
        x = (x & prime) + (x >> 31);
        x = (x & prime) + (x >> 31);
        return x >= prime ? x - prime : x;
    }
    static std::uint64_t difference(std::uint64_t a, std::uint64_t b) { return reduce(a + prime - b); }
    static std::uint64_t inverse(std::uint64_t x) { // Fermat
        std::uint64_t result = 1;
        for (auto exponent = prime - 2; exponent; exponent >>= 1, x = reduce(x * x))
            if (exponent & 1) result = reduce(result * x);
        return result;
    }
};

// Rows of the rigidity matrix, kept in echelon form. A vertex that is early in the elimination order has its columns
// first, so rows fill up no more than the graph does when it is triangulated along that order.
class RigidityMatrix {
public:
    // `points` has x - 1 of each vertex.
    RigidityMatrix(std::vector<int> points, const std::vector<int>& order, int k)
        : k_(k), points_(std::move(points)), place_(places(order)), pivot_(order.size() * k), work_(order.size() * k) {}

    // Adds the row of an edge unless it depends on the rows so far.
    bool add(int a, int b) {
        std::uint64_t x = 1, y = 1;
        for (int i = 0; i < k_; ++i) {
            x = Modular::reduce(x * (points_[a] + 1));
            y = Modular::reduce(y * (points_[b] + 1));
            work_[place_[a] * k_ + i] = Modular::difference(x, y);
            work_[place_[b] * k_ + i] = Modular::difference(y, x);
        }
        const int columns = static_cast<int>(work_.size());
        for (int column = std::min(place_[a], place_[b]) * k_; column < columns; ++column) {
            if (!work_[column]) continue;
            if (pivot_[column].empty()) {
                keep(column);
                return true;
            }
            const auto factor = Modular::prime - work_[column];
            for (const auto& [at, value] : pivot_[column]) work_[at] = Modular::reduce(work_[at] + factor * value);
        }
        return false;
    }

private:
    struct Entry {
        std::uint32_t column, value;
    };

    int k_;
    std::vector<int> points_, place_;
    std::vector<std::vector<Entry>> pivot_; // by column: the row that starts there with a 1, if any
    std::vector<std::uint64_t> work_;       // all zero between calls

    void keep(int column) {
        const auto scale = Modular::inverse(work_[column]);
        for (std::size_t at = column; at < work_.size(); ++at) {
            if (!work_[at]) continue;
            pivot_[column].push_back(
                {static_cast<std::uint32_t>(at), static_cast<std::uint32_t>(Modular::reduce(work_[at] * scale))});
            work_[at] = 0;
        }
        pivot_[column].shrink_to_fit();
    }
};

// Removes vertices with at most k edges while there are any: their edges are in every heaviest independent set, so they
// are moved to `kept`. The rest stays in order.
inline void peel(int n, int k, std::vector<Edge>& edges, std::vector<Edge>& kept) {
    std::vector<std::vector<int>> incident(n);
    for (int i = 0; i < static_cast<int>(edges.size()); ++i)
        for (const int v : {edges[i].a, edges[i].b}) incident[v].push_back(i);
    std::vector<int> degree(n), light;
    for (int v = 0; v < n; ++v) {
        degree[v] = static_cast<int>(incident[v].size());
        if (degree[v] <= k) light.push_back(v);
    }
    std::vector<bool> taken(edges.size());
    while (!light.empty()) {
        const int v = light.back();
        light.pop_back();
        for (const int i : incident[v]) {
            if (taken[i]) continue;
            taken[i] = true;
            kept.push_back(edges[i]);
            const int other = edges[i].a + edges[i].b - v;
            if (--degree[other] == k) light.push_back(other);
        }
    }
    std::size_t left = 0;
    for (std::size_t i = 0; i < edges.size(); ++i)
        if (!taken[i]) edges[left++] = edges[i];
    edges.resize(left);
}

// The blocks (biconnected components) of a graph, as lists of edges in their order: the matroid is their direct sum.
class Blocks {
public:
    Blocks(int n, const std::vector<Edge>& edges) : edges_(edges), incident_(n), entered_(n), block_(edges.size(), -1) {
        for (int i = 0; i < static_cast<int>(edges.size()); ++i)
            for (const int v : {edges[i].a, edges[i].b}) incident_[v].push_back(i);
        for (int v = 0; v < n; ++v)
            if (!entered_[v]) visit(v, -1);
    }

    std::vector<std::vector<Edge>> operator()() const {
        std::vector<std::vector<Edge>> result(count_);
        for (std::size_t i = 0; i < edges_.size(); ++i) result[block_[i]].push_back(edges_[i]);
        return result;
    }

private:
    const std::vector<Edge>& edges_;
    std::vector<std::vector<int>> incident_;
    std::vector<int> entered_, block_, open_; // when a vertex was entered (from 1); edges not in a block yet
    int time_ = 0, count_ = 0;

    int visit(int v, int through) { // the earliest vertex that a back edge from below v reaches
        int earliest = entered_[v] = ++time_;
        for (const int i : incident_[v]) {
            const int other = edges_[i].a + edges_[i].b - v;
            if (i == through || entered_[other] > entered_[v]) continue;
            const auto mark = open_.size();
            open_.push_back(i);
            if (entered_[other]) {
                earliest = std::min(earliest, entered_[other]);
                continue;
            }
            const int reached = visit(other, i);
            earliest = std::min(earliest, reached);
            if (reached >= entered_[v]) {
                for (auto at = mark; at < open_.size(); ++at) block_[open_[at]] = count_;
                open_.resize(mark);
                ++count_;
            }
        }
        return earliest;
    }
};

// The heaviest independent set of one block with more than k edges at each vertex.
inline void keep_independent_in_block(const std::vector<Edge>& edges, int k, std::vector<Edge>& kept) {
    std::vector<int> vertices;
    for (const auto& edge : edges) vertices.insert(vertices.end(), {edge.a, edge.b});
    bnfuse::sort(vertices);
    vertices.erase(std::ranges::unique(vertices).begin(), vertices.end());
    const auto label = [&](int v) {
        return static_cast<int>(std::ranges::lower_bound(vertices, v) - vertices.begin());
    };
    const int n = static_cast<int>(vertices.size());
    const auto order = with_rows(n, [&]<int W>() {
        Rows<W> graph(n);
        for (const auto& edge : edges) {
            graph[label(edge.a)].set(label(edge.b));
            graph[label(edge.b)].set(label(edge.a));
        }
        return min_degree(graph).order;
    });
    RigidityMatrix matrix(vertices, order, k);
    const auto full_rank = static_cast<std::int64_t>(k) * n - static_cast<std::int64_t>(k) * (k + 1) / 2;
    std::int64_t rank = 0;
    for (const auto& edge : edges) {
        check_stop();
        if (!matrix.add(label(edge.a), label(edge.b))) continue;
        kept.push_back(edge);
        if (++rank == full_rank) break;
    }
}

// Adds the heaviest independent set to `kept`, in no particular order. The edges have positive weights and come in
// order of decreasing weight.
inline void keep_independent(int n, std::vector<Edge> edges, int k, std::vector<Edge>& kept) {
    if (k <= 0) return;
    peel(n, k, edges, kept);
    const auto blocks = Blocks(n, edges)();
    if (blocks.size() == 1) {
        keep_independent_in_block(blocks.front(), k, kept);
        return;
    }
    for (const auto& block : blocks) keep_independent(n, block, k, kept); // if vertices have fewer edges
}

} // namespace bnfuse
