// Rows of observed states, packed by column. Equal rows are stored once, with their frequency; a resample is a number
// for each of these, never a copy of the data.
#pragma once

#include "row_draws.hpp"

namespace bnfuse {

// The rows that occur, in increasing order, and their weights, in units.
struct Sample {
    std::vector<std::uint32_t> rows, weights;
    std::uint32_t total = 0, unit = 1;
};

class DiscreteData {
public:
    static constexpr std::uint16_t missing = 0xffff;

    // One column after the other; a cell is a state, counted from 0, or missing.
    DiscreteData(const std::uint16_t* columns, std::size_t variables, std::size_t rows, std::vector<int> states,
                 RowWeights weights = {});

    int variables() const { return static_cast<int>(states_.size()); }
    std::uint32_t rows() const { return static_cast<std::uint32_t>(distinct_of_.size()); }
    std::uint32_t total() const { return draws_.total(); } // of the weights, in units
    std::uint32_t unit() const { return draws_.unit(); }

    std::uint32_t states(int v) const { return states_[v]; }
    bool is_complete() const { return std::ranges::find(has_missing_, true) == has_missing_.end(); }
    // The number of values in a column: its states, and one more for a missing value if there are any.
    std::uint32_t codes(int v) const { return states_[v] + has_missing_[v]; }

    bool is_narrow(int v) const { return codes(v) <= 256; }
    const std::uint8_t* narrow(int v) const { return narrow_.data() + start_[v]; }
    const std::uint16_t* wide(int v) const { return wide_.data() + start_[v]; }

    // Calls visit with the column of v, of whichever type it is.
    template <class Visit> void with_column(int v, Visit&& visit) const {
        if (is_narrow(v))
            visit(narrow(v));
        else
            visit(wide(v));
    }

    // Adjacent narrow columns as one, so that one pass over the rows counts them all. A variable without such
    // neighbours is a separate pack, which has no column.
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
    RowDraws draws_;
    std::vector<std::uint32_t> states_;
    std::vector<bool> has_missing_;
    std::uint32_t distinct_ = 0;
    std::vector<std::uint32_t> distinct_of_; // for each given row, the stored one that is equal to it
    std::vector<std::size_t> start_;         // of each column, in the memory of its kind
    std::vector<std::uint8_t> narrow_;
    std::vector<std::uint16_t> wide_;
    std::vector<Pack> packs_;
    std::vector<std::size_t> pack_of_;
    std::vector<std::uint32_t> strides_;
    std::vector<std::uint8_t> packed_;

    void pack();
    Sample sample(const std::vector<std::uint32_t>& times, std::uint32_t unit) const;
};

} // namespace bnfuse
