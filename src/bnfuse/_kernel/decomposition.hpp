// Bags in trees that prove the clique size of a changing moral graph: every moral edge, and even every family, lies in
// a bag; the bags of a variable are connected; and no bag exceeds the limits on its members and, if there is one, on
// its table. When a move needs a family that no bag contains, only the bags between its members are triangulated again
// (min-fill on at most 64 variables).
#pragma once

#include "changed_lists.hpp"
#include "triangulation.hpp"

namespace bnfuse {

// Bags as one list, each ended by -1; empty ones are left out.
inline std::vector<int> concatenated(const std::vector<std::vector<int>>& bags) {
    std::vector<int> all;
    for (const auto& bag : bags) {
        if (bag.empty()) continue;
        all.insert(all.end(), bag.begin(), bag.end());
        all.push_back(-1);
    }
    return all;
}

class TreeDecomposition {
public:
    // Starts from no edges: one bag for each variable.
    TreeDecomposition(int n, int limit, const TableLimit& tables)
        : limit_(limit), tables_(tables), home_(n), mark_(n, -1) {
        for (int v = 0; v < n; ++v) home_[v] = new_bag({v});
    }

    // Starts again from an elimination order of the whole graph, which must be within the limits.
    template <int W> void rebuild(Rows<W> graph, const std::vector<int>& order) {
        for (int bag = 0; bag < static_cast<int>(bags_.size()); ++bag) changed_.note(bag);
        bags_.clear();
        free_.clear();
        home_ = plant(graph, order, [](int v) { return v; });
    }

    // Whether a bag contains the family, whose first member is v.
    bool holds_family(const std::vector<int>& family) {
        const int v = family.front();
        return find_from(
                   home_[v], [&](int bag) { return holds(bag, v); }, [&](int bag) { return holds_all(bag, family); }) >=
               0;
    }

    // Makes room for a new family in the graph with these neighbours. False, with nothing changed, if the bags between
    // its members cannot be triangulated within the limits.
    bool make_room(const std::vector<int>& family, const std::vector<std::vector<int>>& neighbours) {
        const Watched whole(nullptr);
        if (static_cast<int>(family.size()) > limit_ || !tables_.allows(family)) return false;
        if (!collect_region(family)) return false;
        const bool fits = triangulate_region(neighbours);
        for (const int v : locals_) mark_[v] = -1;
        return fits;
    }

    // Concatenated bags, each ended by -1, which prove the clique size.
    std::vector<int> bags() const {
        std::vector<std::vector<int>> all;
        for (const auto& bag : bags_) all.push_back(bag.members);
        return concatenated(all);
    }

    // Updates a copy of the bags, each in its place, in two steps.
    void prepare(ChangedLists::Lists& bags) {
        static const std::vector<int> none;
        changed_.prepare(bags, [&](int bag) -> const std::vector<int>& {
            return bag < static_cast<int>(bags_.size()) ? bags_[bag].members : none;
        });
    }
    void update(ChangedLists::Lists& bags) noexcept { changed_.update(bags); }

private:
    struct Bag {
        std::vector<int> members; // empty: not in use
        std::vector<int> neighbours;
        std::int64_t visit = 0; // the number of the last search that reached it
        int from = -1;
    };

    static constexpr std::size_t most_local = 64;    // variables of a region
    static constexpr std::size_t most_visited = 256; // bags examined in one search

    int limit_;
    const TableLimit& tables_;
    std::vector<Bag> bags_;
    std::vector<int> free_;
    std::vector<int> home_; // a bag of each variable
    std::vector<int> mark_; // local label of each variable of the region, otherwise -1
    std::int64_t visit_ = 0;
    std::vector<int> region_, locals_, queue_;
    ChangedLists changed_;

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
        changed_.note(bag);
        return bag;
    }

    void link(int a, int b) {
        bags_[a].neighbours.push_back(b);
        bags_[b].neighbours.push_back(a);
    }

    bool holds(int bag, int v) const { return std::ranges::find(bags_[bag].members, v) != bags_[bag].members.end(); }
    bool holds_all(int bag, const std::vector<int>& family) const {
        return family.size() <= bags_[bag].members.size() &&
               std::ranges::all_of(family, [&](int v) { return holds(bag, v); });
    }

    // Breadth first over allowed bags, until a wanted one; -1 if there is none, or after too many.
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

