// Streams of random numbers.
#include "random.hpp"
#include "testing.hpp"

using namespace bnfuse;
using namespace bnfuse::testing;

namespace {

void test_all() {
    Random a(1, 2), same(1, 2), other_stream(1, 3), other_seed(2, 2);
    int same_numbers = 0, shared = 0;
    for (int i = 0; i < 100; ++i) {
        const auto number = a.next();
        same_numbers += number == same.next();
        shared += (number == other_stream.next()) + (number == other_seed.next());
    }
    CHECK(100, same_numbers == 100);
    CHECK(100, shared == 0);
    std::vector<int> seen(7);
    for (int i = 0; i < 7000; ++i) ++seen[a.below(7)];
    CHECK(7, std::ranges::all_of(seen, [](int times) { return times > 800 && times < 1200; }));
}

const Suite suite("random", test_all);

} // namespace
