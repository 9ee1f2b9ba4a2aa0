#include "evolution.hpp"

#include <numeric>

namespace bnfuse {

namespace {

constexpr double resolution = 4294967296.0; // probabilities are compared with 32 random bits
constexpr double wanted_within_limit = 0.8; // of the offspring
constexpr double restraint_step = 1.25;     // the factor by which additions become rarer in a generation with fewer
constexpr double most_restraint = 64;

// As bits.
std::size_t words_of(int genes) {
    require(0 <= genes && genes <= 1 << 30, "the number of genes is out of range");
    return static_cast<std::size_t>(genes + 63) / 64;
}

std::size_t words_for(std::size_t numbers) { return (numbers + 1) / 2; }

// Random numbers of 32 bits from words.
class Numbers {
public:
    explicit Numbers(const std::uint64_t* words) : words_(words) {}
    std::uint32_t operator[](std::size_t i) const {
        return static_cast<std::uint32_t>(words_[i / 2] >> (32 * (i % 2)));
    }
    int below(std::size_t i, int bound) const {
        return static_cast<int>(static_cast<std::uint64_t>((*this)[i]) * bound >> 32);
    }

private:
    const std::uint64_t* words_;
};

} // namespace

void Repair::operator()(std::uint8_t* genes) const {
    if (required.empty()) return;
    for (std::size_t i = 0; i < required.size(); ++i) genes[i] = (genes[i] | required[i]) & !forbidden[i];
    if (max_parents < 0) return;
    std::vector<int> parents(max_variables);
    for (const int gene : offered)
        if (genes[gene] && ++parents[target[gene]] > max_parents) genes[gene] = 0;
}

Evolution::Evolution(EvolutionSetup setup) : setup_(std::move(setup)), seen_(words_of(setup_.genes)) {
    const auto genes = static_cast<std::size_t>(setup_.genes);
    require(setup_.population >= 2 && setup_.limit >= 1, "there is nothing to evolve");
    require(setup_.offspring == 1 || setup_.offspring == 2, "a pair has one or two offspring");
    require(!setup_.add.empty() && setup_.add.size() == setup_.remove.size(), "rates are given by clique size");
    for (const auto* rates : {&setup_.add, &setup_.remove})
        for (const auto rate : *rates) require(0 <= rate && rate <= 1, "a rate is between 0 and 1");
    const auto& repair = setup_.repair;
    require(repair.required.size() == repair.forbidden.size() &&
                (repair.required.empty() || repair.required.size() == genes),
            "what must be kept is given by genes");
    for (const auto* flags : {&repair.required, &repair.forbidden})
        for (const auto flag : *flags) require(flag <= 1, "whether a gene must be kept is 0 or 1");
    if (repair.max_parents < 0) return;
    require(repair.target.size() == genes && repair.offered.size() == genes, "arcs are given by genes");
    for (const auto* numbers : {&repair.target, &repair.offered})
        for (const int number : *numbers)
            require(0 <= number && (numbers == &repair.target ? number < max_variables : number < setup_.genes),
                    "there is no such gene or variable");
}

std::vector<Value> Evolution::evaluate(Candidates& candidates, Genes genes, int count, int threads) {
    require(candidates.gene_count() == setup_.genes, "a candidate has all genes");
    const auto words = words_of(setup_.genes);
    const int known = seen_.size();
    std::vector<int> slots(count);
    std::vector<std::uint64_t> key(words);
    std::vector<std::uint8_t> fresh;
    try {
        for (int i = 0; i < count; ++i) {
            const auto row = genes + static_cast<std::size_t>(i) * setup_.genes;
            for (std::size_t word = 0; word < words; ++word)
                key[word] = packed(row + 64 * word, std::min(64, setup_.genes - 64 * static_cast<int>(word)));
            const auto found = seen_.find(key.data());
            slots[i] = found.slot;
            if (found.fresh) fresh.insert(fresh.end(), row, row + setup_.genes);
        }
        const auto values = candidates.evaluate(fresh.data(), seen_.size() - known, threads);
        value_of_seen_.insert(value_of_seen_.end(), values.begin(), values.end());
    } catch (...) {
        seen_.clear(); // chromosomes without a value must not be found
        value_of_seen_.clear();
        throw;
    }
    std::vector<Value> values;
    for (const int slot : slots) values.push_back(value_of_seen_[slot]);
    return values;
}

void Evolution::start(Candidates& candidates, Genes best, Genes population, int threads) {
    require(setup_.genes >= 2, "crossover needs two genes");
    Member start{{best, best + setup_.genes}, evaluate(candidates, best, 1, threads).front()}, champion = start;
    require(start.value.clique <= setup_.limit, "the best so far is not within the limit");
    Population first{{population, population + static_cast<std::size_t>(setup_.population) * setup_.genes}, {}};
    first.values = evaluate(candidates, population, setup_.population, threads);
    best_ = std::move(start);
    champion_ = std::move(champion);
    note_best(first);
    population_ = std::move(first);
}

std::size_t Evolution::words() const {
    const std::size_t size = setup_.population, pairs = setup_.offspring == 1 ? size : (size + 1) / 2;
    return words_for(4 * pairs) + words_for(pairs) + words_for(size * setup_.genes);
}

void Evolution::next(Candidates& candidates, const std::uint64_t* words, int threads) {
    require(!population_.values.empty(), "there is no first population");
    const auto best_of_last = member(population_, ranking(population_.values).front());
    auto parents = population_;
    if (setup_.elites_first) replace_worst(parents, champion_, best_of_last);
    auto offspring = crossed(parents, words);
    offspring.values = evaluate(candidates, offspring.genes.data(), setup_.population, threads);
    if (setup_.note_offspring) note_best(offspring);
    const double restraint = setup_.restrained ? next_restraint(offspring.values) : restraint_;
    mutate(offspring, restraint, words);
    offspring.values = evaluate(candidates, offspring.genes.data(), setup_.population, threads);
    if (!setup_.elites_first) replace_worst(offspring, champion_, best_of_last);
    note_best(offspring);
    population_ = std::move(offspring);
    restraint_ = restraint;
}

double Evolution::mean_objective() const {
    double sum = 0;
    for (const auto& value : population_.values) sum += static_cast<double>(objective(value));
    return sum / static_cast<double>(population_.values.size()) / setup_.limit;
}

Evolution::Member Evolution::member(const Population& population, int i) const {
    const auto genes = row(population, i);
    return {{genes, genes + setup_.genes}, population.values[i]};
}

// Up to a constant factor: the distance, times clique / limit if it is over the limit.
Weight Evolution::objective(const Value& value) const { return value.distance * std::max(value.clique, setup_.limit); }

// By objective, then by directed support.
bool Evolution::is_better(const Value& a, const Value& b) const {
    const auto left = objective(a), right = objective(b);
    return left != right ? left < right : a.support > b.support;
}

// Positions from best to worst, equal ones in their order.
std::vector<int> Evolution::ranking(const std::vector<Value>& values) const {
    std::vector<int> places(values.size());
    std::iota(places.begin(), places.end(), 0);
    std::ranges::stable_sort(places, [&](int a, int b) { return is_better(values[a], values[b]); });
    return places;
}

// Among equal ones, the newer one: it keeps the search moving.
void Evolution::note_best(const Population& population) {
    const auto& values = population.values;
    int within = -1, any = 0;
    for (int i = 0; i < static_cast<int>(values.size()); ++i) {
        if (is_better(values[i], values[any])) any = i;
        if (values[i].clique <= setup_.limit && (within < 0 || is_better(values[i], values[within]))) within = i;
    }
    const bool is_best = within >= 0 && !is_better(best_.value, values[within]);
    auto best = is_best ? member(population, within) : best_;
    const bool is_champion = setup_.champion_over_limit && !is_better(champion_.value, values[any]);
    auto champion = is_champion ? member(population, any) : setup_.champion_over_limit ? champion_ : best;
    best_ = std::move(best);
    champion_ = std::move(champion);
}

// The elites come first, then the others from best to worst.
void Evolution::replace_worst(Population& population, const Member& champion, const Member& best_of_last) const {
    Population result;
    result.genes.reserve(population.genes.size());
    const auto add = [&](Genes genes, const Value& value) {
        result.genes.insert(result.genes.end(), genes, genes + setup_.genes);
        result.values.push_back(value);
    };
    add(champion.genes.data(), champion.value);
    add(best_of_last.genes.data(), best_of_last.value);
    for (const int i : ranking(population.values)) {
        if (result.values.size() == population.values.size()) break;
        add(row(population, i), population.values[i]);
    }
    population = std::move(result);
}

// Offspring of parents that won a tournament of two, by crossover at one point: the genes up to it from one parent, the
// rest from the other. Of two offspring of each pair, those that start like their first parents come first.
Evolution::Population Evolution::crossed(const Population& parents, const std::uint64_t*& words) const {
    const int size = setup_.population, pairs = setup_.offspring == 1 ? size : (size + 1) / 2;
    std::vector<int> rank(size);
    const auto places = ranking(parents.values);
    for (int i = 0; i < size; ++i) rank[places[i]] = i;
    const Numbers rivals(words), points(words += words_for(4 * static_cast<std::size_t>(pairs)));
    words += words_for(pairs);
    const auto winner = [&](int tournament) {
        const int a = rivals.below(tournament, size), b = rivals.below(2 * pairs + tournament, size);
        return row(parents, rank[a] <= rank[b] ? a : b);
    };
    Population result;
    result.genes.reserve(static_cast<std::size_t>(size) * setup_.genes);
    for (int i = 0; i < size; ++i) {
        const int pair = i % pairs;
        auto first = winner(pair), second = winner(pairs + pair);
        if (i >= pairs) std::swap(first, second);
        const int point = points.below(pair, setup_.genes - 1) + 1;
        result.genes.insert(result.genes.end(), first, first + point);
        result.genes.insert(result.genes.end(), second + point, second + setup_.genes);
        setup_.repair(result.genes.data() + result.genes.size() - setup_.genes);
    }
    return result;
}

// Additions become rarer while too few of the offspring are within the limit.
double Evolution::next_restraint(const std::vector<Value>& offspring) const {
    const auto within =
        std::ranges::count_if(offspring, [&](const auto& value) { return value.clique <= setup_.limit; });
    const bool few = static_cast<double>(within) < wanted_within_limit * static_cast<double>(offspring.size());
    return few ? std::min(restraint_ * restraint_step, most_restraint) : std::max(restraint_ / restraint_step, 1.0);
}

// Each absent arc is added, each present one removed, by the rates for its network's clique.
void Evolution::mutate(Population& offspring, double restraint, const std::uint64_t*& words) const {
    const Numbers numbers(words);
    std::size_t drawn = 0;
    for (int i = 0; i < setup_.population; ++i) {
        const auto clique = std::min<std::size_t>(offspring.values[i].clique, setup_.add.size() - 1);
        const std::uint32_t below[2]{
            static_cast<std::uint32_t>(setup_.add[clique] / restraint * (resolution - 1)),
            static_cast<std::uint32_t>(setup_.remove[clique] * (resolution - 1)),
        };
        auto* genes = offspring.genes.data() + static_cast<std::size_t>(i) * setup_.genes;
        for (int gene = 0; gene < setup_.genes; ++gene) genes[gene] ^= numbers[drawn++] < below[genes[gene]];
        setup_.repair(genes);
    }
    words += words_for(drawn);
}

} // namespace bnfuse
