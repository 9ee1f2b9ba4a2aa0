// The exact clique size and each of its parts, by themselves, against brute force.
#include "exact.hpp"
#include "testing.hpp"

using namespace bnfuse;
using namespace bnfuse::testing;

namespace {

constexpr std::int64_t plenty = 1'000'000;

bool is_connected(const Rows<1>& graph) {
    const auto all = first<1>(static_cast<int>(graph.size()));
    return part_around(graph, all, 0) == all;
}

Rows<1> grid(int height, int width) {
    Rows<1> graph(height * width);
    const auto join = [&](int a, int b) { graph[a].set(b), graph[b].set(a); };
    for (int row = 0; row < height; ++row)
        for (int column = 0; column < width; ++column) {
            const int v = row * width + column;
            if (column + 1 < width) join(v, v + 1);
            if (row + 1 < height) join(v, v + width);
        }
    return graph;
}

void test_exact(const Rows<1>& graph) {
    const int n = static_cast<int>(graph.size());
    const int clique = brute_force_clique(graph);
    const auto exact = exact_clique(graph, plenty);
    CHECK(n, exact.lower == clique && exact.upper.clique == clique);
    // The heuristics often meet the lower bound, so the decision itself is asked at each limit too.
    for (int limit = 1; limit <= n; ++limit) {
        auto left = plenty, left_without = plenty;
        std::vector<int> order;
        const auto answer = decide_clique(graph, limit, left, &order);
        CHECK(n, answer == (limit < clique ? Answer::no : Answer::yes));
        CHECK(n, decide_clique(graph, limit, left_without) == answer && left == left_without);
        if (answer == Answer::yes) CHECK(n, is_permutation(order, n) && plain_clique(graph, order) <= limit);
    }
    CHECK(n, minor_min_width(graph, first<1>(n)) <= clique);
    const auto unproven = exact_clique(graph, 1);
    CHECK(n, unproven.lower <= clique && clique <= unproven.upper.clique);
    CHECK(n, plain_clique(graph, unproven.upper.order) == unproven.upper.clique);
}

// The dynamic programme alone: on graphs that reductions and separators would have made smaller.
void test_feasible_sets(const Rows<1>& graph) {
    const int n = static_cast<int>(graph.size());
    const int clique = brute_force_clique(graph);
    for (int limit = 1; limit < n; ++limit) {
        auto left = plenty;
        FeasibleSets<1> sets(graph, limit, left);
        const auto answer = sets.decide();
        CHECK(n, answer == (limit < clique ? Answer::no : Answer::yes));
        if (answer != Answer::yes) continue;
        Rows<1> filled(n);
        bool within = true;
        sets.each_bag([&](const Bits<1>& bag) {
            within &= bag.count() <= limit;
            bag.each([&](int v) { filled[v] |= bag; });
        });
        CHECK(n, within);
        bool covered = true;
        for (int v = 0; v < n; ++v) {
            filled[v].reset(v);
            covered &= count_missing(graph[v], filled[v]) == 0;
        }
        CHECK(n, covered);
        CHECK(n, plain_clique(filled, max_cardinality(filled).order) <= limit);
    }
}

void test_states(const Rows<1>& graph) { // few of them never give a wrong answer
    const int n = static_cast<int>(graph.size());
    const int clique = brute_force_clique(graph);
    for (int states = 0; states < 40; states += 3)
        for (int limit = 2; limit < n; ++limit) {
            std::int64_t left = states;
            FeasibleSets<1> sets(graph, limit, left);
            const auto answer = sets.decide();
            CHECK(n, answer == Answer::unknown || answer == (limit < clique ? Answer::no : Answer::yes));
        }
}

// What reductions leave fits a limit exactly when the graph does.
void test_reduction(const Rows<1>& graph) {
    const int n = static_cast<int>(graph.size());
    const int clique = brute_force_clique(graph);
    for (int limit = 1; limit <= n; ++limit) {
        Reduction<1> reduce(graph, limit);
        int largest = 0;
        const bool fits =
            reduce([&](int, const Bits<1>& neighbours) { largest = std::max(largest, neighbours.count() + 1); });
        CHECK(n, largest <= limit);
        if (!fits) CHECK(n, clique > limit);
        if (!fits) continue;
        auto rest = reduce.graph();
        for (int v = 0; v < n; ++v)
            if (!reduce.left().test(v)) rest[v] = {};
        CHECK(n, (brute_force_clique(rest) <= limit) == (clique <= limit));
    }
}

// The largest clique of the pieces is the graph's.
bool test_safe_separator(const Rows<1>& graph) {
    const int n = static_cast<int>(graph.size());
    auto left = plenty;
    const auto separator = SafeSeparators<1>(graph, left)();
    if (!separator) return false;
    auto filled = graph;
    separator->each([&](int v) {
        filled[v] |= *separator;
        filled[v].reset(v);
    });
    int largest = 0, pieces = 0;
    each_part(filled, first<1>(n) - *separator, [&](const Bits<1>& part, const Bits<1>& seen) {
        auto piece = filled;
        for (int v = 0; v < n; ++v) piece[v] = (part | seen).test(v) ? piece[v] & (part | seen) : Bits<1>{};
        largest = std::max(largest, brute_force_clique(piece));
        ++pieces;
    });
    CHECK(n, pieces >= 2 && largest == brute_force_clique(graph));
    return true;
}

template <int W> void test_union_index(int n, Random& random) {
    const auto graph = random_graph<W>(n, 2 * n, random);
    const auto draw = [&] {
        SeenSet<W> one;
        for (int left = 1 + static_cast<int>(random.below(4)); left > 0; --left)
            one.members.set(static_cast<int>(random.below(n)));
        one.neighbours = neighbours_of(graph, one.members);
        return one;
    };
    UnionIndex<W> index(n);
    std::vector<SeenSet<W>> all;
    for (int i = 0; i < 60; ++i) index.insert(all.emplace_back(draw()));
    for (int i = 0; i < 20; ++i) {
        const auto other = draw();
        const int most = static_cast<int>(random.below(16));
        int expected = 0, found = 0;
        for (const auto& one : all)
            expected += !(one.members & (other.members | other.neighbours)).any() &&
                        (one.neighbours | other.neighbours).count() <= most;
        bool fit = true;
        index.each_beside(other, most, [&](const SeenSet<W>& one) {
            ++found;
            fit &= !(one.members & (other.members | other.neighbours)).any() &&
                   (one.neighbours | other.neighbours).count() <= most;
        });
        CHECK(n, fit && found == expected);
    }
}

void test_all() {
    int separated = 0;
    for (int round = 0; round < 300; ++round) {
        Random random(round, 1);
        const int n = 2 + round % 9;
        const auto graph = random_graph<1>(n, n + static_cast<int>(random.below(n * n / 2)), random);
        test_exact(graph);
        test_reduction(graph);
        if (!is_connected(graph)) continue;
        test_feasible_sets(graph);
        if (round % 3 == 0) test_states(graph);
        separated += test_safe_separator(graph);
    }
    CHECK(separated, separated > 20);
    for (const auto& graph : {grid(2, 5), grid(3, 3), grid(3, 4)}) {
        test_exact(graph);
        test_feasible_sets(graph);
        test_reduction(graph);
    }
    Rows<1> cube(8);
    for (int v = 0; v < 8; ++v)
        for (int bit = 1; bit < 8; bit *= 2) cube[v].set(v ^ bit);
    test_reduction(cube);
    test_exact(cube);
    for (int round = 0; round < 20; ++round) {
        Random random(round, 3);
        test_union_index<1>(10 + round, random);
        test_union_index<2>(70 + round, random);
    }
}

const Suite suite("exact", test_all);

} // namespace
