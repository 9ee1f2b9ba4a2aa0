// Candidate parent sets of each variable with their scores, best first, for a search over parent sets.
//
// A set that scores no better than one of its subsets is never needed: the subset closes no more cycles and makes no
// larger clique.
#pragma once

#include "family_score.hpp"
#include "tables.hpp"

#include <span>

namespace bnfuse {

using ParentSet = std::vector<int>; // increasing

struct ScoredSet {
    Points score;
    ParentSet parents;
    // The better first, then the smaller, then the first in the order of the variables.
    friend bool operator<(const ScoredSet& a, const ScoredSet& b) {
        if (a.score != b.score) return a.score > b.score;
        if (a.parents.size() != b.parents.size()) return a.parents.size() < b.parents.size();
        return a.parents < b.parents;
    }
};

// Of one variable.
class SetList {
public:
    SetList() = default;
    explicit SetList(const std::vector<ScoredSet>& sets); // in their order

    int size() const { return static_cast<int>(scores_.size()); }
    Points score(int i) const { return scores_[i]; }
    std::span<const std::uint16_t> parents(int i) const {
        return {members_.data() + starts_[i], members_.data() + starts_[i + 1]};
    }
    // The members of a set as bits, by their numbers modulo 64: exact for up to 64 variables.
    std::uint64_t sign(int i) const { return signs_[i]; }
    static std::uint64_t sign_of(int v) { return std::uint64_t{1} << (v % 64); }
    // The number of sets with at least this score.
    int at_least(Points least) const;
    // The position of a set; -1 if it is not listed.
    int find(const ParentSet& parents) const;
    bool has(int i, int parent) const {
        if (!(signs_[i] & sign_of(parent))) return false;
        const auto all = parents(i);
        return std::ranges::find(all, parent) != all.end();
    }

private:
    std::vector<Points> scores_;
    std::vector<std::uint64_t> signs_;
    std::vector<std::uint32_t> starts_{0};
    std::vector<std::uint16_t> members_;
};

// The constraints on the sets.
struct SetRules {
    int n;
    int limit; // of the largest clique; none where it is n
    int max_parents;
    std::vector<std::uint8_t> rules; // by pair: 1 an allowed arc, 2 a required one
    TableLimit tables = {};          // of cliques, beside that on their members

    bool is_limited() const { return limit < n || tables.is_set(); }
    ParentSet required(int v) const;
    bool allow(int v, const ParentSet& parents) const;
};

// The sets that satisfy the rules, in order, without those that score no better than a subset. A set that scores
// `refused` is left out.
SetList useful_sets(int v, std::vector<ScoredSet> sets, const SetRules& rules);

} // namespace bnfuse
