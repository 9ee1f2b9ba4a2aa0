// Properties of the kernel on random graphs, for a build with sanitizers: no Python, no framework. What is right is
// decided by slow, obvious twins over plain matrices, never by a copied result.
#include "branching.hpp"
#include "candidates.hpp"
#include "direct.hpp"
#include "distances.hpp"
#include "exact.hpp"
#include "fsim_search.hpp"
#include "minors.hpp"

#include <cstdio>
#include <initializer_list>
#include <numeric>

using namespace bnfuse;

namespace {

int passed = 0, failed = 0;

void check(bool holds, const char* claim, int line, int n) {
    ++(holds ? passed : failed);
    if (!holds) std::printf("%s:%d: n=%d: %s\n", __FILE__, line, n, claim);
}

#define CHECK(n, claim) check((claim), #claim, __LINE__, (n))

// Sizes on both sides of every word count that the kernel is compiled for, and of the word boundaries inside them.
constexpr std::initializer_list<int> small_sizes = {1, 2, 3, 5, 8, 13, 31, 32, 33, 63, 64, 65, 100, 127, 128, 129};
constexpr std::initializer_list<int> large_sizes = {191, 192, 193,  255,  256,  257,  511,
                                                    512, 513, 1023, 1024, 1025, 2047, 2048};

std::vector<int> random_order(int n, Random& random) {
    std::vector<int> order(n);
    std::iota(order.begin(), order.end(), 0);
    for (int i = n - 1; i > 0; --i) std::swap(order[i], order[random.below(static_cast<std::uint32_t>(i) + 1)]);
    return order;
}

// Up to `arcs` arcs, all along a random order.
template <int W> Rows<W> random_dag(int n, int arcs, Random& random) {
    const auto order = random_order(n, random);
    Rows<W> parents(n);
    for (int arc = 0; arc < arcs; ++arc) {
        const int a = static_cast<int>(random.below(n)), b = static_cast<int>(random.below(n));
        if (a != b) parents[order[std::max(a, b)]].set(order[std::min(a, b)]);
    }
    return parents;
}

// {0, ..., v-1}, which `first` gives only when it is not empty.
template <int W> Bits<W> before(int v) { return v ? first<W>(v) : Bits<W>{}; }

template <int W> Rows<W> complete_dag(int n) {
    Rows<W> parents(n);
    for (int v = 0; v < n; ++v) parents[v] = before<W>(v);
    return parents;
}

template <int W> Rows<W> random_graph(int n, int edges, Random& random) {
    Rows<W> graph(n);
    for (int edge = 0; edge < edges; ++edge) {
        const int a = static_cast<int>(random.below(n)), b = static_cast<int>(random.below(n));
        if (a == b) continue;
        graph[a].set(b);
        graph[b].set(a);
    }
    return graph;
}

bool is_permutation(std::vector<int> order, int n) {
    std::ranges::sort(order);
    std::vector<int> all(n);
    std::iota(all.begin(), all.end(), 0);
    return order == all;
}

// Bitsets against a vector of bool.

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

// DAGs.

template <int W> void test_relabelling(const Rows<W>& dag, Random& random) {
    const int n = static_cast<int>(dag.size());
    const auto order = random_order(n, random);
    CHECK(n, relabelled(relabelled(dag, places(order)), order) == dag);
    CHECK(n, children_of(children_of(dag)) == dag);
}

template <int W> void test_cycles(Rows<W> dag, Random& random) {
    const int n = static_cast<int>(dag.size());
    CHECK(n, find_cycle(dag).empty());
    if (n == 1) return;
    // Closes a path of random length somewhere into a cycle.
    const auto path = random_order(n, random);
    const int length = 2 + static_cast<int>(random.below(n - 1));
    for (int i = 0; i < length; ++i) dag[path[(i + 1) % length]].set(path[i]);
    const auto cycle = find_cycle(dag);
    CHECK(n, cycle.size() >= 2);
    bool closed = true;
    for (std::size_t i = 0; i < cycle.size(); ++i) closed &= dag[cycle[(i + 1) % cycle.size()]].test(cycle[i]);
    CHECK(n, closed);
    std::vector<int> distinct = cycle;
    std::ranges::sort(distinct);
    CHECK(n, std::ranges::adjacent_find(distinct) == distinct.end());
}

// The heuristic order by its definition: every cost anew at every step, arcs reversed one by one.

template <int W> class PlainOrder {
public:
    PlainOrder(std::vector<Rows<W>> dags, std::vector<std::int64_t> weights)
        : dags_(std::move(dags)), weights_(std::move(weights)), n_(static_cast<int>(dags_[0].size())) {}

    std::vector<int> operator()() {
        std::vector<int> order(n_);
        std::vector<bool> gone(n_);
        for (int place = n_ - 1; place >= 0; --place) {
            int cheapest = -1;
            std::int64_t least = 0;
            for (int x = 0; x < n_; ++x) {
                if (gone[x]) continue;
                std::int64_t total = 0;
                for (std::size_t i = 0; i < dags_.size(); ++i) total += weights_[i] * cost(dags_[i], x);
                if (cheapest < 0 || total < least) cheapest = x, least = total;
            }
            order[place] = cheapest;
            gone[cheapest] = true;
            for (auto& dag : dags_) make_sink(dag, cheapest);
            for (auto& dag : dags_) dag[cheapest] = {};
        }
        return order;
    }

private:
    std::vector<Rows<W>> dags_;
    std::vector<std::int64_t> weights_;
    int n_;

    static bool adjacent(const Rows<W>& dag, int a, int b) { return dag[a].test(b) || dag[b].test(a); }

    long cost(const Rows<W>& dag, int x) const {
        long total = -1;
        std::vector<bool> counted(n_);
        for (int c = 0; c < n_; ++c) {
            if (!dag[c].test(x)) continue;
            ++total;
            for (int other = 0; other < n_; ++other) {
                total += dag[x].test(other) && !adjacent(dag, other, c);
                if (dag[c].test(other) && other != x && !adjacent(dag, other, x) && !counted[other]) {
                    counted[other] = true;
                    ++total;
                }
            }
        }
        return total;
    }

    bool reaches(const Rows<W>& dag, int from, int to) const {
        std::vector<bool> seen(n_);
        std::vector<int> stack{from};
        while (!stack.empty()) {
            const int v = stack.back();
            stack.pop_back();
            for (int c = 0; c < n_; ++c) {
                if (!dag[c].test(v) || seen[c]) continue;
                if (c == to) return true;
                seen[c] = true;
                stack.push_back(c);
            }
        }
        return false;
    }

    void make_sink(Rows<W>& dag, int x) const {
        for (int c = 0; c < n_;) {
            if (!dag[c].test(x)) {
                ++c;
                continue;
            }
            dag[c].reset(x);
            if (reaches(dag, x, c)) {
                dag[c].set(x);
                ++c;
                continue;
            }
            dag[c] |= dag[x];
            dag[x] = dag[c];
            dag[x].set(c);
            c = 0;
        }
    }
};

template <int W> void test_order(const std::vector<Rows<W>>& dags, bool against_definition) {
    const int n = static_cast<int>(dags[0].size());
    std::vector<std::int64_t> weights(dags.size());
    for (const int step : {0, 2}) { // all weigh 1; or 1, 3, 5, ...
        for (std::size_t i = 0; i < dags.size(); ++i) weights[i] = 1 + step * static_cast<std::int64_t>(i);
        const auto order = heuristic_order(dags, weights);
        CHECK(n, is_permutation(order, n));
        if (against_definition) CHECK(n, order == PlainOrder<W>(dags, weights)());
    }
}

// The minimal I-map by separation: p is a parent of v unless the rest of the prefix separates them, which in the moral
// ancestral graph of the prefix means that no path leads from v to p outside the prefix.

template <int W> Rows<W> ancestral_imap(const Rows<W>& parents) { // labels are places in the order
    const int n = static_cast<int>(parents.size());
    Rows<W> map(n);
    for (int v = 0; v < n; ++v) {
        Bits<W> ancestors, frontier = first<W>(v + 1);
        while (frontier.any()) {
            ancestors |= frontier;
            Bits<W> next;
            frontier.each([&](int u) { next |= parents[u]; });
            frontier = next - ancestors;
        }
        Rows<W> graph(n);
        ancestors.each([&](int u) {
            auto family = parents[u];
            family.set(u);
            family.each([&](int member) { graph[member] |= family; });
        });
        Bits<W> reached;
        std::vector<int> stack{v};
        reached.set(v);
        while (!stack.empty()) {
            const auto fresh = graph[stack.back()] - reached;
            stack.pop_back();
            reached |= fresh;
            fresh.each([&](int u) {
                if (u > v) stack.push_back(u);
            });
        }
        map[v] = reached & before<W>(v);
    }
    return map;
}

template <int W> void test_imap(const Rows<W>& dag, const std::vector<int>& order, bool against_oracle) {
    const int n = static_cast<int>(dag.size());
    const auto labelled = relabelled(dag, places(order));
    auto map = labelled;
    MinimalImap<W> minimal_imap;
    minimal_imap(map);
    bool consistent = true, joins_every_arc = true;
    for (int v = 0; v < n; ++v) {
        consistent &= map[v].highest() < v;
        labelled[v].each([&](int p) { joins_every_arc &= map[std::max(p, v)].test(std::min(p, v)); });
    }
    CHECK(n, consistent);
    CHECK(n, joins_every_arc);
    if (against_oracle) CHECK(n, map == ancestral_imap(labelled));
    auto again = map;
    minimal_imap(again);
    CHECK(n, again == map);
}

// Distances.

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

// Cliques.

template <int W> bool is_moral_graph(const Rows<W>& graph, const Rows<W>& parents) {
    const int n = static_cast<int>(parents.size());
    const auto children = children_of(parents);
    for (int u = 0; u < n; ++u)
        for (int v = 0; v < n; ++v) {
            const bool joined = parents[u].test(v) || parents[v].test(u) || (children[u] & children[v]).any();
            if (graph[u].test(v) != (u != v && joined)) return false;
        }
    return true;
}

// The largest clique that eliminating along the order makes, over a plain matrix.
template <int W> int plain_clique(const Rows<W>& graph, const std::vector<int>& order) {
    const int n = static_cast<int>(graph.size());
    std::vector<std::vector<char>> joined(n, std::vector<char>(n));
    for (int v = 0; v < n; ++v) graph[v].each([&](int u) { joined[v][u] = 1; });
    const auto place = places(order);
    int largest = 0;
    for (const int v : order) {
        std::vector<int> later;
        for (int u = 0; u < n; ++u)
            if (joined[v][u] && place[u] > place[v]) later.push_back(u);
        largest = std::max(largest, static_cast<int>(later.size()) + 1);
        for (const int a : later)
            for (const int b : later) joined[a][b] = a != b;
    }
    return largest;
}

// The best over all elimination orders: by dynamic programming over the sets of vertices eliminated first (Bodlaender
// et al. 2012).
int brute_force_clique(const Rows<1>& graph) {
    const int n = static_cast<int>(graph.size());
    std::vector<int> best(std::size_t{1} << n, 0);
    for (std::uint32_t gone = 1; gone < best.size(); ++gone) {
        best[gone] = n;
        for (int last = 0; last < n; ++last) {
            if (!(gone >> last & 1)) continue;
            const auto before = gone & ~(1u << last);
            std::uint32_t reached = 1u << last;
            std::vector<int> stack{last};
            while (!stack.empty()) {
                const auto fresh = static_cast<std::uint32_t>(graph[stack.back()].word[0]) & ~reached;
                stack.pop_back();
                reached |= fresh;
                for (int u = 0; u < n; ++u)
                    if ((fresh & before) >> u & 1) stack.push_back(u);
            }
            best[gone] = std::min(best[gone], std::max(best[before], std::popcount(reached & ~before)));
        }
    }
    return best.back();
}

template <int W> void test_elimination(const Rows<W>& graph, const Elimination& elimination, int lower) {
    const int n = static_cast<int>(graph.size());
    CHECK(n, is_permutation(elimination.order, n));
    CHECK(n, plain_clique(graph, elimination.order) == elimination.clique);
    CHECK(n, eliminated_along(graph, elimination.order).clique == elimination.clique);
    CHECK(n, lower <= elimination.clique);
}

// A min-fill that counts every pair anew at every step.
template <int W> std::vector<int> plain_min_fill(Rows<W> graph) {
    const int n = static_cast<int>(graph.size());
    std::vector<int> order;
    std::vector<bool> gone(n);
    while (static_cast<int>(order.size()) < n) {
        int best = -1, least = 0;
        for (int v = 0; v < n; ++v) {
            if (gone[v]) continue;
            int fill = 0;
            for (int a = 0; a < n; ++a)
                for (int b = 0; b < a; ++b) fill += graph[v].test(a) && graph[v].test(b) && !graph[a].test(b);
            if (best < 0 || fill < least) best = v, least = fill;
        }
        gone[best] = true;
        order.push_back(best);
        eliminate(graph, best, [](int, int) {});
        graph[best] = {};
    }
    return order;
}

template <int W> void test_triangulations(const Rows<W>& graph, std::int64_t states) {
    const int n = static_cast<int>(graph.size());
    const int lower = minor_min_width(graph, first<W>(n));
    CHECK(n, 1 <= lower);
    const auto best = best_elimination(graph, lower);
    test_elimination(graph, best, lower);
    for (const auto& elimination : {max_cardinality(graph), min_degree(graph), min_fill(graph)}) {
        test_elimination(graph, elimination, lower);
        CHECK(n, best.clique <= elimination.clique);
    }
    const auto exact = exact_clique(graph, states);
    test_elimination(graph, exact.upper, lower);
    CHECK(n, lower <= exact.lower && exact.lower <= exact.upper.clique && exact.upper.clique <= best.clique);
}

void test_min_fill_order(const Rows<1>& graph) { // up to where what is left is a clique that was seen already
    const int n = static_cast<int>(graph.size());
    const auto elimination = min_fill(graph);
    const auto plain = plain_min_fill(graph);
    CHECK(n, std::equal(plain.begin(), plain.end() - std::min(n, elimination.clique), elimination.order.begin()));
    CHECK(n, plain_clique(graph, plain) == elimination.clique);
}

void test_exact_against_brute_force(int n, int edges, Random& random) {
    const auto graph = random_graph<1>(n, edges, random);
    const int clique = brute_force_clique(graph);
    const auto exact = exact_clique(graph, 1'000'000);
    CHECK(n, exact.lower == clique && exact.upper.clique == clique);
    // The heuristics often meet the lower bound, so the decision itself is asked at each limit too.
    for (int limit = 1; limit <= n; ++limit) {
        std::int64_t left = 1'000'000;
        std::vector<int> order;
        const auto answer = decide_clique(graph, limit, left, order);
        CHECK(n, answer == (limit < clique ? Answer::no : Answer::yes));
        if (answer == Answer::yes) CHECK(n, is_permutation(order, n) && plain_clique(graph, order) <= limit);
    }
    CHECK(n, minor_min_width(graph, first<1>(n)) <= clique);
    const auto unproven = exact_clique(graph, 1);
    CHECK(n, unproven.lower <= clique && clique <= unproven.upper.clique);
    CHECK(n, plain_clique(graph, unproven.upper.order) == unproven.upper.clique);
}

void test_undo(int n, int edges, Random& random) {
    const auto graph = random_graph<1>(n, edges, random);
    UndoableElimination<1> work(graph);
    const auto order = random_order(n, random);
    std::vector<Rows<1>> before;
    for (const int v : order) {
        before.push_back(work.graph());
        work.eliminate(v);
    }
    for (int size = n; size-- > 0;) {
        work.undo_to(static_cast<std::size_t>(size));
        CHECK(n, work.graph() == before[size]);
    }
    CHECK(n, work.graph() == graph && work.order().empty());
}

// Direct search: what a chain says of its network, against the network itself.

DirectProblem random_direct_problem(int n, int limit, int max_parents, Random& random) {
    constexpr int total = 9;
    DirectProblem problem{n,  limit,       max_parents, PairWeights(n), PairWeights(n), {},
                          {}, 1.5 * total, 2.0}; // hot to the end: the worse the moves, the better the test
    problem.rules.resize(static_cast<std::size_t>(n) * n);
    const auto reach = static_cast<std::uint32_t>(std::max(2, n / 3));
    const auto order = random_order(n, random);
    for (int pair = 0; pair < 5 * n && n > 1; ++pair) {
        const int a = static_cast<int>(random.below(n));
        const int b = (a + 1 + static_cast<int>(random.below(reach))) % n;
        if (a == b) continue;
        const int u = order[a], v = order[b];
        problem.gain(u, v) = problem.gain(v, u) = static_cast<Weight>(random.below(2 * total + 1)) - total / 2;
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
                if (a < b) score.gain += problem.gain(a, b);
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

void test_chain(int n, int limit, int max_parents, int stretches, int moves) {
    Random random(n, static_cast<std::uint64_t>(limit));
    auto problem = random_direct_problem(n, limit, max_parents, random);
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
            if (problem.gain(a, b) > 0) edges.push_back({a, b, problem.gain(a, b)});
    std::ranges::stable_sort(edges, std::greater{}, &Edge::weight);
    const auto rigid = rigidity_weight(n, edges, limit - 1);
    CHECK(n, best.gain <= rigid && minor_weight(n, edges, limit - 1, 0) == rigid);
    if (n > 40) return;
    const auto tight = minor_weight(n, edges, limit - 1, 3);
    CHECK(n, best.gain <= tight && tight <= rigid);
}

// Direct search for FSim: what a chain says of its best network, against the network itself.
template <int W> void test_fsim_chain(int n, int limit, int max_parents, std::int64_t work) {
    Random random(n, 7 + static_cast<std::uint64_t>(limit));
    FsimProblem<W> problem;
    problem.n = n;
    problem.limit = limit;
    problem.max_parents = max_parents;
    problem.support = PairWeights(n);
    problem.rules.resize(static_cast<std::size_t>(n) * n);
    std::vector<Rows<W>> dags;
    for (int i = 0; i < 7; ++i) dags.push_back(random_dag<W>(n, n + n / 4, random));
    dags.push_back(dags.front()); // counts twice
    std::uint32_t drawn = 0;
    for (const auto& dag : dags) {
        problem.add_reference(dag, 1 + static_cast<Weight>(problem.references.size()));
        for (int v = 0; v < n; ++v)
            dag[v].each([&](int u) {
                problem.support(u, v) += 1;
                auto& rule = problem.rules[static_cast<std::size_t>(u) * n + v];
                if (rule || !random.below(8)) return;
                rule = 1;
                problem.arcs.emplace_back(u, v);
                problem.drawn_until.push_back(drawn += 1 + random.below(5));
            });
    }
    if (problem.arcs.empty()) return;
    const auto [source, target] = problem.arcs.front();
    problem.rules[static_cast<std::size_t>(source) * n + target] |= 2;
    Rows<W> start(n);
    start[target].set(source);
    FsimChain<W> chain(problem, static_cast<std::uint64_t>(n), 0), sliced(problem, static_cast<std::uint64_t>(n), 0);
    for (auto* each : {&chain, &sliced}) {
        each->start_at(start, random_order(n, random));
        each->rewind();
    }
    auto before = chain.best();
    const double hot = 0.5 * static_cast<double>(problem.total_weight);
    chain.anneal(work, work, hot);
    for (int part = 1; part <= 5; ++part) sliced.anneal(work * part / 5, work, hot);
    const auto& best = chain.best();
    CHECK(n, best.parents == sliced.best().parents && chain.networks() == sliced.networks());
    CHECK(n, !before.better_than(best));
    CHECK(n, find_cycle(best.parents).empty() && best.parents[target].test(source));
    CHECK(n, is_permutation(best.order, n) && plain_clique(moral_graph(best.parents), best.order) <= limit);
    Fsim<W> fsim;
    Weight distance = 0, support = 0;
    for (std::size_t i = 0; i < problem.references.size(); ++i)
        distance += problem.weights[i] * fsim(best.parents, problem.references[i].dag, true);
    bool allowed = true;
    int arcs = 0;
    for (int v = 0; v < n; ++v) {
        allowed &= best.parents[v].count() <= max_parents;
        best.parents[v].each([&](int u) {
            allowed &= problem.allowed(u, v);
            support += problem.support(u, v);
            ++arcs;
        });
    }
    CHECK(n, allowed && best.distance == distance && best.support == support && best.arcs == arcs);
    CHECK(n, problem.references.size() <= 7);
}

// Weights of edges and the most that any graph with small cliques has of them, by trying all.
void test_bounds_against_brute_force(int n, Random& random) {
    std::vector<Edge> edges;
    for (int a = 0; a < n; ++a)
        for (int b = 0; b < a; ++b)
            if (random.below(5)) edges.push_back({a, b, 1 + random.below(9)});
    std::ranges::stable_sort(edges, std::greater{}, &Edge::weight);
    std::vector<Weight> most(n + 1);
    for (std::uint32_t kept = 0; kept < 1u << edges.size(); ++kept) {
        Rows<1> graph(n);
        Weight weight = 0;
        for (std::size_t i = 0; i < edges.size(); ++i) {
            if (!(kept >> i & 1)) continue;
            graph[edges[i].a].set(edges[i].b);
            graph[edges[i].b].set(edges[i].a);
            weight += edges[i].weight;
        }
        auto& record = most[brute_force_clique(graph)];
        record = std::max(record, weight);
    }
    for (int k = 1; k < n; ++k) {
        most[k + 1] = std::max(most[k + 1], most[k]);
        const auto rigid = rigidity_weight(n, edges, k), tight = minor_weight(n, edges, k, 5);
        CHECK(n, most[k + 1] <= tight && tight <= rigid);
        if (k == 1) CHECK(n, rigid == most[2]);
    }
}

// Branchings by trying every choice of parents.
void test_branching(int n, Random& random) {
    std::vector<WeightedArc> arcs;
    for (int u = 0; u < n; ++u)
        for (int v = 0; v < n; ++v)
            if (u != v && random.below(4))
                arcs.push_back({u, v, static_cast<Weight>(random.below(7)) - 2, random.below(3), u == 0 && v == 1});
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
    const auto found = MaximumBranching(n, arcs)();
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

// Threads and random numbers.

void test_parallel() {
    for (const int count : {0, 1, 2, 7, 1000})
        for (const int threads : {1, 2, 3, 16, 64}) {
            std::vector<std::atomic<int>> taken(count);
            std::atomic<int> workers{0};
            parallel(count, threads, [&](auto&& take) {
                ++workers;
                for (int i; (i = take()) >= 0;) ++taken[i];
            });
            CHECK(count, std::ranges::all_of(taken, [](const auto& times) { return times == 1; }));
            CHECK(count, workers == std::max(1, std::min(count, threads)));
        }
}

void test_workers_serve_many_portions() {
    for (const int threads : {1, 2, 5}) {
        Workers workers(threads);
        CHECK(threads, workers.threads() == threads);
        for (int portion = 0; portion < 500; ++portion) {
            std::vector<std::atomic<int>> taken(portion % 7);
            workers.run(portion % 7, [&](auto&& take) {
                for (int i; (i = take()) >= 0;) ++taken[i];
            });
            CHECK(portion, std::ranges::all_of(taken, [](const auto& times) { return times == 1; }));
        }
    }
}

void test_gene_columns() {
    Random random(5, 5);
    for (const int count : {1, 3, 64, 65, 130})
        for (const int gene_count : {1, 7, 8, 63, 64, 65, 200}) {
            std::vector<std::uint8_t> genes(static_cast<std::size_t>(count) * gene_count);
            for (auto& gene : genes) gene = static_cast<std::uint8_t>(random.below(2));
            std::vector<int> chosen;
            for (int gene = 0; gene < gene_count; ++gene)
                if (random.below(3)) chosen.push_back(gene);
            std::vector<std::uint64_t> rows;
            GeneColumns(genes.data(), count, gene_count).rows_of(chosen, rows);
            const std::size_t words = (chosen.size() + 63) / 64;
            CHECK(count, rows.size() == words * count);
            bool equal = true;
            for (int i = 0; i < count; ++i)
                for (std::size_t j = 0; j < 64 * words; ++j) {
                    const bool bit = rows[i * words + j / 64] >> (j % 64) & 1;
                    equal &= bit == (j < chosen.size() && genes[static_cast<std::size_t>(i) * gene_count + chosen[j]]);
                }
            CHECK(gene_count, equal);
        }
}

void test_random() {
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

// All that takes DAGs of n variables.
void test_size(int n, int rounds) {
    with_words(n, [&]<int W>() {
        static_assert(W <= max_variables / 64);
        CHECK(n, n <= Bits<W>::capacity);
        const bool plain_is_quick = n <= 33, oracle_is_quick = n <= 257;
        for (int round = 0; round < rounds; ++round) {
            Random random(n, round);
            test_bits<W>(n, random);
            const int arcs = round % 4 == 0 ? n : round % 4 == 1 ? n / 2 : round % 4 == 2 ? 3 * n / 2 : 0;
            const auto a = random_dag<W>(n, arcs, random), b = random_dag<W>(n, arcs, random);
            test_relabelling(a, random);
            test_cycles(a, random);
            test_order<W>({a, b}, plain_is_quick);
            test_imap(a, heuristic_order<W>({a, b}, {1, 1}), oracle_is_quick);
            test_imap(b, random_order(n, random), oracle_is_quick);
            test_distances(a, b);
            const auto moral = moral_graph(a);
            if (oracle_is_quick) CHECK(n, is_moral_graph(moral, a));
            test_triangulations(moral, n <= 129 ? 20 : 2);
        }
    });
}

void test_complete(int n) {
    with_words(n, [&]<int W>() {
        const auto dag = complete_dag<W>(n);
        std::vector<int> backwards(n);
        std::iota(backwards.rbegin(), backwards.rend(), 0);
        test_imap(dag, backwards, false);
        const auto moral = moral_graph(dag);
        CHECK(n, exact_clique(moral, 0).lower == n);
        CHECK(n, min_fill(moral).clique == n && min_degree(moral).clique == n && max_cardinality(moral).clique == n);
        if (n > 513) return; // minutes under sanitizers
        std::vector<int> forwards(backwards.rbegin(), backwards.rend());
        CHECK(n, heuristic_order<W>({dag}, {1}) == forwards); // nothing to reverse
        CHECK(n, is_permutation(heuristic_order<W>({dag, relabelled(dag, backwards)}, {1, 1}), n));
    });
}

} // namespace

int main() {
    test_random();
    test_parallel();
    test_workers_serve_many_portions();
    test_gene_columns();
    for (const int n : small_sizes) test_size(n, 8);
    for (const int n : large_sizes) test_size(n, n <= 513 ? 2 : 1);
    for (const int n : {1, 2, 64, 65, 129, 512, 2048}) test_complete(n);
    for (int round = 0; round < 100; ++round) {
        Random random(round, 1);
        const int n = 2 + round % 9;
        test_exact_against_brute_force(n, n + static_cast<int>(random.below(n * n / 2)), random);
        test_undo(12, 10 + round, random);
        const int m = 5 + round % 20;
        test_min_fill_order(random_graph<1>(m, m + static_cast<int>(random.below(2 * m)), random));
        std::vector<Rows<1>> dense(3);
        for (auto& dag : dense) dag = random_dag<1>(m, 4 * m, random);
        test_order(dense, true);
    }
    for (const int n : {1, 2, 3, 5, 9, 20, 40})
        for (const int limit : {2, 3, 4, 7}) {
            test_chain(n, limit, limit - 1, 20, 40 * n);
            test_chain(n, limit, std::min(2, limit - 1), 5, 40 * n);
        }
    for (const int n : {63, 64, 65, 129, 300}) test_chain(n, 3 + n % 4, 3, 5, 5'000);
    test_chain(2048, 5, 4, 2, 3'000);
    test_chain(24, 4, 3, 30, 15'000); // through two rebuilds of the bags
    for (const int limit : {2, 3, 5}) {
        for (const int n : {1, 2, 3, 5, 9, 20, 40, 64}) test_fsim_chain<1>(n, limit, std::min(2, limit - 1), 20'000);
        test_fsim_chain<2>(65, limit, limit - 1, 5'000);
        test_fsim_chain<4>(130, limit, limit - 1, 5'000);
    }
    for (int round = 0; round < 20; ++round) {
        Random random(round, 2);
        test_branching(1 + round % 5, random);
        if (round < 6) test_bounds_against_brute_force(2 + round % 4, random);
    }
    std::printf("%d passed, %d failed\n", passed, failed);
    return failed ? 1 : 0;
}
