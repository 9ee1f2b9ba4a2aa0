// Graphs as their arcs: pairs (from, to).
#pragma once

#include <utility>
#include <vector>

namespace bnfuse {

using ArcList = std::vector<std::pair<int, int>>;

} // namespace bnfuse
