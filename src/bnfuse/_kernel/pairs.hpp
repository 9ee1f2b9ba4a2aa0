// The ordered pairs of variables with their own numbers: all pairs if there are few variables; with many, those that
// some input joins, in both directions, as sorted rows.
#pragma once

#include "dag.hpp"

#include <memory>

namespace bnfuse {

class Pairs {
public:
    explicit Pairs(int n = 0) : n_(n) {} // all

    // Row a has the columns from `start[a]` to `start[a + 1]`, in increasing order.
    Pairs(int n, std::vector<std::int64_t> start, std::vector<int> columns)
        : n_(n), listed_(std::make_shared<const Listed>(Listed{std::move(start), std::move(columns)})) {
        check();
    }

    int n() const { return n_; }
    bool are_all() const { return !listed_; }
    std::size_t count() const { return listed_ ? listed_->columns.size() : static_cast<std::size_t>(n_) * n_; }

    // The position of a pair's number, or -1 if it has none.
    std::ptrdiff_t find(int a, int b) const {
        if (!listed_) return static_cast<std::ptrdiff_t>(a) * n_ + b;
        const auto* columns = listed_->columns.data();
        auto low = listed_->start[a], high = listed_->start[a + 1];
        for (; high - low > few;) {
            const auto middle = (low + high) / 2;
            if (columns[middle] <= b)
                low = middle;
            else
                high = middle;
        }
        for (; low < high; ++low)
            if (columns[low] == b) return low;
        return -1;
    }

    // Visits (a, b, place), row by row.
    template <class Visit> void each(Visit&& visit) const {
        for (int a = 0; a < n_; ++a) each_of(a, [&](int b, std::size_t i) { visit(a, b, i); });
    }
    template <class Visit> void each_of(int a, Visit&& visit) const {
        if (!listed_) {
            for (int b = 0; b < n_; ++b) visit(b, static_cast<std::size_t>(a) * n_ + b);
            return;
        }
        for (auto i = listed_->start[a]; i < listed_->start[a + 1]; ++i)
            visit(listed_->columns[i], static_cast<std::size_t>(i));
    }

    friend bool operator==(const Pairs& one, const Pairs& other) {
        if (one.n_ != other.n_ || one.are_all() != other.are_all()) return false;
        return one.listed_ == other.listed_ ||
               (one.listed_->start == other.listed_->start && one.listed_->columns == other.listed_->columns);
    }

private:
    struct Listed {
        std::vector<std::int64_t> start;
        std::vector<int> columns;
    };
    static constexpr std::int64_t few = 8; // columns that are searched one by one
    int n_;
    std::shared_ptr<const Listed> listed_; // none: all

    void check() const {
        constexpr auto rows = "pairs are given as sorted rows";
        const auto& [start, columns] = *listed_;
        require(n_ >= 1 && start.size() == static_cast<std::size_t>(n_) + 1 && start.front() == 0 &&
                    start.back() == static_cast<std::int64_t>(columns.size()),
                rows);
        require(std::ranges::is_sorted(start), rows);
        for (int a = 0; a < n_; ++a)
            for (auto i = start[a]; i < start[a + 1]; ++i) {
                require(0 <= columns[i] && columns[i] < n_ && columns[i] != a, rows);
                require(i == start[a] || columns[i - 1] < columns[i], rows);
            }
        each([&](int a, int b, std::size_t) { require(find(b, a) >= 0, "a pair is given one way round only"); });
    }
};

} // namespace bnfuse
