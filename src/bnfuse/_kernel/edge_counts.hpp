// How often each pair of variables is joined in a moral graph that changes: once by its arc, once by each common child.
#pragma once

#include "bitset.hpp"

#include <algorithm>

namespace bnfuse {

// With few variables, a number for each pair; with many, a table of the joined pairs, by linear probing.
class EdgeCounts {
public:
    explicit EdgeCounts(int n) : n_(n) {
        if (is_listed())
            slots_.resize(1024);
        else
            counts_.resize(static_cast<std::size_t>(n) * n);
    }

    std::uint16_t operator()(int a, int b) const {
        if (!is_listed()) return counts_[key(a, b)];
        return slots_[place(key(a, b) + 1)].count;
    }

    // Returns the previous number.
    std::uint16_t add(int a, int b) {
        if (!is_listed()) return counts_[key(a, b)]++;
        if (2 * used_ >= slots_.size()) grow();
        auto& slot = slots_[place(key(a, b) + 1)];
        if (!slot.key) {
            slot.key = key(a, b) + 1;
            ++used_;
        }
        return slot.count++;
    }

    // Returns the remaining number.
    std::uint16_t take(int a, int b) {
        if (!is_listed()) return --counts_[key(a, b)];
        const auto at = place(key(a, b) + 1);
        const auto left = --slots_[at].count;
        if (!left) remove(at);
        return left;
    }

private:
    struct Slot {
        std::uint64_t key = 0; // 0: free
        std::uint16_t count = 0;
    };
    int n_;
    std::vector<std::uint16_t> counts_;
    std::vector<Slot> slots_; // a power of two
    std::size_t used_ = 0;

    bool is_listed() const { return are_many(n_); }
    std::uint64_t key(int a, int b) const {
        return static_cast<std::uint64_t>(std::min(a, b)) * n_ + static_cast<std::uint64_t>(std::max(a, b));
    }
    std::size_t home(std::uint64_t key) const {
        return key * 0x9e3779b97f4a7c15 >> (64 - std::countr_zero(slots_.size()));
    }
    std::size_t place(std::uint64_t key) const { // where it is, or would be
        auto at = home(key);
        while (slots_[at].key && slots_[at].key != key) at = (at + 1) & (slots_.size() - 1);
        return at;
    }

    // Moves up entries that would not be found any more (Knuth 1973, 6.4, algorithm R).
    void remove(std::size_t gap) {
        --used_;
        const auto last = slots_.size() - 1;
        for (auto at = (gap + 1) & last; slots_[at].key; at = (at + 1) & last) {
            const auto wanted = home(slots_[at].key);
            if (((at - wanted) & last) < ((at - gap) & last)) continue; // it is between its home and here
            slots_[gap] = slots_[at];
            gap = at;
        }
        slots_[gap] = {};
    }

    void grow() {
        auto before = std::move(slots_);
        slots_.assign(2 * before.size(), {});
        for (const auto& slot : before)
            if (slot.key) slots_[place(slot.key)] = slot;
    }
};

} // namespace bnfuse
