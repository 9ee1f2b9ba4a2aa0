// Direct search for the DAG with the best FSim within a clique limit: simulated annealing over DAGs.
//
// FSim has no cheap change for a move: each pair of a network and a reference has its own order and minimal I-maps.
// Neighbours share as much as possible: a reference is prepared once, a network once for all references; equal
// references count once; values of known networks are stored; and the threshold of a move is drawn first, so that a
// move is abandoned as soon as some of the references show that it will not be accepted.
#pragma once

#include "objective.hpp"

#include <cmath>
#include <unordered_map>

namespace bnfuse {

// The common data of all chains of a search. Labels are in the order that breaks ties.
template <int W> struct FsimProblem {
    using Prepared = typename Fsim<W>::Prepared;

    int n, limit, max_parents;
    PairWeights support;                    // of an arc
    std::vector<std::uint8_t> rules;        // by pair: 1 an arc that may be added, 2 one that must stay
    std::vector<std::pair<int, int>> arcs;  // those that may be added,
    std::vector<std::uint32_t> drawn_until; // and the cumulative frequencies with which they are drawn
    std::vector<Prepared> references;       // distinct
    std::vector<Weight> weights;            // of the references
    Weight total_weight = 0;
    TableLimit tables;

    void add_reference(Rows<W> dag, Weight weight) {
        if (!weight) return;
        total_weight += weight;
        for (std::size_t i = 0; i < references.size(); ++i)
            if (references[i].dag == dag) {
                weights[i] += weight;
                return;
            }
        references.emplace_back(std::move(dag));
        weights.push_back(weight);
    }

    bool allowed(int u, int v) const { return rules[static_cast<std::size_t>(u) * n + v] & 1; }
    bool is_required(int u, int v) const { return rules[static_cast<std::size_t>(u) * n + v] & 2; }
};

template <int W> struct FsimFound {
    Weight distance = 0, support = 0;
    int arcs = 0;
    Rows<W> parents;
    std::vector<int> order; // an elimination order that proves the clique size

    bool better_than(const FsimFound& other) const {
        if (distance != other.distance) return distance < other.distance;
        if (support != other.support) return support > other.support;
        return arcs < other.arcs;
    }
};

template <int W> class FsimChain {
public:
    FsimChain(const FsimProblem<W>& problem, std::uint64_t seed, std::uint64_t stream)
        : problem_(problem), random_(seed, stream) {}

    // Continues from a network within the limit, by this elimination order.
    void start_at(Rows<W> parents, std::vector<int> order) {
        std::size_t arcs = 0;
        for (const auto& row : parents) arcs += static_cast<std::size_t>(row.count());
        arcs_.reserve(arcs); // operations that may be ended from outside or lack memory come first
        distances_ = distances_of(parents);
        current_.parents = std::move(parents);
        current_.order = std::move(order);
        settle();
        if (best_.parents.empty() || current_.better_than(best_)) best_ = FsimFound<W>(current_);
    }
    void start_at(const FsimFound<W>& found) { start_at(found.parents, found.order); }

    // Anneals until this share of the work is done: the temperature falls from `hot`, and is 0 at the end. Throws if it
    // is ended from outside; an unfinished move changes nothing.
    void anneal(std::int64_t until, std::int64_t total, double hot) {
        Pulse pulse(16);
        while (work_ < until) {
            pulse();
            const double passed = static_cast<double>(work_) / static_cast<double>(total);
            const double left = 1 - passed / 0.9;
            temperature_ = left > 0 ? hot * left * left : 0;
            ++work_;
            step();
        }
    }
    void rewind() { work_ = 0; }

    const FsimFound<W>& best() const { return best_; }
    std::int64_t networks() const { return networks_; }

    // Removes arcs with negative support from the best network while its distance does not grow.
    void tidy() {
        for (bool changed = !best_.parents.empty(); changed;) {
            changed = false;
            start_at(best_);
            for (const auto& [u, v] : std::vector(arcs_)) {
                if (problem_.is_required(u, v) || problem_.support(u, v) >= 0) continue;
                auto without = best_.parents; // its moral graph has no new edges: the order still proves the limit
                without[v].reset(u);
                start_at(std::move(without), best_.order);
                changed |= best_.parents == current_.parents;
            }
        }
    }

private:
    static constexpr std::int64_t pair_work = 4; // the cost of a distance, relative to the rest of a move
    static constexpr std::size_t most_seen = 1 << 18;
    static constexpr int least_asked = 4; // references before an estimate

    const FsimProblem<W>& problem_;
    Random random_;
    FsimFound<W> current_, best_;
    std::vector<std::pair<int, int>> arcs_; // of the current network
    std::vector<int> distances_, moved_distances_;
    std::uint64_t hash_ = 0;
    double temperature_ = 0;
    std::int64_t work_ = 0, networks_ = 0;
    Fsim<W> fsim_;
    Rows<W> moved_;
    std::uint64_t moved_hash_ = 0;

    std::unordered_map<std::uint64_t, Weight> seen_; // a lower bound on a network's distance, as far as known

    int below(std::size_t bound) { return static_cast<int>(random_.below(static_cast<std::uint32_t>(bound))); }

    std::vector<int> distances_of(const Rows<W>& parents) {
        const typename FsimProblem<W>::Prepared prepared(parents);
        std::vector<int> distances;
        for (const auto& reference : problem_.references) distances.push_back(fsim_(prepared, reference, true));
        ++networks_;
        work_ += pair_work * static_cast<std::int64_t>(distances.size());
        return distances;
    }

    // The values that follow from the current network's rows and distances. There must be room for its arcs: this must
    // not fail.
    void settle() noexcept {
        current_.distance = current_.support = 0;
        for (std::size_t i = 0; i < distances_.size(); ++i) current_.distance += problem_.weights[i] * distances_[i];
        arcs_.clear();
        hash_ = 0;
        for (int v = 0; v < problem_.n; ++v)
            current_.parents[v].each([&](int u) {
                arcs_.emplace_back(u, v);
                current_.support += problem_.support(u, v);
                hash_ ^= hash_of(u, v);
            });
        current_.arcs = static_cast<int>(arcs_.size());
    }

    std::uint64_t hash_of(int u, int v) const {
        return Random(0, static_cast<std::uint64_t>(u) * problem_.n + v).next();
    }

    // Moves, on the copy of the rows

    bool has(int u, int v) const { return moved_[v].test(u); }
    void put(int u, int v) {
        moved_[v].set(u);
        moved_hash_ ^= hash_of(u, v);
    }
    bool drop(int u, int v) {
        if (problem_.is_required(u, v)) return false;
        moved_[v].reset(u);
        moved_hash_ ^= hash_of(u, v);
        return true;
    }
    bool reverse(int u, int v) {
        if (!problem_.allowed(v, u) || !drop(u, v)) return false;
        put(v, u);
        return fits(u) && !reaches(u, v);
    }
    bool fits(int v) const { return moved_[v].count() <= problem_.max_parents; }

    // Whether a directed path leads from u to v: searches upwards from v.
    bool reaches(int u, int v) const {
        Bits<W> above = moved_[v], frontier = above;
        while (frontier.any()) {
            if (above.test(u)) return true;
            Bits<W> next;
            frontier.each([&](int x) { next |= moved_[x]; });
            frontier = next - above;
            above |= next;
        }
        return false;
    }

    bool move() {
        moved_ = current_.parents;
        moved_hash_ = hash_;
        const int kind = below(8);
        if (kind < 3 && !arcs_.empty()) {
            const auto [u, v] = arcs_[below(arcs_.size())];
            return kind < 2 ? drop(u, v) : reverse(u, v);
        }
        const auto [u, v] = draw();
        if (has(u, v)) return kind % 2 && problem_.allowed(v, u) ? reverse(u, v) : drop(u, v);
        if (has(v, u)) return reverse(v, u);
        put(u, v);
        if (kind == 5 || kind == 6) {
            if (!drop_parent(v, u)) return false;
        } else if (kind == 7) {
            if (!drop_near(u, v)) return false;
        }
        return fits(v) && !reaches(v, u);
    }

    std::pair<int, int> draw() {
        const auto drawn = random_.below(problem_.drawn_until.back());
        return problem_.arcs[std::ranges::upper_bound(problem_.drawn_until, drawn) - problem_.drawn_until.begin()];
    }
    bool drop_parent(int v, int but) {
        auto others = moved_[v];
        others.reset(but);
        if (!others.any()) return false;
        for (int skip = below(others.count()); skip > 0; --skip) others.reset(others.lowest());
        return drop(others.lowest(), v);
    }
    // Removes an arc at one of the ends of a new one.
    bool drop_near(int u, int v) {
        int met = 0, from = -1, to = -1;
        for (const auto& [a, b] : arcs_)
            if ((a == u || a == v || b == u || b == v) && !below(++met)) {
                from = a;
                to = b;
            }
        return met && drop(from, to);
    }

    void step() {
        if (!move()) return;
        const Weight threshold = current_.distance + static_cast<Weight>(temperature_ * exponential());
        const auto seen = seen_.find(moved_hash_);
        if (seen != seen_.end() && seen->second > threshold) return;
        auto elimination = triangulated();
        if (elimination.order.empty()) return;
        const auto least = distance_of_moved(threshold);
        if (seen_.size() >= most_seen) seen_.clear();
        seen_[moved_hash_] = least;
        if (least > threshold) return;
        arcs_.reserve(arcs_.size() + 1); // a move adds one at most
        std::swap(current_.parents, moved_);
        std::swap(distances_, moved_distances_);
        current_.order = std::move(elimination.order);
        settle();
        if (current_.better_than(best_)) best_ = FsimFound<W>(current_); // a copy that fails changes nothing
    }

    // Min-fill is not monotone: a network that the current order proves is accepted too.
    Elimination triangulated() {
        const auto moral = moral_graph(moved_);
        const auto& tables = problem_.tables;
        auto elimination = min_fill(moral, problem_.limit, tables);
        if (elimination.clique > problem_.limit)
            elimination = tables.is_set() ? eliminated_along(moral, current_.order, tables)
                                          : eliminated_along(moral, current_.order);
        if (elimination.clique > problem_.limit) elimination.order.clear();
        return elimination;
    }

    // The distance of the moved network; or, if it is over the threshold, possibly only a lower bound from the
    // references evaluated so far, in turn from a random one.
    Weight distance_of_moved(Weight threshold) {
        const typename FsimProblem<W>::Prepared prepared(moved_);
        const auto count = problem_.references.size();
        moved_distances_.resize(count);
        ++networks_;
        Weight change = 0, asked = 0;
        double squares = 0, plain = 0;
        std::size_t next = below(count);
        for (std::size_t k = 1; k <= count; ++k) {
            moved_distances_[next] = fsim_(prepared, problem_.references[next], true);
            work_ += pair_work;
            const Weight difference = moved_distances_[next] - distances_[next];
            change += problem_.weights[next] * difference;
            asked += problem_.weights[next];
            plain += static_cast<double>(difference);
            squares += static_cast<double>(difference * difference);
            if (++next == count) next = 0;
            if (k < least_asked || k == count || change <= 0) continue;
            const double mean = plain / static_cast<double>(k);
            const double variance = squares / static_cast<double>(k) - mean * mean + 0.25;
            const double rest = static_cast<double>(problem_.total_weight - asked);
            const double expected =
                static_cast<double>(change) * static_cast<double>(problem_.total_weight) / static_cast<double>(asked) -
                2 * rest * std::sqrt(variance / static_cast<double>(k));
            if (expected > static_cast<double>(threshold - current_.distance))
                return std::max(threshold + 1, current_.distance + static_cast<Weight>(expected));
        }
        return current_.distance + change;
    }

    // Exponentially distributed with mean 1, except for a straight line between powers of 2: no logarithm, which
    // differs between machines.
    double exponential() {
        const auto bits = random_.next() | 1;
        const int zeros = std::countl_zero(bits);
        const auto fraction = static_cast<double>(bits << zeros << 1 >> 32) / 4294967296.0;
        return 0.6931471805599453 * (zeros + 1 - fraction);
    }
};

} // namespace bnfuse
