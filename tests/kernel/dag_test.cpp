// Relabelling and cycles.
#include "dag.hpp"
#include "testing.hpp"

using namespace bnfuse;
using namespace bnfuse::testing;

namespace {

template <int W> void test_relabelling(const Rows<W>& dag, Random& random) {
    const int n = static_cast<int>(dag.size());
    const auto order = random_order(n, random);
    CHECK(n, relabelled(relabelled(dag, places(order)), order) == dag);
    CHECK(n, children_of(children_of(dag)) == dag);
}

template <int W> void test_cycles(Rows<W> dag, Random& random) {
    const int n = static_cast<int>(dag.size());
    CHECK(n, find_cycle(dag).empty());
    if (n == 1) return;
    // Closes a path of random length somewhere into a cycle.
    const auto path = random_order(n, random);
    const int length = 2 + static_cast<int>(random.below(n - 1));
    for (int i = 0; i < length; ++i) dag[path[(i + 1) % length]].set(path[i]);
    const auto cycle = find_cycle(dag);
    CHECK(n, cycle.size() >= 2);
    bool closed = true;
    for (std::size_t i = 0; i < cycle.size(); ++i) closed &= dag[cycle[(i + 1) % cycle.size()]].test(cycle[i]);
    CHECK(n, closed);
    std::vector<int> distinct = cycle;
    std::ranges::sort(distinct);
    CHECK(n, std::ranges::adjacent_find(distinct) == distinct.end());
}

void test_all() {
    each_size([]<int W>(int n, int round, Random& random) {
        const auto dag = random_dag<W>(n, arcs_of_round(n, round), random);
        test_relabelling(dag, random);
        test_cycles(dag, random);
    });
}

const Suite suite("dag", test_all);

} // namespace
