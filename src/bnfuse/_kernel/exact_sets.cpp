#include "exact_sets.hpp"

#include "order_graph.hpp"

#include <numeric>

namespace bnfuse {

namespace {

// The sets that each variable may still have: the first sets of its list, without those that were ruled out.
class Reach {
public:
    Reach(const std::vector<SetList>& lists, const std::vector<int>& known) : lists_(lists), known_(known) {
        for (const auto& list : lists) left_.emplace_back(static_cast<std::size_t>(list.size()), true);
    }

    // Components with the sets of their variables, from parents to children, as small as possible.
    std::vector<Component> components() {
        std::vector<Component> done, next{whole()};
        while (!next.empty()) {
            const auto before = std::move(next.back());
            next.pop_back();
            const auto own = prune(before);
            auto parts = split(own);
            if (parts.size() == 1 && parts[0].sets_left() == before.sets_left()) {
                done.push_back(std::move(parts[0]));
                continue;
            }
            for (auto& part : parts) next.push_back(std::move(part));
        }
        return done;
    }

private:
    const std::vector<SetList>& lists_;
    const std::vector<int>& known_;
    std::vector<std::vector<bool>> left_;

    Component whole() const {
        std::vector<int> all(lists_.size());
        std::iota(all.begin(), all.end(), 0);
        return component(all);
    }

    Component component(const std::vector<int>& variables) const {
        std::vector<int> place(lists_.size(), -1);
        for (std::size_t i = 0; i < variables.size(); ++i) place[variables[i]] = static_cast<int>(i);
        Component own{variables, {}, 0};
        for (const int v : variables) {
            auto& sets = own.sets.emplace_back();
            for (int i = 0; i < lists_[v].size(); ++i) {
                if (!left_[v][i]) continue;
                Mask parents = 0;
                for (const int u : lists_[v].parents(i))
                    if (place[u] >= 0) parents |= one(place[u]);
                sets.push_back({lists_[v].score(i), parents, i});
            }
            own.known += lists_[v].score(known_[v]);
        }
        return own;
    }

    // Without sets that no network as good as the known one has.
    Component prune(const Component& before) {
        Points most = 0;
        for (const auto& sets : before.sets) most += sets[0].score;
        for (std::size_t i = 0; i < before.sets.size(); ++i)
            for (const auto& set : before.sets[i])
                if (most - before.sets[i][0].score + set.score < before.known)
                    left_[before.variables[i]][set.number] = false;
        const auto nearer = component(before.variables);
        for (const auto& [v, number] : out_of_reach(nearer)) left_[nearer.variables[v]][number] = false;
        return component(before.variables);
    }

    std::vector<Component> split(const Component& own) const {
        const auto n = own.variables.size();
        std::vector<Mask> reached(n); // ancestors, and itself
        for (std::size_t v = 0; v < n; ++v) {
            reached[v] = one(static_cast<int>(v));
            for (const auto& set : own.sets[v]) reached[v] |= set.parents;
        }
        for (std::size_t w = 0; w < n; ++w)
            for (std::size_t v = 0; v < n; ++v)
                if (reached[v] >> w & 1) reached[v] |= reached[w];
        std::vector<Component> parts;
        Mask placed = 0;
        for (std::size_t v = 0; v < n; ++v) {
            if (placed >> v & 1) continue;
            std::vector<int> members;
            for (std::size_t w = v; w < n; ++w)
                if ((reached[v] >> w & 1) && (reached[w] >> v & 1)) {
                    members.push_back(own.variables[w]);
                    placed |= one(static_cast<int>(w));
                }
            parts.push_back(component(members));
        }
        return parts;
    }
};

// The best listed set within each variable's parents.
std::vector<int> listed(const std::vector<SetList>& lists, const std::vector<ParentSet>& parents) {
    std::vector<int> sets;
    for (std::size_t v = 0; v < lists.size(); ++v) {
        int set = 0;
        while (set < lists[v].size() && !std::ranges::includes(parents[v], lists[v].parents(set))) ++set;
        require(set < lists[v].size(), "a variable has no listed set within its parents");
        sets.push_back(set);
    }
    return sets;
}

} // namespace

ProvenSets proven(const std::vector<SetList>& lists, const FoundSets& known, std::size_t most_nodes) {
    require(!lists.empty() && lists.size() <= most_proven, "too many variables for a proof");
    auto sets = listed(lists, known.parents);
    ProvenSets found{{0, {}, {}}, 0, true};
    for (const auto& list : lists) found.bound += list.score(0);
    try {
        const auto components = Reach(lists, sets).components();
        Points bound = 0;
        for (const auto& component : components) {
            auto part = ordered(component, most_nodes);
            bound += part.bound;
            found.is_whole &= part.is_whole;
            for (std::size_t i = 0; i < part.sets.size(); ++i) sets[component.variables[i]] = part.sets[i];
            most_nodes -= std::min(most_nodes, part.nodes);
        }
        found.bound = bound;
    } catch (const Stopped&) {
        found.is_whole = false;
    }
    for (std::size_t v = 0; v < lists.size(); ++v) {
        found.best.score += lists[v].score(sets[v]);
        const auto parents = lists[v].parents(sets[v]);
        found.best.parents.emplace_back(parents.begin(), parents.end());
    }
    if (found.best.score <= known.score) found.best = known;
    found.bound = std::max(found.bound, found.best.score);
    return found;
}

} // namespace bnfuse
