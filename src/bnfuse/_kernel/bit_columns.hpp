// Columns of a sample as rows of bits, one for each state: the count of a cell is the number of bits that the states of
// its configuration have in common. For a frequent configuration, that takes a fraction of an addition per row; the
// rows of a rare one are listed and counted one by one, if that is less work.
#pragma once

#include "discrete_data.hpp"

#include <array>
#include <span>

namespace bnfuse {

class BitColumns {
public:
    // Rows that represent several are written out, so they must not represent too many.
    static bool suits(const DiscreteData& data, const Sample& sample);

    BitColumns(const DiscreteData& data, const Sample& sample);

    // Whether this number of lines is worthwhile, given the number of rows to count otherwise.
    bool pays(std::uint64_t lines, std::size_t rows) const { return lines * words_ <= rows; }

    // A line for each configuration of a family, a column for each state of the variable; 0 before.
    struct Table {
        int variable;
        std::uint32_t* counts;
    };

    // The last variable of the family changes fastest along the lines.
    void count(std::span<const int> family, std::span<const Table> tables) const;

private:
    using Word = std::uint64_t;
    static constexpr std::size_t block_words = 128; // a part of the rows whose columns stay in a near cache

    struct Block {
        std::size_t first, size; // in words
        std::span<const int> family;
        std::span<const Table> tables;
        std::vector<std::array<Word, block_words>> common; // of the first variables of the family, by their number
        std::vector<std::uint16_t> listed;                 // rows
    };

    std::size_t words_;
    std::vector<std::uint32_t> states_;
    std::vector<std::size_t> starts_; // of each variable's bits
    std::vector<Word> bits_;
    std::vector<std::uint8_t> cells_;

    const Word* bits(int variable, std::uint32_t state) const {
        return bits_.data() + starts_[variable] + state * words_;
    }
    void walk(Block& block, std::size_t depth, std::size_t line) const;
    void add(Block& block, std::size_t line, std::uint32_t many) const;
};

} // namespace bnfuse
