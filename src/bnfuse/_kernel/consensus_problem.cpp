#include "consensus_problem.hpp"

#include "branching.hpp"
#include "sorting.hpp"
#include "views.hpp"

namespace bnfuse {

namespace {

constexpr double rare = 0.05; // an arc between variables that fewer inputs than this share join is not tried

// By two variables: whether a child may have both as parents.
std::vector<std::uint8_t> share_a_child(int n, const ArcBytes& arcs) {
    return with_words(n, [&]<int W>() {
        Rows<W> children(n);
        for (int u = 0; u < n; ++u)
            for (int v = 0; v < n; ++v) children[u].set_if(v, arcs[static_cast<std::size_t>(u) * n + v]);
        std::vector<std::uint8_t> share(static_cast<std::size_t>(n) * n);
        for (int a = 0; a < n; ++a) {
            check_stop();
            for (int b = 0; b < n; ++b) share[static_cast<std::size_t>(a) * n + b] = (children[a] & children[b]).any();
        }
        return share;
    });
}

ArcBytes allowed_by(const ConsensusProblem& problem, std::uint8_t rule) {
    const int n = problem.n;
    ArcBytes allowed(static_cast<std::size_t>(n) * n);
    for (int u = 0; u < n; ++u)
        for (int v = 0; v < n; ++v)
            allowed[static_cast<std::size_t>(u) * n + v] = (problem.said(u, v) & rule) && problem.fits(u, v);
    for (int u = 0; u < n; ++u)
        for (int v = 0; v < n; ++v)
            if (problem.said(u, v) & ConsensusProblem::must) {
                allowed[static_cast<std::size_t>(u) * n + v] = 1;
                allowed[static_cast<std::size_t>(v) * n + u] = 0;
            }
    return allowed;
}

// Takes out, for SMHD, the arcs that a network is always better without; see the header.
class Usefulness {
public:
    Usefulness(const ConsensusProblem& problem, ArcBytes& useful)
        : problem_(problem), gain_(problem.gain()), n_(problem.n), others_(std::max(problem.max_parents() - 1, 0)),
          useful_(useful) {}

    void operator()() {
        for (bool is_asked = true; is_asked;) {
            is_asked = false;
            stays_ = others_ ? share_a_child(n_, useful_) : ArcBytes(useful_.size());
            for (int child = 0; child < n_; ++child) is_asked |= leave_out(child);
        }
    }

private:
    const ConsensusProblem& problem_;
    PairWeights gain_;
    int n_, others_;
    ArcBytes& useful_;
    ArcBytes stays_;
    std::vector<int> parents_, gone_;
    std::vector<Weight> married_;

    std::size_t at(int u, int v) const { return static_cast<std::size_t>(u) * n_ + v; }

    bool leave_out(int child) {
        check_stop();
        parents_.clear();
        gone_.clear();
        for (int u = 0; u < n_; ++u)
            if (useful_[at(u, child)]) parents_.push_back(u);
        for (const int u : parents_) {
            if (problem_.said(u, child) & ConsensusProblem::must) continue;
            auto own = gain_(u, child);
            if (stays_[at(u, child)]) own = std::max<Weight>(own, 0);
            if (own < 0 && own + most_married(u) < 0) gone_.push_back(u);
        }
        for (const int u : gone_) useful_[at(u, child)] = 0;
        return !gone_.empty();
    }

