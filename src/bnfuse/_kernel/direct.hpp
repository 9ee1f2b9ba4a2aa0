// Direct search for the DAG with the best SMHD or SHD within a clique limit: simulated annealing over DAGs.
//
// SMHD is linear in the moral edges, so a move changes the objective only where the multiplicity of a moral edge (its
// arc, and each common child) becomes or leaves 0. SHD is linear in the arcs: a move changes it by the arcs moved. A
// tree of bags proves the clique size at every step: a family that lies in a bag needs no check. Directed support is
// the second objective. It may be negative; then an arc that the first objective does not need is better left out.
#pragma once

#include "limited_dag.hpp"
#include "logarithms.hpp"
#include "objective.hpp"

#include <optional>

namespace bnfuse {

struct Score { // the values by which networks are compared: the gain, then directed support, then how few arcs it has
    Weight gain = 0, support = 0;
    int fewer = 0; // minus the number of arcs
    friend auto operator<=>(const Score&, const Score&) = default;
};

// The common data of all chains of a search.
struct DirectProblem {
    int n;
    int limit;                             // of the largest clique
    int max_parents;                       // below the limit
    PairWeights gain;                      // of a moral edge or an arc, compared with not joining the pair
    PairWeights support;                   // of an arc
    std::vector<std::pair<int, int>> arcs; // those that may be added
    std::vector<std::uint8_t> rules;       // by pair of those that gains have: 1 an arc that may be added, 2 one that
                                           // must stay
    double hot, decay;                     // the first temperature, and the power of 1/e by which it falls
    double support_share = 1.0 / 64;       // the weight of directed support relative to gain, in accepting moves
    bool by_arc = false;                   // whether arcs gain, and not moral edges
    TableLimit tables = {};                // of cliques, beside that on their members

    const Pairs& pairs() const { return gain.pairs(); }
    std::uint8_t rule(int u, int v) const {
        const auto i = pairs().find(u, v);
        return i >= 0 ? rules[i] : 0;
    }
    bool allowed(int u, int v) const { return rule(u, v) & 1; }
    bool is_required(int u, int v) const { return rule(u, v) & 2; }
};

struct Found {
    Score score;
    std::vector<std::vector<int>> parents;
    std::vector<int> bags; // concatenated, each ended by -1
};

class Chain {
public:
    Chain(const DirectProblem& problem, std::uint64_t seed, std::uint64_t stream)
        : problem_(problem), random_(seed, stream), dag_(problem.n, problem.limit, problem.tables) {}

    // Adds an arc if it closes no cycle and its family is within the limits, with a triangulation of the whole graph if
    // the local one fails: for requested arcs.
    bool add_anyhow(int u, int v) {
        if (add(u, v)) return true;
        if (static_cast<int>(dag_.parents(v).size()) >= problem_.max_parents || !dag_.order_allows(u, v)) return false;
        if (are_many(problem_.n) && vain_looks_ >= most_vain_looks) return false;
        attach(u, v);
        if (rebuild()) return true;
        ++vain_looks_;
        detach(u, v);
        return false;
    }

    // Takes over a network with an elimination order that proves it to be within the limit.
    void start_at(const std::vector<std::pair<int, int>>& arcs, const std::vector<int>& order) {
        detach_all();
        for (const auto& [u, v] : arcs) restore(u, v);
        dag_.rebuild_along(order);
        remember();
    }

    bool add(int u, int v) {
        if (static_cast<int>(dag_.parents(v).size()) >= problem_.max_parents || !dag_.order_allows(u, v)) return false;
        attach(u, v);
        if (dag_.fits(v)) return true;
        detach(u, v);
        return false;
    }

    // Anneals through moves `from` to `to` of `total`: the temperature falls geometrically, and is 0 at the end. False
    // if it was ended before that; a move is always completed.
    bool anneal(std::int64_t from, std::int64_t to, std::int64_t total) {
        std::int64_t move = from;
        for (; move < to; ++move) {
            if (move % step == 0 || move == from) temperature_ = temperature_at(move - move % step, total);
            if (should_end(move)) break;
            propose();
            if (++since_rebuild_ >= std::max(rebuild_after, rebuild_per_variable * problem_.n)) rebuild();
        }
        remember();
        return move >= to;
    }

