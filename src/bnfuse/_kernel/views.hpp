// Graphs in the caller's memory, as rows of 64-bit words, and all checks before the kernel trusts them.
#pragma once

#include "objective.hpp"

namespace bnfuse {

inline int checked_size(std::size_t n) {
    require(1 <= n && n <= most_in_rows, "a graph has 1 to 2048 variables");
    return static_cast<int>(n);
}
inline int checked_count(int n) { // of variables, where graphs are lists
    require(1 <= n && n <= max_variables, "a graph has 1 to 20000 variables");
    return n;
}

// Several DAGs over the same variables, as rows of parents.
class Graphs {
public:
    Graphs(const std::uint64_t* data, std::size_t count, std::size_t n, std::size_t words)
        : data_(data), count_(count), n_(checked_size(n)), words_(words) {
        require(words == (n + 63) / 64, "a graph has as many words in a row as its variables need");
        require(count <= 1u << 30, "too many graphs");
    }

    int n() const { return n_; }
    int count() const { return static_cast<int>(count_); }
    std::size_t words() const { return words_; }
    std::size_t size() const { return n_ * words_; } // of one, in words

    template <int W> Rows<W> load(int index) const {
        const auto* data = data_ + index * size();
        const auto all = first<W>(n_);
        Rows<W> rows(n_);
        for (auto& row : rows) {
            std::copy_n(data, words_, row.word.begin());
            require(!(row - all).any(), beyond);
            data += words_;
        }
        return rows;
    }

    // With variable v named name[v].
    template <int W> Rows<W> load(int index, const std::vector<int>& name) const {
        const auto* data = data_ + index * size();
        Rows<W> rows(n_);
        for (int v = 0; v < n_; ++v) {
            auto& row = rows[name[v]];
            for (std::size_t i = 0; i < words_; ++i)
                for (auto rest = *data++; rest; rest &= rest - 1) {
                    const auto u = 64 * i + std::countr_zero(rest);
                    require(u < name.size(), beyond);
                    row.set(name[u]);
                }
        }
        return rows;
    }

    template <int W> std::vector<Rows<W>> load_all(const std::vector<int>& name) const {
        std::vector<Rows<W>> all;
        for (int i = 0; i < count(); ++i) {
            all.push_back(load<W>(i, name));
            check_stop();
        }
        return all;
    }

private:
    static constexpr const char* beyond = "a row has bits beyond the variables";
    const std::uint64_t* data_;
    std::size_t count_;
    int n_;
    std::size_t words_;
};

// With label v named name[v], into zeros.
template <int W> void store(const Rows<W>& rows, const std::vector<int>& name, std::size_t words, std::uint64_t* data) {
    for (std::size_t v = 0; v < rows.size(); ++v) {
        auto* row = data + name[v] * words;
        rows[v].each([&](int u) { row[name[u] >> 6] |= std::uint64_t{1} << (name[u] & 63); });
    }
}

inline void check_order(const std::vector<int>& order, int n) {
    require(order.size() == static_cast<std::size_t>(n), "an order has each variable once");
    std::vector<bool> seen(n);
    for (const int v : order) {
        require(0 <= v && v < n && !seen[v], "an order has each variable once");
        seen[v] = true;
    }
}

// Sums of weighted distances stay exact in 64 bits.
inline constexpr Weight largest_total = Weight{1} << 38;

inline void check_weights(const std::vector<Weight>& weights, const Graphs& dags) {
    require(weights.size() == static_cast<std::size_t>(dags.count()), "each network has one weight");
    Weight total = 0;
    for (const auto weight : weights) {
        require(0 <= weight && weight <= largest_total, "a weight is neither negative nor above 2^38");
        require((total += weight) <= largest_total, "the weights add up to more than 2^38");
    }
}

inline void check_same_size(const Graphs& a, const Graphs& b) {
    require(a.n() == b.n(), "the graphs differ in their number of variables");
}

inline void check_some(const Graphs& dags) { require(dags.count() > 0, "there are no graphs"); }

inline void check_threads(int threads) { require(1 <= threads && threads <= 1024, "the threads are 1 to 1024"); }

// Rules by arc: 1 means that it may be added, 2 that it must stay.
inline void check_rules(const std::vector<std::uint8_t>& rules, const Pairs& pairs) {
    require(rules.size() == pairs.count(), "rules are given by pairs of variables");
    for (const auto rule : rules) require(rule <= 3, "a rule is 0, 1, 2 or 3");
    for (int v = 0; v < pairs.n() && pairs.are_all(); ++v)
        require(!rules[pairs.find(v, v)], "a variable cannot be its own parent");
}
inline void check_rules(const std::vector<std::uint8_t>& rules, int n) { check_rules(rules, Pairs(n)); }

inline void check_tables(const TableLimit& tables, int n) {
    require(!tables.is_set() || tables.size() == static_cast<std::size_t>(n), "each variable has a number of states");
}

inline void check_arcs(const std::vector<std::pair<int, int>>& arcs, int n) {
    for (const auto& [u, v] : arcs)
        require(0 <= u && u < n && 0 <= v && v < n && u != v, "an arc joins two different variables");
}

} // namespace bnfuse
