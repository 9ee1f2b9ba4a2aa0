#include "row_draws.hpp"

#include "views.hpp"

namespace bnfuse {

RowDraws::RowDraws(std::size_t rows, RowWeights weights)
    : rows_(static_cast<std::uint32_t>(rows)), weights_(std::move(weights)) {
    require(1 <= rows && rows <= most_rows, "data have 1 to 2^30 rows");
    const auto& units = weights_.units;
    require(units.empty() || units.size() == rows, "each row has a weight");
    require(weights_.groups.empty() || weights_.groups.size() == rows, "each row has a group");
    require(weights_.unit == 1 || !units.empty(), "a unit is for weights");
    std::uint64_t sum = 0;
    for (std::uint32_t row = 0; row < rows_; ++row) {
        require(weight(row) > 0, "a weight is 1 unit or more");
        sum += weight(row);
        require(sum <= most_units, "the weights add up to 2^31 units or less");
        if (!units.empty()) ends_.push_back(static_cast<std::uint32_t>(sum));
    }
    total_ = static_cast<std::uint32_t>(sum);
    require(1 <= weights_.unit && weights_.unit <= total_, "a row has 1 unit or more, and the weights a row or more");
    std::uint64_t heaviest = 0;
    std::vector<std::uint64_t> sums;
    for (std::uint32_t row = 0; row < weights_.groups.size(); ++row) {
        const auto group = weights_.groups[row];
        require(group < rows_, "groups are numbered from 0");
        if (group >= groups_.size()) {
            groups_.resize(group + 1);
            sums.resize(group + 1);
        }
        groups_[group].push_back(row);
        heaviest = std::max(heaviest, sums[group] += weight(row));
    }
    // A resample may draw the heaviest one every time.
    require(heaviest * groups_.size() <= UINT32_MAX, "a resample of groups has 2^32 - 1 units or less");
    weights_.groups = {};
}

} // namespace bnfuse
