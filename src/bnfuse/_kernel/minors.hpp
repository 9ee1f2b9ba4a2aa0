// Tighter than the rigidity matroid where inputs are globally entangled: minors.
//
// A minor of a graph of clique size at most k + 1 has clique size at most k + 1 too, so if it has m >= k vertices, it
// has at most k m - k (k + 1) / 2 edges. Take a set S of vertices, a forest F on it, and for each pair of F's trees at
// most one edge between them, the pair's representative; call these R. In a graph G with small cliques, contract the
// edges of F that G has: |S| - |F and G| vertices are left, and representatives that G has still join different pairs.
// So, with x_e = 1 for the edges of G and 0 for others,
//
//     x(R) + k x(F) <= k |S| - k (k + 1) / 2        as long as F has at least k trees.
//
// Weak duality turns any non-negative combination of such cuts into a bound of what G weighs. The search below, in
// floating point, only looks for a good combination; the bound itself is computed in integers.
#pragma once

#include "random.hpp"
#include "rigidity.hpp"
#include "sorting.hpp"

#include <functional>
#include <optional>

namespace bnfuse {

struct MinorCut {
    std::vector<int> representatives, contracted; // edges
    std::int64_t limit;
    int vertices;     // the number of edges from which the minor was made
    double price = 0; // its multiplier
    int idle = 0;     // rounds since it last had a price
};

// Looks for cuts that a fractional choice of edges violates, by contracting edges one by one.
class MinorSearch {
public:
    MinorSearch(int n, int k, const std::vector<Edge>& edges)
        : n_(n), k_(k), edges_(edges), link_(static_cast<std::size_t>(n) * n, -1), neighbours_(n), tree_(n),
          worth_(edges.size()) {}

    // The most violated cut found. An edge is worth contracting if few edges become parallel by it; `noise` adds
    // randomness to the choice.
    std::optional<MinorCut> operator()(const std::vector<double>& x, double noise, Random& random) {
        x_ = &x;
        start(noise, random);
        std::optional<MinorCut> best;
        double most = least;
        for (;;) {
            check_stop();
            offer(most, best);
            if (static_cast<int>(parts_.size()) <= k_ + 1 || !contract(noise, random)) break;
        }
        clear();
        return best;
    }

    // Cuts grown from the part of each contraction, if violated: one for each.
    void grow_along(const std::vector<double>& x, double noise, Random& random, std::vector<MinorCut>& cuts) {
        x_ = &x;
        start(noise, random);
        while (static_cast<int>(parts_.size()) > k_ + 1 && contract(noise, random)) {
            check_stop();
            grow({last_}, cuts);
        }
        clear();
    }

    // Cuts grown from the ends of each edge, without contractions: ranks.
    void grow_ranks(const std::vector<double>& x, std::vector<MinorCut>& cuts) {
        x_ = &x;
        Random random(0, 0);
        start(0, random);
        for (const int a : parts_)
            for (const int b : neighbours_[a])
                if (a < b) {
                    check_stop();
                    grow({a, b}, cuts);
                }
        clear();
    }

private:
    static constexpr double nothing = -1e-9, least = 1e-6;

    int n_, k_, last_ = -1; // the part that the last contraction made
    const std::vector<Edge>& edges_;
    const std::vector<double>* x_ = nullptr;
    std::vector<int> link_;                    // by pair of parts: its representative, or -1
    std::vector<std::vector<int>> neighbours_; // of each part
    std::vector<std::vector<int>> tree_;       // the contracted edges of each part
    std::vector<int> parts_, place_;           // the parts, and the position of each in that list
    std::vector<double> worth_;                // the cost of contracting each representative
    std::vector<double> surplus_;
    std::vector<bool> inside_;

    int& link(int a, int b) { return link_[static_cast<std::size_t>(a) * n_ + b]; }
    double value(int a, int b) { return (*x_)[link(a, b)]; }
    void join(int a, int b, int edge) {
        if (link(a, b) < 0) {
            neighbours_[a].push_back(b);
            neighbours_[b].push_back(a);
        }
        link(a, b) = link(b, a) = edge;
    }