    // From the best network, moves that keep or improve the gain, towards the largest directed support: SMHD does not
    // depend on directions, but users do.
    bool polish(std::int64_t moves) {
        return_to_best();
        plateau_ = true;
        std::int64_t move = 0;
        for (; move < moves; ++move) {
            if (move % step == 0) temperature_ = temperature_at(move, moves);
            if (should_end(move)) break;
            propose();
        }
        plateau_ = false;
        remember();
        return move >= moves;
    }

    // From the best network: no single arc is left that could be removed or added without loss of gain, improving gain
    // or support.
    void tidy() {
        return_to_best();
        for (bool changed = true; changed;) {
            changed = false;
            for (int v = 0; v < problem_.n; ++v)
                while (const auto u = needless_parent(v)) {
                    detach(*u, v);
                    changed = true;
                }
            for (const auto& [u, v] : problem_.arcs)
                if (!has(u, v) && !has(v, u) && worth_adding(u, v)) changed |= add(u, v);
        }
        remember();
    }

    bool has(int u, int v) const { return dag_.has(u, v); }

    const Score& best_score() const { return best_score_; }
    Found best() const { return {best_score_, best_parents_, concatenated(best_bags_)}; }
    void remember() {
        if (!(score_ > best_score_) && !best_parents_.empty()) return;
        dag_.copy_changes(best_parents_, best_bags_); // few, as a rule: the best network is never far away
        best_score_ = score_;
    }
    Found current() const { return {score_, dag_.parents(), dag_.bags()}; }

private:
    static constexpr std::int64_t step = 256;                                         // moves at one temperature
    static constexpr std::int64_t rebuild_after = 200'000, rebuild_per_variable = 90; // which 2,048 never reach
    static constexpr int most_whole_looks = 200;
    static constexpr int most_vain_looks = 30;   // at the whole of a graph of many variables
    static constexpr double plateau_factor = 64; // support counts for more if no gain is possible
    const DirectProblem& problem_;
    Random random_;
    LimitedDag dag_;
    Score score_, best_score_;
    std::vector<std::vector<int>> best_parents_, best_bags_;
    double temperature_ = 0;
    int whole_looks_ = 0, vain_looks_ = 0;
    bool plateau_ = false; // no move may lower the gain
    std::int64_t since_rebuild_ = 0;
    bool rebuilt_ = false; // since the clock was read

    // Checks the clock from time to time, and after long computations.
    bool should_end(std::int64_t move) {
        if (move % step && !rebuilt_) return false;
        rebuilt_ = false;
        return is_over();
    }

    // A parent of v without any support for it, the one with the least support.
    std::optional<int> needless_parent(int v) {
        std::optional<int> least;
        for (const int u : dag_.parents(v)) {
            const auto gain = gain_of_removing(u, v);
            if (problem_.is_required(u, v) || gain < 0 || (gain == 0 && problem_.support(u, v) >= 0)) continue;
            if (!least || problem_.support(u, v) < problem_.support(*least, v)) least = u;
        }
        return least;
    }
    bool worth_adding(int u, int v) {
        const auto gain = gain_of_adding(u, v, -1);
        return gain > 0 || (gain == 0 && problem_.support(u, v) > 0);
    }

    double temperature_at(std::int64_t move, std::int64_t total) const {
        const double passed = static_cast<double>(move) / static_cast<double>(total);
        if (passed > 0.95) return 0;
        // From hot to cold by a factor of e^-decay, in parts so that e^-x is computed for small x only.
        return problem_.hot * exp_minus(problem_.decay * passed / 0.95);
    }

    // The arcs themselves

    void attach(int u, int v) {
        dag_.attach(u, v, [&](int a, int b) {
            if (!problem_.by_arc) score_.gain += problem_.gain(a, b);
        });
        score_.support += problem_.support(u, v);
        if (problem_.by_arc) score_.gain += problem_.gain(u, v);
        --score_.fewer;
    }
    void detach(int u, int v) {
        dag_.detach(u, v, [&](int a, int b) {
            if (!problem_.by_arc) score_.gain -= problem_.gain(a, b);
        });
        score_.support -= problem_.support(u, v);
        if (problem_.by_arc) score_.gain -= problem_.gain(u, v);
        ++score_.fewer;
    }
    void detach_all() {
        for (int v = 0; v < problem_.n; ++v)
            while (!dag_.parents(v).empty()) detach(dag_.parents(v).back(), v);
    }
    // Restores an arc that was just removed; a failed move may have changed the order in the meantime.
    void restore(int u, int v) {
        dag_.order_allows(u, v);
        attach(u, v);
    }

