#include "proving_order.hpp"

#include "exact.hpp"
#include "listed_best.hpp"
#include "views.hpp"

namespace bnfuse {

namespace {

template <int W> Rows<W> moral_graph_of(int n, const ArcList& arcs) {
    Rows<W> parents(n);
    for (const auto& [u, v] : arcs) parents[v].set(u);
    return moral_graph(parents);
}

template <int W> Elimination best_order(const Rows<W>& moral) {
    return best_elimination(moral, minor_min_width(moral, first<W>(static_cast<int>(moral.size()))));
}

// The numbers in the table of v and its neighbours, counted exactly within 64 bits.
class ExactTables {
public:
    explicit ExactTables(const std::vector<std::uint64_t>& states) : states_(states) {}

    template <int W> std::uint64_t table(const Bits<W>& neighbours, int v) const {
        auto numbers = states_[v];
        neighbours.each([&](int u) {
            numbers = numbers > TableLimit::too_large / states_[u] ? TableLimit::too_large : numbers * states_[u];
        });
        return numbers;
    }

private:
    const std::vector<std::uint64_t>& states_;
};

// Always eliminates the vertex whose clique has the smallest table, the first of several.
template <int W> std::vector<int> smallest_table_first(Rows<W> graph, const ExactTables& tables) {
    const int n = static_cast<int>(graph.size());
    std::vector<std::uint64_t> numbers(n);
    for (int v = 0; v < n; ++v) numbers[v] = tables.table(graph[v], v);
    auto remaining = first<W>(n);
    std::vector<int> order;
    while (remaining.any()) {
        check_stop();
        int best = remaining.lowest();
        remaining.each([&](int v) {
            if (numbers[v] < numbers[best]) best = v;
        });
        remaining.reset(best);
        if (graph[best] == remaining) { // one clique is left: its order does not matter
            remaining.set(best);
            remaining.each([&](int v) { order.push_back(v); });
            break;
        }
        order.push_back(best);
        eliminate(graph, best, [](int, int) {});
        graph[best].each([&](int u) { numbers[u] = tables.table(graph[u], u); });
    }
    return order;
}

template <int W> ProvingOrder proven(const ConsensusProblem& problem, Rows<W> graph, std::vector<int> order) {
    ProvingOrder result;
    const ExactTables tables(problem.states);
    for (const int v : order) {
        result.clique = std::max(result.clique, graph[v].count() + 1);
        if (problem.has_tables()) result.table = std::max(result.table, tables.table(graph[v], v));
        eliminate(graph, v, [](int, int) {});
    }
    result.order = std::move(order);
    return result;
}

} // namespace

ProvingOrder proven_along(const ConsensusProblem& problem, const ArcList& arcs, std::vector<int> order) {
    check_order(order, problem.n);
    return with_rows(problem.n,
                     [&]<int W>() { return proven<W>(problem, moral_graph_of<W>(problem.n, arcs), std::move(order)); });
}

ProvingOrder proving_order(const ConsensusProblem& problem, const ArcList& arcs, const std::vector<int>* own) {
    if (own) check_order(*own, problem.n);
    return with_rows(problem.n, [&]<int W>() {
        const auto moral = moral_graph_of<W>(problem.n, arcs);
        auto best = best_order(moral);
        if (!problem.has_tables()) {
            auto fresh = proven<W>(problem, moral, std::move(best.order));
            if (!own) return fresh;
            auto given = proven<W>(problem, moral, *own);
            return fresh.clique <= given.clique ? fresh : given;
        }
        std::vector<ProvingOrder> orders;
        if (own) orders.push_back(proven<W>(problem, moral, *own));
        for (auto& order : {best.order, min_fill(moral).order, min_degree(moral).order,
                            smallest_table_first<W>(moral, ExactTables(problem.states))})
            orders.push_back(proven<W>(problem, moral, order));
        return *std::ranges::min_element(orders, {}, [&](const ProvingOrder& one) {
            return std::tuple(one.clique > problem.limit, one.table, one.clique);
        });
    });
}

std::optional<ProvingOrder> within_limits(const ConsensusProblem& problem, const ArcList& arcs) {
    std::vector<int> parents(problem.n);
    const int most = problem.max_parents();
    ArcBytes has(problem.pairs().count());
    for (const auto& [u, v] : arcs) {
        if (++parents[v] > most || !(problem.said(u, v) & ConsensusProblem::may)) return std::nullopt;
        if (const auto i = problem.pairs().find(u, v); i >= 0) has[i] = 1;
    }
    for (std::size_t i = 0; i < has.size(); ++i)
        if ((problem.arcs[i] & ConsensusProblem::must) && !has[i]) return std::nullopt;
    auto found = problem.has_tables() ? proving_order(problem, arcs) : with_rows(problem.n, [&]<int W>() {
        const auto moral = moral_graph_of<W>(problem.n, arcs);
        return proven<W>(problem, moral, min_fill(moral).order);
    });
    if (!found.is_within(problem)) return std::nullopt;
    return found;
}

} // namespace bnfuse
