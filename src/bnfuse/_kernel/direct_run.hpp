// A whole direct search, step by step: the caller reports its progress, stops it between two steps, and takes the best
// network so far. The same steps give the same network everywhere, on any number of threads.
#pragma once

#include "annealing_chains.hpp"
#include "proving_order.hpp"

namespace bnfuse {

enum class Effort { quick, normal, thorough };

// The work of a search: counted in moves, so that it is the same everywhere.
struct EffortPlan {
    int chains;
    std::vector<Heat> heats; // the chains run once for each, from the best network so far
    std::int64_t moves;      // of a chain in one run
    std::int64_t most_moves; // of polishing after a run
    std::int64_t polish;     // moves of a last pass, for each arc that may be added, that only improves the directions
    double least_gain = 0;   // the gain of a run, as a share of the distance, that justifies the next run
};

// A network within the limits and the constraints, with the values by which networks are compared.
struct ScoredNetwork {
    Weight gain = 0;  // the decrease in summed distance compared with the network without arcs
    Weight worth = 0; // the worth of its arcs, which decides between equal gains
    ArcList arcs;
    std::vector<int> order; // an elimination order that proves the clique size

    bool is_better_than(const ScoredNetwork& other) const {
        return std::tuple(gain, worth, -static_cast<std::int64_t>(arcs.size())) >
               std::tuple(other.gain, other.worth, -static_cast<std::int64_t>(other.arcs.size()));
    }
};

using Networks = std::vector<ArcList>; // each sorted

// The network that costs nothing to find: the closest among the majority vote and the inputs that are within the limits
// and the constraints. Inputs, if `networks` are known, are examined from the closest on, and only those that are
// closer than the vote, until the time is up.
struct Floor {
    ScoredNetwork network;
    bool is_input;
};
Floor floor_of(const ConsensusProblem& problem, const Networks& networks, double seconds);

class DirectRun {
public:
    // From the required arcs alone, or from another network. The problem must outlive it.
    DirectRun(const ConsensusProblem& problem, Networks networks, Effort effort, std::uint64_t seed,
              const ArcList* start = nullptr);
    DirectRun(const DirectRun&) = delete;

    // The next part of the work, on this number of threads, for at most this number of seconds. Returns whether it
    // counts as a step: the first part, which finds the network that costs nothing, does not.
    bool step(int threads, double seconds);
    bool is_done() const { return stage_ == Stage::done; }
    int steps() const { return steps_; } // in all, or fewer if the bound is reached

    // Removes arcs from the best network that fewer than half of the inputs have and that do not reduce the distance.
    void trim();

    const ScoredNetwork& best() const { return best_; }
    int best_clique() const { return proven_along(problem_, best_.arcs, best_.order).clique; }
    Weight distance() const { return empty_ - best_.gain; } // summed, of the best network
    std::int64_t moves() const { return moves_; }

private:
    enum class Stage { floor, anneal, polish, last, done };
    const ConsensusProblem& problem_;
    Networks networks_; // the inputs, as far as they are known
    AnnealingChains chains_of_;
    std::uint64_t seed_;
    bool is_quick_; // the pass in progress
    Weight empty_, bound_;
    std::int64_t arcs_;      // that may be added
    EffortPlan plan_, pass_; // that of the search, and of the pass
    int steps_;
    Stage stage_ = Stage::floor;
    std::size_t heat_ = 0;
    int stretch_ = 0;
    bool is_last_pass_;
    std::unique_ptr<DirectSearch> chains_;
    ScoredNetwork best_, first_, pass_best_; // of all, the start, and of the pass
    Weight gain_before_run_ = 0;
    std::int64_t moves_ = 0;

    ScoredNetwork scored(const DirectSearch::Network& network) const;
    ScoredNetwork started(const ArcList& start) const;
    bool is_optimal(const ScoredNetwork& network) const { return empty_ - network.gain <= bound_; }
    void note(const ScoredNetwork& network) {
        if (network.is_better_than(best_)) best_ = network;
    }
    void note_in_pass(const ScoredNetwork& network) {
        if (network.is_better_than(pass_best_)) pass_best_ = network;
    }
    void start_pass(const EffortPlan& plan, bool is_quick);
    void start_heat();
    void end_pass();
    bool is_worth_another_run() const;
    void anneal(int threads, double seconds);
    void polish(double seconds);
    ScoredNetwork polished(const ScoredNetwork& network, std::int64_t moves, Heat heat, double seconds);
    std::int64_t polishing(std::int64_t moves, std::int64_t most) const;
};

} // namespace bnfuse