    // The bags on the paths from the bag that contains most of the family to each missing member, and then, while the
    // variables are few, the adjacent bags. A member in another tree is joined by a new link.
    bool collect_region(const std::vector<int>& family) {
        const int start = fullest(family);
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

    int fullest(const std::vector<int>& family) {
        const int v = family.front();
        int best = home_[v];
        std::ptrdiff_t most = 0;
        find_from(
            home_[v], [&](int bag) { return holds(bag, v); },
            [&](int bag) {
                const auto held = std::ranges::count_if(family, [&](int u) { return holds(bag, u); });
                if (held > most) {
                    most = held;
                    best = bag;
                }
                return false;
            });
        return best;
    }

    // Whether two bags are in different trees, if that is found within the number of bags that may be examined.
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
            for (const int v : locals_) mark_[v] = -1;
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

    struct Outside { // a bag adjacent to the region and the variables that they share
        int bag;
        std::uint64_t shared;
    };

    bool triangulate_region(const std::vector<std::vector<int>>& neighbours) {
        const int size = static_cast<int>(locals_.size());
        Rows<1> graph(size);
        for (int a = 0; a < size; ++a)
            for (const int neighbour : neighbours[locals_[a]])
                if (mark_[neighbour] >= 0) graph[a].set(mark_[neighbour]);
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
        const auto elimination = min_fill(graph, limit_, tables_.of(locals_));
        if (elimination.clique > limit_) return false;
        replace_region(std::move(graph), elimination.order, outside);
        return true;
    }

    void replace_region(Rows<1> graph, const std::vector<int>& order, const std::vector<Outside>& outside) {
        for (const int bag : region_) {
            for (const int next : bags_[bag].neighbours)
                if (bags_[next].visit != visit_) std::erase(bags_[next].neighbours, bag);
            bags_[bag].members.clear();
            bags_[bag].neighbours.clear();
            changed_.note(bag);
        }
        const auto bag_of = plant(std::move(graph), order, [&](int v) { return locals_[v]; });
        const auto place = places(order);
        for (const auto& [bag, shared] : outside) {
            int first_gone = -1; // its bag contains the whole clique
            Bits<1>{{shared}}.each([&](int v) {
                if (first_gone < 0 || place[v] < place[first_gone]) first_gone = v;
            });
            if (first_gone >= 0) link(bag, bag_of[first_gone]);
        }
        for (std::size_t i = 0; i < locals_.size(); ++i) home_[locals_[i]] = bag_of[i];
        free_.insert(free_.end(), region_.begin(), region_.end());
    }

    // New bags for the maximal cliques of an elimination, linked into trees. Returns for each vertex the bag that
    // contains its clique.
    template <int W, class Name> std::vector<int> plant(Rows<W> graph, const std::vector<int>& order, Name&& name) {
        const auto place = places(order);
        std::vector<int> bag_of(order.size(), -1), up(order.size(), -1), size(order.size());
        for (const int v : order) { // from now on, the row of v is its clique
            size[v] = graph[v].count();
            graph[v].each([&](int u) {
                if (up[v] < 0 || place[u] < place[up[v]]) up[v] = u;
            });
            eliminate(graph, v, [](int, int) {});
        }
        for (const int v : order) {
            if (bag_of[v] < 0) {
                std::vector<int> members{name(v)};
                graph[v].each([&](int u) { members.push_back(name(u)); });
                bag_of[v] = new_bag(std::move(members));
            }
            // The clique of the next vertex lies in this one exactly when it is smaller by one.
            if (up[v] >= 0 && bag_of[up[v]] < 0 && size[v] == size[up[v]] + 1) bag_of[up[v]] = bag_of[v];
        }
        for (const int v : order)
            if (up[v] >= 0 && bag_of[up[v]] != bag_of[v]) link(bag_of[v], bag_of[up[v]]);
        return bag_of;
    }
};

// The graph whose maximal cliques the bags are: maximum cardinality search eliminates it without fill.
template <int W> Rows<W> chordal_graph(const std::vector<int>& bags, int n) {
    Rows<W> graph(n);
    Bits<W> bag;
    for (const int v : bags) {
        if (v >= 0) {
            bag.set(v);
            continue;
        }
        bag.each([&](int u) { graph[u] |= bag; });
        bag = {};
    }
    for (int v = 0; v < n; ++v) graph[v].reset(v);
    return graph;
}

#define BNFUSE_REBUILD(W) extern template void TreeDecomposition::rebuild<W>(Rows<W>, const std::vector<int>&);
BNFUSE_EACH_WIDTH(BNFUSE_REBUILD)
#undef BNFUSE_REBUILD

} // namespace bnfuse
