#include "family_score.hpp"

#include "dag.hpp"
#include "logarithms.hpp"

#include <algorithm>
#include <cmath>

namespace bnfuse {

namespace {

constexpr std::uint32_t most_terms = 1 << 16, most_terms_of_a_prior = 1 << 10;
constexpr double most_units = 1ull << 40, most_points = 1ull << 61;

double likelihood_term(double count, double) { return count > 0 ? count * natural_log(count) : 0; }
double prior_term(double count, double prior) { return log_gamma(prior + count) - log_gamma(prior); }

} // namespace

Points CountTerms::computed(std::uint32_t count) const {
    return std::llround(beyond_(static_cast<double>(count) / unit_, prior_) * units_);
}

FamilyScore::FamilyScore(const ScoreRule& rule, int variables, std::uint32_t rows, std::uint32_t unit, int sets)
    : rule_(rule), rows_(rows), unit_(unit) {
    require(unit > 0 && rows >= unit, "a score needs rows");
    require(std::isfinite(rule.sample_size) && rule.sample_size >= 1e-6 && rule.sample_size <= 1e9,
            "the equivalent sample size is 10^-6 to 10^9");
    require(1 <= rule.largest_table && rule.largest_table <= 1ull << 31, "a table has 1 to 2^31 cells");
    const double count = static_cast<double>(rows) / unit, cells = static_cast<double>(rule.largest_table);
    const double by_row = natural_log(count + rule.sample_size + 1) + natural_log(cells / rule.sample_size + 1) + 1;
    const double penalty = rule.kind == ScoreKind::bic ? natural_log(count) / 2 : rule.kind == ScoreKind::aic ? 1 : 0;
    const double largest = variables * (sets * count * by_row + cells * penalty);
    for (units_ = most_units; units_ * largest > most_points;) units_ /= 2;
    largest_ = static_cast<Points>(most_points / variables);
    penalty_ = points(penalty);
}

CountTerms FamilyScore::terms(std::uint64_t cells) {
    const bool has_prior = rule_.kind == ScoreKind::bdeu;
    const double prior = has_prior ? rule_.sample_size / static_cast<double>(cells) : 0;
    const auto found = terms_.try_emplace(has_prior ? cells : 0);
    auto& table = found.first->second;
    if (found.second) table = tabulated(prior);
    return {table.data(),
            static_cast<std::uint32_t>(table.size()),
            has_prior ? prior_term : likelihood_term,
            prior,
            static_cast<double>(unit_),
            units_};
}

Points FamilyScore::of_set(Points sum, std::uint64_t parameters, std::uint32_t complete) const {
    if (!complete) return 0; // nothing is known about it
    const auto value = sum - static_cast<Points>(parameters) * penalty_;
    if (complete == rows_) return value;
    const double scaled = static_cast<double>(value) * (static_cast<double>(rows_) / complete);
    return std::abs(scaled) < static_cast<double>(largest_) ? std::llround(scaled) : refused;
}

Points FamilyScore::added(Points sum, Points of_set) const {
    return of_set != refused && std::abs(sum + of_set) < largest_ ? sum + of_set : refused;
}

Points FamilyScore::points(double value) const { return std::llround(value * units_); }

std::vector<Points> FamilyScore::tabulated(double prior) const {
    const bool has_prior = prior > 0;
    std::vector<Points> table(std::min(rows_ + 1, has_prior ? most_terms_of_a_prior : most_terms));
    double sum = 0; // logarithms whose sum is the quotient of two gammas
    for (std::uint32_t count = 0; count < table.size(); ++count) {
        if (unit_ > 1)
            table[count] =
                points((has_prior ? prior_term : likelihood_term)(static_cast<double>(count) / unit_, prior));
        else
            table[count] = points(has_prior ? sum : likelihood_term(count, 0));
        if (has_prior) sum += natural_log(prior + count);
    }
    return table;
}

} // namespace bnfuse
