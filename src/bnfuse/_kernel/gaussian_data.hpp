// Rows of numbers, and their moments, which are sufficient for the scores of linear networks with normal noise.
//
// Columns are centred and scaled once, by all rows, so that no sum of squares loses its digits.
#pragma once

#include "row_draws.hpp"

namespace bnfuse {

struct Moments {
    int variables = 0;
    double rows = 0;                // their sum
    std::uint32_t distinct = 0;     // rows that occur
    std::vector<double> covariance; // divided by the number of rows; on the scale of all rows, where each variance is 1

    double at(int u, int v) const { return covariance[static_cast<std::size_t>(u) * variables + v]; }
};

class GaussianData {
public:
    // One row after the other; each cell is a finite number.
    GaussianData(const double* cells, std::size_t variables, std::size_t rows, RowWeights weights = {});

    int variables() const { return variables_; }
    std::uint32_t rows() const { return draws_.rows(); }
    // For a column as it was given; 0 if it has the same number in all rows.
    double log_variance(int v) const { return log_variances_[v]; }

    Moments all() const;
    Moments drawn(std::uint64_t seed, std::uint64_t resample) const;

private:
    RowDraws draws_;
    int variables_;
    std::vector<double> cells_; // row by row, with mean 0 and variance 1, or 0
    std::vector<double> log_variances_;

    void scale(int v);
    Moments moments(const std::vector<std::uint32_t>& times, std::uint32_t unit) const;
};

} // namespace bnfuse
