// Direct search for the DAG with the best SMHD or SHD within a clique limit: simulated annealing over DAGs.
//
// SMHD is linear in the moral edges, so a move changes the objective only where the multiplicity of a moral edge (its
// arc, and each common child) becomes or leaves 0. SHD is linear in the arcs: a move changes it by the arcs moved. A
// tree of bags proves the clique size at every step: a family that lies in a bag needs no check. Directed support is
// the second objective. It may be negative: then an arc that the first does not need is better left out.
#pragma once

#include "decomposition.hpp"
#include "objective.hpp"

#include <optional>

namespace bnfuse {

// e^-x for x >= 0 from basic operations alone, which give the same bits on every machine.
inline double exp_minus(double x) {
    if (x > 40) return 0;
    const int halvings = 12;
    double y = 1 - x / (1 << halvings) + x * x / (2.0 * (1 << halvings) * (1 << halvings));
    for (int i = 0; i < halvings; ++i) y *= y;
    return y;
}

struct Score { // what a network is compared by: its gain, then directed support, then how few arcs it has
    Weight gain = 0, support = 0;
    int fewer = 0; // minus the number of arcs
    friend auto operator<=>(const Score&, const Score&) = default;
};

// What every chain of a search shares.
struct DirectProblem {
    int n;
    int limit;                             // of the largest clique
    int max_parents;                       // below the limit
    PairWeights gain;                      // of a moral edge or an arc, over leaving the pair apart
    PairWeights support;                   // of an arc
    std::vector<std::pair<int, int>> arcs; // those that may be added
    std::vector<std::uint8_t> rules;       // by pair: 1 an arc that may be added, 2 one that must stay
    double hot, decay;                     // the first temperature, and by which power of 1/e it falls
    double support_share = 1.0 / 64;       // what directed support counts beside gain, in accepting moves
    bool by_arc = false;                   // whether arcs gain, and not moral edges
    TableLimit tables = {};                // of cliques, beside that on their members

    bool allowed(int u, int v) const { return rules[static_cast<std::size_t>(u) * n + v] & 1; }
    bool is_required(int u, int v) const { return rules[static_cast<std::size_t>(u) * n + v] & 2; }
};

struct Found {
    Score score;
    std::vector<std::vector<int>> parents;
    std::vector<int> bags; // concatenated, each ended by -1
};

class Chain {
public:
    Chain(const DirectProblem& problem, std::uint64_t seed, std::uint64_t stream)
        : problem_(problem), random_(seed, stream), parents_(problem.n), children_(problem.n), moral_(problem.n),
          place_(problem.n), multiplicity_(static_cast<std::size_t>(problem.n) * problem.n),
          tree_(problem.n, problem.limit, problem.tables), seen_(problem.n) {
        for (int v = 0; v < problem.n; ++v) place_[v] = v;
    }

    // Adds an arc if it closes no cycle and its family fits the limits, by a triangulation of the whole graph where the
    // local one fails: for arcs that somebody asks for.
    bool add_anyhow(int u, int v) {
        if (add(u, v)) return true;
        if (static_cast<int>(parents_[v].size()) >= problem_.max_parents || !order_allows(u, v)) return false;
        attach(u, v);
        if (rebuild()) return true;
        detach(u, v);
        return false;
    }

    // Takes over a network with an elimination order that proves it to be within the limit.
    void start_at(const std::vector<std::pair<int, int>>& arcs, const std::vector<int>& order) {
        for (int v = 0; v < problem_.n; ++v)
            while (!parents_[v].empty()) detach(parents_[v].back(), v);
        for (const auto& [u, v] : arcs) restore(u, v);
        with_words(problem_.n, [&]<int W>() { tree_.rebuild(moral<W>(), order); });
        remember();
    }

    bool add(int u, int v) {
        if (static_cast<int>(parents_[v].size()) >= problem_.max_parents || !order_allows(u, v)) return false;
        attach(u, v);
        if (fits(v)) return true;
        detach(u, v);
        return false;
    }

    // Anneals through moves `from` to `to` of `total`: the temperature falls geometrically, and is 0 at the end. False
    // when it was ended before that; a move is always done whole.
    bool anneal(std::int64_t from, std::int64_t to, std::int64_t total) {
        Watch* const watch = watch_of_thread;
        const Watched whole(nullptr);
        std::int64_t move = from;
        for (; move < to; ++move) {
            if (move % step == 0 || move == from) temperature_ = temperature_at(move - move % step, total);
            if (should_end(watch, move)) break;
            propose();
            if (++since_rebuild_ >= rebuild_after) rebuild();
        }
        remember();
        return move >= to;
    }