    Weight gain_of_adding(int u, int v, int without) {
        if (problem_.by_arc) return problem_.gain(u, v);
        Weight gain = dag_.joined(u, v) ? 0 : problem_.gain(u, v);
        for (const int x : dag_.parents(v))
            if (x != without && !dag_.joined(u, x)) gain += problem_.gain(u, x);
        return gain;
    }
    Weight gain_of_removing(int u, int v) {
        if (problem_.by_arc) return -problem_.gain(u, v);
        Weight gain = dag_.joined(u, v) == 1 ? -problem_.gain(u, v) : 0;
        for (const int x : dag_.parents(v))
            if (x != u && dag_.joined(u, x) == 1) gain -= problem_.gain(u, x);
        return gain;
    }
    Weight gain_of_reversing(int u, int v) {
        if (problem_.by_arc) return problem_.gain(v, u) - problem_.gain(u, v);
        Weight gain = 0;
        for (const int x : dag_.parents(v))
            if (x != u && dag_.joined(u, x) == 1) gain -= problem_.gain(u, x);
        for (const int x : dag_.parents(u))
            if (!dag_.joined(v, x)) gain += problem_.gain(v, x);
        return gain;
    }

    // Moves

    void propose() {
        const auto& [u, v] = problem_.arcs[random_.below(static_cast<std::uint32_t>(problem_.arcs.size()))];
        if (has(u, v)) {
            if (random_.below(2)) {
                try_remove(u, v);
            } else if (problem_.allowed(v, u)) {
                try_reverse(u, v);
            }
        } else if (has(v, u)) {
            try_reverse(v, u);
        } else if (static_cast<int>(dag_.parents(v).size()) < problem_.max_parents && random_.below(4)) {
            try_add(u, v);
        } else if (!dag_.parents(v).empty()) {
            try_swap(u, v, dag_.parents(v)[random_.below(static_cast<std::uint32_t>(dag_.parents(v).size()))]);
        }
    }

    bool accepts(Weight gain, Weight support, int more_arcs) {
        if (plateau_ && gain) return gain > 0;
        const double share = plateau_ ? plateau_factor * problem_.support_share : problem_.support_share;
        const double change = static_cast<double>(gain) + share * (static_cast<double>(support) - 0.5 * more_arcs);
        const bool accepted = change >= 0 || (temperature_ > 0 && static_cast<double>(random_.below(1u << 30)) <
                                                                      (1u << 30) * exp_minus(-change / temperature_));
        if (accepted && change < 0) remember();
        return accepted;
    }

    void try_add(int u, int v) {
        const auto gain = gain_of_adding(u, v, -1);
        if (!accepts(gain, problem_.support(u, v), 1) || add(u, v)) return;
        // At the end, a promising move that fails because its paths are too long justifies a search of the whole graph,
        // a few times.
        if (gain > 0 && temperature_ == 0 && whole_looks_ < most_whole_looks) {
            ++whole_looks_;
            add_anyhow(u, v);
        }
    }
    void try_remove(int u, int v) {
        if (!problem_.is_required(u, v) && accepts(gain_of_removing(u, v), -problem_.support(u, v), -1)) detach(u, v);
    }
    void try_reverse(int u, int v) {
        if (problem_.is_required(u, v) || static_cast<int>(dag_.parents(u).size()) >= problem_.max_parents) return;
        if (!accepts(gain_of_reversing(u, v), problem_.support(v, u) - problem_.support(u, v), 0)) return;
        detach(u, v);
        if (!add(v, u)) restore(u, v);
    }
    void try_swap(int u, int v, int old) {
        if (problem_.is_required(old, v)) return;
        const auto gain = gain_of_removing(old, v) + gain_of_adding(u, v, old);
        if (!accepts(gain, problem_.support(u, v) - problem_.support(old, v), 0)) return;
        detach(old, v);
        if (!add(u, v)) restore(old, v);
    }

    void return_to_best() {
        detach_all();
        for (int v = 0; v < problem_.n; ++v)
            for (const int u : best_parents_[v]) restore(u, v);
        dag_.rebuild_from(concatenated(best_bags_));
    }

    // The proof of the clique size

    bool rebuild() {
        since_rebuild_ = 0;
        rebuilt_ = true;
        return dag_.rebuild();
    }
};

} // namespace bnfuse
