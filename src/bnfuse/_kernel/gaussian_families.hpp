// The scores of families in linear networks with normal noise.
//
// Both are sums over the sets of a family, S(v | P) = F(P + v) - F(P), of numbers that are rounded to whole multiples
// of a small unit once: so networks that are equivalent score the same to the last bit.
//
// BIC: with W rows and the correlations R, F(X) has - W/2 ln|R_X|, and the family a penalty of ln(W)/2 for each of its
// |P| slopes, its intercept and its variance.
//
// BGe (Geiger, Heckerman 2002; Kuipers, Moffa, Heckerman 2014): the normal-Wishart prior with the mean of the data,
// a_mu rows for it, a_w > n + 1 degrees of freedom for n variables, and the matrix T = t I on the scale where each
// variance is 1, t = a_mu (a_w - n - 1) / (a_mu + 1). With N rows of scatter N S, R = T + N S and l = |X|,
//     F(X) = l/2 ln(a_mu / (N + a_mu)) - l N/2 ln(pi) + (a_w - n + l)/2 ln|T_X| - (N + a_w - n + l)/2 ln|R_X|
//            + sum over j = 1 .. l of ln G((N + a_w - n + j)/2) - ln G((a_w - n + j)/2),  G the gamma function.
//
// A variable that is a linear function of others, to a share of 1e-10 of its variance, counts as if that share were
// left: a copy of a variable explains it well, never infinitely well.
#pragma once

#include "family_scores.hpp"
#include "gaussian_data.hpp"
#include "key_table.hpp"

#include <cmath>
#include <optional>

namespace bnfuse {

enum class GaussianKind { bic, bge };

struct GaussianRule {
    GaussianKind kind;
    double prior_rows;    // a_mu
    double prior_freedom; // a_w
};

class GaussianFamilies final : public FamilyScores {
public:
    // `rules` by pair: 1 if the first may be a parent of the second.
    GaussianFamilies(const GaussianData& data, const Moments& moments, const GaussianRule& rule,
                     const std::vector<std::uint8_t>& rules);

    int variables() const override { return n_; }

    // `refused` by BIC if a family has as many parameters as there are rows.
    Points score(int child, const Parents& parents) override;
    Additions additions(int child, const Parents& parents) override;
    std::vector<Points> with_each(int child, const Parents& parents, const Parents& others) override;

    // Not by BIC if variables are linear functions of others.
    Points most(int child, const Parents& parents) const override;

    double units() const { return units_; } // the number of units in 1

    // By BIC: the variables that are linear functions of those before them.
    std::vector<int> dependent() const;

private:
    static constexpr int most_known = 1 << 22; // sets

    int n_;
    GaussianRule rule_;
    const std::vector<std::uint8_t>& rules_;
    double rows_;
    std::uint32_t distinct_;
    std::vector<double> matrix_; // correlations, or R
    double floor_;               // of the residual given others
    double log_prior_ = 0;       // ln t
    double units_ = 1;
    std::vector<Points> alone_;   // by variable: the score of its family apart from its parents
    std::vector<Points> by_size_; // by the number of parents
    KeyTable keys_;
    std::vector<Points> known_; // by set: the contribution of its determinant
    std::vector<std::uint64_t> key_;

    struct Bound {
        std::vector<double> left;     // by variable: the logarithm of its residual given all others
        std::vector<double> smallest; // sums of the smallest of these
        double slack;                 // for rounding
    };
    mutable std::optional<Bound> bound_;

    Points points(double value) const { return std::llround(value * units_); }
    double freedom(std::size_t members) const { return rule_.prior_freedom - n_ + static_cast<double>(members); }
    void prepare_bic(const GaussianData& data, const Moments& moments);
    void prepare_bge(const GaussianData& data, const Moments& moments);
    Points set(const Parents& parents, int more);
    double log_determinant(const Parents& members, std::vector<int>* floored = nullptr) const;
    double of_determinant(std::size_t members, double logarithm) const;
    const Bound& bound() const;
};

} // namespace bnfuse
