#include "arc_graphs.hpp"

#include "listed_best.hpp"

namespace bnfuse {

namespace {

void check(const ArcGraph& graph) {
    checked_count(graph.n);
    check_arcs(graph.arcs, graph.n);
}

template <int W> Rows<W> parents_of(const ArcGraph& graph) {
    Rows<W> parents(graph.n);
    for (const auto& [u, v] : graph.arcs) parents[v].set(u);
    return parents;
}

// Calls f with the parents of all graphs, which have the same variables.
template <class F, class... Graphs> auto with_parents(F&& f, const ArcGraph& one, const Graphs&... others) {
    check(one);
    (check(others), ...);
    ((require(one.n == others.n, "the graphs differ in their number of variables")), ...);
    return with_rows(one.n,
                     [&]<int W>() { return f.template operator()<W>(parents_of<W>(one), parents_of<W>(others)...); });
}

struct Vote {
    std::int64_t key;
    Weight moral, arcs;
};

// One number for each pair, in order.
void add_up(std::vector<Vote>& votes) {
    std::ranges::sort(votes, {}, &Vote::key);
    std::size_t kept = 0;
    for (std::size_t i = 0; i < votes.size(); ++i) {
        if (kept && votes[kept - 1].key == votes[i].key) {
            votes[kept - 1].moral += votes[i].moral;
            votes[kept - 1].arcs += votes[i].arcs;
        } else {
            votes[kept++] = votes[i];
        }
    }
    votes.resize(kept);
}

} // namespace

std::vector<int> find_cycle(const ArcGraph& graph) {
    return with_parents([]<int W>(const Rows<W>& parents) { return find_cycle(parents); }, graph);
}

int clique_along(const ArcGraph& dag, const std::vector<int>& order) {
    check_order(order, checked_count(dag.n));
    return with_parents(
        [&]<int W>(const Rows<W>& parents) { return eliminated_along(moral_graph(parents), order).clique; }, dag);
}

CliqueSize triangulate(const ArcGraph& dag, Method method) {
    return with_parents(
        [&]<int W>(const Rows<W>& parents) {
            const auto moral = moral_graph(parents);
            if (method == Method::best || method == Method::exact) {
                const int lower = minor_min_width(moral, first<W>(dag.n));
                auto upper = best_elimination(moral, lower);
                return CliqueSize{lower, upper.clique, std::move(upper.order)};
            }
            auto upper = method == Method::max_cardinality ? max_cardinality(moral)
                         : method == Method::min_degree    ? min_degree(moral)
                                                           : min_fill(moral);
            int largest_family = 0;
            for (const auto& row : parents) largest_family = std::max(largest_family, row.count() + 1);
            return CliqueSize{largest_family, upper.clique, std::move(upper.order)};
        },
        dag);
}

int shd(const ArcGraph& one, const ArcGraph& other) {
    return with_parents([]<int W>(const Rows<W>& a, const Rows<W>& b) { return shd(a, b); }, one, other);
}

int smhd(const ArcGraph& one, const ArcGraph& other) {
    return with_parents(
        []<int W>(const Rows<W>& a, const Rows<W>& b) { return moral_difference(moral_graph(a), moral_graph(b)); }, one,
        other);
}

PairCounts count_pairs(const std::vector<ArcGraph>& dags, const std::vector<Weight>& weights) {
    constexpr std::size_t most_waiting = 1 << 22;
    require(weights.size() == dags.size(), "each network has one weight");
    std::vector<Vote> votes;
    std::size_t added_up = 0;
    for (std::size_t i = 0; i < dags.size(); ++i) {
        check_stop();
        require(0 <= weights[i] && weights[i] <= largest_total, "a weight is neither negative nor above 2^38");
        const auto weight = weights[i];
        const std::int64_t n = dags[i].n;
        require(n == dags.front().n, "the graphs differ in their number of variables");
        with_parents(
            [&]<int W>(const Rows<W>& parents) {
                const auto moral = moral_graph(parents);
                for (int a = 0; a < n; ++a) moral[a].each([&](int b) { votes.push_back({a * n + b, weight, 0}); });
                return true;
            },
            dags[i]);
        for (const auto& [u, v] : dags[i].arcs) votes.push_back({u * n + v, 0, weight});
        if (votes.size() - added_up < most_waiting) continue;
        add_up(votes);
        added_up = votes.size();
    }
    add_up(votes);
    PairCounts counts;
    for (const auto& [key, moral, arcs] : votes) {
        counts.keys.push_back(key);
        counts.moral.push_back(moral);
        counts.arcs.push_back(arcs);
    }
    return counts;
}

} // namespace bnfuse
