// All that is compiled for one width, BNFUSE_WORDS: the build compiles this file once for each.
#include "decomposition.hpp"
#include "kernel_of.hpp"
#include "set_chain.hpp"

namespace bnfuse {

template Elimination max_cardinality<BNFUSE_WORDS>(const Rows<BNFUSE_WORDS>&, const Members&);
template Elimination min_degree<BNFUSE_WORDS>(const Rows<BNFUSE_WORDS>&);
template Elimination min_fill<BNFUSE_WORDS>(const Rows<BNFUSE_WORDS>&, int);
template Elimination min_fill<BNFUSE_WORDS>(const Rows<BNFUSE_WORDS>&, int, const TableLimit&);
template Elimination eliminated_along<BNFUSE_WORDS>(Rows<BNFUSE_WORDS>, std::vector<int>, const TableLimit&);
template void TreeDecomposition::rebuild<BNFUSE_WORDS>(Rows<BNFUSE_WORDS>, const std::vector<int>&);
template Answer CliqueDecision::take_apart<BNFUSE_WORDS>(const Rows<BNFUSE_WORDS>&, const std::vector<int>&);

template std::unique_ptr<AnySetChain> set_chain<BNFUSE_WORDS>(const SetProblem&, const ChosenSets&, const Random&);

template <> const Kernel& kernel_of<BNFUSE_WORDS>() {
    static const KernelOf<BNFUSE_WORDS> kernel;
    return kernel;
}

} // namespace bnfuse
