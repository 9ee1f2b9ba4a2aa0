// Inequalities for proofs against every graph over a few vertices: none within the limit breaks any, and what is over
// the limit is found.
#include "separation.hpp"
#include "testing.hpp"

using namespace bnfuse;
using namespace bnfuse::testing;

namespace {

struct Drawn {
    int n;
    std::vector<Edge> edges;
};

Drawn drawn(int n, Random& random) {
    Drawn graph{n, {}};
    for (int a = 0; a < n; ++a)
        for (int b = 0; b < a; ++b)
            if (random.below(6)) graph.edges.push_back({a, b, 1});
    return graph;
}

int clique_of(const Drawn& graph, std::uint32_t kept) {
    Rows<1> rows(graph.n);
    for (std::size_t i = 0; i < graph.edges.size(); ++i) {
        if (!(kept >> i & 1)) continue;
        rows[graph.edges[i].a].set(graph.edges[i].b);
        rows[graph.edges[i].b].set(graph.edges[i].a);
    }
    return brute_force_clique(rows);
}

int common(const std::vector<int>& edges, std::uint32_t kept) {
    return static_cast<int>(std::ranges::count_if(edges, [&](int edge) { return kept >> edge & 1; }));
}

void test_against_all_graphs(int n, int limit, Random& random) {
    const auto graph = drawn(n, random);
    const Separation separation(n, graph.edges, limit, {});
    std::vector<double> choice;
    for (std::size_t i = 0; i < graph.edges.size(); ++i)
        choice.push_back(random.below(3) ? 1.0 : random.below(100) / 100.0);
    const auto obstructions = separation.obstructions(choice, 4, 1);
    const auto excesses = separation.excesses(choice, 4, 1'000);
    auto minors = separation.minors(choice, 4, 1);
    std::vector<Weight> weights(graph.edges.size());
    for (auto& weight : weights) weight = 1 + random.below(9);
    for (auto& one : separation.bounding_minors(weights, 3)) minors.push_back(std::move(one));
    const auto ranks = separation.ranks(choice, choice, 4);
    const int k = limit - 1;
    for (std::uint32_t kept = 0; kept < 1u << graph.edges.size(); ++kept) {
        std::vector<int> chosen;
        for (int i = 0; i < static_cast<int>(graph.edges.size()); ++i)
            if (kept >> i & 1) chosen.push_back(i);
        const bool fits = clique_of(graph, kept) <= limit;
        CHECK(n, separation.fits(chosen) == fits);
        if (!fits) continue;
        for (const auto& one : obstructions) CHECK(n, common(one, kept) < static_cast<int>(one.size()));
        for (const auto& one : excesses)
            CHECK(n, common(one.edges, kept) <= static_cast<int>(one.edges.size()) - one.excess);
        for (const auto& one : minors)
            CHECK(n, common(one.representatives, kept) + k * common(one.contracted, kept) <= one.limit);
        for (const auto& one : ranks) CHECK(n, common(one.edges, kept) <= one.rank);
    }
}

void test_whole_choices(int n, int limit, Random& random) {
    const auto graph = drawn(n, random);
    const Separation separation(n, graph.edges, limit, {});
    const int clique = clique_of(graph, (1u << graph.edges.size()) - 1);
    const bool is_over = clique > limit;
    const auto found = separation.obstructions(std::vector<double>(graph.edges.size(), 1.0), 3, 2);
    CHECK(n, found.empty() != is_over);
    const auto excesses = separation.excesses(std::vector<double>(graph.edges.size(), 1.0), 9, 1'000);
    CHECK(n, static_cast<int>(excesses.size()) == std::max(clique - limit - 1, 0)); // one of each from 2 on
    for (const auto& one : found)
        for (const int gone : one) {
            auto rest = one;
            std::erase(rest, gone);
            CHECK(n, separation.fits(rest));
        }
}

void test_all() {
    for (int round = 0; round < 12; ++round) {
        Random random(round, 5);
        test_against_all_graphs(4 + round % 2, 2 + round % 3, random);
        test_whole_choices(5 + round % 3, 3 + round % 2, random);
    }
}

const Suite suite("separation", test_all);

} // namespace
