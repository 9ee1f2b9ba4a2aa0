// Independent annealing chains over DAGs; the result does not depend on the number of threads.
#pragma once

#include "arc_list.hpp"
#include "direct.hpp"

#include <memory>

namespace bnfuse {

class DirectSearch {
public:
    // The problem's arcs follow from its rules.
    DirectSearch(DirectProblem problem, int chains, std::uint64_t seed, std::uint64_t stream);
    DirectSearch(const DirectSearch&) = delete; // the chains refer to the problem
    ~DirectSearch();

    // Arcs to add, one after the other, to every chain, as far as the limits allow.
    void start_from(const ArcList& arcs);

    // The same, with the elimination order that proves it to be within the limit.
    void start_at(const ArcList& arcs, const std::vector<int>& order);

    // Moves `from` to `to` of `total`, in every chain. False if a deadline ended it before that.
    bool anneal(std::int64_t from, std::int64_t to, std::int64_t total, int threads);

    // Reverses arcs of the best network to the direction of most inputs, as far as its distance allows.
    bool polish(std::int64_t moves);

    // Leaves no arc in the best network that lowers its score, and none out that would raise it.
    void tidy();

    struct Network {
        Score score;
        ArcList arcs;
        std::vector<int> order; // an elimination order that proves the clique size
    };

    Network best() const;    // of all chains; among equal ones, that of the first chain
    Network current() const; // the present one of the first chain

    int arc_count() const { return static_cast<int>(problem_.arcs.size()); }

private:
    DirectProblem problem_;
    std::vector<std::unique_ptr<Chain>> chains_;
    bool whole_ = true; // otherwise, lack of memory left a chain in the middle of a move

    void check() const;
    void check_network(const ArcList& arcs, const std::vector<int>& order) const;
    void check_whole() const;
    template <class Work> void changing(Work&& work);
    Chain& best_chain() const;
    Network network(const Found& found) const;
};

} // namespace bnfuse
