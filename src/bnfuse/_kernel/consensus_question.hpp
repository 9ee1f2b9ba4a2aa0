// A question about networks in the user's terms, for callers without a tally: a page with the kernel.
#pragma once

#include "consensus_bound.hpp"
#include "direct_run.hpp"

namespace bnfuse {

struct QuestionInput {
    Weight weight;
    std::vector<int> variables; // that it has
    ArcList arcs;               // sorted
};

struct ConsensusQuestion {
    int n;
    int limit;          // of the largest clique
    int wanted_parents; // the most parents, or -1
    Metric metric;
    Directions directions;
    std::vector<QuestionInput> inputs; // with weights above 0
    ArcList required, forbidden;
    std::vector<int> tiers;            // the position of each variable in an order of time, or -1
    std::vector<std::uint64_t> states; // of each variable; empty if tables have no limit
    std::uint64_t max_table = 0;
};

// The votes of the inputs, summed, and the rules by arc that the constraints imply.
ConsensusProblem problem_of(const ConsensusQuestion& question);

// The answer, step by step: by direct search; exactly if each variable has at most one parent; a single input that is
// within the limit is its own consensus.
class ConsensusAnswer {
public:
    ConsensusAnswer(const ConsensusQuestion& question, Effort effort, std::uint64_t seed);
    ConsensusAnswer(const ConsensusAnswer&) = delete;

    void step(double seconds); // the longest time that one thread works at once
    bool is_done() const { return !run_ || run_->is_done(); }
    int steps_done() const { return steps_done_; }
    int steps() const { return run_ ? std::max(run_->steps(), steps_done_) : 1; }

    struct Network {
        Weight distance; // summed
        ArcList arcs;
        ProvingOrder proof;
    };
    Network best() const; // so far
    Network finished();   // without needless arcs, and with the directions of the inputs
    Weight bound() const { return consensus_bound(problem_); }
    Weight weight() const { return problem_.references.weight; }

private:
    ConsensusProblem problem_;
    std::unique_ptr<DirectRun> run_;
    ArcList known_; // if nothing is searched
    bool is_given_ = false;
    int steps_done_ = 0;

    Network network(ArcList arcs, ProvingOrder proof) const;
};

} // namespace bnfuse
