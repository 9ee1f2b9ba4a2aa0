// Linear programs over variables between 0 and 1, bounded by weak duality.
//
// For rows A x <= b and any prices y >= 0 of them, w x <= y b + sum over the variables of max(0, w - y A): the reduced
// weight of each variable. A variable that is fixed to 1 counts with its reduced weight, even if that is below 0. Good
// prices are searched in floating point, by the primal-dual hybrid gradient method (Chambolle, Pock 2011) with step
// sizes by rows and columns and restarts from means (Applegate et al. 2021). No price makes the bound wrong.
#pragma once

#include "objective.hpp"
#include "stop.hpp"

#include <cmath>
#include <optional>

namespace bnfuse {

struct Term {
    int variable;
    int factor;
};

class LinearProgram {
public:
    // `is_fixed` shows which variables are 1.
    LinearProgram(std::vector<Weight> weights, std::vector<bool> is_fixed)
        : weights_(std::move(weights)), is_fixed_(std::move(is_fixed)), scaled_(weights_.size()),
          now_(weights_.size(), 0.0), starts_(1, 0), best_bound_(std::numeric_limits<double>::infinity()) {
        for (const auto weight : weights_) heaviest_ = std::max(heaviest_, std::abs(static_cast<double>(weight)));
        for (std::size_t i = 0; i < weights_.size(); ++i) scaled_[i] = static_cast<double>(weights_[i]) / heaviest_;
        mean_ = started_at_.values = now_.values;
    }

    void add_row(const std::vector<Term>& terms, Weight limit) {
        terms_.insert(terms_.end(), terms.begin(), terms.end());
        starts_.push_back(terms_.size());
        limits_.push_back(limit);
    }
    std::size_t entries() const { return terms_.size(); }

    // Continues for this number of steps. False once the prices are as good as possible.
    bool improve(int steps) {
        prepare();
        for (int step = 1; step <= steps; ++step) {
            advance();
            if (step % look_after) continue;
            check_stop();
            if (look(step == steps)) return false;
        }
        return true;
    }

    const std::vector<double>& mean() const { return mean_; } // nearly the best choice

    // The bound in whole numbers at the best prices so far; `rest` bounds the value of the first variables, given their
    // reduced weights times the scale. Nothing is returned if sums would not be exact.
    template <class Rest> std::optional<Weight> bound(std::size_t first, Rest&& rest) const {
        Weight scale = 1;
        double total = 0;
        for (const auto weight : weights_) total += std::abs(static_cast<double>(weight));
        for (; scale < 1 << 16 && total < 0x1p42; total *= 2) scale *= 2;
        auto left = weights_;
        for (auto& weight : left) weight *= scale;
        Weight sum = 0;
        double largest = total;
        for (std::size_t row = 0; row < best_prices_.size(); ++row) {
            const double price = best_prices_[row] * heaviest_ * static_cast<double>(scale);
            largest += price * (std::abs(static_cast<double>(limits_[row])) + widest(row));
            if (largest > 0x1p60) return std::nullopt;
            const auto whole = static_cast<Weight>(price);
            sum += whole * limits_[row];
            for (auto at = starts_[row]; at < starts_[row + 1]; ++at)
                left[terms_[at].variable] -= whole * terms_[at].factor;
        }
        for (std::size_t i = first; i < left.size(); ++i) sum += is_fixed_[i] ? left[i] : std::max<Weight>(left[i], 0);
        left.resize(first);
        sum += rest(left);
        return sum >= 0 ? sum / scale : -((scale - 1 - sum) / scale);
    }

private:
    static constexpr int look_after = 64;
    static constexpr double enough = 1e-7; // of the bound

    struct Point {
        explicit Point(std::size_t size = 0, double value = 0) : values(size, value) {}
        std::vector<double> values, prices;
    };

    std::vector<Weight> weights_;
    std::vector<bool> is_fixed_;
    std::vector<double> scaled_; // weights, the heaviest 1
    Point now_, sum_, started_at_;
    std::vector<double> mean_;
    std::vector<std::size_t> starts_; // of the rows in `terms_`
    std::vector<Term> terms_;
    std::vector<Weight> limits_;
    std::vector<double> row_steps_, column_steps_, left_, ahead_;
    std::vector<double> best_prices_;
    double heaviest_ = 1, best_bound_, ratio_ = 1, last_error_ = 0;
    int summed_ = 0, since_start_ = 0;

    double widest(std::size_t row) const {
        double most = 0;
        for (auto at = starts_[row]; at < starts_[row + 1]; ++at)
            most = std::max(most, std::abs(static_cast<double>(terms_[at].factor)));
        return most;
    }

