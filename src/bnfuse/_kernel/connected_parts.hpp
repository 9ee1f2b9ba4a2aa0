// Connected parts of graphs, and sets of vertices as keys.
#pragma once

#include "triangulation.hpp"

#include <unordered_set>

namespace bnfuse {

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

template <int W> Bits<W> neighbours_of(const Rows<W>& graph, const Bits<W>& set) {
    Bits<W> seen;
    set.each([&](int v) { seen |= graph[v]; });
    return seen - set;
}

// The connected part of `rest` that holds v.
template <int W> Bits<W> part_around(const Rows<W>& graph, const Bits<W>& rest, int v) {
    Bits<W> part, seen, fresh;
    fresh.set(v);
    while (fresh.any()) {
        part |= fresh;
        fresh.each([&](int u) { seen |= graph[u]; });
        fresh = (seen & rest) - part;
    }
    return part;
}

// Calls visit(part, its neighbours) for each connected part of `rest`.
template <int W, class Visit> void each_part(const Rows<W>& graph, Bits<W> rest, Visit&& visit) {
    while (rest.any()) {
        Bits<W> part, seen, fresh;
        fresh.set(rest.lowest());
        while (fresh.any()) {
            part |= fresh;
            fresh.each([&](int v) { seen |= graph[v]; });
            fresh = (seen & rest) - part;
        }
        rest -= part;
        visit(part, seen - part);
    }
}

} // namespace bnfuse
