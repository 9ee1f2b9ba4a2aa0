// Simulated annealing over parent sets: each variable has one of its listed sets, the arcs form no cycle, and a chordal
// cover proves the cliques to be within the limits.
//
// The threshold of Metropolis is drawn before a set is, so that only sets that pass it are looked at. Three moves:
// another set for a variable, with a new set for the one parent that would close a cycle, if there is one (an arc is
// reversed and both families are repaired); if a limit prevents this, a smaller set for a variable in the bag that is
// too large; and a variable that changes its position in the topological order, with the best sets within the cover for
// all variables concerned.
#pragma once

#include "chordal_cover.hpp"
#include "logarithms.hpp"
#include "set_lists.hpp"

#include <array>
#include <memory>

namespace bnfuse {

struct SetProblem {
    const SetRules& rules;
    std::vector<SetList> lists; // one for each variable, none empty
};

// A choice of sets, and the elimination order that proves it to be within the limits, if there are any.
struct ChosenSets {
    Points score = refused;
    std::vector<int> sets; // by their positions in the lists
    std::vector<int> order;
};

struct Annealing {
    double hot, cold; // the first temperature and the last, in points
    std::int64_t moves;
};

// -ln of the middles of equal parts of (0, 1), from which thresholds are drawn.
inline const std::array<double, 4096>& exponential_quantiles() {
    static const auto table = [] {
        std::array<double, 4096> values;
        for (std::size_t i = 0; i < values.size(); ++i)
            values[i] = -natural_log((static_cast<double>(i) + 0.5) / static_cast<double>(values.size()));
        return values;
    }();
    return table;
}

class AnySetChain {
public:
    virtual ~AnySetChain() = default;
    // False if it was ended from outside; a move is always completed.
    virtual bool anneal(const Annealing& plan) = 0;
    virtual const ChosenSets& best() const = 0;
};

template <int W> class SetChain final : public AnySetChain {
public:
    SetChain(const SetProblem& problem, const ChosenSets& start, Random random)
        : problem_(problem), n_(problem.rules.n), is_limited_(problem.rules.is_limited()), is_narrow_(n_ <= 64),
          random_(random), chosen_(start.sets), place_(n_), at_(n_), seen_(n_), children_(n_),
          moral_(is_limited_ ? n_ : 0), multiplicity_(is_limited_ ? static_cast<std::size_t>(n_) * n_ : 0),
          cover_({n_, problem.rules.limit, problem.rules.tables}) {
        for (int v = 0; v < n_; ++v) {
            if (list(v).size() > 1) movable_.push_back(v);
            join(v, chosen_[v]);
            for (const int u : parents(v)) children_[u].push_back(v);
            score_ += list(v).score(chosen_[v]);
        }
        sort();
        if (is_limited_) require(cover_.start(start.order, moral_), "the first network is not within the limits");
        remember();
    }

    bool anneal(const Annealing& plan) override {
        const double decay = plan.hot > plan.cold ? natural_log(plan.hot / plan.cold) : 0;
        bool done = true;
        for (std::int64_t move = 0; move < plan.moves && done && !movable_.empty(); ++move) {
            if (move % step == 0) {
                const double passed = static_cast<double>(move) / static_cast<double>(plan.moves);
                temperature_ = passed > 0.97 ? 0 : plan.hot * exp_minus(decay * passed / 0.97);
                done = !is_over();
            }
            if (random_.below(10))
                change();
            else
                shift();
        }
        remember();
        return done;
    }

    const ChosenSets& best() const override { return best_; }

private:
    static constexpr std::int64_t step = 64; // moves at one temperature
    static constexpr int most_repairs = 12;

    struct Change {
        int variable, set;
    };

    const SetProblem& problem_;
    int n_;
    bool is_limited_, is_narrow_;
    Random random_;
    std::vector<int> chosen_;
    std::vector<int> place_, at_; // in a topological order, and back
    std::vector<int> seen_;
    int sight_ = 0;
    std::vector<std::vector<int>> children_;
    Rows<W> moral_;
    std::vector<std::uint16_t> multiplicity_; // of the moral edges
    ChordalCover<W> cover_;
    std::vector<int> movable_;
    Points score_ = 0;
    ChosenSets best_;
    double temperature_ = 0;
    int failures_ = 0;         // since the cover was tightened
    double whole_pays_ = 0.05; // how often a complete elimination succeeded recently
    std::vector<int> queue_, members_, others_;
    std::vector<Change> changes_;

    const SetList& list(int v) const { return problem_.lists[v]; }
    std::span<const std::uint16_t> parents(int v) const { return list(v).parents(chosen_[v]); }
    int below(std::size_t bound) { return static_cast<int>(random_.below(static_cast<std::uint32_t>(bound))); }

    // The least that a move must gain, 0 or less.
    Points threshold() {
        if (temperature_ <= 0) return 0;
        return -static_cast<Points>(temperature_ * exponential_quantiles()[random_.next() >> 52]);
    }

    void remember() {
        if (score_ <= best_.score) return;
        best_.score = score_;
        best_.sets = chosen_;
        if (is_limited_) best_.order = cover_.order();
    }

    // The moral graph

    void join(int v, int set) {
        if (!is_limited_) return;
        const auto all = list(v).parents(set);
        for (std::size_t i = 0; i < all.size(); ++i) {
            join_pair(v, all[i]);
            for (std::size_t k = i + 1; k < all.size(); ++k) join_pair(all[i], all[k]);
        }
    }
    void part(int v, int set) {
        if (!is_limited_) return;
        const auto all = list(v).parents(set);
        for (std::size_t i = 0; i < all.size(); ++i) {
            part_pair(v, all[i]);
            for (std::size_t k = i + 1; k < all.size(); ++k) part_pair(all[i], all[k]);
        }
    }
    std::uint16_t& joined(int a, int b) {
        return multiplicity_[static_cast<std::size_t>(std::min(a, b)) * n_ + std::max(a, b)];
    }
    void join_pair(int a, int b) {
        if (joined(a, b)++) return;
        moral_[a].set(b);
        moral_[b].set(a);
    }
    void part_pair(int a, int b) {
        if (--joined(a, b)) return;
        moral_[a].reset(b);
        moral_[b].reset(a);
    }

    // Changes that close no cycle

    void put(int v, int set) {
        for (const int u : parents(v)) {
            auto& own = children_[u];
            *std::ranges::find(own, v) = own.back();
            own.pop_back();
        }
        score_ += list(v).score(set) - list(v).score(chosen_[v]);
        chosen_[v] = set;
        for (const int u : parents(v)) children_[u].push_back(v);
    }

    // Makes the changes if they are found to be within the limits.
    bool make(std::span<const Change> changes) {
        Points gain = 0;
        for (const auto& [v, set] : changes) gain += list(v).score(set) - list(v).score(chosen_[v]);
        if (gain < 0) remember();
        if (is_limited_ && !make_room(changes)) return false;
        for (const auto& [v, set] : changes) put(v, set);
        return true;
    }

    // The moral graph and its cover with the changes; false, with both unchanged, if they exceed the limits.
    bool make_room(std::span<const Change> changes) {
        cover_.mark();
        const bool fits = std::ranges::all_of(changes, [&](const Change& one) {
            return cover_.extend(one.variable, list(one.variable).parents(one.set));
        });
        if (!fits) cover_.undo();
        for (const auto& [v, set] : changes) {
            part(v, chosen_[v]);
            join(v, set);
        }
        if (fits || eliminate(changes)) return true;
        for (const auto& [v, set] : changes) {
            part(v, set);
            join(v, chosen_[v]);
        }
        return false;
    }

    // The cover without edges that the graph no longer needs, or eliminated again.
    bool eliminate(std::span<const Change> changes) {
        if (++failures_ > n_ / 8) { // a complete one takes long: only occasionally
            failures_ = 0;
            if (cover_.tighten(moral_)) return true;
        }
        members_.clear();
        for (const auto& [v, set] : changes) {
            members_.push_back(v);
            for (const int u : list(v).parents(set)) members_.push_back(u);
        }
        if (cover_.eliminate_above(members_, moral_, random_)) return true;
        // As often as it is worthwhile, given its time.
        const double chance = std::min(1.0, 64 * (whole_pays_ + 0.001) / n_);
        if (random_.below(1u << 16) >= static_cast<std::uint32_t>(chance * (1u << 16))) return false;
        const bool done = cover_.eliminate_all(moral_, random_);
        whole_pays_ = 0.98 * whole_pays_ + 0.02 * done;
        return done;
    }

    // The topological order

    // Marks v and its descendants up to a place.
    void see_descendants(int v, int last) {
        ++sight_;
        queue_.assign(1, v);
        seen_[v] = sight_;
        for (std::size_t i = 0; i < queue_.size(); ++i)
            for (const int child : children_[queue_[i]])
                if (seen_[child] != sight_ && place_[child] <= last) {
                    seen_[child] = sight_;
                    queue_.push_back(child);
                }
    }
    bool is_seen(int v) const { return seen_[v] == sight_; }

    // The marked ones go after the others between two positions.
    void move_seen_back(int from, int to) {
        queue_.clear();
        int next = from;
        for (int i = from; i <= to; ++i) {
            const int v = at_[i];
            if (is_seen(v)) {
                queue_.push_back(v);
                continue;
            }
            at_[next] = v;
            place_[v] = next++;
        }
        for (const int v : queue_) {
            at_[next] = v;
            place_[v] = next++;
        }
    }

    void sort() {
        std::vector<int> missing(n_);
        at_.clear();
        for (int v = 0; v < n_; ++v) {
            missing[v] = static_cast<int>(parents(v).size());
            if (!missing[v]) at_.push_back(v);
        }
        for (std::size_t i = 0; i < at_.size(); ++i)
            for (const int child : children_[at_[i]])
                if (!--missing[child]) at_.push_back(child);
        require(static_cast<int>(at_.size()) == n_, has_a_cycle);
        place_ = places(at_);
    }

    // Moves

    // Another set for a variable.
    void change() {
        const int v = movable_[below(movable_.size())];
        const auto least = threshold();
        const int now = chosen_[v], passing = list(v).at_least(list(v).score(now) + least);
        if (passing < 2) return;
        int set = below(passing - 1);
        set += set >= now;
        int last = -1; // of its parents
        for (const int u : list(v).parents(set)) last = std::max(last, place_[u]);
        const Change own{v, set};
        if (last < place_[v]) {
            if (!make({&own, 1}) && is_limited_) eject(own, least);
            return;
        }
        const int from = place_[v];
        see_descendants(v, last);
        int closing = -1, count = 0;
        for (const int u : list(v).parents(set))
            if (is_seen(u)) {
                closing = u;
                ++count;
            }
        if (!count) {
            if (make({&own, 1})) move_seen_back(from, last); // a set that is made leaves what is seen as it is
        } else if (count == 1) {
            reverse(own, closing, least);
        }
    }

    // A new set for a descendant of v that becomes its parent.
    void reverse(const Change& own, int closing, Points least) {
        see_descendants(own.variable, n_);
        const auto& sets = list(closing);
        const auto left = least - (list(own.variable).score(own.set) - list(own.variable).score(chosen_[own.variable]));
        const auto floor = sets.score(chosen_[closing]) + left;
        others_.clear();
        const auto open = sign_of([&](int u) { return !is_seen(u); });
        for (int i = 0; i < sets.size() && sets.score(i) >= floor && static_cast<int>(others_.size()) < most_repairs;
             ++i)
            if (are_all(sets, i, open, [&](int u) { return !is_seen(u); })) others_.push_back(i);
        if (others_.empty()) return;
        const int set = random_.below(2) ? others_.front() : others_[below(others_.size())];
        const Change both[2] = {own, {closing, set}};
        if (make(both)) sort();
    }

    // A limit prevents a change: gives up a part of another family in the bag that is too large, if the change gains
    // more than that costs.
    void eject(const Change& own, Points least) {
        const auto left = least - (list(own.variable).score(own.set) - list(own.variable).score(chosen_[own.variable]));
        if (left >= 0 || random_.below(2)) return;
        const auto bag = cover_.too_large();
        members_.clear();
        bag.each([&](int u) {
            if (u != own.variable) members_.push_back(u);
            for (const int child : children_[u])
                if (child != own.variable && !bag.test(child)) members_.push_back(child);
        });
        if (members_.empty()) return;
        const auto candidates = members_;
        for (int tries = 0; tries < 2; ++tries) {
            const int w = candidates[below(candidates.size())];
            if (const int set = smaller_in(bag, w, left); set >= 0) {
                const Change both[2] = {own, {w, set}};
                if (make(both)) return;
            }
        }
    }

    // A set for w that no longer contains all of its family's members in the bag; -1 if there is none.
    int smaller_in(const Bits<W>& bag, int w, Points left) {
        const auto& sets = list(w);
        queue_.clear(); // its parents in the bag
        for (const int u : parents(w))
            if (bag.test(u)) queue_.push_back(u);
        if (queue_.size() + bag.test(w) < 2) return -1;
        others_.clear();
        const auto floor = sets.score(chosen_[w]) + left;
        for (int i = 0; i < sets.size() && sets.score(i) >= floor && others_.size() < 6; ++i) {
            if (i == chosen_[w]) continue;
            const auto all = sets.parents(i);
            if (std::ranges::any_of(all, [&](int u) { return place_[u] >= place_[w]; })) continue;
            if (std::ranges::all_of(queue_, [&](int u) { return std::ranges::find(all, u) != all.end(); })) continue;
            others_.push_back(i);
        }
        return others_.empty() ? -1 : others_[below(others_.size())];
    }

    // A variable moves to another position in the topological order.
    void shift() {
        const int v = below(n_), from = place_[v];
        int far = 1;
        while (far < n_ && random_.below(8)) ++far;
        const int to = std::clamp(random_.below(2) ? from + far : from - far, 0, n_ - 1);
        if (to == from) return;
        changes_.clear();
        if (!(to > from ? gather_behind(v, from, to) : gather_before(v, from, to))) return;
        Points gain = 0;
        for (const auto& [w, set] : changes_) gain += list(w).score(set) - list(w).score(chosen_[w]);
        if (gain < threshold()) return;
        if (gain < 0) remember();
        for (const auto& [w, set] : changes_) { // the cover contains them all
            part(w, chosen_[w]);
            join(w, set);
            put(w, set);
        }
        for (int i = from; i != to; i += to > from ? 1 : -1) {
            at_[i] = at_[i + (to > from ? 1 : -1)];
            place_[at_[i]] = i;
        }
        at_[to] = v;
        place_[v] = to;
    }

    bool covers(int w, int set) const { return !is_limited_ || cover_.holds(w, list(w).parents(set)); }

    // The allowed variables, as the bits of sets; empty if bits are not exact.
    template <class Pass> std::uint64_t sign_of(Pass&& pass) const {
        std::uint64_t sign = 0;
        for (int u = 0; is_narrow_ && u < n_; ++u)
            if (pass(u)) sign |= SetList::sign_of(u);
        return sign;
    }
    // Whether all members of a set are allowed, and so among the allowed bits.
    template <class Pass> bool are_all(const SetList& sets, int i, std::uint64_t sign, Pass&& pass) const {
        return is_narrow_ ? !(sets.sign(i) & ~sign) : std::ranges::all_of(sets.parents(i), pass);
    }
    // The best set in the cover, among the first `end`, with allowed parents; -1 if there is none.
    template <class Pass> int best_set(int w, int end, Pass&& pass) const {
        const auto sign = sign_of(pass);
        for (int i = 0; i < end; ++i)
            if (are_all(list(w), i, sign, pass) && covers(w, i)) return i;
        return -1;
    }
    bool offer(int w, int set) {
        if (set >= 0 && set != chosen_[w]) changes_.push_back({w, set});
        return set >= 0;
    }

    // v goes behind some of its children, which lose it; false if one must not lose it.
    bool gather_behind(int v, int from, int to) {
        for (const int w : children_[v]) {
            const int own = place_[w];
            if (own <= from || own > to) continue;
            if (!offer(w, best_set(w, list(w).size(), [&](int u) { return u != v && place_[u] < own; }))) return false;
        }
        offer(v, best_set(v, chosen_[v], [&](int u) { return place_[u] <= to; }));
        return true;
    }

    // v goes before variables that may gain by it; false if it finds no parents there and must have some.
    bool gather_before(int v, int from, int to) {
        for (int i = to; i < from; ++i) {
            const int w = at_[i];
            const auto passes = [&](int u) { return u == v || place_[u] < i; };
            const auto sign = sign_of(passes);
            for (int set = 0; set < chosen_[w]; ++set) {
                if (!list(w).has(set, v) || !are_all(list(w), set, sign, passes) || !covers(w, set)) continue;
                changes_.push_back({w, set});
                break;
            }
        }
        const auto before = [&](int u) { return place_[u] < to; };
        return std::ranges::all_of(parents(v), before) || offer(v, best_set(v, list(v).size(), before));
    }
};

template <int W>
std::unique_ptr<AnySetChain> set_chain(const SetProblem& problem, const ChosenSets& start, const Random& random) {
    return std::make_unique<SetChain<W>>(problem, start, random);
}

#define BNFUSE_SET_CHAIN(W)                                                                                            \
    extern template std::unique_ptr<AnySetChain> set_chain<W>(const SetProblem&, const ChosenSets&, const Random&);
BNFUSE_EACH_WIDTH(BNFUSE_SET_CHAIN)
#undef BNFUSE_SET_CHAIN

} // namespace bnfuse