    void start(double noise, Random& random) {
        for (std::size_t i = 0; i < edges_.size(); ++i)
            if ((*x_)[i] > 1e-6) join(edges_[i].a, edges_[i].b, static_cast<int>(i));
        parts_.clear();
        for (int v = 0; v < n_; ++v)
            if (!neighbours_[v].empty()) parts_.push_back(v);
        for (const int a : parts_)
            for (const int b : neighbours_[a])
                if (a < b) weigh(a, b, noise, random);
    }
    void clear() {
        for (int v = 0; v < n_; ++v) {
            for (const int u : neighbours_[v]) link(v, u) = -1;
            neighbours_[v].clear();
            tree_[v].clear();
        }
    }

    void weigh(int a, int b, double noise, Random& random) {
        constexpr std::uint32_t grains = 1u << 20;
        double worth = (k_ - 1) * value(a, b) + noise * random.below(grains) / grains;
        if (neighbours_[a].size() > neighbours_[b].size()) std::swap(a, b);
        for (const int u : neighbours_[a])
            if (link(b, u) >= 0) worth -= std::min(value(a, u), value(b, u));
        worth_[link(a, b)] = worth;
    }

    bool contract(double noise, Random& random) {
        double best = -std::numeric_limits<double>::infinity();
        int kept = -1, gone = -1;
        for (const int a : parts_)
            for (const int b : neighbours_[a])
                if (a < b && worth_[link(a, b)] > best) {
                    best = worth_[link(a, b)];
                    kept = a;
                    gone = b;
                }
        if (kept < 0) return false;
        if (neighbours_[kept].size() < neighbours_[gone].size()) std::swap(kept, gone);
        tree_[kept].push_back(link(kept, gone));
        tree_[kept].insert(tree_[kept].end(), tree_[gone].begin(), tree_[gone].end());
        tree_[gone].clear();
        for (const int u : neighbours_[gone]) {
            const int edge = link(gone, u);
            link(gone, u) = link(u, gone) = -1;
            std::erase(neighbours_[u], gone);
            if (u != kept && (link(kept, u) < 0 || (*x_)[edge] > value(kept, u))) join(kept, u, edge);
        }
        neighbours_[gone].clear();
        std::erase(parts_, gone);
        last_ = kept;
        for (const int a : neighbours_[kept]) { // only here have common neighbours changed
            weigh(kept, a, noise, random);
            for (const int b : neighbours_[a])
                if (a < b && link(kept, b) >= 0) weigh(a, b, noise, random);
        }
        return true;
    }

    // Leaves out parts that contribute less than their vertices allow, and compares the rest.
    void offer(double& most, std::optional<MinorCut>& best) {
        surplus_.assign(n_, 0);
        inside_.assign(n_, false);
        std::vector<int> light;
        for (const int v : parts_) {
            inside_[v] = true;
            surplus_[v] = surplus_alone(v);
            for (const int u : neighbours_[v]) surplus_[v] += value(v, u);
            if (surplus_[v] < nothing) light.push_back(v);
        }
        while (!light.empty()) {
            const int v = light.back();
            light.pop_back();
            inside_[v] = false;
            for (const int u : neighbours_[v]) {
                const bool was_light = surplus_[u] < nothing;
                surplus_[u] -= value(v, u);
                if (!was_light && surplus_[u] < nothing) light.push_back(u);
            }
        }
        int count = 0;
        double violation = k_ * (k_ + 1) / 2.0;
        for (const int v : parts_) {
            if (!inside_[v]) continue;
            ++count;
            violation += surplus_alone(v);
            for (const int u : neighbours_[v])
                if (u > v && inside_[u]) violation += value(v, u);
        }
        if (count < k_ || violation <= most) return;
        most = violation;
        best = cut();
    }

