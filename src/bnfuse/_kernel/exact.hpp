// The exact clique size of a moral graph: depth-first branch and bound over elimination orders, one limit at a time.
//
// Whether the graph can be eliminated with cliques of at most t is decided for t = lower bound, lower bound + 1, ...;
// each "no" raises the proven lower bound by one. Vertices that need no choice go first: simplicial ones, and almost
// simplicial ones of degree below t (Bodlaender, Koster, van den Eijkhof 2005). Connected parts are decided one by one;
// what a part looks like depends only on which vertices it has, so a part that failed is never entered again.
#pragma once

#include "triangulation.hpp"

#include <unordered_set>

namespace bnfuse {

template <int W> class UndoableElimination {
public:
    explicit UndoableElimination(Rows<W> graph) : graph_(std::move(graph)) {}

    const Rows<W>& graph() const { return graph_; } // rows of eliminated vertices keep what they last had
    const std::vector<int>& order() const { return order_; }

    void eliminate(int v) {
        auto& fill = fills_.emplace_back();
        bnfuse::eliminate(graph_, v, [&](int a, int b) { fill.emplace_back(a, b); });
        order_.push_back(v);
    }

    void undo_to(std::size_t size) {
        while (order_.size() > size) {
            for (const auto& [a, b] : fills_.back()) {
                graph_[a].reset(b);
                graph_[b].reset(a);
            }
            const int v = order_.back();
            graph_[v].each([&](int u) { graph_[u].set(v); });
            order_.pop_back();
            fills_.pop_back();
        }
    }

    // Eliminates the vertices of `part` that need no choice; false when a clique over the limit shows.
    bool reduce(Bits<W>& part, int limit) {
        for (auto before = part.count() + 1; part.count() < before;) {
            before = part.count();
            bool fits = true;
            part.each([&](int v) {
                const int degree = graph_[v].count();
                const auto kind = simpliciality(v);
                if (kind == Kind::simplicial && degree >= limit) fits = false;
                if (kind == Kind::neither || degree >= limit) return;
                eliminate(v);
                part.reset(v);
            });
            if (!fits) return false;
        }
        return true;
    }

    int fill_of(int v) const { // twice the edges that eliminating v would add
        int fill = 0;
        graph_[v].each([&](int u) { fill += count_missing(graph_[v], graph_[u]) - 1; });
        return fill;
    }

private:
    enum class Kind { simplicial, almost, neither };
    Rows<W> graph_;
    std::vector<int> order_;
    std::vector<std::vector<std::pair<int, int>>> fills_; // by place in order_

    // Almost simplicial: all neighbours but one form a clique, so that one is an end of every missing edge.
    Kind simpliciality(int v) const {
        int missing = 0, most = 0;
        graph_[v].each([&](int u) {
            const int lacks = count_missing(graph_[v], graph_[u]) - 1;
            missing += lacks;
            most = std::max(most, lacks);
        });
        if (missing == 0) return Kind::simplicial;
        return 2 * most == missing ? Kind::almost : Kind::neither;
    }
};

template <int W> struct BitsHash {
    std::size_t operator()(const Bits<W>& bits) const {
        std::uint64_t hash = 0;
        for (auto w : bits.word) {
            hash = (hash ^ w) * 0x9e3779b97f4a7c15;
            hash ^= hash >> 29;
        }
        return hash;
    }
};

enum class Answer { yes, no, unknown };

template <int W> class CliqueDecision { // can the graph be eliminated with cliques of at most `limit`?
public:
    // `states` is how many parts may still be looked at; it counts down, for a part of
    // several words by their square, so that it stands for about the same time on every graph.
    CliqueDecision(Rows<W> graph, int limit, std::int64_t& states)
        : work_(std::move(graph)), limit_(limit), states_(states) {}

    Answer decide() { return search(first<W>(static_cast<int>(work_.graph().size()))); }

    const std::vector<int>& order() const { return work_.order(); } // after a yes

private:
    UndoableElimination<W> work_;
    int limit_;
    std::int64_t& states_;
    std::unordered_set<Bits<W>, BitsHash<W>> failed_;
    Pulse pulse_{4};

    Answer search(Bits<W> part) {
        pulse_();
        const int words = (part.count() + 63) / 64;
        if ((states_ -= words * words) < 0) return Answer::unknown;
        if (!work_.reduce(part, limit_)) return Answer::no;
        if (part.count() <= limit_) {
            part.each([&](int v) { work_.eliminate(v); });
            return Answer::yes;
        }
        if (const auto piece = component(part); !(piece == part)) {
            const auto answer = search(piece);
            return answer == Answer::yes ? search(part - piece) : answer;
        }
        if (failed_.contains(part) || minor_min_width(work_.graph(), part) > limit_) return Answer::no;
        failed_.insert(part);
        for (const int v : branches(part)) {
            const auto start = work_.order().size();
            work_.eliminate(v);
            auto rest = part;
            rest.reset(v);
            const auto answer = search(rest);
            if (answer != Answer::no) return answer;
            work_.undo_to(start);
        }
        return Answer::no;
    }

    Bits<W> component(const Bits<W>& part) const { // of the smallest label
        Bits<W> seen, frontier;
        frontier.set(part.lowest());
        while (frontier.any()) {
            seen |= frontier;
            Bits<W> next;
            frontier.each([&](int v) { next |= work_.graph()[v]; });
            frontier = next - seen;
        }
        return seen;
    }

    std::vector<int> branches(const Bits<W>& part) const { // fewest fill edges first
        std::vector<std::pair<int, int>> scored;
        part.each([&](int v) {
            if (work_.graph()[v].count() < limit_) scored.emplace_back(work_.fill_of(v), v);
        });
        std::ranges::sort(scored);
        std::vector<int> vertices;
        for (const auto& [fill, v] : scored) vertices.push_back(v);
        return vertices;
    }
};

#define BNFUSE_DECISION(W) extern template class CliqueDecision<W>;
BNFUSE_EACH_WIDTH(BNFUSE_DECISION)
#undef BNFUSE_DECISION

// Decides on the vertices that reductions leave, in the fewest words that hold them. `order` is set on a yes.
template <int W> Answer decide_clique(const Rows<W>& graph, int limit, std::int64_t& states, std::vector<int>& order) {
    UndoableElimination<W> work(graph);
    auto core = first<W>(static_cast<int>(graph.size()));
    if (!work.reduce(core, limit)) return Answer::no;
    std::vector<int> label_of(graph.size()), vertices;
    core.each([&](int v) {
        label_of[v] = static_cast<int>(vertices.size());
        vertices.push_back(v);
    });
    order = work.order();
    if (vertices.empty()) return Answer::yes;
    return with_words<W>(static_cast<int>(vertices.size()), [&]<int V>() {
        Rows<V> packed(vertices.size());
        for (std::size_t i = 0; i < vertices.size(); ++i)
            work.graph()[vertices[i]].each([&](int u) { packed[i].set(label_of[u]); });
        CliqueDecision<V> decision(std::move(packed), limit, states);
        const auto answer = decision.decide();
        for (const int i : decision.order()) order.push_back(vertices[i]);
        return answer;
    });
}

struct CliqueBounds {
    Elimination upper;
    int lower = 0;
};

// Proven bounds of the clique size; they meet unless `states` ran out.
template <int W> CliqueBounds exact_clique(const Rows<W>& graph, std::int64_t states) {
    const int lower = minor_min_width(graph, first<W>(static_cast<int>(graph.size())));
    CliqueBounds bounds{best_elimination(graph, lower), lower};
    while (bounds.lower < bounds.upper.clique) {
        std::vector<int> order;
        switch (decide_clique(graph, bounds.lower, states, order)) {
        case Answer::yes: bounds.upper = {std::move(order), bounds.lower}; break;
        case Answer::no: ++bounds.lower; break;
        case Answer::unknown: return bounds;
        }
    }
    return bounds;
}

} // namespace bnfuse
