// Rows of observed states, packed by column. Equal rows are kept once, with how often they occur; a resample is a
// number for each of these, never a copy of the data.
//
// A row may stand for several, or for a fraction of one: its weight is a whole number of units, of which so many are a
// row. A resample draws as many rows as the weights add up to, each with a probability in proportion to its weight. So
// a row of weight 3 is drawn as three equal rows are. Where rows have groups, it draws as many groups as there are, and
// takes all rows of each, with their weights.
#pragma once

#include "random.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace bnfuse {

// What a resample draws (rows, units or groups), with replacement, one after the other.
class Draws {
public:
    Draws(std::uint64_t seed, std::uint64_t resample, std::uint32_t bound) : random_(seed, resample), bound_(bound) {}
    std::uint32_t operator()() { return random_.below(bound_); }

private:
    Random random_;
    std::uint32_t bound_;
};

// What rows stand for, in the order of the rows; nothing where each stands for itself.
struct RowWeights {
    std::vector<std::uint32_t> units; // above 0
    std::uint32_t unit = 1;           // units in a row
    std::vector<std::uint32_t> groups;
};

// The rows that occur, in increasing order, and their weights, in units.
struct Sample {
    std::vector<std::uint32_t> rows, weights;
    std::uint32_t total = 0, unit = 1;
};

class DiscreteData {
public:
    static constexpr std::uint16_t missing = 0xffff;
    static constexpr std::uint32_t most_rows = 1u << 30, most_units = 1u << 31;

    // One column after the other; a cell is a state, counted from 0, or missing.
    DiscreteData(const std::uint16_t* columns, std::size_t variables, std::size_t rows, std::vector<int> states,
                 RowWeights weights = {});

    int variables() const { return static_cast<int>(states_.size()); }
    std::uint32_t rows() const { return static_cast<std::uint32_t>(distinct_of_.size()); }
    std::uint32_t distinct_rows() const { return distinct_; }
    std::uint32_t total() const { return total_; } // of the weights, in units
    std::uint32_t unit() const { return weights_.unit; }

    std::uint32_t states(int v) const { return states_[v]; }
    bool has_missing(int v) const { return has_missing_[v]; }
    bool is_complete() const { return std::ranges::find(has_missing_, true) == has_missing_.end(); }
    // The numbers that a column holds: its states, and one more that stands for a missing value where there are any.
    std::uint32_t codes(int v) const { return states_[v] + has_missing_[v]; }

    bool is_narrow(int v) const { return codes(v) <= 256; }
    const std::uint8_t* narrow(int v) const { return narrow_.data() + start_[v]; }
    const std::uint16_t* wide(int v) const { return wide_.data() + start_[v]; }

    // Calls visit with the column of v, of whichever kind it is.
    template <class Visit> void with_column(int v, Visit&& visit) const {
        if (is_narrow(v))
            visit(narrow(v));
        else
            visit(wide(v));
    }

    // Neighbouring narrow columns as one, so that one pass over the rows counts them all. A variable that has no such
    // neighbour is a pack of its own, which has no column.
    struct Pack {
        int first, size;
        std::uint32_t codes; // the product of those of its variables
        std::size_t start;
    };
    const Pack& pack_of(int v) const { return packs_[pack_of_[v]]; }
    const std::uint8_t* packed(const Pack& pack) const { return packed_.data() + pack.start; }
    // What a step of the variable's code adds to that of its pack.
    std::uint32_t stride(int v) const { return strides_[v]; }

    Sample all() const;
    Sample drawn(std::uint64_t seed, std::uint64_t resample) const;

private:
    std::vector<std::uint32_t> states_;
    std::vector<bool> has_missing_;
    std::uint32_t distinct_ = 0;
    std::vector<std::uint32_t> distinct_of_; // for each row given, the one that is kept of those equal to it
    RowWeights weights_;
    std::uint32_t total_ = 0;
    std::vector<std::uint32_t> ends_;                // for each row the units of all rows up to it
    std::vector<std::vector<std::uint32_t>> groups_; // the rows of each
    std::vector<std::size_t> start_;                 // of each column, in the memory of its kind
    std::vector<std::uint8_t> narrow_;
    std::vector<std::uint16_t> wide_;
    std::vector<Pack> packs_;
    std::vector<std::size_t> pack_of_;
    std::vector<std::uint32_t> strides_;
    std::vector<std::uint8_t> packed_;

    void pack();
    void weigh();
    std::uint32_t weight(std::size_t row) const { return weights_.units.empty() ? 1 : weights_.units[row]; }
    Sample sample(const std::vector<std::uint32_t>& times, std::uint32_t unit) const;
};

} // namespace bnfuse