    // Repeatedly adds the part with the largest contribution; offers the most violated of all these sets.
    void grow(const std::vector<int>& seed, std::vector<MinorCut>& cuts) {
        inside_.assign(n_, false);
        surplus_.assign(n_, 0);
        using Offer = std::pair<double, int>; // the contribution of a part, and minus its position
        std::vector<Offer> offers;            // a heap: outdated smaller entries are skipped
        place_.resize(n_);
        for (std::size_t i = 0; i < parts_.size(); ++i) {
            const int v = parts_[i];
            place_[v] = static_cast<int>(i);
            surplus_[v] = surplus_alone(v);
            offers.emplace_back(surplus_[v], -place_[v]);
        }
        std::ranges::make_heap(offers);
        double violation = k_ * (k_ + 1) / 2.0, most = least * 100;
        std::vector<int> taken;
        std::size_t best = 0;
        const auto take = [&](int v) {
            violation += surplus_[v];
            inside_[v] = true;
            taken.push_back(v);
            for (const int u : neighbours_[v]) {
                surplus_[u] += value(v, u);
                if (inside_[u]) continue;
                offers.emplace_back(surplus_[u], -place_[u]);
                std::ranges::push_heap(offers);
            }
            if (static_cast<int>(taken.size()) <= k_ || violation <= most) return;
            most = violation;
            best = taken.size();
        };
        for (const int v : seed) take(v);
        while (taken.size() < parts_.size()) {
            std::ranges::pop_heap(offers);
            const int next = parts_[-offers.back().second];
            offers.pop_back();
            if (!inside_[next]) take(next);
        }
        if (!best) return;
        for (auto i = best; i < taken.size(); ++i) inside_[taken[i]] = false;
        cuts.push_back(cut());
        cuts.back().price = most;
    }

    double surplus_alone(int v) const {
        double sum = -1;
        for (const int edge : tree_[v]) sum += (*x_)[edge] - 1;
        return k_ * sum;
    }

    MinorCut cut() {
        MinorCut result;
        std::int64_t vertices = 0;
        for (const int v : parts_) {
            if (!inside_[v]) continue;
            vertices += static_cast<std::int64_t>(tree_[v].size()) + 1;
            result.contracted.insert(result.contracted.end(), tree_[v].begin(), tree_[v].end());
            for (const int u : neighbours_[v])
                if (u > v && inside_[u]) result.representatives.push_back(link(v, u));
        }
        bnfuse::sort(result.representatives);
        bnfuse::sort(result.contracted);
        result.vertices = static_cast<int>(vertices);
        result.limit = k_ * vertices - static_cast<std::int64_t>(k_) * (k_ + 1) / 2;
        return result;
    }
};

// Minimises the bound over the cuts' prices (the volume algorithm: Barahona, Anbil 2000), adding cuts that its mean
// solution violates.
class MinorBound {
public:
    MinorBound(int n, std::vector<Edge> edges, int k)
        : n_(n), k_(k), edges_(std::move(edges)), search_(n, k, edges_), chosen_(edges_.size(), 1.0),
          mean_(edges_.size(), 1.0), left_(edges_.size()) {
        for (const auto& edge : edges_) heaviest_ = std::max(heaviest_, static_cast<double>(edge.weight));
    }

    Weight operator()(int rounds) {
        constexpr int searches = 8, steps = 150, steps_in_matroid = 7, patience = 10;
        Random random(0, 0);
        int failures = 0;
        for (int round = 0; round < rounds && failures < patience; ++round) {
            bool found = false;
            for (int i = 0; i < searches; ++i)
                if (auto cut = search_(mean_, static_cast<double>(i) / searches, random)) found |= add(std::move(*cut));
            failures = found ? 0 : failures + 1;
            if (cuts_.empty()) continue;
            improve(steps, false);
            std::erase_if(cuts_, [](auto& cut) { return (cut.idle = cut.price > 0 ? 0 : cut.idle + 1) > 3; });
        }
        if (!cuts_.empty()) improve(rounds * steps_in_matroid, true);
        return exact();
    }

    const std::vector<MinorCut>& cuts() const { return cuts_; } // those that it found and did not drop again

private:
    int n_, k_;
    std::vector<Edge> edges_;
    MinorSearch search_;
    std::vector<MinorCut> cuts_;
    std::vector<double> chosen_; // the best edges at the current prices, 0 or 1
    std::vector<double> mean_;   // of these over the last steps: nearly the best fractional choice
    std::vector<double> left_;   // the reduced weight of each edge given the cuts; the heaviest is 1 without them
    double heaviest_ = 1;

    bool add(MinorCut cut) {
        for (const auto& other : cuts_)
            if (other.representatives == cut.representatives && other.contracted == cut.contracted) return false;
        cuts_.push_back(std::move(cut));
        return true;
    }

