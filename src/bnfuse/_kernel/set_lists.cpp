#include "set_lists.hpp"

namespace bnfuse {

SetList::SetList(const std::vector<ScoredSet>& sets) {
    for (const auto& [score, parents] : sets) {
        scores_.push_back(score);
        signs_.push_back(0);
        for (const int parent : parents) {
            members_.push_back(static_cast<std::uint16_t>(parent));
            signs_.back() |= sign_of(parent);
        }
        starts_.push_back(static_cast<std::uint32_t>(members_.size()));
    }
}

int SetList::at_least(Points least) const {
    return static_cast<int>(std::ranges::upper_bound(scores_, least, std::greater<>()) - scores_.begin());
}

int SetList::find(const ParentSet& wanted) const {
    for (int i = 0; i < size(); ++i)
        if (std::ranges::equal(parents(i), wanted)) return i;
    return -1;
}

ParentSet SetRules::required(int v) const {
    ParentSet parents;
    for (int u = 0; u < n; ++u)
        if (rules[static_cast<std::size_t>(u) * n + v] & 2) parents.push_back(u);
    return parents;
}

bool SetRules::allow(int v, const ParentSet& parents) const {
    const auto members = static_cast<int>(parents.size());
    if (members > max_parents || members + 1 > limit) return false;
    for (const int u : parents)
        if (!(rules[static_cast<std::size_t>(u) * n + v] & 1)) return false;
    if (!tables.is_set()) return true;
    auto family = parents;
    family.push_back(v);
    return tables.allows(family);
}

SetList useful_sets(int v, std::vector<ScoredSet> sets, const SetRules& rules) {
    const auto required = rules.required(v);
    std::erase_if(sets, [&](const ScoredSet& set) {
        return set.score == refused || !rules.allow(v, set.parents) || !std::ranges::includes(set.parents, required);
    });
    std::sort(sets.begin(), sets.end());
    std::vector<ScoredSet> kept;
    const auto mask = [](const ParentSet& parents) { // of a subset it is a subset
        std::uint64_t bits = 0;
        for (const int u : parents) bits |= std::uint64_t{1} << (u % 64);
        return bits;
    };
    std::vector<std::uint64_t> masks;
    Pulse pulse(1 << 10);
    for (auto& set : sets) {
        pulse();
        const auto own = mask(set.parents);
        bool needed = true;
        for (std::size_t i = 0; i < kept.size() && needed; ++i)
            needed = (masks[i] & ~own) || !std::ranges::includes(set.parents, kept[i].parents);
        if (!needed) continue;
        masks.push_back(own);
        kept.push_back(std::move(set));
    }
    return SetList(kept);
}

} // namespace bnfuse