    // From the best network on, moves that keep the gain (or better it) to the largest directed support: SMHD does not
    // see directions, people do.
    bool polish(std::int64_t moves) {
        Watch* const watch = watch_of_thread;
        const Watched whole(nullptr);
        return_to_best();
        plateau_ = true;
        std::int64_t move = 0;
        for (; move < moves; ++move) {
            if (move % step == 0) temperature_ = temperature_at(move, moves);
            if (should_end(watch, move)) break;
            propose();
        }
        plateau_ = false;
        remember();
        return move >= moves;
    }

    // From the best network on: no single arc is left that could be taken out or put in at no loss of gain, to the
    // better of gain or support.
    void tidy() {
        const Watched whole(nullptr);
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

    bool has(int u, int v) const { return std::ranges::find(parents_[v], u) != parents_[v].end(); }

    const Found& best() const { return best_; }
    void remember() {
        if (!(score_ > best_.score) && !best_.parents.empty()) return;
        best_ = current();
    }
    Found current() const { return {score_, parents_, tree_.bags()}; }

private:
    static constexpr std::int64_t step = 256; // moves at one temperature
    static constexpr std::int64_t rebuild_after = 200'000;
    static constexpr int most_whole_looks = 200;
    static constexpr double plateau_factor = 64; // support counts for more where gain is out of the question
    const DirectProblem& problem_;
    Random random_;
    std::vector<std::vector<int>> parents_, children_, moral_; // moral_: neighbours in the moral graph
    std::vector<int> place_;                                   // in a topological order
    std::vector<std::uint16_t> multiplicity_;
    TreeDecomposition tree_;
    Score score_;
    Found best_;
    double temperature_ = 0;
    int whole_looks_ = 0;
    bool plateau_ = false; // no move may lower the gain
    std::int64_t since_rebuild_ = 0;
    bool rebuilt_ = false; // since the clock was read
    std::vector<int> seen_, forward_, backward_, family_;
    int sight_ = 0;

    // Looks at the watch now and then, and after all that takes long.
    bool should_end(Watch* watch, std::int64_t move) {
        if (!watch || (move % step && !rebuilt_)) return false;
        rebuilt_ = false;
        return watch->is_over();
    }

    // A parent of v that nothing speaks for, the one with the least support.
    std::optional<int> needless_parent(int v) {
        std::optional<int> least;
        for (const int u : parents_[v]) {
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
        // From hot to cold by a factor of e^-decay, in parts so that e^-x is asked for small x only.
        return problem_.hot * exp_minus(problem_.decay * passed / 0.95);
    }

    std::uint16_t& joined(int a, int b) {
        if (a > b) std::swap(a, b);
        return multiplicity_[static_cast<std::size_t>(a) * problem_.n + b];
    }

    // The arcs themselves

    void attach(int u, int v) {
        for (const int x : parents_[v]) join(u, x);
        join(u, v);
        parents_[v].push_back(u);
        children_[u].push_back(v);
        score_.support += problem_.support(u, v);
        if (problem_.by_arc) score_.gain += problem_.gain(u, v);
        --score_.fewer;
    }
    void detach(int u, int v) {
        drop(parents_[v], u);
        drop(children_[u], v);
        for (const int x : parents_[v]) part(u, x);
        part(u, v);
        score_.support -= problem_.support(u, v);
        if (problem_.by_arc) score_.gain -= problem_.gain(u, v);
        ++score_.fewer;
    }
    void join(int a, int b) {
        if (joined(a, b)++) return;
        if (!problem_.by_arc) score_.gain += problem_.gain(a, b);
        moral_[a].push_back(b);
        moral_[b].push_back(a);
    }
    void part(int a, int b) {
        if (--joined(a, b)) return;
        if (!problem_.by_arc) score_.gain -= problem_.gain(a, b);
        drop(moral_[a], b);
        drop(moral_[b], a);
    }
    // Puts back an arc just removed; a move that failed may have changed the order meanwhile.
    void restore(int u, int v) {
        order_allows(u, v);
        attach(u, v);
    }
    static void drop(std::vector<int>& list, int member) {
        *std::ranges::find(list, member) = list.back();
        list.pop_back();
    }

    Weight gain_of_adding(int u, int v, int without) {
        if (problem_.by_arc) return problem_.gain(u, v);
        Weight gain = joined(u, v) ? 0 : problem_.gain(u, v);
        for (const int x : parents_[v])
            if (x != without && !joined(u, x)) gain += problem_.gain(u, x);
        return gain;
    }
    Weight gain_of_removing(int u, int v) {
        if (problem_.by_arc) return -problem_.gain(u, v);
        Weight gain = joined(u, v) == 1 ? -problem_.gain(u, v) : 0;
        for (const int x : parents_[v])
            if (x != u && joined(u, x) == 1) gain -= problem_.gain(u, x);
        return gain;
    }
    Weight gain_of_reversing(int u, int v) {
        if (problem_.by_arc) return problem_.gain(v, u) - problem_.gain(u, v);
        Weight gain = 0;
        for (const int x : parents_[v])
            if (x != u && joined(u, x) == 1) gain -= problem_.gain(u, x);
        for (const int x : parents_[u])
            if (!joined(v, x)) gain += problem_.gain(v, x);
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
        } else if (static_cast<int>(parents_[v].size()) < problem_.max_parents && random_.below(4)) {
            try_add(u, v);
        } else if (!parents_[v].empty()) {
            try_swap(u, v, parents_[v][random_.below(static_cast<std::uint32_t>(parents_[v].size()))]);
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
        // In the end, what pays and fails for its long ways only is worth a look at the whole graph, a few times.
        if (gain > 0 && temperature_ == 0 && whole_looks_ < most_whole_looks) {
            ++whole_looks_;
            add_anyhow(u, v);
        }
    }
    void try_remove(int u, int v) {
        if (!problem_.is_required(u, v) && accepts(gain_of_removing(u, v), -problem_.support(u, v), -1)) detach(u, v);
    }
    void try_reverse(int u, int v) {
        if (problem_.is_required(u, v) || static_cast<int>(parents_[u].size()) >= problem_.max_parents) return;
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
        for (int v = 0; v < problem_.n; ++v)
            while (!parents_[v].empty()) detach(parents_[v].back(), v);
        for (int v = 0; v < problem_.n; ++v)
            for (const int u : best_.parents[v]) restore(u, v);
        with_words(problem_.n, [&]<int W>() {
            auto chordal = chordal_graph<W>(best_.bags, problem_.n);
            const auto order = max_cardinality(chordal).order;
            tree_.rebuild(std::move(chordal), order);
        });
    }

    // The proof of the clique size

    bool fits(int v) {
        family_.assign(1, v);
        family_.insert(family_.end(), parents_[v].begin(), parents_[v].end());
        if (tree_.holds_family(family_)) return true;
        return tree_.make_room(family_, moral_);
    }

    // Local triangulations keep edges that nobody needs any more: starts from the moral graph itself, if min-fill can.
    bool rebuild() {
        since_rebuild_ = 0;
        rebuilt_ = true;
        return with_words(problem_.n, [&]<int W>() {
            auto graph = moral<W>();
            const auto elimination = min_fill(graph, problem_.limit, problem_.tables);
            if (elimination.clique > problem_.limit) return false;
            tree_.rebuild(std::move(graph), elimination.order);
            return true;
        });
    }

    template <int W> Rows<W> moral() const {
        Rows<W> graph(problem_.n);
        for (int v = 0; v < problem_.n; ++v)
            for (const int u : moral_[v]) graph[v].set(u);
        return graph;
    }

    // The topological order (Pearce, Kelly 2006): makes u precede v, or says that v reaches u.
    bool order_allows(int u, int v) {
        const int low = place_[v], high = place_[u];
        if (high < low) return true;
        ++sight_;
        forward_.assign(1, v);
        seen_[v] = sight_;
        for (std::size_t i = 0; i < forward_.size(); ++i)
            for (const int child : children_[forward_[i]]) {
                if (child == u) return false;
                if (place_[child] < high && seen_[child] != sight_) {
                    seen_[child] = sight_;
                    forward_.push_back(child);
                }
            }
        backward_.assign(1, u);
        seen_[u] = sight_;
        for (std::size_t i = 0; i < backward_.size(); ++i)
            for (const int parent : parents_[backward_[i]])
                if (place_[parent] > low && seen_[parent] != sight_) {
                    seen_[parent] = sight_;
                    backward_.push_back(parent);
                }
        const auto by_place = [&](int x) { return place_[x]; };
        std::ranges::sort(forward_, {}, by_place);
        std::ranges::sort(backward_, {}, by_place);
        family_.clear(); // the places to share out
        for (const int x : backward_) family_.push_back(place_[x]);
        for (const int x : forward_) family_.push_back(place_[x]);
        std::ranges::sort(family_);
        std::size_t next = 0;
        for (const int x : backward_) place_[x] = family_[next++];
        for (const int x : forward_) place_[x] = family_[next++];
        return true;
    }
};

} // namespace bnfuse
