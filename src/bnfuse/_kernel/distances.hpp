// Distances between DAGs: SHD, SMHD and FSim, as in the GECCO 2025 paper.
#pragma once

#include "imap.hpp"
#include "order.hpp"
#include "triangulation.hpp"

namespace bnfuse {

// Arcs to add, delete or reverse; a reversal counts 1: a pair of variables counts when it is joined differently.
template <int W> int shd(const Rows<W>& a, const Rows<W>& b) {
    int differing = 0, reversed = 0;
    for (int v = 0; v < static_cast<int>(a.size()); ++v) {
        differing += count_missing(a[v], b[v]) + count_missing(b[v], a[v]);
        (a[v] - b[v]).each([&](int p) { reversed += b[p].test(v); });
    }
    return differing - reversed;
}

// Edges in one of two moral graphs but not in the other.
template <int W> int moral_difference(const Rows<W>& a, const Rows<W>& b) {
    int total = 0;
    for (std::size_t v = 0; v < a.size(); ++v) total += count_missing(a[v], b[v]) + count_missing(b[v], a[v]);
    return total / 2;
}

// |A1 Δ A2| + |A1 \ a| + |A2 \ b| for the minimal I-maps A1, A2 of a and b under the heuristic order of the pair, ties
// by label. Undirected, an arc of a map is also in a DAG that has it reversed.
template <int W> class Fsim {
public:
    // A DAG with the costs of the first step towards its orders, which are the same in every pair.
    struct Prepared {
        explicit Prepared(Rows<W> rows) : dag(std::move(rows)), costs(dag, 1) {}
        Rows<W> dag;
        SinkCosts<W> costs;
    };

    int operator()(const Rows<W>& a, const Rows<W>& b, bool directed) {
        return (*this)(Prepared(a), Prepared(b), directed);
    }

    int operator()(const Prepared& a, const Prepared& b, bool directed) {
        states_.resize(2, a.costs);
        states_[0] = a.costs;
        states_[1] = b.costs;
        const auto place = places(sink_order(states_, total_));
        const auto a_ordered = relabelled(a.dag, place), b_ordered = relabelled(b.dag, place);
        auto a_map = a_ordered, b_map = b_ordered;
        minimal_imap_(a_map);
        minimal_imap_(b_map);
        int total = added(a_map, a_ordered, directed) + added(b_map, b_ordered, directed);
        for (std::size_t v = 0; v < a.dag.size(); ++v)
            total += count_missing(a_map[v], b_map[v]) + count_missing(b_map[v], a_map[v]);
        return total;
    }

private:
    std::vector<SinkCosts<W>> states_; // scratch
    std::vector<std::int64_t> total_;
    MinimalImap<W> minimal_imap_;

    static int added(const Rows<W>& map, const Rows<W>& dag, bool directed) {
        int total = 0;
        for (int v = 0; v < static_cast<int>(map.size()); ++v)
            (map[v] - dag[v]).each([&](int p) { total += directed || !dag[p].test(v); });
        return total;
    }
};

} // namespace bnfuse
