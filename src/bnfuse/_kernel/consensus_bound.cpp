#include "consensus_bound.hpp"

#include "sorting.hpp"
#include "sparsity.hpp"

#include <numeric>

namespace bnfuse {

namespace {

constexpr std::int64_t most_rounds_at_all = 40, minors_work = 8'000'000; // rounds times squared edges
constexpr std::int64_t clique_states = 30'000;
constexpr std::int64_t most_marriages = 300'000; // of parents of a child: beyond that, a rule on directions is useless

// The edges of positive weight, heaviest first.
std::vector<Edge> heaviest_first(const PairWeights& gains) {
    std::vector<Edge> edges;
    gains.each([&](int a, int b, Weight gain) {
        if (a < b && gain > 0) edges.push_back({a, b, gain});
    });
    bnfuse::stable_sort(edges, std::greater{}, &Edge::weight);
    return edges;
}

// An upper bound on the weight of the edges of a graph whose clique tables are limited.
//
// An edge counts for the end that is eliminated first. With its neighbours at that time a variable is in one clique, so
// their number is at most that of the variables with the fewest states whose table fits. Sets of edges that can be
// assigned to their ends in this way are independent in a matroid (of matchings), so choosing the heaviest first is
// optimal.
class SharedOut {
public:
    SharedOut(const std::vector<Edge>& edges, const std::vector<std::uint64_t>& states, std::uint64_t max_table)
        : edges_(edges), held_(states.size()), full_(states.size()) {
        std::vector<std::vector<std::uint64_t>> near(states.size());
        for (const auto& edge : edges) {
            near[edge.a].push_back(states[edge.b]);
            near[edge.b].push_back(states[edge.a]);
        }
        for (std::size_t v = 0; v < states.size(); ++v)
            room_.push_back(most_members(std::move(near[v]), max_table / states[v]));
    }

    Weight operator()() {
        Weight sum = 0;
        for (int i = 0; i < static_cast<int>(edges_.size()); ++i)
            if (finds_room(i)) sum += edges_[i].weight;
        return sum;
    }

private:
    struct Came {
        int from, by; // a variable and the edge that moves from it; -1 at the start
    };
    const std::vector<Edge>& edges_;
    std::vector<std::vector<int>> held_;
    std::vector<bool> full_; // the edges that never help
    std::vector<int> room_;

    // Whether an edge can be given to one of its ends, others to their other ends.
    bool finds_room(int edge) {
        check_stop();
        std::vector<Came> came(held_.size(), {-2, -1});
        std::vector<int> queue;
        for (const int v : {edges_[edge].a, edges_[edge].b})
            if (!full_[v]) {
                came[v] = {-1, -1};
                queue.push_back(v);
            }
        for (std::size_t i = 0; i < queue.size(); ++i) {
            const int v = queue[i];
            if (static_cast<int>(held_[v].size()) < room_[v]) {
                hand_on(edge, v, came);
                return true;
            }
            for (const int other : held_[v]) {
                const int u = edges_[other].a + edges_[other].b - v;
                if (came[u].from != -2 || full_[u]) continue;
                came[u] = {v, other};
                queue.push_back(u);
            }
        }
        for (const int v : queue) full_[v] = true;
        return false;
    }

