#include "order_graph.hpp"

#include <numeric>

namespace bnfuse {

namespace {

constexpr int largest_group = 16; // variables: tables of 65,536 numbers
constexpr Mask everything = ~Mask{0};

// The best set within these variables; empty if there is none.
const MaskedSet* best_within(const std::vector<MaskedSet>& sets, Mask variables) {
    for (const auto& set : sets)
        if (!(set.parents & ~variables)) return &set;
    return nullptr;
}

// Some variables of a component, in their best order, with all others before them.
class Group {
public:
    Group(const Component& component, std::vector<int> members)
        : component_(component), members_(std::move(members)), rest_(std::size_t{1} << members_.size(), refused) {
        rest_[0] = 0;
        Pulse pulse(1 << 8);
        for (std::size_t left = 1; left < rest_.size(); ++left) {
            pulse();
            const auto before = before_of(left);
            for (std::size_t i = 0; i < members_.size(); ++i) {
                if (!(left >> i & 1)) continue;
                const auto after = rest_[left ^ (std::size_t{1} << i)];
                const auto* set = best_within(component_.sets[members_[i]], before);
                if (set && after != refused) rest_[left] = std::max(rest_[left], set->score + after);
            }
        }
    }

    // The largest contribution of the members that are not among these variables.
    Points most_after(Mask variables) const {
        std::size_t left = 0;
        for (std::size_t i = 0; i < members_.size(); ++i)
            if (!(variables & one(members_[i]))) left |= std::size_t{1} << i;
        return rest_[left];
    }
    Points most() const { return rest_.back(); }

    // Sets with which the group contributes less than this.
    void each_below(Points least, std::vector<UnreachableSet>& found) const {
        const auto first = firsts();
        for (std::size_t i = 0; i < members_.size(); ++i) {
            const auto around = most_around(first, i);
            const int v = members_[i];
            for (const auto& set : component_.sets[v]) {
                std::size_t inside = 0;
                for (std::size_t k = 0; k < members_.size(); ++k)
                    if (set.parents & one(members_[k])) inside |= std::size_t{1} << k;
                if (around[inside] == refused || around[inside] + set.score < least) found.push_back({v, set.number});
            }
        }
    }

private:
    const Component& component_;
    std::vector<int> members_;
    std::vector<Points> rest_; // by the remaining members: their largest contribution

    Mask before_of(std::size_t left) const {
        auto before = everything;
        for (std::size_t i = 0; i < members_.size(); ++i)
            if (left >> i & 1) before &= ~one(members_[i]);
        return before;
    }

    // By the members that come first: their largest contribution.
    std::vector<Points> firsts() const {
        std::vector<Points> first(rest_.size(), refused);
        first[0] = 0;
        const auto all = rest_.size() - 1;
        Pulse pulse(1 << 8);
        for (std::size_t some = 0; some < first.size(); ++some) {
            pulse();
            if (first[some] == refused) continue;
            const auto before = before_of(all & ~some);
            for (std::size_t i = 0; i < members_.size(); ++i) {
                if (some >> i & 1) continue;
                auto& more = first[some | std::size_t{1} << i];
                if (const auto* set = best_within(component_.sets[members_[i]], before))
                    more = std::max(more, first[some] + set->score);
            }
        }
        return first;
    }

    // By the members that must come before this one: the largest contribution of all others.
    std::vector<Points> most_around(const std::vector<Points>& first, std::size_t i) const {
        const auto own = std::size_t{1} << i, all = rest_.size() - 1;
        std::vector<Points> most(rest_.size(), refused);
        for (std::size_t some = 0; some < most.size(); ++some) {
            const auto after = rest_[all & ~some & ~own];
            if (!(some & own) && first[some] != refused && after != refused) most[some] = first[some] + after;
        }
        for (std::size_t bit = 1; bit < most.size(); bit *= 2)
            for (std::size_t some = 0; some < most.size(); ++some)
                if (!(some & bit)) most[some] = std::max(most[some], most[some | bit]);
        return most;
    }
};

// Variables that share many sets go into one group.
std::vector<Group> groups_of(const Component& component) {
    const auto n = static_cast<int>(component.variables.size());
    std::vector<Mask> joined(n);
    for (int v = 0; v < n; ++v)
        for (const auto& set : component.sets[v]) {
            joined[v] |= set.parents;
            for (int u = 0; u < n; ++u)
                if (set.parents & one(u)) joined[u] |= one(v);
        }
    const int count = (n + largest_group - 1) / largest_group;
    Mask left = n == 64 ? everything : one(n) - 1;
    std::vector<Group> groups;
    for (int group = 0; group < count; ++group) {
        const int size = n / count + (group < n % count);
        std::vector<int> members;
        Mask inside = 0;
        for (int i = 0; i < size; ++i) { // the one with the most common sets inside and the fewest outside
            int best = -1, best_gain = 0;
            for (int v = 0; v < n; ++v) {
                if (!(left >> v & 1)) continue;
                const int gain = 2 * std::popcount(joined[v] & inside) - std::popcount(joined[v] & left);
                if (best < 0 || gain > best_gain) {
                    best = v;
                    best_gain = gain;
                }
            }
            members.push_back(best);
            inside |= one(best);
            left &= ~one(best);
        }
        groups.emplace_back(component, std::move(members));
    }
    return groups;
}

class OrderGraph {
public:
    explicit OrderGraph(const Component& component)
        : component_(component), n_(static_cast<int>(component.variables.size())), groups_(groups_of(component)) {}

