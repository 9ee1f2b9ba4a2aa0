// What the kernel's tests share: properties on random graphs, for builds with sanitizers: no Python, no framework. What
// is right is decided by slow, obvious twins over plain matrices, never by a copied result.
#pragma once

#include "triangulation.hpp"

#include <initializer_list>
#include <numeric>

namespace bnfuse::testing {

// Counts a claim, and tells of one that does not hold.
void check(bool holds, const char* claim, const char* file, int line, int n);

#define CHECK(n, claim) ::bnfuse::testing::check((claim), #claim, __FILE__, __LINE__, (n))

// What throws nothing, or something else, counts as a claim that does not hold.
template <class Error, class Work> bool throws(Work&& work) {
    try {
        work();
    } catch (const Error&) {
        return true;
    } catch (...) {
    }
    return false;
}

// How many allocations the thread may still make before one fails.
extern thread_local std::int64_t allocations_left;

// Registers a suite: the program runs all of them, or those that it is told to.
struct Suite {
    Suite(const char* name, void (*run)());
};

// Sizes on both sides of every word count that the kernel is compiled for, and of the word boundaries inside them.
inline constexpr std::initializer_list<int> small_sizes = {1,  2,  3,  5,  8,   13,  31,  32,
                                                           33, 63, 64, 65, 100, 127, 128, 129};
inline constexpr std::initializer_list<int> large_sizes = {191, 192, 193,  255,  256,  257,  511,
                                                           512, 513, 1023, 1024, 1025, 2047, 2048};

inline std::vector<int> random_order(int n, Random& random) {
    std::vector<int> order(n);
    std::iota(order.begin(), order.end(), 0);
    for (int i = n - 1; i > 0; --i) std::swap(order[i], order[random.below(static_cast<std::uint32_t>(i) + 1)]);
    return order;
}

// Up to `arcs` arcs, all along a random order.
template <int W> Rows<W> random_dag(int n, int arcs, Random& random) {
    const auto order = random_order(n, random);
    Rows<W> parents(n);
    for (int arc = 0; arc < arcs; ++arc) {
        const int a = static_cast<int>(random.below(n)), b = static_cast<int>(random.below(n));
        if (a != b) parents[order[std::max(a, b)]].set(order[std::min(a, b)]);
    }
    return parents;
}

// {0, ..., v-1}, which `first` gives only when it is not empty.
template <int W> Bits<W> before(int v) { return v ? first<W>(v) : Bits<W>{}; }

template <int W> Rows<W> complete_dag(int n) {
    Rows<W> parents(n);
    for (int v = 0; v < n; ++v) parents[v] = before<W>(v);
    return parents;
}

template <int W> Rows<W> random_graph(int n, int edges, Random& random) {
    Rows<W> graph(n);
    for (int edge = 0; edge < edges; ++edge) {
        const int a = static_cast<int>(random.below(n)), b = static_cast<int>(random.below(n));
        if (a == b) continue;
        graph[a].set(b);
        graph[b].set(a);
    }
    return graph;
}

inline bool is_permutation(std::vector<int> order, int n) {
    std::ranges::sort(order);
    std::vector<int> all(n);
    std::iota(all.begin(), all.end(), 0);
    return order == all;
}

// The largest clique that eliminating along the order makes, over a plain matrix.
template <int W> int plain_clique(const Rows<W>& graph, const std::vector<int>& order) {
    const int n = static_cast<int>(graph.size());
    std::vector<std::vector<char>> joined(n, std::vector<char>(n));
    for (int v = 0; v < n; ++v) graph[v].each([&](int u) { joined[v][u] = 1; });
    const auto place = places(order);
    int largest = 0;
    for (const int v : order) {
        std::vector<int> later;
        for (int u = 0; u < n; ++u)
            if (joined[v][u] && place[u] > place[v]) later.push_back(u);
        largest = std::max(largest, static_cast<int>(later.size()) + 1);
        for (const int a : later)
            for (const int b : later) joined[a][b] = a != b;
    }
    return largest;
}

// The best over all elimination orders: by dynamic programming over the sets of vertices eliminated first (Bodlaender
// et al. 2012).
inline int brute_force_clique(const Rows<1>& graph) {
    const int n = static_cast<int>(graph.size());
    std::vector<int> best(std::size_t{1} << n, 0);
    for (std::uint32_t gone = 1; gone < best.size(); ++gone) {
        best[gone] = n;
        for (int last = 0; last < n; ++last) {
            if (!(gone >> last & 1)) continue;
            const auto before = gone & ~(1u << last);
            std::uint32_t reached = 1u << last;
            std::vector<int> stack{last};
            while (!stack.empty()) {
                const auto fresh = static_cast<std::uint32_t>(graph[stack.back()].word[0]) & ~reached;
                stack.pop_back();
                reached |= fresh;
                for (int u = 0; u < n; ++u)
                    if ((fresh & before) >> u & 1) stack.push_back(u);
            }
            best[gone] = std::min(best[gone], std::max(best[before], std::popcount(reached & ~before)));
        }
    }
    return best.back();
}

// Calls visit.operator()<W>(n, round, random) for rounds of every size, fewer of the large ones.
template <class Visit> void each_size(Visit&& visit) {
    const auto rounds_of = [&](int n, int rounds) {
        with_words(n, [&]<int W>() {
            for (int round = 0; round < rounds; ++round) {
                Random random(n, round);
                visit.template operator()<W>(n, round, random);
            }
        });
    };
    for (const int n : small_sizes) rounds_of(n, 8);
    for (const int n : large_sizes) rounds_of(n, n <= 513 ? 2 : 1);
}

// Denser and sparser by turns.
inline int arcs_of_round(int n, int round) {
    return round % 4 == 0 ? n : round % 4 == 1 ? n / 2 : round % 4 == 2 ? 3 * n / 2 : 0;
}

} // namespace bnfuse::testing
