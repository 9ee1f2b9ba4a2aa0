// The minimal I-map of a DAG that is consistent with an order: Method A (Peña 2011) on bitset rows.
#pragma once

#include "dag.hpp"

namespace bnfuse {

// Labels are places in the order, so the map is the one in which every arc goes from a smaller to a larger label.
//
// Method A sorts an order of the DAG into the wanted one by swapping neighbours, reversing the arc between them if
// there is one. Three facts make that cheap. The part to the left is sorted already, so a variable y only passes larger
// labels, in decreasing order. A swap without an arc changes nothing, so only the parents of y need a visit: the
// largest first, until the largest is smaller than y. And outside the blocks of labels that backward arcs span, the
// DAG's order is the wanted one, so each block is sorted on its own.
template <int W> class MinimalImap {
public:
    void operator()(Rows<W>& parents) {
        const int n = static_cast<int>(parents.size());
        for (int low = 0; low < n; ++low) {
            int high = parents[low].highest();
            if (high < low) continue;
            for (int v = low + 1; v <= high; ++v) high = std::max(high, parents[v].highest());
            sort_block(parents, low, high);
            low = high;
        }
    }

private:
    std::vector<int> start_, outdegree_;

    void sort_block(Rows<W>& parents, int low, int high) {
        start_order(parents, low, high);
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

    // An order of the block that is close to the wanted one: the sink with the largest label goes last, and so on.
    void start_order(const Rows<W>& parents, int low, int high) {
        const auto block = interval<W>(low, high);
        start_.resize(high - low + 1);
        outdegree_.assign(high + 1, 0);
        auto sinks = block;
        for (int v = low; v <= high; ++v)
            (parents[v] & block).each([&](int p) {
                ++outdegree_[p];
                sinks.reset(p);
            });
        for (int place = high - low; place >= 0; --place) {
            const int v = sinks.highest();
            require(v >= 0, has_a_cycle); // every cycle lies within a block
            sinks.reset(v);
            start_[place] = v;
            (parents[v] & block).each([&](int p) {
                if (!--outdegree_[p]) sinks.set(p);
            });
        }
    }
};

} // namespace bnfuse
