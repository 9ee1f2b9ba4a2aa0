// Distances against plain counts.
#include "distances.hpp"
#include "testing.hpp"

using namespace bnfuse;
using namespace bnfuse::testing;

namespace {

template <int W> int plain_shd(const Rows<W>& a, const Rows<W>& b) {
    int total = 0;
    for (int u = 0; u < static_cast<int>(a.size()); ++u)
        for (int v = 0; v < u; ++v) total += a[u].test(v) != b[u].test(v) || a[v].test(u) != b[v].test(u);
    return total;
}

template <int W> void test_distances(const Rows<W>& a, const Rows<W>& b) {
    const int n = static_cast<int>(a.size());
    const auto a_moral = moral_graph(a), b_moral = moral_graph(b);
    CHECK(n, shd(a, b) == plain_shd(a, b) && shd(b, a) == plain_shd(a, b) && shd(a, a) == 0);
    CHECK(n, moral_difference(a_moral, b_moral) == plain_shd(a_moral, b_moral));
    CHECK(n, moral_difference(b_moral, a_moral) == moral_difference(a_moral, b_moral));
    Fsim<W> fsim;
    const int directed = fsim(a, b, true), undirected = fsim(a, b, false);
    CHECK(n, fsim(b, a, true) == directed && fsim(b, a, false) == undirected);
    CHECK(n, 0 <= undirected && undirected <= directed);
    CHECK(n, fsim(a, a, true) == 0);
}

void test_all() {
    each_size([]<int W>(int n, int round, Random& random) {
        const int arcs = arcs_of_round(n, round);
        const auto a = random_dag<W>(n, arcs, random), b = random_dag<W>(n, arcs, random);
        test_distances(a, b);
    });
}

const Suite suite("distances", test_all);

} // namespace
