// The score of a family (a variable and its parents), from the counts of its configurations.
//
// All four scores are sums of a term for each cell of the family's table, minus one for each configuration of the
// parents, minus a penalty for each free parameter. The terms are rounded once to whole multiples of a small unit, so
// that sums are exact: equivalent networks score the same to the last bit, in whatever order they are added up, and the
// same network wins on every machine.
#pragma once

#include <cstdint>
#include <map>
#include <vector>

namespace bnfuse {

using Points = std::int64_t; // a score, in units

inline constexpr Points refused = INT64_MIN / 4; // for a family that is not allowed

enum class ScoreKind { bic, aic, bdeu, log_likelihood };

struct ScoreRule {
    ScoreKind kind;
    double sample_size;          // the equivalent sample size of the uniform prior of BDeu
    std::uint64_t largest_table; // a family whose table has more cells is refused
};

// A term for each count, looked up if it is small.
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
    // For this number of variables and rows; these and all counts are in units, of which a row has a given number.
    // `sets` is the number of sets whose sum the score of a family may be.
    FamilyScore(const ScoreRule& rule, int variables, std::uint32_t rows, std::uint32_t unit = 1, int sets = 1);

    bool is_for(std::uint32_t rows, std::uint32_t unit) const { return rows == rows_ && unit == unit_; }

    // The terms of a table with this number of cells.
    CountTerms terms(std::uint64_t cells);

    // The contribution of a set of variables to a score if values are missing and this number of rows has all of it:
    // their result is used for all rows. `sum` is its interaction.
    Points of_set(Points sum, std::uint64_t parameters, std::uint32_t complete) const;

    // The score of a family with one more set; `refused` if that is refused, or too large to be added up.
    Points added(Points sum, Points of_set) const;

    // No family with this number of parameters scores more, as data have at most probability 1.
    Points most(std::uint64_t configurations, std::uint32_t states) const {
        return -static_cast<Points>(configurations * (states - 1)) * penalty_;
    }

    std::uint64_t largest_table() const { return rule_.largest_table; }
    double units() const { return units_; } // the number of units in 1
    double value(Points points) const { return static_cast<double>(points) / units_; }

private:
    ScoreRule rule_;
    std::uint32_t rows_, unit_;
    double units_ = 1;   // in 1
    Points penalty_ = 0; // of a free parameter
    Points largest_ = 0; // family that can be added to all others
    // By the cells of a table if these matter; entries of a map do not move.
    std::map<std::uint64_t, std::vector<Points>> terms_;

    Points points(double value) const;
    std::vector<Points> tabulated(double prior) const;
};

} // namespace bnfuse
