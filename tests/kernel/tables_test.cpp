// Limits on the tables of cliques: counted as plain products count them, and kept by every bag of a chain.
#include "direct.hpp"
#include "testing.hpp"

using namespace bnfuse;
using namespace bnfuse::testing;

namespace {

using States = std::vector<std::uint64_t>;

States random_states(int n, std::uint32_t most, Random& random) {
    States states(n);
    for (auto& count : states) count = 1 + random.below(most);
    return states;
}

// Whether a product is within a limit, by division.
bool is_within(const States& states, const std::vector<int>& members, std::uint64_t most) {
    for (const int v : members) most /= states[v];
    return most > 0;
}

// How many members have to go, by trying every number of them: those with the most states go first.
int plain_excess(const States& states, std::vector<int> members, std::uint64_t most) {
    std::ranges::sort(members, {}, [&](int v) { return states[v]; });
    int gone = 0;
    for (; !is_within(states, members, most); ++gone) members.pop_back();
    return gone;
}

template <int W> void test_counts(int n, std::uint32_t largest, std::uint64_t most, Random& random) {
    const auto states = random_states(n, largest, random);
    const int clique_limit = 1 + static_cast<int>(random.below(9));
    const TableLimit tables(states, most, clique_limit);
    for (int round = 0; round < 50; ++round) {
        const int v = static_cast<int>(random.below(static_cast<std::uint32_t>(n)));
        Bits<W> neighbours;
        for (int i = static_cast<int>(random.below(12)); i > 0; --i)
            neighbours.set(static_cast<int>(random.below(static_cast<std::uint32_t>(n))));
        neighbours.reset(v);
        std::vector<int> members{v};
        neighbours.each([&](int u) { members.push_back(u); });
        const bool within = is_within(states, members, most);
        CHECK(n, tables.allows(members) == within);
        const int excess = plain_excess(states, members, most);
        CHECK(n, tables(neighbours, v) == (within ? static_cast<int>(members.size()) : clique_limit + excess));
        std::uint64_t product = 1;
        for (const int u : members) product *= states[u];
        CHECK(n, tables.table(neighbours, v) == (within ? product : TableLimit::too_large));
        const auto turned = tables.of({members.rbegin(), members.rend()});
        std::vector<int> labels(members.size());
        std::iota(labels.begin(), labels.end(), 0);
        CHECK(n, turned.allows(labels) == within);
    }
}

template <int W> void test_elimination(int n, Random& random) {
    const auto graph = random_graph<W>(n, 2 * n, random);
    const auto states = random_states(n, 6, random);
    const std::uint64_t most = 6 + random.below(2'000);
    for (const int limit : {2, 4, n}) {
        const TableLimit tables(states, most, limit);
        const auto found = min_fill(graph, limit, tables);
        if (found.clique > limit) continue;
        CHECK(n, is_permutation(found.order, n));
        CHECK(n, plain_clique(graph, found.order) <= limit);
        CHECK(n, eliminated_along(graph, found.order, tables).clique <= limit);
        auto rest = graph;
        for (const int v : found.order) {
            std::vector<int> members{v};
            rest[v].each([&](int u) { members.push_back(u); });
            CHECK(n, is_within(states, members, most));
            eliminate(rest, v, [](int, int) {});
        }
    }
}

void test_chain(int n, int limit, std::uint64_t most) {
    Random random(n, most);
    const auto states = random_states(n, 5, random);
    DirectProblem problem{n, limit, limit - 1, PairWeights(n), PairWeights(n), {}, {}, 4.0, 4.0, 1.0 / 64, {}};
    problem.rules.assign(static_cast<std::size_t>(n) * n, 0);
    for (int u = 0; u < n; ++u)
        for (int v = 0; v < n; ++v) {
            if (u == v) continue;
            problem.gain(u, v) = problem.gain(v, u) = static_cast<Weight>(random.below(11)) - 4;
            problem.rules[static_cast<std::size_t>(u) * n + v] = 1;
            problem.arcs.emplace_back(u, v);
        }
    problem.tables = TableLimit(states, most, limit);
    Chain chain(problem, 1, 0);
    chain.anneal(0, 200 * n, 200 * n);
    chain.tidy();
    std::vector<int> bag;
    for (const int v : chain.best().bags) {
        if (v >= 0) {
            bag.push_back(v);
            continue;
        }
        CHECK(n, is_within(states, bag, most) && static_cast<int>(bag.size()) <= limit);
        bag.clear();
    }
    CHECK(n, chain.best().score.gain > 0);
}

void test_all() {
    Random random(11, 0);
    for (const int n : {1, 5, 20, 64}) {
        test_counts<1>(n, 9, 100, random);
        test_counts<1>(n, 3'000, std::uint64_t{1} << 62, random);
        test_counts<1>(n, 1, 1, random);
    }
    test_counts<2>(100, 40, 100'000, random);
    for (int n = 2; n < 30; ++n) test_elimination<1>(n, random);
    test_elimination<2>(90, random);
    for (const int n : {4, 10, 25, 70}) {
        test_chain(n, 4, 30);
        test_chain(n, n, 200);
    }
    using Bad = std::invalid_argument;
    CHECK(2, throws<Bad>([] { TableLimit({2, 0}, 10, 2); }) && throws<Bad>([] { TableLimit({2, 11}, 10, 2); }));
    CHECK(2, !TableLimit().is_set() && TableLimit().allows({0, 1, 2}) && !TableLimit().of({0}).is_set());
}

const Suite suite("tables", test_all);

} // namespace
