// The kernel for one width.
#pragma once

#include "exact.hpp"
#include "kernel.hpp"

namespace bnfuse {

template <int W> class KernelOf final : public Kernel {
public:
    std::vector<int> find_cycle(const Graphs& dag) const override { return bnfuse::find_cycle(dag.load<W>(0)); }

    Order heuristic_order(const Graphs& dags, const Weights& weights, const Order& ties) const override {
        check_some(dags);
        check_weights(weights, dags);
        check_order(ties, dags.n());
        auto order = bnfuse::heuristic_order(dags.load_all<W>(places(ties)), weights);
        for (auto& v : order) v = ties[v];
        return order;
    }

    void minimal_imaps(const Graphs& dags, const Order& order, int threads, std::uint64_t* maps) const override {
        check_order(order, dags.n());
        check_threads(threads);
        const auto place = places(order);
        parallel(dags.count(), threads, [&](auto&& take) {
            MinimalImap<W> minimal_imap;
            Pulse pulse(16);
            for (int i; (i = take()) >= 0; pulse()) {
                auto rows = dags.load<W>(i, place);
                minimal_imap(rows);
                store(rows, order, dags.words(), maps + i * dags.size());
            }
        });
    }

    std::vector<int> shd(const Graphs& dag, const Graphs& others) const override {
        check_same_size(dag, others);
        const auto rows = dag.load<W>(0);
        return to_each(others, [&](const Rows<W>& other) { return bnfuse::shd(rows, other); });
    }

    std::vector<int> smhd(const Graphs& dag, const Graphs& others) const override {
        check_same_size(dag, others);
        const auto moral = moral_graph(dag.load<W>(0));
        return to_each(others, [&](const Rows<W>& other) { return moral_difference(moral, moral_graph(other)); });
    }

    std::vector<int> fsim(const Graphs& dag, const Graphs& others, const Order& ties, bool directed,
                          int threads) const override {
        check_same_size(dag, others);
        check_order(ties, dag.n());
        check_threads(threads);
        std::vector<int> distances(others.count());
        const auto place = places(ties);
        const auto rows = dag.load<W>(0, place);
        parallel(others.count(), threads, [&](auto&& take) {
            Fsim<W> fsim;
            for (int i; (i = take()) >= 0; check_stop()) distances[i] = fsim(rows, others.load<W>(i, place), directed);
        });
        return distances;
    }

    CliqueSize triangulate(const Graphs& dag, Method method, std::int64_t states) const override {
        require(states >= 0, "the number of states is not negative");
        const auto rows = dag.load<W>(0);
        const auto moral = moral_graph(rows);
        if (method == Method::exact) {
            auto bounds = exact_clique(moral, states);
            return {bounds.lower, bounds.upper.clique, std::move(bounds.upper.order)};
        }
        if (method == Method::best) {
            const int lower = minor_min_width(moral, first<W>(dag.n()));
            auto upper = best_elimination(moral, lower);
            return {lower, upper.clique, std::move(upper.order)};
        }
        auto upper = method == Method::max_cardinality ? max_cardinality(moral)
                     : method == Method::min_degree    ? min_degree(moral)
                                                       : min_fill(moral);
        int largest_family = 0; // a clique of every triangulation
        for (const auto& parents : rows) largest_family = std::max(largest_family, parents.count() + 1);
        return {largest_family, upper.clique, std::move(upper.order)};
    }

    int clique_along(const Graphs& dag, const Order& order) const override {
        check_order(order, dag.n());
        return eliminated_along(moral_graph(dag.load<W>(0)), order).clique;
    }

    void count_edges(const Graphs& dags, const Weights& weights, Weight* moral, Weight* arcs) const override {
        check_weights(weights, dags);
        int counted = 0;
        try {
            for (; counted < dags.count(); ++counted) {
                check_stop();
                count(dags.load<W>(counted), weights[counted], moral, arcs);
            }
        } catch (...) {
            const Watched whole(nullptr);
            while (counted--) count(dags.load<W>(counted), -weights[counted], moral, arcs);
            throw;
        }
    }

    std::unique_ptr<FsimSearch> fsim_search(FsimSetup setup) const override {
        return std::make_unique<FsimSearchOf<W>>(std::move(setup));
    }
    std::unique_ptr<Candidates> candidates(const CandidatesSetup& setup) const override {
        return std::make_unique<CandidatesOf<W>>(setup);
    }
    std::unique_ptr<MinCutSearch> min_cut_search(MinCutSetup setup) const override {
        return std::make_unique<MinCutSearchOf<W>>(std::move(setup));
    }

private:
    template <class Distance> static std::vector<int> to_each(const Graphs& others, Distance&& distance) {
        std::vector<int> distances;
        Pulse pulse(16);
        for (int i = 0; i < others.count(); ++i) {
            pulse();
            distances.push_back(distance(others.load<W>(i)));
        }
        return distances;
    }

    static void count(const Rows<W>& parents, Weight weight, Weight* moral, Weight* arcs) {
        const auto n = parents.size();
        const auto graph = moral_graph(parents);
        for (std::size_t v = 0; v < n; ++v) {
            graph[v].each([&](int u) { moral[v * n + u] += weight; });
            parents[v].each([&](int p) { arcs[p * n + v] += weight; });
        }
    }
};

} // namespace bnfuse
