// Hill climbing over DAGs: the best of all single arcs to add, remove or reverse, again and again; past a local
// optimum by a tabu list, and by restarts from the best network so far with some arcs changed at random.
#pragma once

#include "family_scores.hpp"
#include "limited_dag.hpp"
#include "set_lists.hpp"

namespace bnfuse {

struct ClimbSetup {
    int tabu; // moves past a local optimum without a better network, in which no pair is changed twice
    int restarts;
};

struct Climbed {
    Points score = refused;
    std::vector<std::vector<int>> parents;
    std::vector<int> bags; // the bags that prove the clique size if it has a limit: concatenated, each ended by -1
    bool finished = true;  // otherwise it was ended from outside: the best so far
};

class HillClimb {
public:
    // Equal scores are exact here, and frequent: `random` decides between them.
    HillClimb(const SetRules& rules, const ClimbSetup& setup, FamilyScores& families, Random random);

    Climbed operator()();

private:
    enum class Kind : std::uint8_t { add, remove, reverse };
    struct Move {
        Points gain;
        std::uint64_t tie;
        int u, v;
        Kind kind;
        friend bool operator<(const Move& a, const Move& b) {
            return a.gain != b.gain ? a.gain < b.gain : a.tie < b.tie;
        }
    };

    struct Removal {
        int parent;
        Points score;
    };

    const SetRules& rules_;
    ClimbSetup setup_;
    FamilyScores& families_;
    Random random_;
    std::uint64_t ties_;
    LimitedDag dag_;
    std::vector<Points> score_;                      // of each family
    std::vector<FamilyScores::Additions> additions_; // scores of the families with one more parent
    std::vector<std::vector<Removal>> removals_;     // and of those with one parent fewer
    FamilyScores::Additions no_additions_;
    std::vector<Move> moves_;
    Climbed best_;
    std::int64_t moves_made_ = 0;
    std::vector<std::int64_t> tabu_until_; // by pair, the smaller first
    // By arc: when the clique limit last ruled it out. While arcs are only added, it stays ruled out.
    std::vector<int> refused_at_;
    int last_shrinking_ = 1;

    bool allowed(int u, int v) const { return rules_.rules[pair(u, v)] & 1; }
    bool is_required(int u, int v) const { return rules_.rules[pair(u, v)] & 2; }
    std::size_t pair(int u, int v) const { return static_cast<std::size_t>(u) * dag_.size() + v; }
    bool has_room(int v) const { return static_cast<int>(dag_.parents(v).size()) < rules_.max_parents; }

    bool add(int u, int v);
    bool reverse(int u, int v);
    void start();
    void climb();
    void perturb();
    bool is_refused(int u, int v);
    bool improve();
    bool step(Points floor);
    void gather(Points floor);
    void offer(Points gain, int u, int v, Kind kind, Points floor);
    bool attempt(const Move& move);
    bool is_tabu(const Move& move) const;
    void note(int u, int v, bool shrinks);
    void refresh(int v);
    Points total() const;
    bool remember();
    void stop_early();
};

} // namespace bnfuse
