// Direct search: what a chain says of its network, against the network itself; and small problems by trying all DAGs.
#include "bounds.hpp"
#include "direct_search.hpp"
#include "kernel.hpp"
#include "testing.hpp"

using namespace bnfuse;
using namespace bnfuse::testing;

namespace {

DirectProblem random_direct_problem(int n, int limit, int max_parents, bool by_arc, Random& random) {
    constexpr int total = 9;
    DirectProblem problem{n,  limit,       max_parents, PairWeights(n), PairWeights(n), {},
                          {}, 1.5 * total, 2.0}; // hot to the end: the worse the moves, the better the test
    problem.by_arc = by_arc;
    problem.rules.resize(static_cast<std::size_t>(n) * n);
    const auto reach = static_cast<std::uint32_t>(std::max(2, n / 3));
    const auto order = random_order(n, random);
    for (int pair = 0; pair < 5 * n && n > 1; ++pair) {
        const int a = static_cast<int>(random.below(n));
        const int b = (a + 1 + static_cast<int>(random.below(reach))) % n;
        if (a == b) continue;
        const int u = order[a], v = order[b];
        const auto gain = [&] { return static_cast<Weight>(random.below(2 * total + 1)) - total / 2; };
        problem.gain(u, v) = problem.gain(v, u) = gain();
        if (by_arc) problem.gain(v, u) = gain();
        for (const auto& [source, target] : {std::pair{u, v}, std::pair{v, u}}) {
            problem.support(source, target) = random.below(total);
            if (random.below(8)) problem.rules[static_cast<std::size_t>(source) * n + target] |= 1;
        }
    }
    for (int u = 0; u < n; ++u)
        for (int v = 0; v < n; ++v)
            if (problem.allowed(u, v)) problem.arcs.emplace_back(u, v);
    return problem;
}

std::vector<std::vector<int>> split_bags(const std::vector<int>& all) {
    std::vector<std::vector<int>> bags(1);
    for (const int v : all) {
        if (v >= 0)
            bags.back().push_back(v);
        else
            bags.emplace_back();
    }
    bags.pop_back();
    return bags;
}

// Bags can be joined into trees in which those of each variable are connected exactly when the heaviest spanning forest
// of their intersections weighs as much as the bags' sizes do beyond one place for each variable.
bool have_running_intersection(const std::vector<std::vector<int>>& bags, int n) {
    std::vector<std::vector<int>> bags_of(n);
    int places_taken = 0, present = 0;
    for (int bag = 0; bag < static_cast<int>(bags.size()); ++bag)
        for (const int v : bags[bag]) {
            bags_of[v].push_back(bag);
            ++places_taken;
        }
    for (const auto& list : bags_of) present += !list.empty();
    std::vector<int> attraction(bags.size()), taken(bags.size());
    int weight = 0;
    for (std::size_t step = 0; step < bags.size(); ++step) {
        int next = -1;
        for (int bag = 0; bag < static_cast<int>(bags.size()); ++bag)
            if (!taken[bag] && (next < 0 || attraction[bag] > attraction[next])) next = bag;
        taken[next] = 1;
        weight += attraction[next];
        std::vector<int> shared(bags.size());
        for (const int v : bags[next])
            for (const int bag : bags_of[v]) attraction[bag] = std::max(attraction[bag], ++shared[bag]);
    }
    return present == n && weight == places_taken - n;
}

void test_found(const DirectProblem& problem, const Found& found) {
    const int n = problem.n;
    const auto bags = split_bags(found.bags);
    bool within_limits = true, families_lie_in_bags = true, allowed = true;
    for (auto bag : bags) {
        std::ranges::sort(bag);
        within_limits &= static_cast<int>(bag.size()) <= problem.limit;
        within_limits &= std::ranges::adjacent_find(bag) == bag.end();
    }
    Score score;
    with_words(n, [&]<int W>() {
        Rows<W> rows(n), contents(bags.size());
        for (std::size_t bag = 0; bag < bags.size(); ++bag)
            for (const int v : bags[bag]) contents[bag].set(v);
        for (int v = 0; v < n; ++v) {
            within_limits &= static_cast<int>(found.parents[v].size()) <= problem.max_parents;
            for (const int p : found.parents[v]) {
                allowed &= !rows[v].test(p) && (problem.allowed(p, v) || problem.is_required(p, v));
                rows[v].set(p);
                score.support += problem.support(p, v);
                if (problem.by_arc) score.gain += problem.gain(p, v);
                --score.fewer;
            }
            auto family = rows[v];
            family.set(v);
            families_lie_in_bags &=
                std::ranges::any_of(contents, [&](const auto& bag) { return !(family - bag).any(); });
        }
        CHECK(n, find_cycle(rows).empty());
        const auto moral = moral_graph(rows);
        for (int a = 0; a < n; ++a)
            moral[a].each([&](int b) {
                if (a < b && !problem.by_arc) score.gain += problem.gain(a, b);
            });
    });
    for (int u = 0; u < n; ++u)
        for (int v = 0; v < n; ++v)
            if (problem.is_required(u, v)) allowed &= std::ranges::find(found.parents[v], u) != found.parents[v].end();
    CHECK(n, within_limits);
    CHECK(n, allowed);
    CHECK(n, families_lie_in_bags);
    CHECK(n, have_running_intersection(bags, n));
    CHECK(n, score == found.score); // kept up to date through all moves: so are the multiplicities
}

void test_chain(int n, int limit, int max_parents, int stretches, int moves, bool by_arc = false) {
    Random random(n, static_cast<std::uint64_t>(limit));
    auto problem = random_direct_problem(n, limit, max_parents, by_arc, random);
    if (problem.arcs.empty()) return;
    Chain chain(problem, static_cast<std::uint64_t>(n), 0);
    for (int i = 0; i < n / 8; ++i) {
        const auto [u, v] = problem.arcs[random.below(static_cast<std::uint32_t>(problem.arcs.size()))];
        if (!chain.has(u, v) && chain.add(u, v)) problem.rules[static_cast<std::size_t>(u) * n + v] |= 2;
    }
    chain.remember();
    Score best = chain.best().score;
    for (int stretch = 0; stretch < stretches; ++stretch) {
        chain.anneal(std::int64_t{stretch} * moves, std::int64_t{stretch + 1} * moves, std::int64_t{stretches} * moves);
        test_found(problem, chain.current());
        test_found(problem, chain.best());
        CHECK(n, chain.best().score >= best && chain.best().score >= chain.current().score);
        best = chain.best().score;
    }
    chain.polish(moves);
    test_found(problem, chain.current());
    test_found(problem, chain.best());
    CHECK(n, chain.best().score >= best && chain.best().score >= chain.current().score);
    best = chain.best().score;
    // No network within the limit weighs more than the bounds say.
    std::vector<Edge> edges;
    for (int a = 0; a < n; ++a)
        for (int b = 0; b < a; ++b)
            if (const auto gain = std::max(problem.gain(a, b), problem.gain(b, a)); gain > 0)
                edges.push_back({a, b, gain});
    std::ranges::stable_sort(edges, std::greater{}, &Edge::weight);
    const auto rigid = rigidity_weight(n, edges, limit - 1);
    CHECK(n, best.gain <= rigid && minor_weight(n, edges, limit - 1, 0) == rigid);
    if (n > 40) return;
    const auto tight = minor_weight(n, edges, limit - 1, 3);
    CHECK(n, best.gain <= tight && tight <= rigid);
}

// Negative support

// All DAGs of n variables within a limit: the best score, arcs not counted.
Score best_of_all(const DirectProblem& problem) {
    const int n = problem.n;
    std::vector<std::pair<int, int>> pairs;
    for (int a = 0; a < n; ++a)
        for (int b = 0; b < a; ++b) pairs.emplace_back(a, b);
    Score best;
    std::vector<int> choice(pairs.size());
    for (bool more = true; more;) {
        Rows<1> rows(n);
        Score score;
        bool allowed = true;
        for (std::size_t i = 0; i < pairs.size(); ++i) {
            auto [u, v] = pairs[i];
            if (choice[i] == 2) std::swap(u, v);
            if (!choice[i]) continue;
            rows[v].set(u);
            score.support += problem.support(u, v);
            allowed &= problem.allowed(u, v);
        }
        if (allowed && find_cycle(rows).empty()) {
            const auto moral = moral_graph(rows);
            for (int a = 0; a < n; ++a)
                moral[a].each([&](int b) {
                    if (a < b) score.gain += problem.gain(a, b);
                });
            if (score > best && brute_force_clique(moral) <= problem.limit) best = score;
        }
        std::size_t at = 0;
        while (at < choice.size() && ++choice[at] == 3) choice[at++] = 0;
        more = at < choice.size();
    }
    return best;
}

// Random votes of r networks; many ties between arcs that change no distance.
DirectProblem random_votes(int n, int limit, int r, Random& random) {
    DirectProblem problem{n, limit, limit - 1, PairWeights(n), PairWeights(n), {}, {}, 0.8 * r, 4.0, 1.0 / 256};
    problem.rules.resize(static_cast<std::size_t>(n) * n);
    for (int a = 0; a < n; ++a)
        for (int b = 0; b < a; ++b) {
            const int joined = static_cast<int>(random.below(r + 1)),
                      there = static_cast<int>(random.below(joined + 1));
            const int back = static_cast<int>(random.below(joined - there + 1));
            problem.gain(a, b) = problem.gain(b, a) = 2 * joined - r;
            problem.support(a, b) = 2 * (2 * there - r) + 1;
            problem.support(b, a) = 2 * (2 * back - r) + 1;
            for (const auto& [u, v] : {std::pair{a, b}, std::pair{b, a}})
                problem.rules[static_cast<std::size_t>(u) * n + v] = 1;
        }
    return problem;
}

void test_negative_support(int n, int limit, int r, Random& random) {
    const auto problem = random_votes(n, limit, r, random);
    const auto best = best_of_all(problem);
    DirectSearch search(problem, 4, 1, 0);
    search.anneal(0, 4'000, 4'000, 1);
    search.polish(2'000);
    search.tidy();
    const auto found = search.best();
    CHECK(n, found.score.gain == best.gain && found.score.support == best.support);
}

// What tidy promises, on networks that are too large to try all; and that it lowers no score.
void test_tidy(int n, int limit, Random& random) {
    auto problem = random_votes(n, limit, 5, random);
    DirectSearch search(problem, 1, 1, 0);
    search.anneal(0, 300, 1'000'000, 1); // hot: the network has arcs that nobody needs
    const auto before = search.best();
    search.tidy();
    const auto after = search.best();
    CHECK(n, after.score >= before.score);
    const auto gain_of = [&](const ArcList& arcs) {
        Rows<1> rows(n);
        for (const auto& [u, v] : arcs) rows[v].set(u);
        const auto moral = moral_graph(rows);
        Weight gain = 0;
        for (int a = 0; a < n; ++a)
            moral[a].each([&](int b) {
                if (a < b) gain += problem.gain(a, b);
            });
        return gain;
    };
    CHECK(n, gain_of(after.arcs) == after.score.gain);
    bool needed = true;
    for (const auto& arc : after.arcs) {
        auto without = after.arcs;
        std::erase(without, arc);
        const auto gain = gain_of(without);
        needed &= gain < after.score.gain || (gain == after.score.gain && problem.support(arc.first, arc.second) > 0);
    }
    CHECK(n, needed);
}

// Deadlines and bad input

void test_ended_search_can_go_on() {
    Random random(1, 1);
    const auto problem = random_votes(12, 4, 5, random);
    DirectSearch search(problem, 3, 1, 0), twin(problem, 3, 1, 0);
    {
        Watch watch([] { return true; }, 0); // over at once
        const Watched now(&watch);
        CHECK(12, !search.anneal(0, 1'000, 1'000, 2));
        CHECK(12, !search.polish(1'000));
    }
    CHECK(12, search.best().score >= Score{});
    Watch watch([] { return false; }); // never over: the same bits as without
    const Watched now(&watch);
    DirectSearch watched(problem, 3, 1, 0);
    CHECK(12, watched.anneal(0, 9'000, 9'000, 2) && twin.anneal(0, 9'000, 9'000, 1));
    CHECK(12, watched.best().arcs == twin.best().arcs && watched.best().score == twin.best().score);
    CHECK(12, search.anneal(0, 9'000, 9'000, 3));
}

void test_bad_input() {
    Random random(2, 2);
    const auto problem = random_votes(5, 3, 5, random);
    DirectSearch search(problem, 2, 1, 0);
    using Bad = std::invalid_argument;
    const std::vector<int> order{0, 1, 2, 3, 4};
    CHECK(5, throws<Bad>([&] { search.start_from({{0, 5}}); }) && throws<Bad>([&] { search.start_from({{-1, 2}}); }));
    CHECK(5, throws<Bad>([&] { search.start_from({{2, 2}}); }));
    CHECK(5, throws<Bad>([&] { search.start_at({{0, 1}, {1, 0}}, order); }));
    CHECK(5, throws<Bad>([&] { search.start_at({{0, 1}, {0, 1}}, order); }));
    CHECK(5, throws<Bad>([&] { search.start_at({{0, 1}}, {0, 1, 2, 3, 3}); }));
    CHECK(5, throws<Bad>([&] { search.start_at({{0, 1}}, {0, 1, 2}); }));
    CHECK(5, throws<Bad>([&] { search.start_at({{0, 4}, {1, 4}, {2, 4}}, order); })); // over the limit
    CHECK(5, throws<Bad>([&] { search.anneal(5, 4, 10, 1); }) && throws<Bad>([&] { search.anneal(0, 4, 3, 1); }));
    CHECK(5, throws<Bad>([&] { search.anneal(-1, 4, 10, 1); }) && throws<Bad>([&] { search.anneal(0, 4, 10, 0); }));
    CHECK(5, throws<Bad>([&] { search.polish(-1); }));
    CHECK(5, throws<Bad>([&] { DirectSearch(problem, 0, 1, 0); }));
    for (const auto& change : std::initializer_list<void (*)(DirectProblem&)>{
             [](DirectProblem& bad) { bad.n = 0; }, [](DirectProblem& bad) { bad.n = 4; },
             [](DirectProblem& bad) { bad.n = 4096; }, [](DirectProblem& bad) { bad.limit = 0; },
             [](DirectProblem& bad) { bad.max_parents = -1; }, [](DirectProblem& bad) { bad.hot = -1; },
             [](DirectProblem& bad) { bad.decay = std::nan(""); }, [](DirectProblem& bad) { bad.rules[0] = 1; },
             [](DirectProblem& bad) { bad.rules[1] = 4; }, [](DirectProblem& bad) { bad.rules.pop_back(); },
             [](DirectProblem& bad) { bad.support = PairWeights(3); }}) {
        auto bad = problem;
        change(bad);
        CHECK(5, throws<Bad>([&] { DirectSearch(bad, 1, 1, 0); }));
    }
}

void test_all() {
    for (const int n : {1, 2, 3, 5, 9, 20, 40})
        for (const int limit : {2, 3, 4, 7}) {
            test_chain(n, limit, limit - 1, 20, 40 * n);
            test_chain(n, limit, std::min(2, limit - 1), 5, 40 * n);
            test_chain(n, limit, limit - 1, 10, 40 * n, true);
        }
    for (const int n : {63, 64, 65, 129, 300}) test_chain(n, 3 + n % 4, 3, 5, 5'000);
    test_chain(2048, 5, 4, 2, 3'000);
    test_chain(65, 5, 4, 5, 5'000, true);
    test_chain(24, 4, 3, 30, 15'000); // through two rebuilds of the bags
    for (int round = 0; round < 24; ++round) {
        Random random(round, 3);
        test_negative_support(3 + round % 2, 2 + round % 3, 3 + round % 4, random);
        test_tidy(4 + round, 2 + round % 4, random);
    }
    test_ended_search_can_go_on();
    test_bad_input();
}

const Suite suite("direct", test_all);

} // namespace
