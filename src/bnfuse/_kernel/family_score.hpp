// What a family (a variable and its parents) scores, from how often its configurations occur.
//
// All four scores are sums of a term for each cell of the family's table, less one for each configuration of the
// parents, less a penalty for each free parameter. The terms are rounded to whole multiples of a small unit, once, so
// that sums are exact: networks that cannot be told apart score the same to the last bit, in whatever order they are
// added up, and the same network wins on every machine.
#pragma once

#include <cstdint>
#include <map>
#include <vector>

namespace bnfuse {

using Points = std::int64_t; // a score, in units

inline constexpr Points refused = INT64_MIN / 4; // of a family that must not be

enum class ScoreKind { bic, aic, bdeu, log_likelihood };

struct ScoreRule {
    ScoreKind kind;
    double sample_size;          // the equivalent sample size of the uniform prior of BDeu
    std::uint64_t largest_table; // a family whose table has more cells is refused
};

// A term for each count, looked up while it is small.
class CountTerms {
public:
    CountTerms(const Points* terms, std::uint32_t size, double (*beyond)(double count, double prior), double prior,
               double unit, double units)
        : terms_(terms), size_(size), beyond_(beyond), prior_(prior), unit_(unit), units_(units) {}
    Points operator()(std::uint32_t count) const { return count < size_ ? terms_[count] : computed(count); }

private:
    const Points* terms_;
    std::uint32_t size_;
    double (*beyond_)(double, double);
    double prior_, unit_, units_;

    Points computed(std::uint32_t count) const;
};

class FamilyScore {
public:
    // Of variables so many in number, from so many rows; these and all counts are in units, of which so many are a row.
    // `sets` is how many the score of a family may be the sum of.
    FamilyScore(const ScoreRule& rule, int variables, std::uint32_t rows, std::uint32_t unit = 1, int sets = 1);

    bool is_for(std::uint32_t rows, std::uint32_t unit) const { return rows == rows_ && unit == unit_; }

    // The terms of a table with so many cells.
    CountTerms terms(std::uint64_t cells);

    // What a set of variables adds to a score where values are missing and so many of the rows have all of it: what
    // these say counts for all rows. `sum` is its interaction.
    Points of_set(Points sum, std::uint64_t parameters, std::uint32_t complete) const;

    // The score of a family with one set more; `refused` where that is refused, or too large to be added up.
    Points added(Points sum, Points of_set) const;

    // No family with so many parameters scores more: no data are likelier than certain.
    Points most(std::uint64_t configurations, std::uint32_t states) const {
        return -static_cast<Points>(configurations * (states - 1)) * penalty_;
    }

    std::uint64_t largest_table() const { return rule_.largest_table; }
    double units() const { return units_; } // the points of 1
    double value(Points points) const { return static_cast<double>(points) / units_; }

private:
    ScoreRule rule_;
    std::uint32_t rows_, unit_;
    double units_ = 1;   // in 1
    Points penalty_ = 0; // of a free parameter
    Points largest_ = 0; // family that can be added to all others
    // By the cells of a table where these matter; what a map holds stays where it is.
    std::map<std::uint64_t, std::vector<Points>> terms_;

    Points points(double value) const;
    std::vector<Points> tabulated(double prior) const;
};

} // namespace bnfuse
