// A limit on the table of a clique: the product of its members' states, as exact whole numbers.
#pragma once

#include "dag.hpp"
#include "sorting.hpp"

#include <limits>

namespace bnfuse {

class TableLimit {
public:
    static constexpr auto too_large = std::numeric_limits<std::uint64_t>::max(); // to be counted exactly

    TableLimit() = default; // none

    // `clique_limit` is the limit on the number of members that applies in addition to this one.
    TableLimit(std::vector<std::uint64_t> states, std::uint64_t most, int clique_limit)
        : states_(std::move(states)), clique_limit_(clique_limit) {
        for (const auto count : states_) {
            require(1 <= count && count <= most && most < too_large,
                    "a table of one variable is over the limit, or has no numbers");
            room_.push_back(most / count);
        }
    }

    bool is_set() const { return !states_.empty(); }
    std::size_t size() const { return states_.size(); }

    // The same limit if label i stands for this variable.
    TableLimit of(const std::vector<int>& variables) const {
        TableLimit own;
        if (!is_set()) return own;
        own.clique_limit_ = clique_limit_;
        for (const int v : variables) {
            own.states_.push_back(states_[v]);
            own.room_.push_back(room_[v]);
        }
        return own;
    }

    bool allows(const std::vector<int>& members) const {
        if (!is_set()) return true;
        std::uint64_t table = 1;
        return std::ranges::all_of(members, [&](int v) { return multiplied(table, v); });
    }

    // The count of the clique of v and its neighbours: its members if its table is within the limit. Otherwise the
    // limit plus the number of members that must be removed until it is, those with the most states first: so one
    // number shows whether a clique is within both limits, and how far it is from them.
    template <int W> int operator()(const Bits<W>& neighbours, int v) const {
        return table(neighbours, v) < too_large ? neighbours.count() + 1 : clique_limit_ + excess(neighbours, v);
    }

    // The numbers in that clique's table.
    template <int W> std::uint64_t table(const Bits<W>& neighbours, int v) const {
        std::uint64_t numbers = states_[v];
        bool fits = true;
        neighbours.each([&](int u) { fits = fits && multiplied(numbers, u); });
        return fits ? numbers : too_large;
    }

private:
    std::vector<std::uint64_t> states_;
    std::vector<std::uint64_t> room_; // the largest number that times a variable's states stays within the limit
    int clique_limit_ = 0;

    bool multiplied(std::uint64_t& table, int v) const {
        if (table > room_[v]) return false;
        table *= states_[v];
        return true;
    }

    template <int W> int excess(const Bits<W>& neighbours, int v) const {
        std::vector<int> members{v};
        neighbours.each([&](int u) { members.push_back(u); });
        bnfuse::sort(members, {}, [&](int u) { return states_[u]; });
        std::uint64_t table = 1;
        int left = static_cast<int>(members.size());
        for (const int u : members) {
            if (!multiplied(table, u)) break;
            --left;
        }
        return left;
    }
};

} // namespace bnfuse
