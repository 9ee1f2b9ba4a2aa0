// Lists of parent sets that grow where a search explores: every scored family that is better than with one parent fewer
// is kept. A hill climber that uses these scores leaves behind the lists for the search over parent sets.
#pragma once

#include "family_scores.hpp"
#include "set_lists.hpp"

#include <map>

namespace bnfuse {

class GrowingLists final : public FamilyScores {
public:
    // Both must outlive it.
    GrowingLists(FamilyScores& scores, const SetRules& rules) : scores_(scores), rules_(rules), sets_(rules.n) {}

    int variables() const override { return scores_.variables(); }
    Points score(int child, const Parents& parents) override;
    Additions additions(int child, const Parents& parents) override;
    std::vector<Points> with_each(int child, const Parents& parents, const Parents& others) override {
        return scores_.with_each(child, parents, others);
    }
    Points most(int child, const Parents& parents) const override { return scores_.most(child, parents); }

    // Scores all families that differ from this one by one more parent, or by a replaced parent. Returns whether it was
    // new.
    bool grow(int child, const ParentSet& parents);

    // The sets of a variable that a search needs.
    SetList list(int child) const;

    // Scores every family that could be in a best network. False if there are more than `most_sets` of them.
    bool complete(std::size_t most_sets);

private:
    FamilyScores& scores_;
    const SetRules& rules_;
    std::vector<std::map<ParentSet, Points>> sets_; // by variable
    std::map<std::pair<int, ParentSet>, bool> grown_;

    bool complete(int child, std::size_t& left);
};

} // namespace bnfuse
