// The minimal I-map of a DAG that is consistent with an order: Method A (Peña 2011) on bitset rows.
#pragma once

#include "dag.hpp"

namespace bnfuse {

// Labels are places in the order, so the map is the one in which every arc goes from a smaller to a larger label.
//
// Method A sorts an order of the DAG into the wanted one by swapping neighbours, reversing the arc between them if
// there is one. Two facts make that cheap. The part to the left is sorted already, so a variable y only passes larger
// labels, in decreasing order; and a swap without an arc changes nothing, so only the parents of y need a visit: the
// largest first, until the largest is smaller than y.
template <int W> class MinimalImap {
public:
    void operator()(Rows<W>& parents) {
        start_order(parents);
        for (const int y : start_) {
            auto& row = parents[y];
            for (int z = row.highest(); z > y; z = row.highest()) {
                row.reset(z);
                row |= parents[z];
                parents[z] = row;
                parents[z].set(y);
            }
        }
    }

private:
    std::vector<int> start_, outdegree_;

    // An order of the DAG close to the wanted one: the sink with the largest label goes last, and so on.
    void start_order(const Rows<W>& parents) {
        const int n = static_cast<int>(parents.size());
        start_.resize(n);
        outdegree_.assign(n, 0);
        for (const auto& row : parents) row.each([&](int p) { ++outdegree_[p]; });
        Bits<W> sinks;
        for (int v = 0; v < n; ++v)
            if (!outdegree_[v]) sinks.set(v);
        for (int place = n - 1; place >= 0; --place) {
            const int v = sinks.highest();
            sinks.reset(v);
            start_[place] = v;
            parents[v].each([&](int p) {
                if (!--outdegree_[p]) sinks.set(p);
            });
        }
    }
};

} // namespace bnfuse
