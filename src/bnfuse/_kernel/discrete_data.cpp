#include "discrete_data.hpp"

#include "key_table.hpp"
#include "views.hpp"

#include <algorithm>
#include <numeric>

namespace bnfuse {

namespace {

constexpr std::uint32_t largest_pack = 64; // codes: larger tables of a pack cost more than they save

} // namespace

DiscreteData::DiscreteData(const std::uint16_t* columns, std::size_t variables, std::size_t rows,
                           std::vector<int> states, RowWeights weights)
    : draws_(rows, std::move(weights)) {
    checked_size(variables);
    require(states.size() == variables, "each variable has a number of states");
    for (std::size_t v = 0; v < variables; ++v) {
        require(1 <= states[v] && states[v] < missing, "a variable has 1 to 65534 states");
        states_.push_back(static_cast<std::uint32_t>(states[v]));
        bool lacks = false;
        for (std::size_t row = 0; row < rows; ++row) {
            const auto cell = columns[v * rows + row];
            lacks |= cell == missing;
            require(cell == missing || cell < states[v], "a cell holds a state that its variable does not have");
        }
        has_missing_.push_back(lacks);
        check_stop();
    }

    std::vector<std::uint32_t> first_rows;
    KeyTable seen((variables + 3) / 4);
    std::vector<std::uint64_t> key((variables + 3) / 4);
    Pulse pulse(4096);
    for (std::size_t row = 0; row < rows; ++row) {
        pulse();
        std::ranges::fill(key, 0);
        for (std::size_t v = 0; v < variables; ++v)
            key[v / 4] |= static_cast<std::uint64_t>(columns[v * rows + row]) << (v % 4 * 16);
        const auto found = seen.find(key.data());
        if (found.fresh) first_rows.push_back(static_cast<std::uint32_t>(row));
        distinct_of_.push_back(static_cast<std::uint32_t>(found.slot));
    }

    distinct_ = static_cast<std::uint32_t>(first_rows.size());
    for (std::size_t v = 0; v < variables; ++v) {
        const auto cell = [&](std::uint32_t row) {
            const auto code = columns[v * rows + row];
            return code == missing ? states_[v] : code;
        };
        if (is_narrow(static_cast<int>(v))) {
            start_.push_back(narrow_.size());
            for (const auto row : first_rows) narrow_.push_back(static_cast<std::uint8_t>(cell(row)));
        } else {
            start_.push_back(wide_.size());
            for (const auto row : first_rows) wide_.push_back(static_cast<std::uint16_t>(cell(row)));
        }
    }
    pack();
}

void DiscreteData::pack() {
    for (int v = 0; v < variables(); ++v) {
        if (packs_.empty() || !is_narrow(v) || packs_.back().codes * codes(v) > largest_pack)
            packs_.push_back({v, 0, 1, 0});
        auto& pack = packs_.back();
        strides_.push_back(pack.codes);
        pack_of_.push_back(packs_.size() - 1);
        pack.codes *= codes(v);
        ++pack.size;
    }
    for (auto& pack : packs_) {
        if (pack.size == 1) continue;
        check_stop();
        pack.start = packed_.size();
        packed_.resize(pack.start + distinct_);
        for (int v = pack.first; v < pack.first + pack.size; ++v)
            for (std::uint32_t row = 0; row < distinct_; ++row)
                packed_[pack.start + row] =
                    static_cast<std::uint8_t>(packed_[pack.start + row] + strides_[v] * narrow(v)[row]);
    }
}

Sample DiscreteData::all() const {
    std::vector<std::uint32_t> times(distinct_);
    draws_.all([&](std::uint32_t row, std::uint32_t units) { times[distinct_of_[row]] += units; });
    return sample(times, draws_.unit());
}

Sample DiscreteData::drawn(std::uint64_t seed, std::uint64_t resample) const {
    std::vector<std::uint32_t> times(distinct_);
    const auto unit = draws_.drawn(seed, resample,
                                   [&](std::uint32_t row, std::uint32_t units) { times[distinct_of_[row]] += units; });
    return sample(times, unit);
}

Sample DiscreteData::sample(const std::vector<std::uint32_t>& times, std::uint32_t unit) const {
    Sample sample;
    sample.total = std::accumulate(times.begin(), times.end(), std::uint32_t{0});
    sample.unit = unit;
    for (std::uint32_t row = 0; row < distinct_; ++row)
        if (times[row]) {
            sample.rows.push_back(row);
            sample.weights.push_back(times[row]);
        }
    return sample;
}

} // namespace bnfuse
