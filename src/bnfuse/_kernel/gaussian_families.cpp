#include "gaussian_families.hpp"

#include "logarithms.hpp"
#include "views.hpp"

#include <numeric>

namespace bnfuse {

namespace {

constexpr double least_left = 1e-10;     // share of a variance, given its parents
constexpr double least_variance = 1e-20; // share in a resample, of the variance in all rows: less counts as none
constexpr double log_pi = 1.14472988584940017414;
constexpr double log_two_pi_e = 2.83787706640934548356;
constexpr double finest_units = 1ull << 40, largest_sum = 1ull << 60;

} // namespace

GaussianFamilies::GaussianFamilies(const GaussianData& data, const Moments& moments, const GaussianRule& rule,
                                   const std::vector<std::uint8_t>& rules)
    : n_(moments.variables), rule_(rule), rules_(rules), rows_(moments.rows), distinct_(moments.distinct),
      matrix_(moments.covariance), floor_(least_left), keys_((n_ + 63) / 64), key_((n_ + 63) / 64) {
    require(rows_ > 0 && data.variables() == n_, "a score needs rows");
    const double freedom = rule.kind == GaussianKind::bge ? rule.prior_freedom : 0;
    double scale = 0; // of the logarithms
    for (int v = 0; v < n_; ++v) scale = std::max(scale, std::abs(data.log_variance(v)));
    const double each = (rows_ + freedom + n_) * (natural_log(rows_ + freedom + n_ + 2) + scale + 60);
    for (units_ = finest_units; units_ * 4 * n_ * each > largest_sum;) units_ /= 2;
    if (rule.kind == GaussianKind::bic)
        prepare_bic(data, moments);
    else
        prepare_bge(data, moments);
}

void GaussianFamilies::prepare_bic(const GaussianData& data, const Moments& moments) {
    const auto penalty = points(natural_log(rows_) / 2);
    std::vector<double> deviations(n_);
    for (int v = 0; v < n_; ++v) {
        const bool varies = moments.at(v, v) > least_variance;
        deviations[v] = varies ? std::sqrt(moments.at(v, v)) : 0;
        const double variance = data.log_variance(v) + (varies ? natural_log(moments.at(v, v)) : 0);
        alone_.push_back(points(-rows_ / 2 * (log_two_pi_e + variance)));
        by_size_.push_back(-penalty * (v + 2));
    }
    for (int u = 0; u < n_; ++u)
        for (int v = 0; v < n_; ++v) {
            auto& cell = matrix_[static_cast<std::size_t>(u) * n_ + v];
            const double product = deviations[u] * deviations[v];
            cell = u == v ? 1 : product > 0 ? cell / product : 0;
        }
}

void GaussianFamilies::prepare_bge(const GaussianData& data, const Moments& moments) {
    const auto& [kind, prior_rows, prior_freedom] = rule_;
    require(1e-6 <= prior_rows && prior_rows <= 1e9 && n_ + 1 < prior_freedom && prior_freedom <= 1e9,
            "a prior has 10^-6 to 10^9 rows, and more than n + 1 degrees of freedom");
    floor_ = prior_rows * (prior_freedom - n_ - 1) / (prior_rows + 1);
    log_prior_ = natural_log(floor_);
    const double each = natural_log(prior_rows / (rows_ + prior_rows)) / 2 - rows_ / 2 * log_pi;
    for (int v = 0; v < n_; ++v) {
        alone_.push_back(points(-rows_ / 2 * data.log_variance(v)));
        const double own = freedom(static_cast<std::size_t>(v) + 1);
        by_size_.push_back(points(each + log_gamma((rows_ + own) / 2) - log_gamma(own / 2)));
    }
    for (int u = 0; u < n_; ++u)
        for (int v = 0; v < n_; ++v)
            matrix_[static_cast<std::size_t>(u) * n_ + v] = rows_ * moments.at(u, v) + (u == v ? floor_ : 0);
}

Points GaussianFamilies::score(int child, const Parents& parents) {
    if (rule_.kind == GaussianKind::bic && parents.size() + 2 > distinct_) return refused;
    return set(parents, child) - set(parents, -1) + alone_[child] + by_size_[parents.size()];
}

FamilyScores::Additions GaussianFamilies::additions(int child, const Parents& parents) {
    check_stop();
    Parents others;
    for (int u = 0; u < n_; ++u)
        if ((rules_[static_cast<std::size_t>(u) * n_ + child] & 1) && u != child &&
            std::ranges::find(parents, u) == parents.end())
            others.push_back(u);
    const auto found = with_each(child, parents, others);
    std::vector<Points> scores(n_, refused);
    for (std::size_t i = 0; i < others.size(); ++i) scores[others[i]] = found[i];
    return std::make_shared<const std::vector<Points>>(std::move(scores));
}

std::vector<Points> GaussianFamilies::with_each(int child, const Parents& parents, const Parents& others) {
    auto more = parents;
    more.push_back(0);
    std::vector<Points> scores;
    for (const int u : others) {
        more.back() = u;
        scores.push_back(score(child, more));
    }
    return scores;
}

// The contribution of a set's determinant; `more` is a further member, or -1. By its members in increasing order,
// whatever order they have.
Points GaussianFamilies::set(const Parents& parents, int more) {
    if (parents.empty() && more < 0) return 0;
    if (keys_.size() >= most_known) {
        keys_.clear();
        known_.clear();
    }
    std::ranges::fill(key_, 0);
    for (const int v : parents) key_[v / 64] |= std::uint64_t{1} << (v % 64);
    if (more >= 0) key_[more / 64] |= std::uint64_t{1} << (more % 64);
    const auto [slot, fresh] = keys_.find(key_.data());
    if (!fresh) return known_[slot];
    auto members = parents;
    if (more >= 0) members.push_back(more);
    std::ranges::sort(members);
    known_.push_back(points(of_determinant(members.size(), log_determinant(members))));
    return known_.back();
}

double GaussianFamilies::of_determinant(std::size_t members, double logarithm) const {
    if (rule_.kind == GaussianKind::bic) return -rows_ / 2 * logarithm;
    const double own = freedom(members);
    return own / 2 * static_cast<double>(members) * log_prior_ - (rows_ + own) / 2 * logarithm;
}

// By Cholesky's decomposition; the residual of a member given those before it is never less than the floor.
double GaussianFamilies::log_determinant(const Parents& members, std::vector<int>* floored) const {
    const auto size = members.size();
    std::vector<double> rows(size * size), products(size);
    double sum = 0;
    for (std::size_t i = 0; i < size; ++i) {
        const auto* const given = matrix_.data() + static_cast<std::size_t>(members[i]) * n_;
        auto* const own = rows.data() + i * size;
        double left = given[members[i]];
        for (std::size_t j = 0; j < i; ++j) {
            const auto* const other = rows.data() + j * size;
            double product = given[members[j]];
            for (std::size_t k = 0; k < j; ++k) product -= products[k] * other[k];
            products[j] = product;
            own[j] = product / other[j];
            left -= product * own[j];
        }
        if (floored && left <= floor_) floored->push_back(members[i]);
        own[i] = std::max(left, floor_);
        sum += natural_log(own[i]);
    }
    return sum;
}

std::vector<int> GaussianFamilies::dependent() const {
    Parents all(n_);
    std::iota(all.begin(), all.end(), 0);
    std::vector<int> floored;
    log_determinant(all, &floored);
    return floored;
}

const GaussianFamilies::Bound& GaussianFamilies::bound() const {
    if (bound_) return *bound_;
    Parents all(n_);
    std::iota(all.begin(), all.end(), 0);
    const double whole = log_determinant(all);
    Bound bound;
    for (int v = 0; v < n_; ++v) {
        check_stop();
        auto others = all;
        others.erase(others.begin() + v);
        bound.left.push_back(whole - log_determinant(others));
    }
    auto sorted = bound.left;
    std::ranges::sort(sorted);
    bound.smallest.push_back(0);
    for (const double one : sorted) bound.smallest.push_back(bound.smallest.back() + one);
    const double least = 1 / exp_minus(std::clamp(-sorted.front(), 0.0, 39.0)); // 1 over the smallest, if below 1
    bound.slack = 1e-6 + 1e-14 * (rows_ + n_) * n_ * least;
    bound_ = std::move(bound);
    return *bound_;
}

// All others together leave no more of the variable than any set of parents does. BGe: a further parent adds no less to
// the determinant of the parents than all others leave of it.
Points GaussianFamilies::most(int child, const Parents& parents) const {
    const auto& [left, smallest, slack] = bound();
    if (rule_.kind == GaussianKind::bic)
        return points(-rows_ / 2 * left[child] + slack) + alone_[child] + by_size_[parents.size()];
    const double determinant = log_determinant(parents);
    Points best = refused;
    for (auto size = parents.size(); size < static_cast<std::size_t>(n_); ++size) {
        const double with = of_determinant(size + 1, 0) - of_determinant(size, 0);
        const double own = (rows_ + freedom(size + 1)) / 2 * left[child];
        const double others = (determinant + smallest[size - parents.size()]) / 2;
        best = std::max(best, points(with - own - others + slack) + alone_[child] + by_size_[size]);
    }
    return best;
}

} // namespace bnfuse
