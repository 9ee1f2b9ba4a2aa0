#include "consensus_problem.hpp"

#include "branching.hpp"
#include "sorting.hpp"
#include "views.hpp"

namespace bnfuse {

namespace {

constexpr double rare = 0.05; // an arc between variables that fewer inputs than this share join is not tried

// By two variables: whether a child may have both as parents, of the pairs that have numbers.
ArcBytes share_a_child(const Pairs& pairs, const ArcBytes& arcs) {
    return with_rows(pairs.n(), [&]<int W>() {
        Rows<W> children(pairs.n());
        pairs.each([&](int u, int v, std::size_t i) {
            if (arcs[i]) children[u].set(v);
        });
        ArcBytes share(pairs.count());
        for (int a = 0; a < pairs.n(); ++a) {
            check_stop();
            pairs.each_of(a, [&](int b, std::size_t i) { share[i] = count_common(children[a], children[b]) > 0; });
        }
        return share;
    });
}

ArcBytes allowed_by(const ConsensusProblem& problem, std::uint8_t rule) {
    const auto& pairs = problem.pairs();
    ArcBytes allowed(pairs.count());
    pairs.each([&](int u, int v, std::size_t i) { allowed[i] = (problem.arcs[i] & rule) && problem.fits(u, v); });
    pairs.each([&](int u, int v, std::size_t i) {
        if (problem.arcs[i] & ConsensusProblem::must) {
            allowed[i] = 1;
            allowed[pairs.find(v, u)] = 0;
        }
    });
    return allowed;
}

// Removes, for SMHD, the arcs that never improve a network; see the header.
class Usefulness {
public:
    Usefulness(const ConsensusProblem& problem, ArcBytes& useful)
        : problem_(problem), pairs_(problem.pairs()), gain_(problem.gain()),
          others_(std::max(problem.max_parents() - 1, 0)), useful_(useful) {}

    void operator()() {
        for (bool is_asked = true; is_asked;) {
            is_asked = false;
            stays_ = others_ ? share_a_child(pairs_, useful_) : ArcBytes(useful_.size());
            for (int child = 0; child < problem_.n; ++child) is_asked |= leave_out(child);
        }
    }

private:
    const ConsensusProblem& problem_;
    const Pairs& pairs_;
    PairWeights gain_;
    int others_;
    ArcBytes& useful_;
    ArcBytes stays_;
    std::vector<int> parents_;
    std::vector<std::ptrdiff_t> places_, gone_; // of their arcs
    std::vector<Weight> married_;

    bool leave_out(int child) {
        check_stop();
        parents_.clear();
        places_.clear();
        gone_.clear();
        pairs_.each_of(child, [&](int u, std::size_t) {
            const auto arc = pairs_.find(u, child);
            if (!useful_[arc]) return;
            parents_.push_back(u);
            places_.push_back(arc);
        });
        for (std::size_t i = 0; i < parents_.size(); ++i) {
            const auto arc = places_[i];
            if (problem_.arcs[arc] & ConsensusProblem::must) continue;
            auto own = gain_[arc];
            if (stays_[arc]) own = std::max<Weight>(own, 0);
            if (own < 0 && own + most_married(parents_[i]) < 0) gone_.push_back(arc);
        }
        for (const auto arc : gone_) useful_[arc] = 0;
        return !gone_.empty();
    }

