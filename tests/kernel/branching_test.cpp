// Branchings, support negative or not, and the wide numbers behind them.
#include "branching.hpp"
#include "testing.hpp"

#include <optional>

using namespace bnfuse;
using namespace bnfuse::testing;

namespace {

// Branchings by trying every choice of parents.
void test_branching(int n, Random& random) {
    std::vector<WeightedArc> arcs;
    for (int u = 0; u < n; ++u)
        for (int v = 0; v < n; ++v)
            if (u != v && random.below(4))
                arcs.push_back({u, v, static_cast<Weight>(random.below(7)) - 2,
                                static_cast<Weight>(random.below(5)) - 2, u == 0 && v == 1});
    const auto value = [&](const std::vector<int>& parent) { // nothing when there is a cycle
        std::array<Weight, 3> sum{};
        Rows<1> rows(n);
        for (const auto& arc : arcs) {
            if (parent[arc.to] != arc.from) continue;
            rows[arc.to].set(arc.from);
            sum[0] += arc.required;
            sum[1] += arc.gain;
            sum[2] += arc.support;
        }
        return find_cycle(rows).empty() ? std::optional(sum) : std::nullopt;
    };
    const auto is_arc = [&](int u, int v) {
        return std::ranges::any_of(arcs, [&](const auto& arc) { return arc.from == u && arc.to == v; });
    };
    const auto found = MaximumBranching<Wide>(n, arcs)();
    CHECK(n, MaximumBranching<TwoWords>(n, arcs)() == found);
    bool known = true;
    for (int v = 0; v < n; ++v) known &= found[v] < 0 || is_arc(found[v], v);
    CHECK(n, known);
    std::optional<std::array<Weight, 3>> most;
    std::vector<int> parent(n, -1);
    for (bool more = true; more;) {
        bool exists = true;
        for (int v = 0; v < n; ++v) exists &= parent[v] < 0 || is_arc(parent[v], v);
        if (exists) most = std::max(most, value(parent));
        int v = 0;
        while (v < n && ++parent[v] == n) parent[v++] = -1;
        more = v < n;
    }
    CHECK(n, value(found) == most);
}

#if defined(__SIZEOF_INT128__)
// Sums, differences, shifts and comparisons like those of the compiler's own numbers.
void test_wide_numbers(Random& random) {
    const auto draw = [&] { return static_cast<std::int64_t>(random.next()) >> random.below(64); };
    Wide a = draw(), b = draw();
    TwoWords c = static_cast<std::int64_t>(a), d = static_cast<std::int64_t>(b);
    for (int step = 0; step < 50; ++step) {
        const int bits = 1 + static_cast<int>(random.below(60));
        const auto x = draw() >> 8;
        switch (random.below(4)) {
        case 0: a += Wide{x} << bits, c += TwoWords{x} << bits; break;
        case 1: b -= Wide{x} << bits, d -= TwoWords{x} << bits; break;
        case 2: a -= b, c -= d; break;
        default: std::swap(a, b), std::swap(c, d);
        }
        CHECK(step, (a < b) == (c < d) && (a > b) == (c > d) && (a == b) == (c == d));
        if (a > (Wide{1} << 120) || a < -(Wide{1} << 120)) a = x, c = x;
        if (b > (Wide{1} << 120) || b < -(Wide{1} << 120)) b = x, d = x;
    }
    CHECK(0, ((Wide{5} << 100) > (Wide{4} << 100)) == ((TwoWords{5} << 100) > (TwoWords{4} << 100)));
}
#endif

void test_all() {
    for (int round = 0; round < 40; ++round) {
        Random random(round, 2);
        test_branching(1 + round % 5, random);
#if defined(__SIZEOF_INT128__)
        test_wide_numbers(random);
#endif
    }
}

const Suite suite("branching", test_all);

} // namespace
