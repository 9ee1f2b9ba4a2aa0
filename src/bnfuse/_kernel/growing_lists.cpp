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

// By size, each set from its first members: a set is left out with all that contain it when even the highest score that
// it could have is no better than that of a subset.
bool GrowingLists::complete(int child, std::size_t& left) {
    const auto required = rules_.required(child);
    ParentSet others;
    for (int u = 0; u < variables(); ++u)
        if ((rules_.rules[static_cast<std::size_t>(u) * rules_.n + child] & 3) == 1) others.push_back(u);
    struct Reached {
        ParentSet added;
        Points best; // of its subsets and itself
    };
    std::vector<Reached> layer{{{}, score(child, required)}};
    std::map<ParentSet, Points> best{{{}, layer[0].best}};
    while (!layer.empty()) {
        std::vector<Reached> next;
        std::map<ParentSet, Points> next_best;
        for (const auto& [added, so_far] : layer)
            for (const int u : others) {
                if (!added.empty() && u <= added.back()) continue;
                check_stop();
                auto more = added;
                more.push_back(u);
                Points of_subsets = refused;
                bool whole = true; // otherwise a subset was left out
                for (std::size_t i = 0; i < more.size() && whole; ++i) {
                    auto fewer = more;
                    fewer.erase(fewer.begin() + static_cast<std::ptrdiff_t>(i));
                    const auto known = best.find(fewer);
                    whole = known != best.end();
                    if (whole) of_subsets = std::max(of_subsets, known->second);
                }
                auto all = required;
                all.insert(all.end(), more.begin(), more.end());
                all = sorted(std::move(all));
                if (!whole || !rules_.allow(child, all) || scores_.most(child, all) <= of_subsets) continue;
                if (!left--) return false;
                const auto own = score(child, all);
                if (own == refused) continue;
                next.push_back({more, std::max(own, of_subsets)});
                next_best.emplace(std::move(more), next.back().best);
            }
        layer = std::move(next);
        best = std::move(next_best);
    }
    return true;
}

} // namespace bnfuse
