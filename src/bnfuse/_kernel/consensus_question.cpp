#include "consensus_question.hpp"

#include "sorting.hpp"
#include "turning.hpp"
#include "views.hpp"

namespace bnfuse {

namespace {

Votes votes_of(const ConsensusQuestion& question) {
    const int n = question.n;
    Votes votes{PairWeights(n), PairWeights(n), PairWeights(n)};
    for (const auto& input : question.inputs) {
        require(0 < input.weight && input.weight <= largest_total, "a weight is neither negative nor above 2^38");
        require((votes.weight += input.weight) <= largest_total, "the weights add up to more than 2^38");
        check_arcs(input.arcs, n);
        votes.is_whole &= static_cast<int>(input.variables.size()) == n;
        for (const int a : input.variables)
            for (const int b : input.variables) {
                require(0 <= a && a < n && 0 <= b && b < n, "an input has other variables");
                votes.seen(a, b) += input.weight;
            }
        with_words(n, [&]<int W>() {
            Rows<W> parents(n);
            for (const auto& [u, v] : input.arcs) {
                parents[v].set(u);
                votes.arcs(u, v) += input.weight;
            }
            require(find_cycle(parents).empty(), has_a_cycle);
            const auto moral = moral_graph(parents);
            for (int a = 0; a < n; ++a) moral[a].each([&](int b) { votes.moral(a, b) += input.weight; });
        });
    }
    return votes;
}

bool keeps_to(Directions directions, const PairWeights& arcs, int u, int v) {
    if (directions == Directions::any) return true;
    return arcs(u, v) > 0 && (directions == Directions::seen || arcs(u, v) >= arcs(v, u));
}

ArcBytes rules_of(const ConsensusQuestion& question, const Votes& votes) {
    const int n = question.n;
    const auto at = [n](int u, int v) { return static_cast<std::size_t>(u) * n + v; };
    constexpr auto may = ConsensusProblem::may, must = ConsensusProblem::must, any_way = ConsensusProblem::may_any_way;
    ArcBytes rules(at(n, 0));
    for (int u = 0; u < n; ++u)
        for (int v = 0; v < n; ++v) {
            if (u == v || !votes.seen(u, v)) continue; // a pair that no input has is joined only on request
            rules[at(u, v)] =
                keeps_to(question.directions, votes.arcs, u, v) ? static_cast<std::uint8_t>(may | any_way) : any_way;
        }
    for (const auto& [u, v] : question.required) rules[at(u, v)] = static_cast<std::uint8_t>(may | must | any_way);
    for (const auto& [u, v] : question.forbidden) rules[at(u, v)] &= must;
    for (int u = 0; u < n; ++u)
        for (int v = 0; v < n; ++v)
            if (0 <= question.tiers[v] && question.tiers[v] < question.tiers[u]) rules[at(u, v)] &= must;
    for (const auto rule : rules)
        require(!(rule & must) || (rule & may),
                "a required arc is forbidden, or goes from a later tier to an earlier one");
    return rules;
}

// The clique limit implied by the limit on tables.
int limit_of(const ConsensusQuestion& question) {
    const int limit = std::min(question.limit, max_variables);
    if (question.states.empty()) return limit;
    for (const auto count : question.states)
        require(1 <= count && count <= question.max_table, "the table of a single variable is over the limit");
    return std::min(limit, std::max(most_members(question.states, question.max_table), 2));
}

} // namespace

ConsensusProblem problem_of(const ConsensusQuestion& question) {
    const int n = checked_size(static_cast<std::size_t>(std::max(question.n, 0)));
    require(!question.inputs.empty(), "there are no graphs");
    require(question.limit >= 2, "the limits are too small for any network");
    require(question.tiers.size() == static_cast<std::size_t>(n), "each variable has a tier, or -1");
    require(question.states.empty() || question.states.size() == static_cast<std::size_t>(n),
            "each variable has a number of states");
    check_arcs(question.required, n);
    check_arcs(question.forbidden, n);
    auto votes = votes_of(question);
    const bool has_tiers = std::ranges::any_of(question.tiers, [](int tier) { return tier >= 0; });
    const bool is_listed =
        has_tiers || !question.required.empty() || !question.forbidden.empty() || question.wanted_parents >= 0;
    auto rules = rules_of(question, votes);
    auto worth = ConsensusProblem::own_worth(votes.arcs, votes.seen);
    ConsensusProblem problem{n,
                             limit_of(question),
                             question.wanted_parents,
                             question.metric,
                             question.directions,
                             is_listed,
                             votes,
                             votes,
                             votes.arcs,
                             std::move(worth),
                             std::move(rules),
                             question.states,
                             question.max_table};
    problem.check();
    if (!question.required.empty())
        require(proving_order(problem, question.required).is_within(problem),
                "the required arcs alone seem to need a clique, or a clique table, over the limit");
    return problem;
}

ConsensusAnswer::ConsensusAnswer(const ConsensusQuestion& question, Effort effort, std::uint64_t seed)
    : problem_(problem_of(question)) {
    require(problem_.metric != Metric::fsim, "this search is for SMHD and SHD");
    if (question.inputs.size() == 1 && !problem_.is_listed) {
        known_ = question.inputs.front().arcs;
        if (proving_order(problem_, known_).is_within(problem_)) {
            is_given_ = true;
            return;
        }
    }
    if (problem_.max_parents() == 1) {
        known_ = best_branching(problem_);
        return;
    }
    Networks networks;
    for (const auto& input : question.inputs) networks.push_back(input.arcs);
    run_ = std::make_unique<DirectRun>(problem_, std::move(networks), effort, seed);
}

void ConsensusAnswer::step(double seconds) {
    if (!is_done()) steps_done_ += run_->step(1, seconds);
}

ConsensusAnswer::Network ConsensusAnswer::best() const {
    if (!run_) return network(known_, proving_order(problem_, known_));
    return network(run_->best().arcs, proven_along(problem_, run_->best().arcs, run_->best().order));
}

ConsensusAnswer::Network ConsensusAnswer::finished() {
    if (is_given_) return best();
    if (run_) run_->trim();
    const auto& arcs = run_ ? run_->best().arcs : known_;
    auto proof = proving_order(problem_, arcs, run_ ? &run_->best().order : nullptr);
    return network(turned_to_support(problem_, arcs), std::move(proof));
}

ConsensusAnswer::Network ConsensusAnswer::network(ArcList arcs, ProvingOrder proof) const {
    bnfuse::sort(arcs);
    return {problem_.distance_without_arcs() - gain_of(problem_, problem_.gain(), arcs), std::move(arcs),
            std::move(proof)};
}

} // namespace bnfuse
