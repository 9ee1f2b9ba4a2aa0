// Largest cliques of triangulated moral graphs: elimination heuristics (upper bounds with an order that proves them)
// and minor-min-width (a lower bound).
#pragma once

#include "dag.hpp"
#include "random.hpp"
#include "tables.hpp"

namespace bnfuse {

template <int W> void moral_graph(const Rows<W>& parents, Rows<W>& graph) {
    graph.assign(parents.size(), {});
    for (int v = 0; v < static_cast<int>(parents.size()); ++v) {
        auto family = parents[v];
        family.set(v);
        family.each([&](int u) { graph[u] |= family; });
    }
    for (int v = 0; v < static_cast<int>(graph.size()); ++v) graph[v].reset(v);
}

template <int W> Rows<W> moral_graph(const Rows<W>& parents) {
    Rows<W> graph;
    moral_graph(parents, graph);
    return graph;
}

// An elimination order and the size of the largest clique that it makes; with a limit on tables, its count.
struct Elimination {
    std::vector<int> order;
    int clique = 0;
};

// Removes v from its neighbours' rows, then connects them, reporting each new edge before it is added. The row of v
// stays unchanged.
template <int W, class OnFill> void eliminate(Rows<W>& graph, int v, OnFill&& on_fill) {
    const auto neighbours = graph[v];
    neighbours.each([&](int a) { graph[a].reset(v); });
    auto later = neighbours;
    neighbours.each([&](int a) {
        later.reset(a);
        (later - graph[a]).each([&](int b) {
            on_fill(a, b);
            graph[a].set(b);
            graph[b].set(a);
        });
    });
}

struct Members { // the count of a clique without a limit on tables
    template <int W> int operator()(const Bits<W>& neighbours, int) const { return neighbours.count() + 1; }
};

template <int W, class Count = Members>
Elimination eliminated_along(Rows<W> graph, std::vector<int> order, const Count& count = {}) {
    Elimination result;
    Pulse pulse(64);
    for (const int v : order) {
        pulse();
        result.clique = std::max(result.clique, count(graph[v], v));
        eliminate(graph, v, [](int, int) {});
    }
    result.order = std::move(order);
    return result;
}

// Maximum cardinality search (Tarjan, Yannakakis 1984), its visit reversed into an elimination order.
template <int W, class Count = Members> Elimination max_cardinality(const Rows<W>& graph, const Count& count = {}) {
    const int n = static_cast<int>(graph.size());
    std::vector<int> order(n), visited_neighbours(n), unvisited(n);
    for (int v = 0; v < n; ++v) unvisited[v] = v;
    for (int place = n - 1; place >= 0; --place) {
        const auto most = std::ranges::max_element(unvisited, {}, [&](int v) { return visited_neighbours[v]; });
        const int v = *most;
        unvisited.erase(most);
        order[place] = v;
        graph[v].each([&](int u) { ++visited_neighbours[u]; });
    }
    return eliminated_along(graph, std::move(order), count);
}

inline constexpr int no_limit = std::numeric_limits<int>::max();

template <int W, class Count> int counted(Bits<W> clique, const Count& count) {
    const int v = clique.lowest();
    if (v < 0) return 0;
    clique.reset(v);
    return count(clique, v);
}

// Eliminates greedily by `score`, the smaller label first on ties. Stops as soon as a clique exceeds the limit.
template <int W, class Score, class Count = Members>
Elimination greedy_elimination(Rows<W> graph, Score&& score, int limit = no_limit, const Count& count = {}) {
    const int n = static_cast<int>(graph.size());
    Elimination result;
    result.order.reserve(n);
    auto remaining = first<W>(n);
    score.start(graph);
    Pulse pulse(64);
    // Once the remaining vertices, as a clique, count no more than an earlier clique, their order no longer matters.
    for (int left = n; left > result.clique || counted(remaining, count) > result.clique; --left) {
        pulse();
        const int v = score.best(remaining);
        remaining.reset(v);
        result.order.push_back(v);
        result.clique = std::max(result.clique, count(graph[v], v));
        if (result.clique > limit) return result;
        score.eliminate(graph, v);
    }
    remaining.each([&](int v) { result.order.push_back(v); });
    return result;
}

template <int W> class MinDegree {
public:
    void start(const Rows<W>& graph) {
        degree_.resize(graph.size());
        for (std::size_t v = 0; v < graph.size(); ++v) degree_[v] = graph[v].count();
    }
    int best(const Bits<W>& remaining) const {
        int best = remaining.lowest();
        remaining.each([&](int v) {
            if (degree_[v] < degree_[best]) best = v;
        });
        return best;
    }
    void eliminate(Rows<W>& graph, int v) {
        bnfuse::eliminate(graph, v, [](int, int) {});
        graph[v].each([&](int u) { degree_[u] = graph[u].count(); });
    }

private:
    std::vector<int> degree_;
};

// Fewest fill edges first. The counts follow each new edge and each deletion exactly, instead of being recomputed;
// vertices without fill are known at once. With a random generator, other ties are broken at random.
template <int W> class MinFill {
public:
    explicit MinFill(Random* random = nullptr) : random_(random) {}

    void start(const Rows<W>& graph) {
        const int n = static_cast<int>(graph.size());
        fill_.assign(n, 0);
        if (random_) noise_.assign(n, 0);
        std::vector<int> joined(n); // twice the pairs of neighbours that are joined
        for (int v = 1; v < n; ++v)
            (graph[v] & first<W>(v)).each([&](int u) {
                const int common = count_common(graph[v], graph[u]);
                joined[v] += common;
                joined[u] += common;
            });
        for (int v = 0; v < n; ++v) {
            const int degree = graph[v].count();
            add(v, (degree * (degree - 1) - joined[v]) / 2);
            draw(v);
        }
    }
    int best(const Bits<W>& remaining) const {
        if (const int v = (simplicial_ & remaining).lowest(); v >= 0) return v;
        int best = remaining.lowest();
        remaining.each([&](int v) {
            if (fill_[v] < fill_[best] || (random_ && fill_[v] == fill_[best] && noise_[v] < noise_[best])) best = v;
        });
        return best;
    }
    void eliminate(Rows<W>& graph, int v) {
        const auto neighbours = graph[v];
        // Pairs (v, x) of neighbours of u without an edge vanish with v.
        neighbours.each([&](int u) { add(u, 1 - count_missing(graph[u], neighbours)); });
        bnfuse::eliminate(graph, v, [&](int a, int b) {
            const auto common = graph[a] & graph[b];
            common.each([&](int w) {
                if (!--fill_[w]) simplicial_.set(w);
            });
            add(a, count_missing(graph[a], common));
            add(b, count_missing(graph[b], common));
        });
        neighbours.each([&](int u) { draw(u); });
    }

private:
    Random* random_;
    std::vector<int> fill_; // at most the pairs of 2047 neighbours
    std::vector<std::uint32_t> noise_;
    Bits<W> simplicial_; // those without fill; eliminated ones stay in

    void add(int v, int change) {
        fill_[v] += change;
        if (fill_[v])
            simplicial_.reset(v);
        else
            simplicial_.set(v);
    }
    void draw(int v) {
        if (random_) noise_[v] = random_->below(1u << 16);
    }
};

template <int W> Elimination min_degree(const Rows<W>& graph) { return greedy_elimination(graph, MinDegree<W>()); }

template <int W> Elimination min_fill(const Rows<W>& graph, int limit = no_limit) {
    return greedy_elimination(graph, MinFill<W>(), limit);
}

// The size of the largest clique that `min_fill` makes, and nothing else: for those who ask for many graphs.
//
// Vertices without fill (simplicial ones) may go in any order here. One of them stays simplicial when another goes, so
// whichever goes first, the same ones can go until none is left: the graph that remains is the same, and so is the next
// vertex that needs fill. The largest clique of those that went is the same, too: let K be one that some order makes.
// In another order the first member of K to go has all of K around it, and makes a clique as large. So vertices of
// degree 0 and 1 go first, before any fill is counted, and no vertex without fill looks for new edges.
template <int W> class MinFillClique {
public:
    int operator()(const Rows<W>& graph) {
        graph_ = graph;
        const int n = static_cast<int>(graph.size());
        left_ = first<W>(n);
        clique_ = n > 0;
        count_ = n;
        peel(n);
        if (count_ > clique_) count_fill(n);
        Pulse pulse(64);
        while (count_ > clique_) { // the rest, as a clique, would count no more
            pulse();
            if (const int v = simplicial_.lowest(); v >= 0)
                drop(v);
            else
                eliminate(cheapest());
        }
        return clique_;
    }

private:
    Rows<W> graph_; // without the eliminated vertices
    Bits<W> left_, simplicial_;
    std::vector<int> fill_, joined_;
    int clique_ = 0, count_ = 0;

    void take(int v, int degree) {
        left_.reset(v);
        --count_;
        clique_ = std::max(clique_, degree + 1);
    }

    // Those of degree 0 and 1, and those that become so.
    void peel(int n) {
        for (int start = 0; start < n; ++start)
            for (int v = start; v >= 0 && left_.test(v);) {
                const int degree = graph_[v].count();
                if (degree > 1) break;
                take(v, degree);
                const int other = graph_[v].lowest();
                if (other >= 0) graph_[other].reset(v);
                v = other;
            }
    }

    // As `MinFill` does, for the rest.
    void count_fill(int n) {
        fill_.resize(n);
        joined_.assign(n, 0);
        simplicial_ = {};
        left_.each([&](int v) {
            if (v)
                (graph_[v] & first<W>(v)).each([&](int u) {
                    const int common = count_common(graph_[v], graph_[u]);
                    joined_[v] += common;
                    joined_[u] += common;
                });
        });
        left_.each([&](int v) {
            const int degree = graph_[v].count();
            fill_[v] = (degree * (degree - 1) - joined_[v]) / 2;
            if (!fill_[v]) simplicial_.set(v);
        });
    }

    // If no vertex is without fill, none is cheaper than one that needs one edge.
    int cheapest() const {
        int best = -1, fewest = no_limit;
        for (int i = 0; i < W; ++i)
            for (auto rest = left_.word[i]; rest; rest &= rest - 1)
                if (const int v = 64 * i + std::countr_zero(rest); fill_[v] < fewest) {
                    best = v;
                    fewest = fill_[v];
                    if (fewest == 1) return best;
                }
        return best;
    }

    // A vertex whose neighbours are joined to each other: the pairs without an edge to it vanish with it.
    void drop(int v) {
        const auto neighbours = graph_[v];
        simplicial_.reset(v);
        take(v, neighbours.count());
        neighbours.each([&](int u) {
            graph_[u].reset(v);
            if (const int vanished = count_missing(graph_[u], neighbours)) {
                fill_[u] -= vanished;
                if (!fill_[u]) simplicial_.set(u);
            }
        });
    }

    void eliminate(int v) {
        const auto neighbours = graph_[v];
        take(v, neighbours.count());
        neighbours.each([&](int u) {
            graph_[u].reset(v);
            fill_[u] -= count_missing(graph_[u], neighbours);
        });
        auto later = neighbours;
        neighbours.each([&](int a) {
            later.reset(a);
            (later - graph_[a]).each([&](int b) { join(a, b); });
        });
        simplicial_ -= neighbours; // whose counts changed
        neighbours.each([&](int u) { simplicial_.set_if(u, !fill_[u]); });
    }

    // For neighbours of an eliminated vertex: if both are adjacent to another vertex, that one lacks one edge fewer.
    void join(int a, int b) {
        const auto common = graph_[a] & graph_[b];
        common.each([&](int w) {
            if (!--fill_[w]) simplicial_.set(w);
        });
        const int shared = common.count();
        fill_[a] += graph_[a].count() - shared;
        fill_[b] += graph_[b].count() - shared;
        graph_[a].set(b);
        graph_[b].set(a);
    }
};

// The variable whose clique has the smallest table first.
template <int W> class MinTable {
public:
    explicit MinTable(const TableLimit& tables) : tables_(tables) {}

    void start(const Rows<W>& graph) {
        for (int v = 0; v < static_cast<int>(graph.size()); ++v) numbers_.push_back(tables_.table(graph[v], v));
    }
    int best(const Bits<W>& remaining) const {
        int best = remaining.lowest();
        remaining.each([&](int v) {
            if (numbers_[v] < numbers_[best]) best = v;
        });
        return best;
    }
    void eliminate(Rows<W>& graph, int v) {
        bnfuse::eliminate(graph, v, [](int, int) {});
        graph[v].each([&](int u) { numbers_[u] = tables_.table(graph[u], u); });
    }

private:
    const TableLimit& tables_;
    std::vector<std::uint64_t> numbers_;
};

// Within both limits if one of two heuristics finds that: fewest fill edges first, or smallest tables first.
template <int W> Elimination min_fill(const Rows<W>& graph, int limit, const TableLimit& tables) {
    if (!tables.is_set()) return min_fill(graph, limit);
    auto fewest = greedy_elimination(graph, MinFill<W>(), limit, tables);
    if (fewest.clique <= limit) return fewest;
    auto smallest = greedy_elimination(graph, MinTable<W>(tables), limit, tables);
    return smallest.clique < fewest.clique ? smallest : fewest;
}

// Minor-min-width (Gogate, Dechter 2004; "least-c" of Bodlaender, Koster): contract the vertex of smallest degree into
// the neighbour with which it shares the fewest neighbours; no minor has a larger clique size than the graph, and the
// smallest degree + 1 of any graph is a lower bound for it.
template <int W> int minor_min_width(Rows<W> graph, Bits<W> alive) {
    std::vector<int> degree(graph.size());
    alive.each([&](int v) { degree[v] = graph[v].count(); });
    int bound = 0;
    Pulse pulse(64);
    for (int left = alive.count(); left > bound; --left) {
        pulse();
        int v = -1;
        alive.each([&](int u) {
            if (v < 0 || degree[u] < degree[v]) v = u;
        });
        bound = std::max(bound, degree[v] + 1);
        alive.reset(v);
        const auto neighbours = graph[v];
        int into = -1, fewest = std::numeric_limits<int>::max();
        neighbours.each([&](int u) {
            graph[u].reset(v);
            --degree[u];
            if (const int common = count_common(neighbours, graph[u]); common < fewest) {
                fewest = common;
                into = u;
            }
        });
        if (into < 0) continue;
        auto gained = neighbours - graph[into];
        gained.reset(into);
        gained.each([&](int u) {
            graph[u].set(into);
            ++degree[u];
        });
        graph[into] |= gained;
        degree[into] += gained.count();
    }
    return bound;
}

// The smallest clique of the three, and of min-fill with random ties: up to 64 rounds, fewer if one costs much, none
// once the lower bound is reached.
template <int W> Elimination best_elimination(const Rows<W>& graph, int lower_bound) {
    auto best = min_fill(graph);
    const auto offer = [&](Elimination other) {
        if (other.clique < best.clique) best = std::move(other);
    };
    offer(min_degree(graph));
    offer(max_cardinality(graph));
    const auto n = static_cast<std::int64_t>(graph.size());
    const auto cost = n * (static_cast<std::int64_t>(best.clique) * best.clique + n / 4);
    const auto rounds = std::min<std::int64_t>(64, (1 << 25) / cost);
    for (int round = 0; round < rounds && best.clique > lower_bound; ++round) {
        check_stop();
        Random random(0, round);
        offer(greedy_elimination(graph, MinFill<W>(&random), best.clique - 1));
    }
    return best;
}

#define BNFUSE_ELIMINATIONS(W)                                                                                         \
    extern template Elimination max_cardinality<W>(const Rows<W>&, const Members&);                                    \
    extern template Elimination min_degree<W>(const Rows<W>&);                                                         \
    extern template Elimination min_fill<W>(const Rows<W>&, int);                                                      \
    extern template Elimination min_fill<W>(const Rows<W>&, int, const TableLimit&);                                   \
    extern template Elimination eliminated_along<W>(Rows<W>, std::vector<int>, const TableLimit&);
BNFUSE_EACH_WIDTH(BNFUSE_ELIMINATIONS)
#undef BNFUSE_ELIMINATIONS

} // namespace bnfuse

#include "listed_elimination.hpp" // the same for rows that are lists
