#include "set_search.hpp"

namespace bnfuse {

namespace {

constexpr double heat = 0.3;                               // the mean gain of a variable's best set over its first one
constexpr double reheat = 0.15;                            // of that, for chains that start from the best
constexpr double cold = 0.3;                               // in units of a score
constexpr std::int64_t most_moves = std::int64_t{1} << 40; // of a chain in a round

} // namespace

SetSearch::SetSearch(SetRules rules, std::vector<SetList> lists, const SetEffort& effort, double units,
                     std::uint64_t seed)
    : rules_(std::move(rules)), problem_{rules_, std::move(lists)}, effort_(effort), units_(units), seed_(seed) {
    require(effort.rounds >= 1 && effort.chains >= 1 && effort.moves >= 1, "a search has rounds, chains and moves");
    require(problem_.lists.size() == static_cast<std::size_t>(rules_.n), "each variable has a list of sets");
    for (const auto& list : problem_.lists) require(list.size() > 0, "a variable has no parent set that is allowed");
    first_ = best_ = first_network();
}

bool SetSearch::round(int threads) {
    const bool has_best = best_.score > first_.score; // otherwise there is nothing to heat
    const int chains = has_best ? effort_.chains : std::max(1, effort_.chains / 2);
    auto moves = static_cast<std::int64_t>(effort_.moves) * rules_.n;
    for (int i = 0; i < rounds_ && moves < most_moves; ++i) moves += moves / 2;
    std::vector<ChosenSets> results(chains);
    std::atomic<bool> done{true};
    const double hot = hottest();
    parallel(chains, threads, [&](const Take& take) {
        for (int i; (i = take()) >= 0;) {
            if (is_over()) {
                done.store(false, std::memory_order_relaxed);
                continue;
            }
            const bool afresh = !has_best || (chains > 1 && i % 2 == 0);
            const Random random(seed_, static_cast<std::uint64_t>(rounds_) * effort_.chains + i);
            const auto chain =
                with_words(rules_.n, [&]<int W>() { return set_chain<W>(problem_, afresh ? first_ : best_, random); });
            const double start = std::max(afresh ? hot : reheat * hot, 2 * cold * units_);
            if (!chain->anneal({start, cold * units_, moves})) done.store(false, std::memory_order_relaxed);
            results[i] = chain->best();
        }
    });
    ++rounds_;
    last_.clear();
    for (auto& one : results) {
        if (one.sets.empty()) continue;
        if (one.score > best_.score) best_ = one;
        last_.push_back(std::move(one));
    }
    moves_ += chains * moves;
    return done;
}

void SetSearch::replace(std::vector<SetList> lists) {
    const auto kept = best();
    problem_.lists = std::move(lists);
    last_.clear();
    first_ = first_network();
    best_ = chosen(kept.parents, kept.order);
    if (first_.score > best_.score) best_ = first_;
}

void SetSearch::offer(const std::vector<ParentSet>& parents, const std::vector<int>& order) {
    auto own = chosen(parents, order);
    if (own.score > best_.score) best_ = std::move(own);
}

std::vector<FoundSets> SetSearch::last() const {
    std::vector<FoundSets> all;
    for (const auto& one : last_) all.push_back(found(one));
    return all;
}

// The smallest set of each variable.
ChosenSets SetSearch::first_network() const {
    ChosenSets chosen;
    chosen.score = 0;
    for (int v = 0; v < rules_.n; ++v) {
        int smallest = 0;
        for (int i = 1; i < list(v).size(); ++i)
            if (list(v).parents(i).size() < list(v).parents(smallest).size()) smallest = i;
        chosen.sets.push_back(smallest);
        chosen.score += list(v).score(smallest);
    }
    const Watched whole(nullptr);
    with_words(rules_.n, [&]<int W>() {
        Rows<W> parents(rules_.n);
        for (int v = 0; v < rules_.n; ++v)
            for (const int u : list(v).parents(chosen.sets[v])) parents[v].set(u);
        require(find_cycle(parents).empty(), has_a_cycle);
        if (!rules_.is_limited()) return;
        const auto found = min_fill(moral_graph(parents), rules_.limit, rules_.tables);
        require(found.clique <= rules_.limit, "the required arcs do not fit the limit");
        chosen.order = found.order;
    });
    return chosen;
}

FoundSets SetSearch::found(const ChosenSets& chosen) const {
    FoundSets found{chosen.score, {}, chosen.order};
    for (int v = 0; v < rules_.n; ++v) {
        const auto parents = list(v).parents(chosen.sets[v]);
        found.parents.emplace_back(parents.begin(), parents.end());
    }
    return found;
}

// For each variable the best listed set within its parents.
ChosenSets SetSearch::chosen(const std::vector<ParentSet>& parents, const std::vector<int>& order) const {
    ChosenSets chosen{0, {}, order};
    for (int v = 0; v < rules_.n; ++v) {
        int set = 0;
        while (set < list(v).size() && !std::ranges::includes(parents[v], list(v).parents(set))) ++set;
        require(set < list(v).size(), "a variable has no listed set within its parents");
        chosen.sets.push_back(set);
        chosen.score += list(v).score(set);
    }
    return chosen;
}

double SetSearch::hottest() const {
    Points gap = 0;
    for (int v = 0; v < rules_.n; ++v) gap += list(v).score(0) - list(v).score(first_.sets[v]);
    return heat * static_cast<double>(gap) / rules_.n;
}

} // namespace bnfuse
