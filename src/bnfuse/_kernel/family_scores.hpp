// The scores that a search over networks needs: those of families, one at a time or all with one additional parent.
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

    // `refused` if the family is not allowed.
    virtual Points score(int child, const Parents& parents) = 0;

    // By candidate: the score of the family with that additional parent; `refused` if it is not allowed, or if it could
    // not improve the score for any data.
    virtual Additions additions(int child, const Parents& parents) = 0;

    // With each of these as an additional parent: not stored, for callers that ask once.
    virtual std::vector<Points> with_each(int child, const Parents& parents, const Parents& others) = 0;

    // An upper bound on the score of any family with these parents, and perhaps more.
    virtual Points most(int child, const Parents& parents) const = 0;
};

} // namespace bnfuse
