// What a search over networks asks of scores: those of families, one at a time or all with one parent more.
#pragma once

#include "family_score.hpp"

#include <memory>
#include <vector>

namespace bnfuse {

class FamilyScores {
public:
    using Parents = std::vector<int>;
    using Additions = std::shared_ptr<const std::vector<Points>>;

    virtual ~FamilyScores() = default;
    virtual int variables() const = 0;

    // `refused` where the family must not be.
    virtual Points score(int child, const Parents& parents) = 0;

    // By candidate: the score of the family with that parent more; `refused` where it may not be one, and where it
    // could not pay whatever the data say.
    virtual Additions additions(int child, const Parents& parents) = 0;

    // With each of these as one parent more: not remembered, for those who look once.
    virtual std::vector<Points> with_each(int child, const Parents& parents, const Parents& others) = 0;

    // No family with these parents, and perhaps more, scores more.
    virtual Points most(int child, const Parents& parents) const = 0;
};

} // namespace bnfuse
