// Bitsets against a vector of bool.
#include "bitset.hpp"
#include "testing.hpp"

using namespace bnfuse;
using namespace bnfuse::testing;

namespace {

template <int W> void test_bits(int n, Random& random) {
    std::vector<bool> a_plain(n), b_plain(n);
    Bits<W> a, b;
    for (int i = 0; i < n; ++i) {
        if (random.below(3) == 0) a_plain[i] = true, a.set(i);
        if (random.below(3) == 0) b_plain[i] = true, b.set(i);
    }
    std::vector<int> members, visited;
    int common = 0, missing = 0, either = 0;
    for (int i = 0; i < n; ++i) {
        if (a_plain[i]) members.push_back(i);
        common += a_plain[i] && b_plain[i];
        missing += a_plain[i] && !b_plain[i];
        either += a_plain[i] || b_plain[i];
    }
    a.each([&](int i) { visited.push_back(i); });
    CHECK(n, visited == members);
    CHECK(n, a.count() == static_cast<int>(members.size()));
    CHECK(n, a.any() == !members.empty());
    CHECK(n, a.lowest() == (members.empty() ? -1 : members.front()));
    CHECK(n, a.highest() == (members.empty() ? -1 : members.back()));
    CHECK(n, count_common(a, b) == common && (a & b).count() == common);
    CHECK(n, count_missing(a, b) == missing && (a - b).count() == missing);
    CHECK(n, (a | b).count() == either);
    CHECK(n, first<W>(n).count() == n && first<W>(n).highest() == n - 1);
    if (!members.empty()) {
        a.reset(members.back());
        CHECK(n, !a.test(members.back()) && a.count() == static_cast<int>(members.size()) - 1);
    }
}

void test_all() {
    each_size([]<int W>(int n, int, Random& random) {
        static_assert(W <= most_words);
        CHECK(n, n <= Bits<W>::capacity);
        test_bits<W>(n, random);
    });
}

const Suite suite("bitset", test_all);

} // namespace
