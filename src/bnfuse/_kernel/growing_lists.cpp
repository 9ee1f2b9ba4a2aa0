#include "growing_lists.hpp"

namespace bnfuse {

namespace {

ParentSet sorted(ParentSet parents) {
    std::ranges::sort(parents);
    return parents;
}

} // namespace

Points GrowingLists::score(int child, const Parents& parents) {
    const auto found = scores_.score(child, parents);
    if (found != refused) sets_[child].try_emplace(sorted(parents), found);
    return found;
}

FamilyScores::Additions GrowingLists::additions(int child, const Parents& parents) {
    const auto now = score(child, parents);
    auto found = scores_.additions(child, parents);
    for (int u = 0; u < variables(); ++u) {
        if ((*found)[u] <= now) continue;
        auto more = parents;
        more.push_back(u);
        sets_[child].try_emplace(sorted(std::move(more)), (*found)[u]);
    }
    return found;
}

bool GrowingLists::grow(int child, const ParentSet& parents) {
    if (!grown_.try_emplace({child, parents}, true).second) return false;
    const auto before = sets_[child].size();
    const bool has_room = static_cast<int>(parents.size()) < std::min(rules_.max_parents, rules_.limit - 1);
    if (has_room) additions(child, parents);
    const auto required = rules_.required(child);
    for (const int left_out : parents) {
        if (std::ranges::binary_search(required, left_out)) continue;
        auto fewer = parents;
        std::erase(fewer, left_out);
        additions(child, fewer);
    }
    return sets_[child].size() > before;
}

SetList GrowingLists::list(int child) const {
    std::vector<ScoredSet> sets;
    for (const auto& [parents, score] : sets_[child]) sets.push_back({score, parents});
    return useful_sets(child, std::move(sets), rules_);
}

bool GrowingLists::complete(std::size_t most_sets) {
    for (int v = 0; v < variables(); ++v)
        if (!complete(v, most_sets)) return false;
    return true;
}

// By size, each set from its first members: a set is left out with all its supersets if even its highest possible score
// is no better than that of a subset.
bool GrowingLists::complete(int child, std::size_t& left) {
    const auto required = rules_.required(child);
    ParentSet others;
    for (int u = 0; u < variables(); ++u)
        if ((rules_.rules[static_cast<std::size_t>(u) * rules_.n + child] & 3) == 1) others.push_back(u);
    using Reached = std::map<ParentSet, Points>; // in addition to the required ones; the best of a set and its subsets
    Reached layer{{{}, score(child, required)}};
    while (!layer.empty()) {
        Reached next;
        for (const auto& [added, so_far] : layer) {
            check_stop();
            auto parents = required;
            parents.insert(parents.end(), added.begin(), added.end());
            ParentSet wanted;
            std::vector<Points> of_subsets;
            for (const int u : others) {
                if (!added.empty() && u <= added.back()) continue;
                auto best = so_far;
                auto fewer = added; // with u, without each of the others in turn
                fewer.push_back(u);
                for (std::size_t i = 0; i < added.size() && best != refused; ++i) {
                    const auto left_out = fewer[i];
                    fewer.erase(fewer.begin() + static_cast<std::ptrdiff_t>(i));
                    const auto known = layer.find(fewer);
                    best = known == layer.end() ? refused : std::max(best, known->second); // a subset was left out
                    fewer.insert(fewer.begin() + static_cast<std::ptrdiff_t>(i), left_out);
                }
                if (best == refused) continue;
                parents.push_back(u);
                if (rules_.allow(child, sorted(parents)) && scores_.most(child, parents) > best) {
                    wanted.push_back(u);
                    of_subsets.push_back(best);
                }
                parents.pop_back();
            }
            if (wanted.size() > left) return false;
            left -= wanted.size();
            const auto found = scores_.with_each(child, parents, wanted);
            for (std::size_t i = 0; i < wanted.size(); ++i) {
                if (found[i] == refused) continue;
                auto more = added;
                more.push_back(wanted[i]);
                if (found[i] > of_subsets[i]) {
                    parents.push_back(wanted[i]);
                    sets_[child].try_emplace(sorted(parents), found[i]);
                    parents.pop_back();
                }
                next.emplace_hint(next.end(), std::move(more), std::max(found[i], of_subsets[i]));
            }
        }
        layer = std::move(next);
    }
    return true;
}

} // namespace bnfuse