    // By weak duality: the limits at their prices, and the reduced weights of the edges.
    Weight exact() const {
        Weight total = 0, scale = 1;
        for (const auto& edge : edges_) total += edge.weight;
        for (; scale < 1 << 16 && total < Weight{1} << 42; total *= 2) scale *= 2;
        auto rest = edges_;
        for (auto& edge : rest) edge.weight *= scale;
        Weight bound = 0;
        for (const auto& cut : cuts_) {
            const auto price = static_cast<Weight>(cut.price * heaviest_ * static_cast<double>(scale));
            bound += price * cut.limit;
            for (const int i : cut.representatives) rest[i].weight -= price;
            for (const int i : cut.contracted) rest[i].weight -= k_ * price;
        }
        return (bound + rigidity_weight(n_, heaviest_first(std::move(rest)), k_)) / scale;
    }

    static std::vector<Edge> heaviest_first(std::vector<Edge> edges) {
        std::erase_if(edges, [](const Edge& edge) { return edge.weight <= 0; });
        bnfuse::stable_sort(edges, std::greater{}, &Edge::weight);
        return edges;
    }

    double evaluate(const std::vector<double>& prices, bool in_matroid) {
        for (std::size_t i = 0; i < edges_.size(); ++i) left_[i] = static_cast<double>(edges_[i].weight) / heaviest_;
        double bound = 0;
        for (std::size_t c = 0; c < cuts_.size(); ++c) {
            if (prices[c] == 0) continue;
            bound += prices[c] * static_cast<double>(cuts_[c].limit);
            for (const int i : cuts_[c].representatives) left_[i] -= prices[c];
            for (const int i : cuts_[c].contracted) left_[i] -= k_ * prices[c];
        }
        for (std::size_t i = 0; i < edges_.size(); ++i) chosen_[i] = left_[i] > 0 ? 1.0 : 0.0;
        if (in_matroid) keep_only_independent();
        for (std::size_t i = 0; i < edges_.size(); ++i) bound += chosen_[i] * left_[i];
        return bound;
    }

    void keep_only_independent() {
        auto rest = edges_;
        for (std::size_t i = 0; i < edges_.size(); ++i) {
            rest[i].id = static_cast<int>(i);
            rest[i].weight = static_cast<Weight>(left_[i] * (1 << 30));
        }
        std::vector<Edge> kept;
        keep_independent(n_, heaviest_first(std::move(rest)), k_, kept);
        std::ranges::fill(chosen_, 0.0);
        for (const auto& edge : kept) chosen_[edge.id] = 1;
    }

    void improve(int steps, bool in_matroid) {
        constexpr double ambition = 0.05, share = 0.1, longer = 1.1, shorter = 0.66, astray = 1.5;
        constexpr int patience = 10;
        std::vector<double> prices(cuts_.size()), trial(cuts_.size()), violation(cuts_.size());
        for (std::size_t c = 0; c < cuts_.size(); ++c) prices[c] = cuts_[c].price;
        double best = evaluate(prices, in_matroid), factor = 1;
        auto at_best = chosen_;
        for (int step = 0, waiting = 0; step < steps; ++step) {
            check_stop();
            double norm = 0;
            for (std::size_t c = 0; c < cuts_.size(); ++c) {
                const double sum = violation_of(cuts_[c]);
                violation[c] = prices[c] > 0 || sum > 0 ? sum : 0;
                norm += violation[c] * violation[c];
            }
            const double length = factor * ambition * best / (norm + 1e-9);
            for (std::size_t c = 0; c < cuts_.size(); ++c) trial[c] = std::max(0.0, prices[c] + length * violation[c]);
            const double bound = evaluate(trial, in_matroid);
            for (std::size_t i = 0; i < edges_.size(); ++i) mean_[i] += share * (chosen_[i] - mean_[i]);
            if (bound < best) {
                best = bound;
                prices = trial;
                at_best = chosen_;
                waiting = 0;
                factor *= longer;
            } else if (bound > astray * best) { // the mean is too close to all limits to improve anything
                mean_ = at_best;
                factor *= shorter;
            } else if (++waiting == patience) {
                waiting = 0;
                factor *= shorter;
            }
        }
        for (std::size_t c = 0; c < cuts_.size(); ++c) cuts_[c].price = prices[c];
    }

    double violation_of(const MinorCut& cut) const {
        double sum = -static_cast<double>(cut.limit);
        for (const int i : cut.representatives) sum += mean_[i];
        for (const int i : cut.contracted) sum += k_ * mean_[i];
        return sum;
    }
};

} // namespace bnfuse
