#include "network_search.hpp"

#include "branching.hpp"
#include "growing_lists.hpp"
#include "views.hpp"

namespace bnfuse {

namespace {

constexpr std::uint64_t no_resample = ~std::uint64_t{0};
constexpr std::uint64_t decisions = 0x5bd1e9955bd1e995; // so that they differ from those for the rows that are drawn

std::vector<SetList> all_lists(const GrowingLists& growing) {
    std::vector<SetList> lists;
    for (int v = 0; v < growing.variables(); ++v) lists.push_back(growing.list(v));
    return lists;
}

// Explores around the results of a round, later also around the best sets of each variable, more of them in each round;
// a short search gains more from a round than from those.
void grow(GrowingLists& growing, SetSearch& search, int round, bool is_short) {
    std::vector<bool> grew(growing.variables());
    const auto look = [&](int v, const ParentSet& parents) { grew[v] = growing.grow(v, parents) || grew[v]; };
    auto networks = search.last();
    networks.push_back(search.best());
    for (const auto& network : networks)
        for (int v = 0; v < growing.variables(); ++v) look(v, network.parents[v]);
    auto lists = search.lists();
    const int few = is_short ? 10 : 20; // variables, whose best sets cost little
    const int tops = round < 3 && growing.variables() > few ? 0 : round + 1;
    for (int v = 0; v < growing.variables(); ++v) {
        for (int i = 0; i < std::min(lists[v].size(), tops); ++i) {
            const auto set = lists[v].parents(i);
            look(v, ParentSet(set.begin(), set.end()));
        }
        if (grew[v]) lists[v] = growing.list(v);
    }
    if (std::ranges::find(grew, true) != grew.end()) search.replace(std::move(lists));
}

} // namespace

Random decisions_of(std::uint64_t seed) { return {seed ^ decisions, no_resample}; }
Random decisions_of(std::uint64_t seed, std::uint64_t resample) { return {seed ^ decisions, resample}; }

NetworkSearch::NetworkSearch(LearnSetup setup, int variables) : setup_(std::move(setup)) {
    auto& rules = setup_.rules;
    require(rules.n == variables, "rules are given by pairs of variables");
    check_rules(rules.rules, rules.n);
    check_tables(rules.tables, rules.n);
    require(rules.limit >= 1 && rules.max_parents >= 0, "the limits are too small for any network");
    rules.limit = std::min(rules.limit, rules.n);
    rules.max_parents = std::min(rules.max_parents, rules.limit - 1);
    require(setup_.climb.tabu >= 0 && setup_.climb.restarts >= 0, "the tabu list and the restarts are not negative");
}

LearnedNetwork NetworkSearch::found(FamilyScores& families, double units, const Random& random, int threads) const {
    bool finished = true;
    auto best = setup_.anneals ? annealed({families, random, threads}, units, finished)
                               : climbed(families, random, setup_.climb, finished);
    return {static_cast<double>(best.score) / units, std::move(best.parents), std::move(best.order), finished};
}

NetworkProof NetworkSearch::proved(FamilyScores& families, double units, const std::vector<ParentSet>& known,
                                   std::size_t most_sets, std::size_t most_nodes) const {
    const auto& rules = setup_.rules; // by each family, not by cliques of several: a bound for those too
    require(known.size() == static_cast<std::size_t>(rules.n) && known.size() <= most_proven,
            "too many variables for a proof");
    std::vector<std::pair<int, int>> arcs;
    for (int v = 0; v < rules.n; ++v) {
        require(std::ranges::is_sorted(known[v]), "parents are given in increasing order");
        for (const int u : known[v]) arcs.emplace_back(u, v);
    }
    check_arcs(arcs, rules.n);
    GrowingLists growing(families, rules);
    FoundSets best{0, known, {}};
    for (int v = 0; v < rules.n; ++v) {
        const Watched whole(nullptr);
        const auto own = growing.score(v, known[v]);
        require(own != refused && rules.allow(v, known[v]), "the known network has a family that must not be");
        best.score += own;
    }
    const auto value = [&](Points points) { return static_cast<double>(points) / units; };
    NetworkProof proof{{value(best.score), known, {}, true}, HUGE_VAL, false};
    try {
        growing.additions(0, {}); // which counts all pairs at once
        if (!growing.complete(most_sets)) return proof;
        const auto found = proven(all_lists(growing), best, most_nodes);
        proof.bound = value(found.bound);
        proof.is_whole = found.is_whole;
        if (found.best.score > best.score && !rules.is_limited())
            proof.best = {value(found.best.score), found.best.parents, {}, true};
    } catch (const Stopped&) { // without a bound
    }
    return proof;
}

double NetworkSearch::score_of(FamilyScores& families, double units, int first,
                               const std::vector<std::vector<int>>& parents) {
    Points sum = 0;
    for (int child = first; const auto& own : parents) {
        std::vector<std::pair<int, int>> arcs;
        for (const int parent : own) arcs.emplace_back(parent, child);
        check_arcs(arcs, families.variables());
        const auto points = families.score(child++, own);
        if (points == refused) return -HUGE_VAL;
        sum += points;
    }
    return static_cast<double>(sum) / units;
}

FoundSets NetworkSearch::climbed(FamilyScores& families, const Random& random, const ClimbSetup& climb,
                                 bool& finished) const {
    auto found = HillClimb(setup_.rules, climb, families, random)();
    for (auto& parents : found.parents) std::ranges::sort(parents);
    finished = found.finished;
    auto order = found.bags.empty() ? std::vector<int>{} : elimination_order(found.bags, setup_.rules.n);
    return {found.score, std::move(found.parents), std::move(order)};
}

FoundSets NetworkSearch::annealed(const Work& work, double units, bool& finished) const {
    auto random = work.random;
    const auto seed = random.next();
    GrowingLists growing(work.families, setup_.rules);
    auto best = climbed(growing, random, {0, 0}, finished);
    if (!finished) return best;
    try {
        if (setup_.rules.limit == 2) return best_branching(work.families, random);
        if (has_few_families()) growing.complete(setup_.all_families);
        SetSearch search(setup_.rules, all_lists(growing), setup_.effort, units, seed);
        search.offer(best.parents, best.order);
        for (int round = 0; !search.is_done() && finished; ++round) {
            grow(growing, search, round, setup_.effort.rounds <= 3);
            finished = search.round(work.threads);
            best = search.best();
        }
    } catch (const Stopped&) {
        finished = false;
    }
    return best;
}

bool NetworkSearch::has_few_families() const {
    const auto& rules = setup_.rules;
    double sets = 1, all = 0; // of one variable: of one size, and of all so far
    for (int size = 0; size <= std::min(rules.max_parents, rules.n - 1); ++size) {
        all += sets;
        sets = sets * (rules.n - 1 - size) / (size + 1);
    }
    return all * rules.n <= static_cast<double>(setup_.all_families);
}

// With at most one parent, the best network is a maximum branching. Among equal ones, the seed chooses.
FoundSets NetworkSearch::best_branching(FamilyScores& families, Random random) const {
    constexpr int tie_bits = 20, sum_bits = 32, required_bits = 100;
    const auto& rules = setup_.rules;
    const int n = rules.n;
    MaximumBranching<> branching(n);
    for (int v = 0; v < n; ++v) {
        const auto alone = families.score(v, {});
        const auto with = families.additions(v, {});
        for (int u = 0; u < n; ++u) {
            const bool is_required = rules.rules[static_cast<std::size_t>(u) * n + v] & 2;
            if (u == v || (!is_required && ((*with)[u] <= alone || !rules.allow(v, {u})))) continue;
            const auto gain = families.score(v, {u}) - alone;
            Wide weight = (Wide{gain} << sum_bits) + Wide{static_cast<std::int64_t>(random.next() >> (64 - tie_bits))};
            if (is_required) weight += Wide{1} << required_bits;
            branching.offer(u, v, weight);
        }
    }
    const auto parent = branching();
    FoundSets best{0, std::vector<ParentSet>(n), {}};
    std::vector<int> children(n);
    for (int v = 0; v < n; ++v)
        if (parent[v] >= 0) {
            best.parents[v].push_back(parent[v]);
            ++children[parent[v]];
        }
    const Watched whole(nullptr);
    for (int v = 0; v < n; ++v) best.score += families.score(v, best.parents[v]);
    for (int leaf = 0; leaf < n; ++leaf) // a variable without remaining children comes first
        for (int v = leaf; v >= 0 && v <= leaf && children[v] == 0; v = parent[v]) {
            best.order.push_back(v);
            children[v] = -1;
            if (parent[v] >= 0) --children[parent[v]];
        }
    return best;
}

} // namespace bnfuse