    Weight most_married(int u) {
        married_.clear();
        for (const int other : parents_)
            if (other != u && gain_(u, other) > 0) married_.push_back(gain_(u, other));
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
    for (int u = 0; u < problem.n; ++u)
        for (int v = 0; v < problem.n; ++v) {
            auto& arc = useful[static_cast<std::size_t>(u) * problem.n + v];
            arc = (arc && gain(u, v) > 0) || (problem.said(u, v) & ConsensusProblem::must);
        }
    return useful;
}

// Of the allowed arcs those that may be of any use, and 2 for those that must stay.
ArcBytes rules_of(const ConsensusProblem& problem, const ArcBytes& allowed, bool is_ruled) {
    const int n = problem.n;
    ArcBytes rules(allowed.size());
    const bool asks_use = problem.metric == Metric::smhd && is_ruled;
    const auto useful = asks_use ? useful_of(problem, allowed) : ArcBytes();
    const auto gain = problem.by_arc() ? problem.gain() : PairWeights();
    const auto& votes = problem.references;
    const double least = problem.is_listed ? 0 : rare; // a rare arc may stand in for others
    for (int u = 0; u < n; ++u)
        for (int v = 0; v < n; ++v) {
            const auto i = static_cast<std::size_t>(u) * n + v;
            // What an arc costs, no other arc makes up for: a network without it is as good and closer.
            const bool is_worth_it =
                problem.by_arc() ? gain(u, v) >= 0
                : asks_use ? useful[i] != 0
                           : static_cast<double>(votes.moral(u, v)) > least * static_cast<double>(votes.seen(u, v));
            rules[i] = static_cast<std::uint8_t>((allowed[i] && is_worth_it ? 1 : 0) |
                                                 (problem.said(u, v) & ConsensusProblem::must));
        }
    return rules;
}

} // namespace

void ConsensusProblem::check() const {
    checked_size(static_cast<std::size_t>(std::max(n, 0)));
    const auto pairs = static_cast<std::size_t>(n) * n;
    require(arcs.size() == pairs, "rules are given by pairs of variables");
    for (const auto rule : arcs) require(rule < 8, "a rule is 0 to 7");
    for (int v = 0; v < n; ++v) require(!said(v, v), "a variable cannot be its own parent");
    for (const auto* numbers :
         {&inputs.arcs, &inputs.seen, &references.arcs, &references.moral, &references.seen, &oriented, &worth})
        require(numbers->size() == n, "numbers are given by pairs of variables");
    for (const auto* votes : {&inputs, &references})
        require(0 <= votes->weight && votes->weight <= largest_total, "the weights add up to more than 2^38");
    require(limit >= 1 && wanted_parents >= -1, "the limits are too small for any network");
    check_tables(tables(), n);
}

PairWeights ConsensusProblem::own_worth(const PairWeights& oriented, const PairWeights& seen) {
    const int n = oriented.size();
    PairWeights worth(n);
    for (int u = 0; u < n; ++u)
        for (int v = 0; v < n; ++v) worth(u, v) = 4 * oriented(u, v) - 2 * seen(u, v) + 1;
    return worth;
}

PairWeights ConsensusProblem::gain() const {
    PairWeights gain(n);
    const auto& [arcs_of, moral, seen, weight, is_whole] = references;
    for (int u = 0; u < n; ++u)
        for (int v = 0; v < n; ++v)
            gain(u, v) = (by_arc() ? 2 * arcs_of(u, v) + arcs_of(v, u) : 2 * moral(u, v)) - seen(u, v);
    return gain;
}

Weight ConsensusProblem::distance_without_arcs() const {
    Weight sum = 0;
    for (int u = 0; u < n; ++u)
        for (int v = 0; v < n; ++v)
            sum += by_arc() ? references.arcs(u, v) : u < v ? references.moral(u, v) : Weight{0};
    return sum;
}

double ConsensusProblem::unit() const {
    Weight sum = 0, count = 0;
    for (int u = 0; u < n && !references.is_whole; ++u)
        for (int v = 0; v < n; ++v)
            if (references.moral(u, v) > 0) {
                sum += references.seen(u, v);
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
    const int n = problem.n;
    ArcBytes allowed(static_cast<std::size_t>(n) * n);
    const auto at = [n](int u, int v) { return static_cast<std::size_t>(u) * n + v; };
    for (int u = 0; u < n; ++u)
        for (int v = 0; v < n; ++v) // where an arc is required, its reverse is not there
            allowed[at(u, v)] = (problem.said(u, v) & ConsensusProblem::may) && problem.fits(u, v) &&
                                !(problem.said(v, u) & ConsensusProblem::must);
    auto possible =
        problem.wanted_parents < 0 || problem.wanted_parents > 1 ? share_a_child(n, allowed) : ArcBytes(allowed.size());
    for (int a = 0; a < n; ++a)
        for (int b = 0; b < n; ++b)
            possible[at(a, b)] = (possible[at(a, b)] || allowed[at(a, b)] || allowed[at(b, a)]) && problem.fits(a, b);
    return possible;
}

ArcBytes forced_edges(const ConsensusProblem& problem) {
    const int n = problem.n;
    ArcBytes forced(static_cast<std::size_t>(n) * n);
    std::vector<int> family;
    for (int v = 0; v < n; ++v) {
        family.assign(1, v);
        for (int u = 0; u < n; ++u)
            if (problem.said(u, v) & ConsensusProblem::must) family.push_back(u);
        for (const int a : family)
            for (const int b : family) forced[static_cast<std::size_t>(a) * n + b] |= a != b;
    }
    return forced;
}

ArcList best_branching(const ConsensusProblem& problem) {
    const auto gain = problem.gain();
    const auto rules = arc_rules(problem);
    std::vector<WeightedArc> arcs;
    for (int u = 0; u < problem.n; ++u)
        for (int v = 0; v < problem.n; ++v)
            if (const auto rule = rules[static_cast<std::size_t>(u) * problem.n + v])
                arcs.push_back({u, v, gain(u, v), problem.worth(u, v), (rule & 2) != 0});
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
    return with_words(problem.n, [&]<int W>() {
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
