// A tree of bags that proves the clique size of a changing moral graph: every moral edge, indeed every family, lies in
// a bag, the bags of a variable are connected, and no bag is larger than the limit. When a move needs a family that no
// bag holds, only the bags between its members are triangulated again (min-fill on at most 64 variables).
#pragma once

#include "triangulation.hpp"

#include <cassert>

namespace bnfuse {

class TreeDecomposition {
public:
    // Starts from no edges: one bag for each variable.
    TreeDecomposition(int n, int limit) : limit_(limit), home_(n), family_bag_(n), mark_(n, -1) {
        for (int v = 0; v < n; ++v) home_[v] = family_bag_[v] = new_bag({v});
    }

    // The bags of a clique tree for an elimination order, which must fit the limit.
    template <int W> void rebuild(Rows<W> graph, const std::vector<int>& order) {
        bags_.clear();
        free_.clear();
        const int n = static_cast<int>(home_.size());
        std::vector<std::vector<int>> cliques(n);
        for (const int v : order) {
            cliques[v].push_back(v);
            graph[v].each([&](int u) { cliques[v].push_back(u); });
            eliminate(graph, v, [](int, int) {});
        }
        const auto bag_of = plant(order, cliques, [](int v) { return v; });
        for (int v = 0; v < n; ++v) home_[v] = family_bag_[v] = bag_of[v];
    }

    // After `rebuild`: the bag that holds the family of v.
    void place_family(int v, const std::vector<int>& family) { family_bag_[v] = holding(v, family); }

    // A bag that holds the family, looked for among the bags of v; -1 if there is none.
    int holding(int v, const std::vector<int>& family) {
        if (holds_all(family_bag_[v], family)) return family_bag_[v];
        return find_from(
            home_[v], [&](int bag) { return holds(bag, v); }, [&](int bag) { return holds_all(bag, family); });
    }

    void set_family_bag(int v, int bag) { family_bag_[v] = bag; }

    // Makes room for a new family, whose edges `joined(a, b)` already counts. False, with nothing changed, when the
    // bags between its members cannot be triangulated within the limit.
    template <class Joined> bool make_room(int v, const std::vector<int>& family, Joined&& joined) {
        if (static_cast<int>(family.size()) > limit_ || !collect_region(v, family)) return false;
        return triangulate_region(joined);
    }

    // Concatenated bags, each ended by -1: what proves the clique size.
    std::vector<int> bags() const {
        std::vector<int> all;
        for (const auto& bag : bags_) {
            if (bag.members.empty()) continue;
            all.insert(all.end(), bag.members.begin(), bag.members.end());
            all.push_back(-1);
        }
        return all;
    }

private:
    struct Bag {
        std::vector<int> members; // empty: not in use
        std::vector<int> neighbours;
        int visit = 0;
        int from = -1;
        int depth = 0;
    };

    static constexpr int most_local = 64;    // variables of a region
    static constexpr int most_visited = 256; // bags looked at for one move

    int limit_;
    std::vector<Bag> bags_;
    std::vector<int> free_;
    std::vector<int> home_;       // a bag of each variable
    std::vector<int> family_bag_; // a bag that holds the variable and its parents
    std::vector<int> mark_;       // local label of each variable of the region, else -1
    int visit_ = 0;
    std::vector<int> region_, locals_, queue_;

    int new_bag(std::vector<int> members) {
        int bag;
        if (free_.empty()) {
            bag = static_cast<int>(bags_.size());
            bags_.emplace_back();
        } else {
            bag = free_.back();
            free_.pop_back();
        }
        bags_[bag].members = std::move(members);
        bags_[bag].neighbours.clear();
        return bag;
    }

    void link(int a, int b) {
        bags_[a].neighbours.push_back(b);
        bags_[b].neighbours.push_back(a);
    }
    void unlink(int from, int to) { std::erase(bags_[from].neighbours, to); }

    bool holds(int bag, int v) const { return std::ranges::find(bags_[bag].members, v) != bags_[bag].members.end(); }
    bool holds_all(int bag, const std::vector<int>& family) const {
        return family.size() <= bags_[bag].members.size() &&
               std::ranges::all_of(family, [&](int v) { return holds(bag, v); });
    }

    // Breadth first over bags that may be entered, until one is wanted; -1 if none, or after too many.
    template <class Enter, class Wanted> int find_from(int start, Enter&& enter, Wanted&& wanted) {
        ++visit_;
        queue_.assign(1, start);
        bags_[start].visit = visit_;
        bags_[start].from = -1;
        for (std::size_t i = 0; i < queue_.size() && i < most_visited; ++i) {
            const int bag = queue_[i];
            if (wanted(bag)) return bag;
            for (const int next : bags_[bag].neighbours)
                if (bags_[next].visit != visit_ && enter(next)) {
                    bags_[next].visit = visit_;
                    bags_[next].from = bag;
                    queue_.push_back(next);
                }
        }
        return -1;
    }

    // The bags on the ways from the bag of v's family to each missing member, and then, while the variables stay few,
    // the bags next to them. A member in another tree is joined by a new link.
    bool collect_region(int v, const std::vector<int>& family) {
        const int start = family_bag_[v];
        region_.assign(1, start);
        for (const int member : family) {
            if (std::ranges::any_of(region_, [&](int bag) { return holds(bag, member); })) continue;
            int end = find_from(start, [](int) { return true; }, [&](int bag) { return holds(bag, member); });
            if (end < 0) {
                end = home_[member];
                if (!apart(start, end)) return false;
                link(start, end);
                region_.push_back(end);
                continue;
            }
            for (; end >= 0; end = bags_[end].from)
                if (std::ranges::find(region_, end) == region_.end()) region_.push_back(end);
        }
        return widen();
    }

