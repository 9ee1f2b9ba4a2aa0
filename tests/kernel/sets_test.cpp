// The search over parent sets: a cover that proves what it claims, networks that keep their limits however they are
// ended, proofs against all orders.
#include "exact_sets.hpp"
#include "testing.hpp"

#include <set>

using namespace bnfuse;
using namespace bnfuse::testing;

namespace {

constexpr double units = 1 << 20;

std::vector<std::uint8_t> all_allowed(int n) {
    std::vector<std::uint8_t> rules(static_cast<std::size_t>(n) * n, 1);
    for (int v = 0; v < n; ++v) rules[static_cast<std::size_t>(v) * n + v] = 0;
    return rules;
}

std::vector<std::vector<ScoredSet>> random_sets(int n, int each, Random& random) {
    std::vector<std::vector<ScoredSet>> all(n);
    for (int v = 0; v < n; ++v) {
        std::set<ParentSet> seen{{}};
        all[v].push_back({0, {}});
        for (int i = 0; i < each; ++i) {
            std::set<int> parents;
            for (auto left = 1 + random.below(3); left > 0; --left)
                if (const int u = static_cast<int>(random.below(n)); u != v) parents.insert(u);
            const ParentSet set(parents.begin(), parents.end());
            if (seen.insert(set).second) all[v].push_back({static_cast<Points>(random.below(30) * units), set});
        }
    }
    return all;
}

std::vector<SetList> lists_of(const std::vector<std::vector<ScoredSet>>& sets, const SetRules& rules) {
    std::vector<SetList> lists;
    for (int v = 0; v < rules.n; ++v) lists.push_back(useful_sets(v, sets[v], rules));
    return lists;
}

template <int W> Rows<W> rows_of(const std::vector<ParentSet>& parents) {
    Rows<W> rows(parents.size());
    for (std::size_t v = 0; v < rows.size(); ++v)
        for (const int u : parents[v]) rows[v].set(u);
    return rows;
}

// The largest table along an order, over a plain matrix.
template <int W> std::uint64_t plain_table(const Rows<W>& graph, const std::vector<int>& order,
                                           const std::vector<std::uint64_t>& states) {
    const int n = static_cast<int>(graph.size());
    std::vector<std::vector<char>> joined(n, std::vector<char>(n));
    for (int v = 0; v < n; ++v) graph[v].each([&](int u) { joined[v][u] = 1; });
    const auto place = places(order);
    std::uint64_t largest = 0;
    for (const int v : order) {
        std::vector<int> later;
        std::uint64_t table = states[v];
        for (int u = 0; u < n; ++u)
            if (joined[v][u] && place[u] > place[v]) {
                later.push_back(u);
                table *= states[u];
            }
        largest = std::max(largest, table);
        for (const int a : later)
            for (const int b : later) joined[a][b] = a != b;
    }
    return largest;
}

void check_found(const FoundSets& found, const std::vector<std::vector<ScoredSet>>& sets, const SetRules& rules,
                 const std::vector<std::uint64_t>& states, std::uint64_t most) {
    Points score = 0;
    for (int v = 0; v < rules.n; ++v)
        for (const auto& set : sets[v])
            if (set.parents == found.parents[v]) score += set.score;
    CHECK(rules.n, score == found.score);
    with_words(rules.n, [&]<int W>() {
        const auto rows = rows_of<W>(found.parents);
        CHECK(rules.n, find_cycle(rows).empty());
        if (!rules.is_limited()) return;
        CHECK(rules.n, is_permutation(found.order, rules.n));
        const auto moral = moral_graph(rows);
        CHECK(rules.n, plain_clique(moral, found.order) <= rules.limit);
        if (rules.tables.is_set()) CHECK(rules.n, plain_table(moral, found.order, states) <= most);
    });
}

void test_search(int n, int limit, std::uint64_t most) {
    Random random(11, n);
    std::vector<std::uint64_t> states;
    for (int v = 0; v < n; ++v) states.push_back(2 + random.below(3));
    SetRules rules{n, limit, limit - 1, all_allowed(n)};
    if (most) rules.tables = TableLimit(states, most, limit);
    const auto sets = random_sets(n, 10, random);
    const auto lists = lists_of(sets, rules);
    SetSearch alone(rules, lists, {3, 2, 60}, units, 5), together(rules, lists, {3, 2, 60}, units, 5);
    while (!alone.is_done()) {
        CHECK(n, alone.round(1) && together.round(3));
        check_found(alone.best(), sets, rules, states, most);
        CHECK(n, alone.best().parents == together.best().parents && alone.best().order == together.best().order);
    }
    CHECK(n, alone.best().score > 0);
    for (int looks = 0; looks < 60 && n < 200; looks += 1 + looks / 4) { // ended at any look
        SetSearch ended(rules, lists, {3, 2, 60}, units, 5);
        Watch watch(nullptr, HUGE_VAL, looks);
        const Watched now(&watch);
        ended.round(1);
        check_found(ended.best(), sets, rules, states, most);
    }
}

// Where sets are only added, what the cover says no to would need a larger bag along its order.
void test_cover() {
    for (int round = 0; round < 40; ++round) {
        Random random(12, round);
        const int n = 6 + round % 30, limit = 2 + round % 4;
        const TableLimit none;
        ChordalCover<1> cover({n, limit, none});
        Rows<1> graph(n);
        for (int step = 0; step < 60; ++step) {
            std::set<int> family;
            while (static_cast<int>(family.size()) < std::min(n, 2 + static_cast<int>(random.below(2))))
                family.insert(static_cast<int>(random.below(n)));
            const int v = *family.begin();
            const std::vector<std::uint16_t> parents(std::next(family.begin()), family.end());
            auto larger = graph;
            for (const int a : family)
                for (const int b : family)
                    if (a != b) larger[a].set(b);
            cover.mark();
            if (cover.extend(v, parents)) {
                graph = larger;
                CHECK(n, cover.holds(v, parents));
            } else {
                cover.undo();
                const std::vector<int> members(family.begin(), family.end());
                if (cover.tighten(larger) || cover.eliminate_above(members, larger, random) ||
                    cover.eliminate_all(larger, random))
                    graph = larger;
                else
                    CHECK(n, plain_clique(larger, cover.order()) > limit);
            }
            CHECK(n, is_permutation(cover.order(), n) && plain_clique(graph, cover.order()) <= limit);
        }
    }
}

// The best of all orders: each variable takes its best set among those before it.
Points best_of_all_orders(const std::vector<std::vector<ScoredSet>>& sets) {
    std::vector<int> order(sets.size());
    std::iota(order.begin(), order.end(), 0);
    Points best = refused;
    do {
        Points score = 0;
        const auto place = places(order);
        for (const int v : order) {
            Points own = refused;
            for (const auto& set : sets[v])
                if (std::ranges::all_of(set.parents, [&](int u) { return place[u] < place[v]; }))
                    own = std::max(own, set.score);
            score += own;
        }
        best = std::max(best, score);
    } while (std::next_permutation(order.begin(), order.end()));
    return best;
}

void test_proofs() {
    for (int round = 0; round < 25; ++round) {
        Random random(13, round);
        const int n = 1 + round % 7;
        const auto sets = random_sets(n, 12, random);
        const SetRules rules{n, n, n - 1, all_allowed(n)};
        const auto lists = lists_of(sets, rules);
        FoundSets nothing{0, std::vector<ParentSet>(n), {}}; // the empty sets score 0
        const auto proof = proven(lists, nothing, 1 << 20);
        CHECK(n, proof.is_whole && proof.bound == proof.best.score);
        CHECK(n, proof.best.score == best_of_all_orders(sets));
        check_found(proof.best, sets, rules, {}, 0);
        const auto cut = proven(lists, nothing, 1);
        CHECK(n, cut.bound >= proof.bound);
        for (int looks = 0; looks < 4; ++looks) {
            Watch watch(nullptr, HUGE_VAL, looks);
            const Watched now(&watch);
            CHECK(n, proven(lists, nothing, 1 << 20).bound >= proof.bound);
        }
    }
    CHECK(33, throws<std::invalid_argument>([] { proven(std::vector<SetList>(33), {}, 1); }));
}

void test_useful_sets() {
    const SetRules rules{4, 4, 2, all_allowed(4)};
    const auto list = useful_sets(0, {{5, {}}, {5, {1}}, {7, {2}}, {6, {1, 2}}, {9, {2, 3}}, {99, {1, 2, 3}}}, rules);
    CHECK(4, list.size() == 3 && list.score(0) == 9 && list.score(1) == 7 && list.score(2) == 5);
    CHECK(4, list.at_least(7) == 2 && list.at_least(8) == 1 && list.at_least(0) == 3 && list.at_least(10) == 0);
    CHECK(4, list.find({2}) == 1 && list.find({1}) == -1 && list.has(0, 3) && !list.has(1, 3));
    auto required = rules;
    required.rules[1 * 4 + 0] = 3;
    CHECK(4, useful_sets(0, {{5, {}}, {4, {1}}, {7, {2}}, {3, {1, 2}}}, required).size() == 1);
}

void test_all() {
    test_useful_sets();
    test_cover();
    test_proofs();
    for (const int n : {2, 5, 33, 65, 130, 300}) {
        test_search(n, std::min(n, 3), 0);
        test_search(n, std::min(n, 4), 40);
        test_search(n, n, 0);
    }
}

const Suite suite("sets", test_all);

} // namespace
