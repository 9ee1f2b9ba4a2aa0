// The score of a family if values are missing: a sum over sets of variables, each scored on the rows that have it.
//
// For a set A let D be the rows that have all of A, W_A their weight and W that of all rows. With h(C) the sum of the
// terms of the table of C within D, the interaction of A is m(A) = sum over C in A of (-1)^|A \ C| h(C), and t(A) = (W
// / W_A) (m(A) - penalty * prod over A of (r_a - 1)). A family scores S(v | P) = sum over B in P of t(B + v).
//
// By Möbius inversion S(v | P) = F(P + v) - F(P) with F(X) the sum of t over the sets in X: so equivalent networks
// score the same, and without missing values F(X) is h(X) less its parameters, and S the score itself. A family and the
// same with one parent more differ by sets that have both ends of the arc, never by a scale or by other rows for the
// rest. S is not at most minus the penalty, so that bound must not be used to leave candidates out.
#pragma once

#include "discrete_data.hpp"
#include "family_score.hpp"
#include "key_table.hpp"
#include "parallel.hpp"

namespace bnfuse {

class AvailableCases {
public:
    using Members = std::vector<int>;

    static constexpr int most_members = 12; // of a family
    static constexpr int most_sets = 1 << (most_members - 1);
    static constexpr std::uint32_t least_rows = 20; // the rows that a set needs, for a search

    // A set that fewer rows have is refused, unless it is a variable and required parents of it. `rules` by pair: 2 if
    // the first must be a parent of the second.
    AvailableCases(const DiscreteData& data, const Sample& sample, FamilyScore& score,
                   const std::vector<std::uint8_t>& rules, Workers* workers, std::uint32_t least);

    // The score of a family; `refused` if one of its sets is.
    Points score(int child, const Members& parents);

    // The score of the family with one of the candidates added, for each of them.
    std::vector<Points> additions(int child, const Members& parents, const Members& candidates);

private:
    static constexpr Points unknown = INT64_MIN;
    static constexpr int most_known = 1 << 22; // sets

    struct Row {
        std::uint32_t row, code, weight;
    };

    const DiscreteData& data_;
    const Sample& sample_;
    FamilyScore& score_;
    const std::vector<std::uint8_t>& rules_;
    Workers* workers_;
    std::uint64_t least_; // rows, in units
    KeyTable keys_;
    std::vector<Points> known_; // t, by set
    std::vector<std::uint64_t> key_;
    std::vector<Row> rows_; // the rows that have all of the base, and the numbers of their cells in its table

    std::vector<Points> sets(const Members& base, const Members& more);
    int slot(const Members& base, int more);
    void encode(const Members& base);
    std::vector<CountTerms> terms(const Members& set);
    Points counted(const Members& set, const std::vector<CountTerms>& terms, std::vector<std::uint32_t>& counts) const;
    bool is_required(const Members& set) const;
    bool fits(const Members& set) const;
};

} // namespace bnfuse