    OrderedComponent operator()(std::size_t most_nodes) {
        std::vector<Node> layer{{0, 0, -1}};
        OrderedComponent found{{}, bound(layer), false, 0};
        try {
            for (int size = 0; size < n_ && !layer.empty(); ++size) {
                layers_.push_back(std::move(layer));
                layer = next(layers_.back());
                found.nodes += layer.size();
                found.bound = std::min(found.bound, bound(layer));
                if (found.nodes > most_nodes) return found;
            }
        } catch (const Stopped&) {
            return found;
        }
        found.is_whole = true;
        found.bound = layer.empty() ? component_.known : layer.front().score;
        if (!layer.empty()) found.sets = network(layer.front());
        return found;
    }

private:
    struct Node { // the best order of some variables
        Mask variables;
        Points score;
        int last;
        friend bool operator<(const Node& a, const Node& b) {
            return a.variables != b.variables ? a.variables < b.variables : a.score > b.score;
        }
    };

    const Component& component_;
    int n_;
    std::vector<Group> groups_;
    std::vector<std::vector<Node>> layers_;

    // The largest contribution of all others; refused if they cannot all have a set.
    Points most_after(Mask variables) const {
        Points sum = 0;
        for (const auto& group : groups_) {
            const auto most = group.most_after(variables);
            if (most == refused) return refused;
            sum += most;
        }
        return sum;
    }

    Points bound(const std::vector<Node>& layer) const {
        auto most = component_.known;
        for (const auto& node : layer)
            if (const auto after = most_after(node.variables); after != refused)
                most = std::max(most, node.score + after);
        return most;
    }

    std::vector<Node> next(const std::vector<Node>& layer) const {
        constexpr std::size_t most_loose = std::size_t{1} << 22;
        std::vector<Node> nodes;
        const auto merge = [&] {
            std::sort(nodes.begin(), nodes.end());
            const auto end = std::unique(nodes.begin(), nodes.end(),
                                         [](const Node& a, const Node& b) { return a.variables == b.variables; });
            nodes.erase(end, nodes.end());
        };
        std::size_t merged = 0;
        Pulse pulse(1 << 8);
        for (const auto& node : layer) {
            pulse();
            for (int v = 0; v < n_; ++v) {
                if (node.variables & one(v)) continue;
                const auto* set = best_within(component_.sets[v], node.variables);
                if (!set) continue;
                const auto after = most_after(node.variables | one(v));
                if (after == refused || node.score + set->score + after <= component_.known) continue;
                nodes.push_back({node.variables | one(v), node.score + set->score, v});
            }
            if (nodes.size() > 2 * merged + most_loose) {
                merge();
                merged = nodes.size();
            }
        }
        merge();
        return nodes;
    }

    std::vector<int> network(const Node& last) const {
        std::vector<int> sets(n_);
        auto node = last;
        for (int size = n_; size > 0; --size) {
            const auto before = node.variables & ~one(node.last);
            sets[node.last] = best_within(component_.sets[node.last], before)->number;
            const auto& layer = layers_[size - 1];
            node = *std::lower_bound(layer.begin(), layer.end(), Node{before, INT64_MAX, -1});
        }
        return sets;
    }
};

} // namespace

std::vector<UnreachableSet> out_of_reach(const Component& component) {
    std::vector<UnreachableSet> found;
    const auto groups = groups_of(component);
    Points most = 0;
    for (const auto& group : groups) most += group.most();
    for (const auto& group : groups) group.each_below(component.known - (most - group.most()), found);
    return found;
}

OrderedComponent ordered(const Component& component, std::size_t most_nodes) {
    if (component.variables.size() == 1) { // nothing has to come before it
        const auto& best = component.sets[0][0];
        return {{best.number}, best.score, true, 0};
    }
    return OrderGraph(component)(most_nodes);
}

} // namespace bnfuse
