// Whether a connected graph can be triangulated with cliques of at most t, by positive-instance-driven dynamic
// programming (Tamaki, ESA 2017): only sets that can be eliminated within the limit are ever built, from small to
// large.
//
// A potential maximal clique is a clique of some minimal triangulation: a set K such that no part of the graph without
// K sees all of K, while any two members are joined or seen by a common part (Bouchitté, Todinca 2001). A connected set
// C is feasible if |N(C)| < t and there is a potential maximal clique K of at most t members, its bag, with
// N(C) < K <= C + N(C), such that all parts of C - K are feasible. The graph fits if all parts that some such K leaves
// are feasible. Every bag shows up in one of three ways. With A the union of the parts of C - K, which do not touch:
// - K = N(A); or
// - a member of K in C sees no part, and then K is that vertex with its neighbours; or
// - otherwise every v in K - N(C) is next to all that N(A) lacks of K, so that K = N(A) + (N(v) - A) for some v in
// N(A). So unions of feasible sets are built too, by adding one feasible set at a time, in the order in which these
// were found. As long as a union sees less than K, what is left of K lies in one part that sees all of N(A): a union
// that has no such part and whose neighbours are no potential maximal clique leads nowhere. Parts that a bag still
// waits for are written down with it.
//
// A clique of the graph lies in one bag, which may as well be the last: no feasible set needs a member of it.
#pragma once

#include "connected_parts.hpp"
#include "union_index.hpp"

#include <unordered_map>