    // New rows may have been added: their prices start at 0.
    void prepare() {
        const auto rows = limits_.size();
        now_.prices.resize(rows);
        best_prices_.resize(rows);
        row_steps_.assign(rows, 0);
        column_steps_.assign(weights_.size(), 0);
        for (std::size_t row = 0; row < rows; ++row)
            for (auto at = starts_[row]; at < starts_[row + 1]; ++at) {
                const double size = std::abs(static_cast<double>(terms_[at].factor));
                row_steps_[row] += size;
                column_steps_[terms_[at].variable] += size;
            }
        for (auto* steps : {&row_steps_, &column_steps_})
            for (auto& step : *steps) step = step > 0 ? 1 / step : 1;
        restart(now_);
        last_error_ = std::numeric_limits<double>::infinity();
        since_start_ = 0;
    }

    void restart(Point from) {
        now_ = std::move(from);
        started_at_ = now_;
        sum_ = Point(weights_.size());
        sum_.prices.assign(limits_.size(), 0);
        summed_ = 0;
    }

    void advance() {
        price_out(now_.prices);
        ahead_.resize(left_.size());
        for (std::size_t i = 0; i < left_.size(); ++i) {
            auto& value = now_.values[i];
            const double moved =
                std::clamp(value + ratio_ * column_steps_[i] * left_[i], is_fixed_[i] ? 1.0 : 0.0, 1.0);
            ahead_[i] = 2 * moved - value;
            value = moved;
            sum_.values[i] += moved;
        }
        for (std::size_t row = 0; row < limits_.size(); ++row) {
            auto& price = now_.prices[row];
            price = std::max(0.0, price + row_steps_[row] / ratio_ * excess(row, ahead_));
            sum_.prices[row] += price;
        }
        ++summed_;
        ++since_start_;
    }

    double excess(std::size_t row, const std::vector<double>& values) const {
        double sum = -static_cast<double>(limits_[row]);
        for (auto at = starts_[row]; at < starts_[row + 1]; ++at)
            sum += terms_[at].factor * values[terms_[at].variable];
        return sum;
    }

    void price_out(const std::vector<double>& prices) {
        left_ = scaled_;
        for (std::size_t row = 0; row < prices.size(); ++row) {
            if (prices[row] == 0) continue;
            for (auto at = starts_[row]; at < starts_[row + 1]; ++at)
                left_[terms_[at].variable] -= terms_[at].factor * prices[row];
        }
    }

    // Records the bound at a point's prices; returns how far it is from optimal.
    double error_at(const Point& point) {
        price_out(point.prices);
        double bound = 0, value = 0, broken = 0;
        for (std::size_t i = 0; i < left_.size(); ++i) {
            bound += is_fixed_[i] ? left_[i] : std::max(left_[i], 0.0);
            value += scaled_[i] * point.values[i];
        }
        for (std::size_t row = 0; row < limits_.size(); ++row) {
            bound += point.prices[row] * static_cast<double>(limits_[row]);
            const double over = std::max(excess(row, point.values), 0.0);
            broken += over * over;
        }
        if (bound < best_bound_) {
            best_bound_ = bound;
            best_prices_ = point.prices;
        }
        return std::sqrt((bound - value) * (bound - value) + broken);
    }

    // True if nothing is left to gain. Restarts from the better of the last point and the mean, if that has come closer
    // by some factor, or after a share of all steps.
    bool look(bool is_last) {
        constexpr double closer = 0.3, share = 0.36;
        auto mean = sum_;
        for (auto* those : {&mean.values, &mean.prices})
            for (auto& one : *those) one /= summed_;
        const double error = error_at(now_), error_of_mean = error_at(mean);
        const bool is_better = error_of_mean < error;
        const double least = std::min(error, error_of_mean);
        mean_ = is_better ? mean.values : now_.values;
        if (least < enough * (1 + std::abs(best_bound_))) return true;
        if (!is_last && least > closer * last_error_ && summed_ < share * since_start_) return false;
        balance(is_better ? mean : now_);
        restart(is_better ? std::move(mean) : now_);
        last_error_ = least;
        return false;
    }

    // Values and prices should move equally far.
    void balance(const Point& point) {
        double moved = 0, priced = 0;
        for (std::size_t i = 0; i < point.values.size(); ++i) {
            const double by = point.values[i] - started_at_.values[i];
            moved += by * by;
        }
        for (std::size_t i = 0; i < point.prices.size(); ++i) {
            const double by = point.prices[i] - started_at_.prices[i];
            priced += by * by;
        }
        if (moved > 1e-20 && priced > 1e-20) ratio_ = std::sqrt(ratio_ * std::sqrt(moved / priced));
    }
};

} // namespace bnfuse
