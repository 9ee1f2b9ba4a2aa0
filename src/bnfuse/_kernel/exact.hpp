// The exact clique size of a graph: whether it can be triangulated with cliques of at most t is decided for
// t = lower bound, lower bound + 1, ...; each "no" raises the proven lower bound by one.
//
// A decision takes the graph apart: vertices that need no choice are eliminated (reduction.hpp), what is left falls
// into connected parts, and these at safe separators (safe_separators.hpp). Pieces on which a lower and an upper bound
// do not settle it are decided by dynamic programming (feasible_sets.hpp). The cliques of all pieces together are those
// of a triangulation of the graph, because pieces only overlap in cliques.
#pragma once

#include "feasible_sets.hpp"
#include "reduction.hpp"
#include "safe_separators.hpp"

#include <numeric>

namespace bnfuse {

class CliqueDecision {
public:
    // `states` is the number of sets of vertices that may still be examined. It counts down, for sets of several words
    // by their square, so that it takes about the same time on every graph.
    CliqueDecision(int limit, std::int64_t& states, bool keeps_cliques)
        : limit_(limit), states_(states), keeps_cliques_(keeps_cliques) {}

    template <int W> Answer operator()(const Rows<W>& graph) {
        std::vector<int> names(graph.size());
        std::iota(names.begin(), names.end(), 0);
        auto answer = take_apart(graph, names);
        while (answer != Answer::no && !todo_.empty()) {
            // A "no" for any piece is the answer, so small ones come first, and all are tried even if one stays
            // unknown.
            const auto smallest = std::ranges::min_element(todo_, {}, [](const auto& one) { return one.names.size(); });
            std::swap(*smallest, todo_.back());
            const auto piece = std::move(todo_.back());
            todo_.pop_back();
            const int size = static_cast<int>(piece.names.size());
            const auto one = with_words<W>(size, [&]<int V>() { return take_apart(rows_of<V>(piece), piece.names); });
            if (one != Answer::yes) answer = one;
        }
        return answer;
    }

    const std::vector<std::vector<int>>& cliques() const { return cliques_; } // after a yes, if they are kept

    // Decides on a graph, up to pieces that are left for later.
    template <int W> Answer take_apart(const Rows<W>& graph, const std::vector<int>& names);

private:
    struct Piece {
        std::vector<int> names; // of its vertices in the whole graph
        std::vector<std::pair<int, int>> edges;
    };
    int limit_;
    std::int64_t& states_;
    bool keeps_cliques_;
    std::vector<std::vector<int>> cliques_;
    std::vector<Piece> todo_;

    template <int W> static Rows<W> rows_of(const Piece& piece) {
        Rows<W> rows(piece.names.size());
        for (const auto& [a, b] : piece.edges) {
            rows[a].set(b);
            rows[b].set(a);
        }
        return rows;
    }

    template <int W> static Piece piece_of(const Rows<W>& graph, const Bits<W>& part, const std::vector<int>& names) {
        Piece piece;
        std::vector<int> label(graph.size());
        part.each([&](int v) {
            label[v] = static_cast<int>(piece.names.size());
            (graph[v] & part).each([&](int u) {
                if (u < v) piece.edges.emplace_back(label[u], label[v]);
            });
            piece.names.push_back(names[v]);
        });
        return piece;
    }

    template <int W> void keep(const Bits<W>& clique, const std::vector<int>& names) {
        if (!keeps_cliques_) return;
        auto& members = cliques_.emplace_back();
        clique.each([&](int v) { members.push_back(names[v]); });
    }

    // For a connected graph that reductions do not change.
    template <int W> Answer decide(const Rows<W>& graph, const std::vector<int>& names) {
        const auto all = first<W>(static_cast<int>(graph.size()));
        if (all.count() <= limit_) return keep(all, names), Answer::yes;
        if (minor_min_width(graph, all) > limit_) return Answer::no;
        if (const auto found = min_fill(graph, limit_); found.clique <= limit_) {
            keep_along(found.order, graph, names);
            return Answer::yes;
        }
        if (const auto separator = SafeSeparators<W>(graph, states_)()) {
            split_at(*separator, graph, names);
            return Answer::yes; // so far
        }
        FeasibleSets<W> sets(graph, limit_, states_);
        const auto answer = sets.decide();
        if (answer == Answer::yes) sets.each_bag([&](const Bits<W>& bag) { keep(bag, names); });
        return answer;
    }

