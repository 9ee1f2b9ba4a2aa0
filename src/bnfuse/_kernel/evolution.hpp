// The generations of the genetic search: selection, crossover and mutation of chromosomes, each evaluated once.
//
// All randomness comes from the caller's words, two numbers of 32 bits in each, the lower half first. A generation uses
// them in this order, each part beginning with a new word: the rivals of all tournaments, the crossover points, one
// number for each gene of each offspring, row by row.
#pragma once

#include "key_table.hpp"
#include "pruning.hpp"

namespace bnfuse {

// The constraints on chromosomes.
struct Repair {
    std::vector<std::uint8_t> required, forbidden; // by gene; empty if there are no constraints
    int max_parents = -1;                          // -1: any number of them
    std::vector<int> offered;                      // genes, sorted by target, those to keep first
    std::vector<int> target;                       // of each gene's arc

    void operator()(std::uint8_t* genes) const;
};

struct EvolutionSetup {
    int genes, population, limit;
    int offspring;                   // of a pair: 1 or 2
    bool elites_first;               // the best ever and the best of the last generation take part in the crossover
    bool champion_over_limit;        // the best ever may be over the limit
    bool note_offspring;             // the best ever is also chosen from offspring before mutation
    bool restrained;                 // additions become rarer while few offspring are within the limit
    std::vector<double> add, remove; // rates of mutation by clique size
    Repair repair;
};

class Evolution {
public:
    struct Member {
        std::vector<std::uint8_t> genes;
        Value value;
    };

    explicit Evolution(EvolutionSetup setup);

    int genes() const { return setup_.genes; }
    int population() const { return setup_.population; }

    // Of each chromosome; one seen before is not evaluated again.
    std::vector<Value> evaluate(Candidates& candidates, Genes genes, int count, int threads);

    // The best so far, which is within the limit, and the first population.
    void start(Candidates& candidates, Genes best, Genes population, int threads);

    // How many words the next generation needs.
    std::size_t words() const;

    // The next generation. If it is ended from outside, the last one stays.
    void next(Candidates& candidates, const std::uint64_t* words, int threads);

    const Member& best() const { return best_; } // within the limit
    int seen() const { return seen_.size(); }

    // For the population: the mean of distance times clique / limit if that is above 1.
    double mean_objective() const;

private:
    struct Population {
        std::vector<std::uint8_t> genes; // row by row
        std::vector<Value> values;
    };

    EvolutionSetup setup_;
    KeyTable seen_;
    std::vector<Value> value_of_seen_;
    Population population_;
    Member best_, champion_;
    double restraint_ = 1;

    Genes row(const Population& population, int i) const {
        return population.genes.data() + static_cast<std::size_t>(i) * setup_.genes;
    }
    Member member(const Population& population, int i) const;
    Weight objective(const Value& value) const;
    bool is_better(const Value& a, const Value& b) const;
    std::vector<int> ranking(const std::vector<Value>& values) const;
    void note_best(const Population& population);
    void replace_worst(Population& population, const Member& champion, const Member& best_of_last) const;
    Population crossed(const Population& parents, const std::uint64_t*& words) const;
    double next_restraint(const std::vector<Value>& offspring) const;
    void mutate(Population& offspring, double restraint, const std::uint64_t*& words) const;
};

} // namespace bnfuse
