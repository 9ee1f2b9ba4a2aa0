// Minimal I-maps against another construction.
#include "imap.hpp"
#include "order.hpp"
#include "testing.hpp"

using namespace bnfuse;
using namespace bnfuse::testing;

namespace {

// The minimal I-map by separation: p is a parent of v unless the rest of the prefix separates them, which in the moral
// ancestral graph of the prefix means that no path leads from v to p outside the prefix.

template <int W> Rows<W> ancestral_imap(const Rows<W>& parents) { // labels are places in the order
    const int n = static_cast<int>(parents.size());
    Rows<W> map(n);
    for (int v = 0; v < n; ++v) {
        Bits<W> ancestors, frontier = first<W>(v + 1);
        while (frontier.any()) {
            ancestors |= frontier;
            Bits<W> next;
            frontier.each([&](int u) { next |= parents[u]; });
            frontier = next - ancestors;
        }
        Rows<W> graph(n);
        ancestors.each([&](int u) {
            auto family = parents[u];
            family.set(u);
            family.each([&](int member) { graph[member] |= family; });
        });
        Bits<W> reached;
        std::vector<int> stack{v};
        reached.set(v);
        while (!stack.empty()) {
            const auto fresh = graph[stack.back()] - reached;
            stack.pop_back();
            reached |= fresh;
            fresh.each([&](int u) {
                if (u > v) stack.push_back(u);
            });
        }
        map[v] = reached & before<W>(v);
    }
    return map;
}

template <int W> void test_imap(const Rows<W>& dag, const std::vector<int>& order, bool against_oracle) {
    const int n = static_cast<int>(dag.size());
    const auto labelled = relabelled(dag, places(order));
    auto map = labelled;
    MinimalImap<W> minimal_imap;
    minimal_imap(map);
    bool consistent = true, joins_every_arc = true;
    for (int v = 0; v < n; ++v) {
        consistent &= map[v].highest() < v;
        labelled[v].each([&](int p) { joins_every_arc &= map[std::max(p, v)].test(std::min(p, v)); });
    }
    CHECK(n, consistent);
    CHECK(n, joins_every_arc);
    if (against_oracle) CHECK(n, map == ancestral_imap(labelled));
    auto again = map;
    minimal_imap(again);
    CHECK(n, again == map);
}

void test_cycles_are_refused(int n, Random& random) {
    auto dag = random_dag<1>(n, n, random);
    const auto path = random_order(n, random);
    const int length = 1 + static_cast<int>(random.below(n));
    for (int i = 0; i < length; ++i) dag[path[(i + 1) % length]].set(path[i]);
    MinimalImap<1> minimal_imap;
    CHECK(n, throws<std::invalid_argument>([&] { minimal_imap(dag); }));
}

void test_all() {
    each_size([]<int W>(int n, int round, Random& random) {
        const int arcs = arcs_of_round(n, round);
        const auto a = random_dag<W>(n, arcs, random), b = random_dag<W>(n, arcs, random);
        test_imap(a, heuristic_order<W>({a, b}, {1, 1}), n <= 257);
        test_imap(b, random_order(n, random), n <= 257);
    });
    for (const int n : {1, 2, 64, 65, 129, 512, 2048})
        with_words(n, [&]<int W>() {
            std::vector<int> backwards(n);
            std::iota(backwards.rbegin(), backwards.rend(), 0);
            test_imap(complete_dag<W>(n), backwards, false);
        });
    for (int round = 0; round < 100; ++round) {
        Random random(round, 4);
        test_cycles_are_refused(1 + round % 64, random);
    }
}

const Suite suite("imap", test_all);

} // namespace
