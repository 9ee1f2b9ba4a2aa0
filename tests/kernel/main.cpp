// Runs the suites that are named on the command line, or all.
#include "testing.hpp"

#include <atomic>
#include <cstdio>
#include <cstring>

namespace bnfuse::testing {

namespace {

std::atomic<int> passed{0}, failed{0};

struct Entry {
    const char* name;
    void (*run)();
};
std::vector<Entry>& suites() {
    static std::vector<Entry> all;
    return all;
}

} // namespace

void check(bool holds, const char* claim, const char* file, int line, int n) {
    ++(holds ? passed : failed);
    if (!holds) std::printf("%s:%d: n=%d: %s\n", file, line, n, claim);
}

Suite::Suite(const char* name, void (*run)()) { suites().push_back({name, run}); }

} // namespace bnfuse::testing

int main(int count, char** names) {
    using namespace bnfuse::testing;
    std::ranges::sort(suites(), [](const auto& a, const auto& b) { return std::strcmp(a.name, b.name) < 0; });
    int ran = 0;
    for (const auto& suite : suites()) {
        bool wanted = count < 2;
        for (int i = 1; i < count; ++i) wanted |= !std::strcmp(names[i], suite.name);
        if (!wanted) continue;
        ++ran;
        suite.run();
    }
    std::printf("%d suites, %d passed, %d failed\n", ran, passed.load(), failed.load());
    return failed || !passed ? 1 : 0;
}