namespace bnfuse {

enum class Answer { yes, no, unknown };

template <int W> class FeasibleSets {
public:
    // `states` counts down by the square of the words in a set: for each union and bag that is looked at.
    FeasibleSets(const Rows<W>& graph, int limit, std::int64_t& states)
        : graph_(graph), all_(first<W>(static_cast<int>(graph.size()))), last_(some_clique()), limit_(limit),
          states_(states), unions_(static_cast<int>(graph.size())) {}

    Answer decide() {
        for (int v = 0; v < static_cast<int>(graph_.size()) && goes_on(); ++v) {
            auto bag = graph_[v];
            bag.set(v);
            try_bag(bag);
        }
        for (std::size_t i = 0; i < sets_.size() && goes_on(); ++i) extend(sets_[i].set);
        if (root_.any()) return Answer::yes;
        return goes_on() ? Answer::no : Answer::unknown;
    }

    // After a yes: the bags of a triangulation within the limit.
    template <class Visit> void each_bag(Visit&& visit) const {
        std::vector<std::pair<Bits<W>, Bits<W>>> todo{{all_, root_}};
        while (!todo.empty()) {
            const auto [members, bag] = todo.back();
            todo.pop_back();
            visit(bag);
            each_part(graph_, members - bag, [&](const Bits<W>& part, const Bits<W>&) {
                todo.emplace_back(part, sets_[number_.at(part)].bag);
            });
        }
    }

private:
    struct FeasibleSet {
        SeenSet<W> set;
        Bits<W> bag;
    };
    struct Part {
        Bits<W> members, neighbours;
    };
    static constexpr std::int64_t most_kept = (1 << 23) / W; // sets of all kinds: half a gigabyte or so

    const Rows<W>& graph_;
    Bits<W> all_, last_;
    Bits<W> root_; // empty until the answer is yes
    int limit_;
    std::int64_t& states_;
    std::int64_t kept_ = 0;
    std::vector<FeasibleSet> sets_;
    std::unordered_map<Bits<W>, std::size_t, BitsHash<W>> number_; // of a feasible set
    UnionIndex<W> unions_;
    std::vector<SeenSet<W>> beside_;
    std::unordered_set<Bits<W>, BitsHash<W>> bags_;
    std::unordered_map<Bits<W>, std::vector<Bits<W>>, BitsHash<W>> waiting_; // bags, by a part that they lack
    std::vector<Part> parts_;                                                // of the graph without the current bag
    Pulse pulse_{64};

    bool goes_on() const { return !root_.any() && states_ >= 0 && kept_ <= most_kept; }

    Bits<W> some_clique() const { // a large one, greedily from each vertex
        Bits<W> best;
        for (int v = 0; v < static_cast<int>(graph_.size()); ++v) {
            Bits<W> clique;
            clique.set(v);
            for (auto next = graph_[v]; next.any();) {
                const int u = next.lowest();
                clique.set(u);
                next &= graph_[u];
            }
            if (clique.count() > best.count()) best = clique;
        }
        return best;
    }

    // Bags that waited for a new set, and all unions with it, which come after those without it.
    void extend(const SeenSet<W> one) {
        check_stop();
        if (const auto found = waiting_.find(one.members); found != waiting_.end()) {
            const auto bags = std::move(found->second);
            waiting_.erase(found);
            for (const auto& bag : bags) {
                find_parts(bag);
                use(bag, false);
            }
        }
        beside_.clear();
        unions_.each_beside(one, limit_, [&](const SeenSet<W>& other) {
            beside_.push_back({other.members | one.members, other.neighbours | one.neighbours});
        });
        beside_.push_back(one);
        for (std::size_t i = 0; i < beside_.size() && goes_on(); ++i) try_union(beside_[i]);
    }

    void try_union(const SeenSet<W>& one) {
        pulse_();
        states_ -= W * W;
        bool leads_on = false;
        each_part(graph_, all_ - one.members - one.neighbours,
                  [&](const Bits<W>&, const Bits<W>& seen) { leads_on |= seen == one.neighbours; });
        if (!leads_on) return try_bag(one.neighbours);
        if (one.neighbours.count() == limit_) return;
        ++kept_;
        unions_.insert(one);
        one.neighbours.each([&](int v) {
            const auto bag = one.neighbours | (graph_[v] - one.members);
            if (!(bag == one.neighbours)) try_bag(bag);
        });
    }

    void try_bag(const Bits<W>& bag) {
        if (bag.count() > limit_ || !goes_on() || bags_.contains(bag)) return;
        pulse_();
        find_parts(bag);
        if (!is_potential_maximal_clique(bag)) return;
        states_ -= W * W;
        ++kept_;
        bags_.insert(bag);
        use(bag, true);
    }

    void find_parts(const Bits<W>& bag) {
        parts_.clear();
        each_part(graph_, all_ - bag,
                  [&](const Bits<W>& part, const Bits<W>& seen) { parts_.push_back({part, seen}); });
    }

    bool is_potential_maximal_clique(const Bits<W>& bag) const {
        for (const auto& part : parts_)
            if (part.neighbours == bag) return false;
        for (auto rest = bag; rest.any();) {
            const int v = rest.lowest();
            rest.reset(v);
            auto missing = rest - graph_[v];
            for (const auto& part : parts_)
                if (part.neighbours.test(v)) missing -= part.neighbours;
            if (missing.any()) return false;
        }
        return true;
    }

    // Adds the feasible sets that have this bag, whose parts are found. Such a set has one of them outside, sees what
    // that one sees, and holds all parts that see anything else.
    void use(const Bits<W>& bag, bool is_new) {
        Bits<W> outside; // what parts see that are not known to be feasible
        bool all_feasible = true;
        for (const auto& part : parts_) {
            if (number_.contains(part.members)) continue;
            all_feasible = false;
            outside |= part.neighbours;
            if (!is_new || (part.members & last_).any()) continue;
            ++kept_;
            waiting_[part.members].push_back(bag);
        }
        if (all_feasible) root_ = bag;
        for (const auto& outer : parts_) {
            if ((outside - outer.neighbours).any()) continue;
            auto members = bag - outer.neighbours;
            for (const auto& part : parts_)
                if ((part.neighbours - outer.neighbours).any()) members |= part.members;
            if ((members & last_).any() || !number_.emplace(members, sets_.size()).second) continue;
            ++kept_;
            sets_.push_back({{members, outer.neighbours}, bag});
        }
    }
};

} // namespace bnfuse
