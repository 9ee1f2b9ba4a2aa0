#include "gaussian_data.hpp"

#include "logarithms.hpp"
#include "stop.hpp"
#include "views.hpp"

namespace bnfuse {

namespace {

constexpr std::size_t rows_at_once = 64; // which stay in a near cache

} // namespace

GaussianData::GaussianData(const double* cells, std::size_t variables, std::size_t rows, RowWeights weights)
    : draws_(rows, std::move(weights)), variables_(checked_size(variables)), cells_(cells, cells + variables * rows) {
    for (const double cell : cells_) require(std::isfinite(cell), "each cell is a finite number");
    for (int v = 0; v < variables_; ++v) {
        check_stop();
        scale(v);
    }
}

void GaussianData::scale(int v) {
    const auto n = static_cast<std::size_t>(variables_);
    const auto cell = [&](std::size_t row) -> double& { return cells_[row * n + v]; };
    double least = cell(0), most = cell(0);
    for (std::size_t row = 1; row < rows(); ++row) {
        least = std::min(least, cell(row));
        most = std::max(most, cell(row));
    }
    log_variances_.push_back(0);
    if (least == most) {
        for (std::size_t row = 0; row < rows(); ++row) cell(row) = 0;
        return;
    }
    int power; // of two, by which numbers are divided exactly, so that no square is too large or too small
    std::frexp(std::max(std::abs(least), std::abs(most)), &power);
    double mean = 0, variance = 0;
    draws_.all([&](std::uint32_t row, std::uint32_t units) {
        cell(row) = std::ldexp(cell(row), -power);
        mean += units * cell(row);
    });
    mean /= draws_.total();
    draws_.all([&](std::uint32_t row, std::uint32_t units) {
        cell(row) -= mean;
        variance += units * (cell(row) * cell(row));
    });
    variance /= draws_.total();
    const double deviation = std::sqrt(variance);
    for (std::size_t row = 0; row < rows(); ++row) cell(row) /= deviation;
    log_variances_.back() = natural_log(variance) + 2 * power * natural_log(2);
}

Moments GaussianData::all() const {
    std::vector<std::uint32_t> times(rows());
    draws_.all([&](std::uint32_t row, std::uint32_t units) { times[row] += units; });
    return moments(times, draws_.unit());
}

Moments GaussianData::drawn(std::uint64_t seed, std::uint64_t resample) const {
    std::vector<std::uint32_t> times(rows());
    const auto unit =
        draws_.drawn(seed, resample, [&](std::uint32_t row, std::uint32_t units) { times[row] += units; });
    return moments(times, unit);
}

Moments GaussianData::moments(const std::vector<std::uint32_t>& times, std::uint32_t unit) const {
    const auto n = static_cast<std::size_t>(variables_);
    std::vector<const double*> used;
    std::vector<double> weights, means(n);
    Moments found{variables_, 0, 0, std::vector<double>(n * n)};
    for (std::size_t row = 0; row < times.size(); ++row) {
        if (!times[row]) continue;
        used.push_back(cells_.data() + row * n);
        weights.push_back(static_cast<double>(times[row]) / unit);
        found.rows += weights.back();
        for (std::size_t v = 0; v < n; ++v) means[v] += weights.back() * used.back()[v];
    }
    found.distinct = static_cast<std::uint32_t>(used.size());
    for (double& mean : means) mean /= found.rows;
    auto& sums = found.covariance;
    for (std::size_t start = 0; start < used.size(); start += rows_at_once) {
        check_stop();
        const auto end = std::min(start + rows_at_once, used.size());
        for (std::size_t u = 0; u < n; ++u)
            for (auto i = start; i < end; ++i) {
                const double factor = weights[i] * used[i][u];
                for (std::size_t v = 0; v <= u; ++v) sums[u * n + v] += factor * used[i][v];
            }
    }
    for (std::size_t u = 0; u < n; ++u)
        for (std::size_t v = 0; v <= u; ++v)
            sums[v * n + u] = sums[u * n + v] = sums[u * n + v] / found.rows - means[u] * means[v];
    return found;
}

} // namespace bnfuse