    template <int W> void keep_along(const std::vector<int>& order, Rows<W> graph, const std::vector<int>& names) {
        if (!keeps_cliques_) return;
        for (const int v : order) {
            eliminate(graph, v, [](int, int) {});
            graph[v].set(v);
            keep(graph[v], names);
        }
    }

    template <int W> void split_at(const Bits<W>& separator, Rows<W> graph, const std::vector<int>& names) {
        separator.each([&](int v) {
            graph[v] |= separator;
            graph[v].reset(v);
        });
        each_part(
            graph, first<W>(static_cast<int>(graph.size())) - separator,
            [&](const Bits<W>& part, const Bits<W>& seen) { todo_.push_back(piece_of(graph, part | seen, names)); });
    }
};

template <int W> Answer CliqueDecision::take_apart(const Rows<W>& graph, const std::vector<int>& names) {
    Reduction<W> reduce(graph, limit_);
    const bool fits = reduce([&](int v, Bits<W> clique) {
        clique.set(v);
        keep(clique, names);
    });
    if (!fits) return Answer::no;
    if (reduce.left().count() == static_cast<int>(graph.size()) &&
        part_around(graph, reduce.left(), 0) == reduce.left())
        return decide(graph, names);
    each_part(reduce.graph(), reduce.left(),
              [&](const Bits<W>& part, const Bits<W>&) { todo_.push_back(piece_of(reduce.graph(), part, names)); });
    return Answer::yes; // so far
}

#define BNFUSE_DECISION(W)                                                                                             \
    extern template Answer CliqueDecision::take_apart<W>(const Rows<W>&, const std::vector<int>&);
BNFUSE_EACH_WIDTH(BNFUSE_DECISION)
#undef BNFUSE_DECISION

// Whether the graph can be triangulated with cliques of at most `limit`; if it cannot, it needs a larger one.
//
// The graph is any undirected one: rows of neighbours. `states` bounds the work (see CliqueDecision) and what is left
// comes back in it; only when it runs out, or some 2^23 words of sets were kept, is the answer unknown. On a yes,
// `order`, if given, becomes an elimination order within the limit. Without it the work is less: on graphs with 100
// edges or fewer it takes some microseconds, seldom more than half a millisecond.
template <int W>
Answer decide_clique(const Rows<W>& graph, int limit, std::int64_t& states, std::vector<int>* order = nullptr) {
    CliqueDecision decision(limit, states, order != nullptr);
    const auto answer = decision(graph);
    if (answer != Answer::yes || !order) return answer;
    Rows<W> filled(graph.size());
    for (const auto& clique : decision.cliques()) {
        Bits<W> members;
        for (const int v : clique) members.set(v);
        members.each([&](int v) { filled[v] |= members; });
    }
    for (std::size_t v = 0; v < filled.size(); ++v) filled[v].reset(static_cast<int>(v));
    *order = max_cardinality(filled).order; // which eliminates a chordal graph without fill
    return answer;
}

struct CliqueBounds {
    Elimination upper;
    int lower = 0;
};

// Proven bounds on the clique size; they are equal unless `states` ran out.
template <int W> CliqueBounds exact_clique(const Rows<W>& graph, std::int64_t states) {
    const int lower = minor_min_width(graph, first<W>(static_cast<int>(graph.size())));
    CliqueBounds bounds{best_elimination(graph, lower), lower};
    while (bounds.lower < bounds.upper.clique) {
        std::vector<int> order;
        switch (decide_clique(graph, bounds.lower, states, &order)) {
        case Answer::yes: bounds.upper = eliminated_along(graph, std::move(order)); break;
        case Answer::no: ++bounds.lower; break;
        case Answer::unknown: return bounds;
        }
    }
    return bounds;
}

} // namespace bnfuse