    void hand_on(int edge, int end, const std::vector<Came>& came) {
        for (; came[end].from >= 0; end = came[end].from) {
            std::erase(held_[came[end].from], came[end].by);
            held_[end].push_back(came[end].by);
        }
        held_[end].push_back(edge);
    }
};

// An upper bound on the weight of the edges of a graph with small cliques: a multiple of the step, as the weights of
// all sets are.
Weight heaviest(const ConsensusProblem& problem, const PairWeights& gains, int limit, int rounds, Weight step,
                bool with_tables) {
    const auto edges = heaviest_first(gains);
    if (are_many(problem.n)) return sparse_weight(problem.n, edges, limit - 1) / step * step;
    if (rounds < 0) rounds = most_rounds(static_cast<std::int64_t>(edges.size()));
    auto most = minor_weight(problem.n, edges, limit - 1, rounds);
    if (rounds) most = std::min(most, excess_weight(problem.n, edges, limit - 1, clique_states));
    if (with_tables && problem.has_tables())
        most = std::min(most, shared_out_weight(edges, problem.states, problem.max_table));
    return most / step * step;
}

// The greatest common divisor of the numbers of all pairs.
Weight common_step(const PairWeights& numbers, const ConsensusProblem& problem) {
    Weight step = problem.see_others ? problem.see_others->step() : 0;
    numbers.each([&](int a, int b, Weight number) {
        if (a < b) step = std::gcd(step, number);
    });
    return std::max<Weight>(step, 1);
}

Weight smhd_bound(const ConsensusProblem& problem, int rounds) {
    const auto step = common_step(problem.gain(), problem);
    const auto [pairs, lost] = positive_pairs(problem);
    const int limit = problem.wanted_parents == 0 ? 1 : problem.limit;
    return problem.distance_without_arcs() - heaviest(problem, pairs, limit, rounds, step, true) - lost;
}

// The skeleton is a part of the moral graph, so a bound on the weight of moral edges also bounds that of arcs.
Weight shd_bound(const ConsensusProblem& problem, int rounds) {
    const auto [pairs, lost] = positive_pairs(problem);
    const auto step = common_step(pairs, problem);
    auto most = heaviest(problem, pairs, problem.limit, rounds, step, true);
    if (const int parents = problem.max_parents(); parents < problem.limit - 1)
        // A DAG, too, can be built by adding one vertex at a time, with at most this number of edges.
        most = std::min(most, heaviest(problem, pairs, parents + 1, 0, step, false));
    return problem.distance_without_arcs() - most - lost;
}

// The additional effect of a rule on directions: arcs are few, and parents of a child are joined (see
// arc_relaxation.hpp).
Weight bound_by_arcs(const ConsensusProblem& problem, int rounds) {
    if (!problem.pairs().are_all()) return 0;
    const int n = problem.n;
    auto rules = useful_arcs(problem);
    std::int64_t marriages = 0;
    for (int v = 0; v < n; ++v) {
        std::int64_t family = 0;
        for (int u = 0; u < n; ++u) family += rules[static_cast<std::size_t>(u) * n + v];
        marriages += family * (family - 1);
    }
    if (marriages > 2 * most_marriages) return 0;
    auto gains = problem.gain();
    std::int64_t edges = 0;
    Weight step = 0;
    for (int u = 0; u < n; ++u)
        for (int v = 0; v < n; ++v) {
            if (!problem.fits(u, v)) gains(u, v) = 0;
            if (u != v) step = std::gcd(step, gains(u, v));
            edges += u < v && gains(u, v) > 0;
            if (problem.said(u, v) & ConsensusProblem::must) rules[static_cast<std::size_t>(u) * n + v] = 2;
        }
    step = std::max<Weight>(step, 1);
    if (rounds < 0) rounds = most_rounds(edges);
    const auto most = arcs_weight(gains, rules, problem.by_arc(), problem.limit - 1, problem.max_parents(), rounds);
    const auto whole = most / step - (most % step < 0); // rounded down
    return problem.distance_without_arcs() - whole * step;
}

} // namespace

Weight shared_out_weight(const std::vector<Edge>& edges, const std::vector<std::uint64_t>& states,
                         std::uint64_t max_table) {
    return SharedOut(edges, states, max_table)();
}

int most_rounds(std::int64_t edges) {
    return static_cast<int>(std::min(most_rounds_at_all, minors_work / (edges * edges + 1)));
}

std::pair<PairWeights, Weight> positive_pairs(const ConsensusProblem& problem) {
    const auto gain = problem.gain();
    const auto& all = problem.pairs();
    PairWeights pairs(all);
    Weight lost = 0;
    if (problem.by_arc()) {
        const auto rules = arc_rules(problem);
        all.each([&](int u, int v, std::size_t i) {
            if (!rules[i]) return;
            lost += std::min<Weight>(gain[i], 0);
            auto& pair = pairs(std::min(u, v), std::max(u, v));
            pair = std::max(pair, gain[i]);
        });
        return {std::move(pairs), lost};
    }
    const bool is_free = !problem.has_constraints() && !problem.has_tables();
    const auto possible = is_free ? ArcBytes(all.count(), 1) : possible_edges(problem);
    const auto forced = is_free ? ArcBytes(all.count()) : forced_edges(problem);
    all.each([&](int a, int b, std::size_t i) {
        if (a >= b) return;
        if (forced[i]) lost += std::min<Weight>(gain[i], 0);
        if (possible[i]) pairs[i] = std::max<Weight>(gain[i], 0);
    });
    return {std::move(pairs), lost};
}

Weight consensus_bound(const ConsensusProblem& problem, int rounds) {
    require(rounds >= usual_rounds && rounds <= 1 << 28, "the rounds are 0 to 2^28");
    if (problem.max_parents() == 1 && (problem.by_arc() || problem.has_constraints())) // nobody marries
        return problem.distance_without_arcs() - gain_of(problem, problem.gain(), best_branching(problem));
    const auto bound = problem.by_arc() ? shd_bound(problem, rounds) : smhd_bound(problem, rounds);
    return problem.directions == Directions::any ? bound : std::max(bound, bound_by_arcs(problem, rounds));
}

} // namespace bnfuse
