#include "bit_columns.hpp"

#include "stop.hpp"

#include <bit>

namespace bnfuse {

namespace {

constexpr std::size_t most_cells = std::size_t{1} << 26; // 64 MB, and less than that for the bits of two to four states
constexpr std::uint32_t row_cost = 4;                    // the cost of counting a row, in words that are compared

} // namespace

bool BitColumns::suits(const DiscreteData& data, const Sample& sample) {
    if (!data.is_complete() || sample.total > 4 * sample.rows.size()) return false;
    std::uint64_t states = 0;
    for (int v = 0; v < data.variables(); ++v) {
        if (!data.is_narrow(v)) return false;
        states += data.states(v);
    }
    return std::uint64_t{sample.total} * (data.variables() + states / 8) <= most_cells;
}

BitColumns::BitColumns(const DiscreteData& data, const Sample& sample) : words_((sample.total + 63) / 64) {
    std::size_t size = 0;
    for (int v = 0; v < data.variables(); ++v) {
        states_.push_back(data.states(v));
        starts_.push_back(size);
        size += states_.back() * words_;
    }
    bits_.resize(size);
    cells_.resize(words_ * 64 * states_.size());
    for (int v = 0; v < data.variables(); ++v) {
        check_stop();
        auto* const cells = cells_.data() + words_ * 64 * v;
        auto* const own = bits_.data() + starts_[v];
        const auto* column = data.narrow(v);
        std::size_t place = 0;
        for (std::size_t i = 0; i < sample.rows.size(); ++i)
            for (std::uint32_t copy = 0; copy < sample.weights[i]; ++copy, ++place) {
                const auto cell = column[sample.rows[i]];
                cells[place] = cell;
                own[cell * words_ + place / 64] |= Word{1} << (place % 64);
            }
    }
}

void BitColumns::count(std::span<const int> family, std::span<const Table> tables) const {
    Block block{0, 0, family, tables, {}, {}};
    block.common.resize(family.size() + 1);
    for (; block.first < words_; block.first += block_words) {
        check_stop();
        block.size = std::min(block_words, words_ - block.first);
        walk(block, 0, 0);
    }
}

// From the common bits of the first variables to the lines of all.
void BitColumns::walk(Block& block, std::size_t depth, std::size_t line) const {
    const int v = block.family[depth];
    auto& common = block.common[depth + 1];
    for (std::uint32_t x = 0; x < states_[v]; ++x) {
        const auto* own = bits(v, x) + block.first;
        const auto* before = depth ? block.common[depth].data() : own;
        std::uint32_t many = 0;
        for (std::size_t i = 0; i < block.size; ++i) {
            common[i] = before[i] & own[i];
            many += static_cast<std::uint32_t>(std::popcount(common[i]));
        }
        if (!many) continue;
        const auto longer = line * states_[v] + x;
        if (depth + 1 < block.family.size())
            walk(block, depth + 1, longer);
        else
            add(block, longer, many);
    }
}

void BitColumns::add(Block& block, std::size_t line, std::uint32_t many) const {
    const auto& common = block.common[block.family.size()];
    block.listed.clear();
    for (const auto& [u, counts] : block.tables) {
        auto* const own = counts + line * states_[u];
        if (row_cost * many > (states_[u] - 1) * block.size) {
            auto rest = many;
            for (std::uint32_t x = 1; x < states_[u]; ++x) {
                const auto* with = bits(u, x) + block.first;
                std::uint32_t count = 0;
                for (std::size_t i = 0; i < block.size; ++i)
                    count += static_cast<std::uint32_t>(std::popcount(common[i] & with[i]));
                own[x] += count;
                rest -= count;
            }
            own[0] += rest;
            continue;
        }
        if (block.listed.empty())
            for (std::size_t i = 0; i < block.size; ++i)
                for (auto left = common[i]; left; left &= left - 1)
                    block.listed.push_back(static_cast<std::uint16_t>(64 * i + std::countr_zero(left)));
        const auto* cells = cells_.data() + 64 * (words_ * u + block.first);
        for (const auto row : block.listed) ++own[cells[row]];
    }
}

} // namespace bnfuse
