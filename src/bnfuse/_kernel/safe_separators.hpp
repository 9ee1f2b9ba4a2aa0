// Separators at which a graph falls apart without loss (Bodlaender, Koster 2006): a separator is safe if the clique
// size of the graph is the largest of its pieces', which are its parts with their neighbours made a clique. It is when
// every piece is a minor of the graph: when the rest of the graph can be contracted so that the neighbours of the part
// become a clique. That is so for cliques, and for minimal separators of which all members but one are a clique; for
// others a greedy contraction tries. Candidates come from min-fill: in the whole graph, and without one vertex,
// which is then added to them.
#pragma once

#include "connected_parts.hpp"

#include <optional>

namespace bnfuse {

template <int W> class SafeSeparators {
public:
    // Each run of min-fill counts as one eighth of the number of vertices in states, times the square of the words.
    SafeSeparators(const Rows<W>& graph, std::int64_t& states)
        : graph_(graph), all_(first<W>(static_cast<int>(graph.size()))), states_(states) {}

    // A safe separator of a connected graph, if one is found.
    std::optional<Bits<W>> operator()() {
        const int n = static_cast<int>(graph_.size());
        for (int v = -1; v < n && (states_ -= n / 8 * W * W) >= 0; ++v)
            if (auto found = along_min_fill(v)) return found;
        return {};
    }

private:
    const Rows<W>& graph_;
    Bits<W> all_;
    std::int64_t& states_;
    std::unordered_set<Bits<W>, BitsHash<W>> tried_;
    Pulse pulse_{16};

    std::optional<Bits<W>> along_min_fill(int without) { // without one vertex, or with all (-1)
        auto rows = graph_;
        if (without >= 0) {
            rows[without].each([&](int u) { rows[u].reset(without); });
            rows[without] = {};
        }
        const auto order = min_fill(rows).order;
        for (const int v : order) {
            pulse_();
            eliminate(rows, v, [](int, int) {});
            if (v == without) continue;
            auto around = rows[v];
            if (without >= 0) around.set(without);
            if (auto found = try_around(v, around)) return found;
        }
        return {};
    }

    // Minimal separators within a set that may separate v from something.
    std::optional<Bits<W>> try_around(int v, const Bits<W>& around) {
        const auto near = part_around(graph_, all_ - around, v);
        const auto border = neighbours_of(graph_, near);
        std::optional<Bits<W>> found;
        each_part(graph_, all_ - near - border, [&](const Bits<W>&, const Bits<W>& separator) {
            if (!found && tried_.insert(separator).second && is_safe(separator)) found = separator;
        });
        return found;
    }

    bool is_safe(const Bits<W>& separator) {
        if (is_almost_clique(separator)) return true;
        bool safe = true;
        each_part(graph_, all_ - separator, [&](const Bits<W>& part, const Bits<W>& seen) {
            safe = safe && becomes_clique(seen, all_ - part - seen);
        });
        return safe;
    }

    bool is_almost_clique(const Bits<W>& set) const {
        int missing = 0, most = 0;
        set.each([&](int u) {
            const int lacks = count_missing(set, graph_[u]) - 1;
            missing += lacks;
            most = std::max(most, lacks);
        });
        return 2 * most == missing;
    }

    // Whether greedily contracting vertices of `rest` makes `set` a clique. A vertex is contracted into the member of
    // the set that gains most; if none gains anything, two vertices of the rest become one.
    bool becomes_clique(const Bits<W>& set, Bits<W> rest) {
        auto rows = graph_;
        int missing = 0;
        set.each([&](int u) { missing += count_missing(set, rows[u]) - 1; });
        while (missing) {
            pulse_();
            int from = -1, into = -1, best = 0;
            rest.each([&](int x) {
                const auto ends = rows[x] & set;
                ends.each([&](int a) {
                    const int gain = count_missing(ends, rows[a]) - 1;
                    if (gain > best) best = gain, from = x, into = a;
                });
            });
            if (from < 0) { // the vertex with the fewest neighbours, into the one that shares the fewest with it
                int fewest = no_limit, common = no_limit;
                rest.each([&](int x) {
                    if (const int degree = rows[x].count(); (rows[x] & rest).any() && degree < fewest)
                        fewest = degree, from = x;
                });
                if (from < 0) return false;
                (rows[from] & rest).each([&](int y) {
                    if (const int shared = count_common(rows[from], rows[y]); shared < common)
                        common = shared, into = y;
                });
            }
            missing -= 2 * best;
            rest.reset(from);
            rows[from].each([&](int u) {
                rows[u].reset(from);
                if (u == into) return;
                rows[u].set(into);
                rows[into].set(u);
            });
        }
        return true;
    }
};

} // namespace bnfuse
