// The weights of rows, and the rows that a resample draws.
//
// A row may represent several, or a fraction of one: its weight is a whole number of units, of which a row has a given
// number. A resample draws as many rows as the weights add up to, each with a probability in proportion to its weight.
// So a row of weight 3 is drawn like three equal rows. If rows have groups, it draws as many groups as there are, and
// takes all rows of each, with their weights.
#pragma once

#include "random.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace bnfuse {

// The items that a resample draws (rows, units or groups), with replacement, one after the other.
class Draws {
public:
    Draws(std::uint64_t seed, std::uint64_t resample, std::uint32_t bound) : random_(seed, resample), bound_(bound) {}
    std::uint32_t operator()() { return random_.below(bound_); }

private:
    Random random_;
    std::uint32_t bound_;
};

// In the order of the rows; empty if each represents itself.
struct RowWeights {
    std::vector<std::uint32_t> units; // above 0
    std::uint32_t unit = 1;           // units in a row
    std::vector<std::uint32_t> groups;
};

class RowDraws {
public:
    static constexpr std::uint32_t most_rows = 1u << 30, most_units = 1u << 31;

    RowDraws(std::size_t rows, RowWeights weights);

    std::uint32_t rows() const { return rows_; }
    std::uint32_t total() const { return total_; } // of the weights, in units
    std::uint32_t unit() const { return weights_.unit; }

    // Calls visit with each row and its units.
    template <class Visit> void all(Visit&& visit) const {
        for (std::uint32_t row = 0; row < rows_; ++row) visit(row, weight(row));
    }

    // The same with each row that a resample draws, perhaps several times; returns the number of units in a row.
    template <class Visit> std::uint32_t drawn(std::uint64_t seed, std::uint64_t resample, Visit&& visit) const {
        if (!groups_.empty()) {
            Draws draw(seed, resample, static_cast<std::uint32_t>(groups_.size()));
            for (std::size_t i = 0; i < groups_.size(); ++i)
                for (const auto row : groups_[draw()]) visit(row, weight(row));
            return weights_.unit;
        }
        Draws draw(seed, resample, total_);
        const auto number = (std::uint64_t{total_} + weights_.unit / 2) / weights_.unit;
        for (std::uint64_t i = 0; i < number; ++i) {
            const auto drawn = draw();
            const auto row = ends_.empty() ? drawn : std::ranges::upper_bound(ends_, drawn) - ends_.begin();
            visit(static_cast<std::uint32_t>(row), std::uint32_t{1});
        }
        return 1;
    }

private:
    std::uint32_t rows_;
    RowWeights weights_;
    std::uint32_t total_ = 0;
    std::vector<std::uint32_t> ends_;                // for each row, the units of all rows up to it
    std::vector<std::vector<std::uint32_t>> groups_; // the rows of each

    std::uint32_t weight(std::size_t row) const { return weights_.units.empty() ? 1 : weights_.units[row]; }
};

} // namespace bnfuse