    // Whether two bags are in different trees, if that shows within the number of bags that may be looked at.
    bool apart(int a, int b) {
        const auto is = [](int wanted) { return [wanted](int bag) { return bag == wanted; }; };
        const auto anywhere = [](int) { return true; };
        if (find_from(a, anywhere, is(b)) >= 0) return false;
        if (queue_.size() <= most_visited) return true;
        if (find_from(b, anywhere, is(a)) >= 0) return false;
        return queue_.size() <= most_visited;
    }

    bool widen() {
        locals_.clear();
        const auto absorb = [&](int bag) {
            for (const int v : bags_[bag].members)
                if (mark_[v] < 0) {
                    mark_[v] = static_cast<int>(locals_.size());
                    locals_.push_back(v);
                }
        };
        for (const int bag : region_) absorb(bag);
        if (locals_.size() > most_local) {
            forget_locals();
            return false;
        }
        for (std::size_t i = 0, ways = region_.size(); i < ways; ++i)
            for (const int next : bags_[region_[i]].neighbours) {
                if (locals_.size() + bags_[next].members.size() > most_local) return true;
                if (std::ranges::find(region_, next) != region_.end()) continue;
                region_.push_back(next);
                absorb(next);
            }
        return true;
    }

    void forget_locals() {
        for (const int v : locals_) mark_[v] = -1;
    }

    struct Outside { // a bag next to the region and what it shares with it
        int bag;
        std::uint64_t shared;
    };

    template <class Joined> bool triangulate_region(Joined&& joined) {
        const int size = static_cast<int>(locals_.size());
        Rows<1> graph(size);
        for (int a = 0; a < size; ++a)
            for (int b = 0; b < a; ++b)
                if (joined(locals_[a], locals_[b])) {
                    graph[a].set(b);
                    graph[b].set(a);
                }
        ++visit_;
        for (const int bag : region_) bags_[bag].visit = visit_;
        std::vector<Outside> outside;
        for (const int bag : region_)
            for (const int next : bags_[bag].neighbours) {
                if (bags_[next].visit == visit_) continue;
                Bits<1> shared;
                for (const int v : bags_[next].members)
                    if (mark_[v] >= 0 && holds(bag, v)) shared.set(mark_[v]);
                shared.each([&](int a) {
                    graph[a] |= shared;
                    graph[a].reset(a);
                });
                outside.push_back({next, shared.word[0]});
            }
        const auto elimination = min_fill(graph, limit_);
        if (elimination.clique > limit_) {
            forget_locals();
            return false;
        }
        replace_region(graph, elimination.order, outside);
        forget_locals();
        return true;
    }

    void replace_region(Rows<1> graph, const std::vector<int>& order, const std::vector<Outside>& outside) {
        for (const int bag : region_) {
            for (const int next : bags_[bag].neighbours)
                if (bags_[next].visit != visit_) unlink(next, bag);
            bags_[bag].members.clear();
            bags_[bag].neighbours.clear();
        }
        std::vector<int> place(order.size());
        std::vector<std::vector<int>> cliques(order.size());
        for (std::size_t i = 0; i < order.size(); ++i) {
            const int v = order[i];
            place[v] = static_cast<int>(i);
            cliques[v].push_back(v);
            graph[v].each([&](int u) { cliques[v].push_back(u); });
            eliminate(graph, v, [](int, int) {});
        }
        const auto bag_of = plant(order, cliques, [&](int v) { return locals_[v]; });
        const auto bag_of_clique = [&](auto&& members) {
            int first_gone = -1;
            for (const int v : members)
                if (first_gone < 0 || place[v] < place[first_gone]) first_gone = v;
            return bag_of[first_gone];
        };
        for (const auto& [bag, shared] : outside) {
            std::vector<int> members;
            Bits<1>{{shared}}.each([&](int v) { members.push_back(v); });
            if (!members.empty()) link(bag, bag_of_clique(members));
        }
        for (std::size_t i = 0; i < locals_.size(); ++i) home_[locals_[i]] = bag_of[i];
        relocated_ = true;
        for (const int bag : region_) free_.push_back(bag);
    }

    // New bags for the maximal ones of the cliques of an elimination, linked into a tree. Gives the bag of each vertex.
    template <class Name>
    std::vector<int> plant(const std::vector<int>& order, const std::vector<std::vector<int>>& cliques, Name&& name) {
        std::vector<int> place(order.size()), bag_of(order.size(), -1), up(order.size(), -1);
        for (std::size_t i = 0; i < order.size(); ++i) place[order[i]] = static_cast<int>(i);
        for (const int v : order) {
            for (const int u : cliques[v])
                if (u != v && (up[v] < 0 || place[u] < place[up[v]])) up[v] = u;
        }
        // A clique is contained in that of a vertex below it exactly when that one is larger by one.
        for (const int v : order) {
            if (bag_of[v] < 0) {
                std::vector<int> members;
                for (const int u : cliques[v]) members.push_back(name(u));
                bag_of[v] = new_bag(std::move(members));
            }
            if (up[v] >= 0 && bag_of[up[v]] < 0 && cliques[v].size() == cliques[up[v]].size() + 1)
                bag_of[up[v]] = bag_of[v];
        }
        for (const int v : order)
            if (up[v] >= 0 && bag_of[up[v]] != bag_of[v]) link(bag_of[v], bag_of[up[v]]);
        return bag_of;
    }

    bool relocated_ = false;
};

} // namespace bnfuse
