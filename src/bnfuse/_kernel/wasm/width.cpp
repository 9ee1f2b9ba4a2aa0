// All that a page needs of what is compiled for one width; see width.cpp of the kernel.
#include "decomposition.hpp"
#include "exact.hpp"

namespace bnfuse {

#define BNFUSE_IN_PAGE(W)                                                                                              \
    template Elimination max_cardinality<W>(const Rows<W>&, const Members&);                                           \
    template Elimination min_degree<W>(const Rows<W>&);                                                                \
    template Elimination min_fill<W>(const Rows<W>&, int);                                                             \
    template Elimination min_fill<W>(const Rows<W>&, int, const TableLimit&);                                          \
    template Elimination eliminated_along<W>(Rows<W>, std::vector<int>, const TableLimit&);                            \
    template void TreeDecomposition::rebuild<W>(Rows<W>, const std::vector<int>&);                                     \
    template Answer CliqueDecision::take_apart<W>(const Rows<W>&, const std::vector<int>&);
BNFUSE_EACH_WIDTH(BNFUSE_IN_PAGE)
#undef BNFUSE_IN_PAGE

} // namespace bnfuse