    Weight most_married(int u) {
        married_.clear();
        for (const int other : parents_)
            if (const auto gain = other == u ? 0 : std::as_const(gain_)(u, other); gain > 0) married_.push_back(gain);
        const auto most = std::min<std::size_t>(others_, married_.size());
        std::ranges::nth_element(married_, married_.begin() + static_cast<std::ptrdiff_t>(most), std::greater{});
        Weight sum = 0;
        for (std::size_t i = 0; i < most; ++i) sum += married_[i];
        return sum;
    }
};

ArcBytes useful_of(const ConsensusProblem& problem, ArcBytes useful) {
    if (!problem.by_arc()) {
        Usefulness{problem, useful}();
        return useful;
    }
    const auto gain = problem.gain();
    for (std::size_t i = 0; i < useful.size(); ++i)
        useful[i] = (useful[i] && gain[i] > 0) || (problem.arcs[i] & ConsensusProblem::must);
    return useful;
}

// Among the allowed arcs, those that may be of use, and 2 for those that must stay.
ArcBytes rules_of(const ConsensusProblem& problem, const ArcBytes& allowed, bool is_ruled) {
    ArcBytes rules(allowed.size());
    const bool asks_use = problem.metric == Metric::smhd && is_ruled;
    const auto useful = asks_use ? useful_of(problem, allowed) : ArcBytes();
    const auto gain = problem.by_arc() ? problem.gain() : PairWeights();
    const auto& votes = problem.references;
    const double least = problem.is_listed ? 0 : rare; // a rare arc may replace others
    for (std::size_t i = 0; i < rules.size(); ++i) {
        // No other arc makes up for the cost of an arc: a network without it is allowed too, and closer.
        const bool is_worth_it = problem.by_arc() ? gain[i] >= 0
                                 : asks_use
                                     ? useful[i] != 0
                                     : static_cast<double>(votes.moral[i]) > least * static_cast<double>(votes.seen[i]);
        rules[i] =
            static_cast<std::uint8_t>((allowed[i] && is_worth_it ? 1 : 0) | (problem.arcs[i] & ConsensusProblem::must));
    }
    return rules;
}

} // namespace

void ConsensusProblem::check() const {
    checked_count(n);
    const auto& common = pairs();
    require(n <= most_in_rows || !common.are_all(), "so many variables have numbers for some pairs only");
    require(arcs.size() == common.count(), "rules are given by pairs of variables");
    for (const auto rule : arcs) require(rule < 8, "a rule is 0 to 7");
    for (int v = 0; v < n && common.are_all(); ++v) require(!said(v, v), "a variable cannot be its own parent");
    for (const auto* numbers :
         {&inputs.arcs, &inputs.seen, &references.arcs, &references.moral, &references.seen, &oriented, &worth})
        require(numbers->size() == n && numbers->pairs() == common, "numbers are given by pairs of variables");
    for (const auto* votes : {&inputs, &references})
        require(0 <= votes->weight && votes->weight <= largest_total, "the weights add up to more than 2^38");
    require(limit >= 1 && wanted_parents >= -1, "the limits are too small for any network");
    check_tables(tables(), n);
}

PairWeights ConsensusProblem::own_worth(const PairWeights& oriented, const PairWeights& seen) {
    PairWeights worth(oriented.pairs());
    for (std::size_t i = 0; i < worth.pairs().count(); ++i) worth[i] = 4 * oriented[i] - 2 * seen[i] + 1;
    return worth;
}

PairWeights ConsensusProblem::gain() const {
    PairWeights gain(pairs());
    const auto& [arcs_of, moral, seen, weight, is_whole] = references;
    pairs().each([&](int u, int v, std::size_t i) {
        gain[i] = (by_arc() ? 2 * arcs_of[i] + arcs_of(v, u) : 2 * moral[i]) - seen[i];
    });
    gain.set_elsewhere(0, -1, see_others);
    return gain;
}

Weight ConsensusProblem::distance_without_arcs() const {
    Weight sum = 0;
    pairs().each([&](int u, int v, std::size_t i) {
        sum += by_arc() ? references.arcs[i] : u < v ? references.moral[i] : Weight{0};
    });
    return sum;
}

double ConsensusProblem::unit() const {
    Weight sum = 0, count = 0;
    for (std::size_t i = 0; i < pairs().count() && !references.is_whole; ++i)
        if (references.moral[i] > 0) {
            sum += references.seen[i];
            ++count;
        }
    if (!count) return static_cast<double>(references.weight);
    return static_cast<double>(sum) / static_cast<double>(count);
}

int most_members(std::vector<std::uint64_t> counts, std::uint64_t most) {
    bnfuse::sort(counts);
    std::uint64_t size = 1;
    for (std::size_t i = 0; i < counts.size(); ++i) {
        if (size > most / counts[i]) return static_cast<int>(i);
        size *= counts[i];
    }
    return static_cast<int>(counts.size());
}

ArcBytes allowed_arcs(const ConsensusProblem& problem) { return allowed_by(problem, ConsensusProblem::may); }

ArcBytes useful_arcs(const ConsensusProblem& problem) { return useful_of(problem, allowed_arcs(problem)); }

ArcBytes arc_rules(const ConsensusProblem& problem) {
    return rules_of(problem, allowed_arcs(problem), problem.directions != Directions::any);
}

int arcs_to_search(const ConsensusProblem& problem) {
    int count = 0;
    for (const auto rule : rules_of(problem, allowed_by(problem, ConsensusProblem::may_any_way), false))
        count += rule & 1;
    return count;
}

ArcBytes possible_edges(const ConsensusProblem& problem) {
    const auto& pairs = problem.pairs();
    ArcBytes allowed(pairs.count());
    pairs.each([&](int u, int v, std::size_t i) { // if an arc is required, its reverse is absent
        allowed[i] = (problem.arcs[i] & ConsensusProblem::may) && problem.fits(u, v) &&
                     !(problem.said(v, u) & ConsensusProblem::must);
    });
    const bool may_marry = problem.wanted_parents < 0 || problem.wanted_parents > 1;
    auto possible = !may_marry                               ? ArcBytes(pairs.count())
                    : problem.others & ConsensusProblem::may ? ArcBytes(pairs.count(), 1)
                                                             : share_a_child(pairs, allowed);
    pairs.each([&](int a, int b, std::size_t i) {
        possible[i] = (possible[i] || allowed[i] || allowed[pairs.find(b, a)]) && problem.fits(a, b);
    });
    return possible;
}

ArcBytes forced_edges(const ConsensusProblem& problem) {
    const auto& pairs = problem.pairs();
    ArcBytes forced(pairs.count());
    std::vector<std::vector<int>> families(problem.n);
    pairs.each([&](int u, int v, std::size_t i) {
        if (problem.arcs[i] & ConsensusProblem::must) families[v].push_back(u);
    });
    for (int v = 0; v < problem.n; ++v) {
        families[v].push_back(v);
        for (const int a : families[v])
            for (const int b : families[v])
                if (const auto i = a == b ? -1 : pairs.find(a, b); i >= 0) forced[i] = 1;
    }
    return forced;
}

ArcList best_branching(const ConsensusProblem& problem) {
    const auto gain = problem.gain();
    const auto rules = arc_rules(problem);
    std::vector<WeightedArc> arcs;
    problem.pairs().each([&](int u, int v, std::size_t i) {
        if (rules[i]) arcs.push_back({u, v, gain[i], problem.worth[i], (rules[i] & 2) != 0});
    });
    const auto parent = MaximumBranching<>(problem.n, arcs)();
    ArcList chosen;
    for (int v = 0; v < problem.n; ++v)
        if (parent[v] >= 0) chosen.emplace_back(parent[v], v);
    bnfuse::sort(chosen);
    return chosen;
}

Weight gain_of(const ConsensusProblem& problem, const PairWeights& gain, const ArcList& arcs) {
    Weight sum = 0;
    if (problem.by_arc()) {
        for (const auto& [u, v] : arcs) sum += gain(u, v);
        return sum;
    }
    return with_rows(problem.n, [&]<int W>() {
        Rows<W> parents(problem.n);
        for (const auto& [u, v] : arcs) parents[v].set(u);
        const auto moral = moral_graph(parents);
        for (int a = 0; a < problem.n; ++a)
            moral[a].each([&](int b) {
                if (a < b) sum += gain(a, b);
            });
        return sum;
    });
}

} // namespace bnfuse
