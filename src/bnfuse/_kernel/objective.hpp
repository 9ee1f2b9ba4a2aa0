// The objective of a search: the summed, weighted distance of a DAG to reference DAGs, in exact integers; and directed
// support, the weight of the inputs that have each arc in that direction, which decides between equal distances.
#pragma once

#include "distances.hpp"
#include "pairs.hpp"

#include <numeric>

namespace bnfuse {

using Weight = std::int64_t;

enum class Metric { smhd, fsim, shd };

// The weight of the inputs that have both variables of a pair that none of them joins.
class Seen {
public:
    explicit Seen(Weight all = 0) : all_(all) {}

    // By kinds of inputs: the variables of each kind, one row per variable, and the weight of each kind.
    Seen(int n, std::vector<std::uint8_t> has, std::vector<Weight> weights)
        : kinds_(static_cast<int>(weights.size())), has_(std::move(has)), weights_(std::move(weights)) {
        require(has_.size() == static_cast<std::size_t>(n) * weights_.size(), "each kind of input has some variables");
    }

    Weight operator()(int a, int b) const {
        Weight sum = all_;
        const auto *one = has_.data() + static_cast<std::size_t>(a) * kinds_,
                   *other = has_.data() + static_cast<std::size_t>(b) * kinds_;
        for (int i = 0; i < kinds_; ++i)
            if (one[i] & other[i]) sum += weights_[i];
        return sum;
    }

    // The greatest common divisor of them all.
    Weight step() const {
        Weight step = all_;
        for (const auto weight : weights_) step = std::gcd(step, weight);
        return step;
    }

private:
    Weight all_ = 0;
    int kinds_ = 0;
    std::vector<std::uint8_t> has_;
    std::vector<Weight> weights_;
};

// A number for every ordered pair of variables. Pairs without their own number have a whole number, or one that follows
// from the weight of the inputs that have the pair.
class PairWeights {
public:
    explicit PairWeights(int n = 0) : PairWeights(Pairs(n)) {}
    explicit PairWeights(Pairs pairs) : pairs_(std::move(pairs)), weight_(pairs_.count()) {}

    // From the caller's numbers, which must be small enough for exact sums.
    PairWeights(int n, std::vector<Weight> numbers) : PairWeights(Pairs(n), std::move(numbers)) {}
    PairWeights(Pairs pairs, std::vector<Weight> numbers) : pairs_(std::move(pairs)), weight_(std::move(numbers)) {
        require(weight_.size() == pairs_.count(), "numbers are given by pairs of variables");
        for (const auto number : weight_)
            require(-largest < number && number < largest, "a number by pair is not between -2^40 and 2^40");
    }

    int size() const { return pairs_.n(); }
    const Pairs& pairs() const { return pairs_; }
    Weight& operator()(int a, int b) { return weight_[pairs_.find(a, b)]; } // of a pair that has its own number
    Weight operator()(int a, int b) const {
        const auto i = pairs_.find(a, b);
        return i >= 0 ? weight_[i] : elsewhere(a, b);
    }
    Weight& operator[](std::size_t place) { return weight_[place]; }
    Weight operator[](std::size_t place) const { return weight_[place]; }

    // Visits (a, b, number), row by row.
    template <class Visit> void each(Visit&& visit) const {
        pairs_.each([&](int a, int b, std::size_t i) { visit(a, b, weight_[i]); });
    }

    // The number of pairs without their own: `fixed`, plus `times` the weight of the inputs that have them.
    void set_elsewhere(Weight fixed, Weight times, std::shared_ptr<const Seen> seen) {
        fixed_ = fixed;
        times_ = times;
        seen_ = std::move(seen);
    }

private:
    static constexpr Weight largest = Weight{1} << 40;
    Pairs pairs_;
    std::vector<Weight> weight_;
    Weight fixed_ = 0, times_ = 0;
    std::shared_ptr<const Seen> seen_;

    Weight elsewhere(int a, int b) const { return seen_ ? fixed_ + times_ * (*seen_)(a, b) : fixed_; }
};

template <int W> PairWeights directed_support(const std::vector<Rows<W>>& dags, const std::vector<Weight>& weights) {
    PairWeights support(static_cast<int>(dags.front().size()));
    for (std::size_t i = 0; i < dags.size(); ++i)
        for (int v = 0; v < static_cast<int>(dags[i].size()); ++v)
            dags[i][v].each([&](int p) { support(p, v) += weights[i]; });
    return support;
}

// SMHD is linear in the moral edges: each edge e of the DAG adds (total weight - 2 c_e) to the value of the empty
// graph, where c_e is the weight of the references that have e.
template <int W> class SmhdObjective {
public:
    SmhdObjective(const std::vector<Rows<W>>& references, const std::vector<Weight>& weights)
        : cost_(static_cast<int>(references.front().size())) {
        const int n = static_cast<int>(references.front().size());
        Weight total = 0;
        for (const auto weight : weights) total += weight;
        for (int a = 0; a < n; ++a)
            for (int b = 0; b < n; ++b) cost_(a, b) = total;
        for (std::size_t i = 0; i < references.size(); ++i) {
            const auto moral = moral_graph(references[i]);
            for (int a = 0; a < n; ++a)
                moral[a].each([&](int b) {
                    cost_(a, b) -= 2 * weights[i];
                    if (a < b) empty_ += weights[i];
                });
        }
    }

    Weight operator()(const Rows<W>& moral) const {
        Weight sum = empty_;
        for (int a = 1; a < static_cast<int>(moral.size()); ++a)
            (moral[a] & first<W>(a)).each([&](int b) { sum += cost_(a, b); });
        return sum;
    }

private:
    PairWeights cost_;
    Weight empty_ = 0;
};

// SHD is linear in the arcs: a -> b adds (total weight - 2 c_ab - c_ba) to the value of the empty graph, where c_ab is
// the weight of the references that have it.
template <int W> class ShdObjective {
public:
    ShdObjective(const std::vector<Rows<W>>& references, const std::vector<Weight>& weights)
        : cost_(directed_support(references, weights)) {
        Weight total = 0;
        for (const auto weight : weights) total += weight;
        for (int a = 0; a < cost_.size(); ++a)
            for (int b = 0; b < a; ++b) {
                const auto there = cost_(a, b), back = cost_(b, a);
                empty_ += there + back;
                cost_(a, b) = total - 2 * there - back;
                cost_(b, a) = total - 2 * back - there;
            }
    }

    Weight operator()(const Rows<W>& dag) const {
        Weight sum = empty_;
        for (int v = 0; v < static_cast<int>(dag.size()); ++v) dag[v].each([&](int p) { sum += cost_(p, v); });
        return sum;
    }

private:
    PairWeights cost_;
    Weight empty_ = 0;
};

// References and candidates have labels in the order that breaks FSim's ties.
template <int W> class FsimObjective {
public:
    FsimObjective(const std::vector<Rows<W>>& references, std::vector<Weight> weights)
        : references_(references.begin(), references.end()), weights_(std::move(weights)) {}

    Weight operator()(const Rows<W>& dag, Fsim<W>& fsim) const {
        const Prepared prepared(dag);
        Weight total = 0;
        for (std::size_t i = 0; i < references_.size(); ++i)
            total += weights_[i] * fsim(prepared, references_[i], true);
        return total;
    }

private:
    using Prepared = typename Fsim<W>::Prepared;
    std::vector<Prepared> references_;
    std::vector<Weight> weights_;
};

} // namespace bnfuse
