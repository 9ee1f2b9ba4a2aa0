// The kernel's functions for graphs, for any number of words: compiled once for each width (width.cpp), chosen once per
// call. All arguments are checked; an invalid one throws std::invalid_argument.
#pragma once

#include "fsim_search.hpp"
#include "min_cut_search.hpp"
#include "pruning.hpp"

namespace bnfuse {

enum class Method { best, max_cardinality, min_fill, min_degree, exact };

struct CliqueSize {
    int lower, upper; // proven, and reached by
    std::vector<int> order;
};

class Kernel {
public:
    using Order = std::vector<int>;
    using Weights = std::vector<Weight>;

    virtual ~Kernel() = default;
    virtual std::vector<int> find_cycle(const Graphs& dag) const = 0;
    virtual Order heuristic_order(const Graphs& dags, const Weights& weights, const Order& ties) const = 0;
    // Into zeros of the shape of the DAGs.
    virtual void minimal_imaps(const Graphs& dags, const Order& order, int threads, std::uint64_t* maps) const = 0;
    virtual std::vector<int> shd(const Graphs& dag, const Graphs& others) const = 0;
    virtual std::vector<int> smhd(const Graphs& dag, const Graphs& others) const = 0;
    virtual std::vector<int> fsim(const Graphs& dag, const Graphs& others, const Order& ties, bool directed,
                                  int threads) const = 0;
    virtual CliqueSize triangulate(const Graphs& dag, Method method, std::int64_t states) const = 0;
    virtual int clique_along(const Graphs& dag, const Order& order) const = 0;
    // Adds the weight of each DAG to the counts of its moral edges (in both directions) and arcs; of all or of none.
    virtual void count_edges(const Graphs& dags, const Weights& weights, Weight* moral, Weight* arcs) const = 0;
    virtual std::unique_ptr<FsimSearch> fsim_search(FsimSetup setup) const = 0;
    virtual std::unique_ptr<Candidates> candidates(const CandidatesSetup& setup) const = 0;
    virtual std::unique_ptr<MinCutSearch> min_cut_search(MinCutSetup setup) const = 0;
};

template <int W> const Kernel& kernel_of();
#define BNFUSE_KERNEL(W) template <> const Kernel& kernel_of<W>();
BNFUSE_EACH_WIDTH(BNFUSE_KERNEL)
#undef BNFUSE_KERNEL

inline const Kernel& kernel_for(int n) {
    return *with_words(n, []<int W>() { return &kernel_of<W>(); });
}
inline const Kernel& kernel_for(const Graphs& dags) { return kernel_for(dags.n()); }

} // namespace bnfuse
