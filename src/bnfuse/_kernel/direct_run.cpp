#include "direct_run.hpp"

#include "consensus_bound.hpp"
#include "majority_vote.hpp"
#include "sorting.hpp"
#include "views.hpp"

#include <set>

namespace bnfuse {

namespace {

constexpr Heat first_heat{0.8, 4.0}, second_heat{0.5, 3.5}, third_heat{0.35, 3.1};

constexpr std::int64_t few_arcs = 1'024; // up to this size, there is time for many chains

// Work grows only with the number of arcs that may be added. Few long chains achieve more than many short ones: with
// many arcs, they get all the time, and a second run must be worthwhile.
EffortPlan plan_of(Effort effort, std::int64_t arcs) {
    if (effort == Effort::quick)
        return {2, {first_heat}, std::min(500 * arcs, std::max<std::int64_t>(1'000'000, 100 * arcs)), 1'000'000, 0};
    if (effort == Effort::thorough) {
        const auto moves = std::min<std::int64_t>(150'000 * arcs, 100'000'000);
        return {4, {second_heat}, std::max(moves, 5'000 * arcs), 100'000'000, 5'000};
    }
    if (arcs <= few_arcs) return {6, {first_heat, second_heat, third_heat}, 2'000 * arcs, 6'000'000, 2'000};
    const auto moves = std::max<std::int64_t>(6'000'000, 2'000 * arcs);
    return {2, {first_heat, second_heat}, moves, 6'000'000, 2'000, 0.002};
}

constexpr Heat ruled_heat{1.2, 4.0}; // of a single run under a rule on directions: with fewer arcs, networks get stuck
constexpr int stretches = 50;        // parts of a run, each followed by a step
constexpr std::int64_t polish_after_run = 300, least_polish = 20'000, most_polish = 3'000'000;

Weight worth_of(const ConsensusProblem& problem, const ArcList& arcs) {
    Weight sum = 0;
    for (const auto& [u, v] : arcs) sum += problem.worth(u, v);
    return sum;
}

ScoredNetwork scored_network(const ConsensusProblem& problem, const PairWeights& gain, ArcList arcs,
                             std::vector<int> order) {
    bnfuse::sort(arcs);
    const auto gained = gain_of(problem, gain, arcs), worth = worth_of(problem, arcs);
    return {gained, worth, std::move(arcs), std::move(order)};
}

// The majority vote; for SHD, the one for SMHD if that is closer.
ScoredNetwork best_vote(const ConsensusProblem& problem, const PairWeights& gain) {
    const auto proven = [&](const ConsensusProblem& asked) {
        auto vote = majority_vote(asked, {}, asked.by_arc());
        auto order = proving_order(asked, vote.arcs, &vote.order).order;
        return scored_network(problem, gain, std::move(vote.arcs), std::move(order));
    };
    auto vote = proven(problem);
    if (!problem.by_arc()) return vote;
    auto other_problem = problem;
    other_problem.metric = Metric::smhd;
    auto other = proven(other_problem);
    return other.gain > vote.gain ? other : vote;
}

} // namespace

Floor floor_of(const ConsensusProblem& problem, const Networks& networks, double seconds) {
    const auto gain = problem.gain();
    Floor lowest{best_vote(problem, gain), false};
    Watch clock(nullptr, seconds);
    std::set<ArcList> known;
    std::vector<std::pair<Weight, const ArcList*>> measured; // by minus the gain
    for (const auto& network : networks) {
        if (clock.is_over()) break;
        if (known.insert(network).second) measured.emplace_back(-gain_of(problem, gain, network), &network);
    }
    bnfuse::stable_sort(measured, {}, [](const auto& one) { return one.first; });
    for (const auto& [minus_gain, network] : measured) {
        if (-minus_gain <= lowest.network.gain || clock.is_over()) break;
        const auto within = within_limits(problem, *network);
        if (!within) continue;
        auto order = proving_order(problem, *network, &within->order).order;
        return {scored_network(problem, gain, *network, std::move(order)), true};
    }
    return lowest;
}

DirectRun::DirectRun(const ConsensusProblem& problem, Networks networks, Effort effort, std::uint64_t seed,
                     const ArcList* start)
    : problem_(problem), networks_(std::move(networks)), chains_of_(problem), seed_(seed),
      is_quick_(effort == Effort::quick), empty_(problem.distance_without_arcs()), bound_(consensus_bound(problem, 0)),
      arcs_(arcs_to_search(problem)), plan_(plan_of(effort, arcs_)),
      steps_((stretches + 1) * (static_cast<int>(plan_.heats.size()) + !is_quick_) + (plan_.polish > 0)),
      is_last_pass_(is_quick_) {
    for (const auto& network : networks_) check_arcs(network, problem_.n);
    best_ = scored(chains_of_(1, first_heat, seed, 0)->best()); // the required arcs
    first_ = start ? started(*start) : best_;
}

bool DirectRun::step(int threads, double seconds) {
    switch (stage_) {
    case Stage::floor:
        note(first_);
        note(floor_of(problem_, networks_, seconds).network);
        // A quick pass comes first: a minimum result for a search that is cut, on which the rest does not depend.
        start_pass(plan_of(Effort::quick, arcs_), true);
        return false;
    case Stage::anneal: anneal(threads, seconds); break;
    case Stage::polish: polish(seconds); break;
    case Stage::last:
        polished(best_, polishing(plan_.polish, most_polish), plan_.heats.front(), seconds);
        stage_ = Stage::done;
        break;
    case Stage::done: return false;
    }
    return true;
}

void DirectRun::trim() {
    const auto chain = chains_of_.voting(plan_.heats.front(), seed_);
    chain->start_at(best_.arcs, best_.order);
    chain->tidy();
    note(scored(chain->best()));
}

ScoredNetwork DirectRun::scored(const DirectSearch::Network& network) const {
    return {network.score.gain, worth_of(problem_, network.arcs), network.arcs, network.order};
}

// The required arcs, and those of a network that the limits and constraints allow.
ScoredNetwork DirectRun::started(const ArcList& start) const {
    check_arcs(start, problem_.n);
    if (const auto within = within_limits(problem_, start))
        return scored_network(problem_, chains_of_.gain(), start, within->order);
    const auto chain = chains_of_(1, first_heat, seed_, 0);
    ArcList allowed;
    for (const auto& [u, v] : start)
        if (problem_.said(u, v) & ConsensusProblem::may) allowed.emplace_back(u, v);
    chain->start_from(allowed);
    return scored(chain->best());
}

void DirectRun::start_pass(const EffortPlan& plan, bool is_quick) {
    pass_ = plan;
    is_quick_ = is_quick;
    if (is_quick && problem_.directions != Directions::any && !problem_.by_arc()) pass_.heats = {ruled_heat};
    pass_best_ = first_;
    heat_ = 0;
    start_heat();
}

void DirectRun::start_heat() {
    // Among the arcs of the inputs, those of the majority are faster to optimise: the first of several runs uses these.
    const bool by_majority = problem_.directions == Directions::seen && heat_ == 0 && pass_.heats.size() > 1;
    chains_ = chains_of_(pass_.chains, pass_.heats[heat_], seed_, heat_ * pass_.chains, by_majority);
    chains_->start_at(pass_best_.arcs, pass_best_.order);
    stretch_ = 0;
    gain_before_run_ = pass_best_.gain;
    stage_ = Stage::anneal;
}

void DirectRun::end_pass() {
    chains_.reset();
    if (!is_last_pass_) {
        is_last_pass_ = true;
        start_pass(plan_, false);
    } else {
        stage_ = plan_.polish ? Stage::last : Stage::done;
    }
}

void DirectRun::anneal(int threads, double seconds) {
    const auto moves = pass_.moves;
    const auto begin = moves * stretch_ / stretches, end = moves * (stretch_ + 1) / stretches;
    {
        const Deadline deadline(seconds);
        chains_->anneal(begin, end, moves, threads);
    }
    moves_ += pass_.chains * (end - begin);
    const auto found = scored(chains_->best());
    note(found);
    note_in_pass(found);
    note(pass_best_);
    if (++stretch_ == stretches || is_optimal(pass_best_)) stage_ = Stage::polish;
}

void DirectRun::polish(double seconds) {
    const auto moves = polishing(polish_after_run, pass_.most_moves);
    note_in_pass(polished(pass_best_, moves, pass_.heats[heat_], seconds));
    if (is_optimal(pass_best_) || ++heat_ == pass_.heats.size() || !is_worth_another_run())
        end_pass();
    else
        start_heat();
}

bool DirectRun::is_worth_another_run() const {
    const auto gained = static_cast<double>(pass_best_.gain - gain_before_run_);
    return gained >= pass_.least_gain * static_cast<double>(empty_ - pass_best_.gain);
}

// A network after moves that keep or reduce its distance, and increase the worth of its arcs.
ScoredNetwork DirectRun::polished(const ScoredNetwork& network, std::int64_t moves, Heat heat, double seconds) {
    const auto chain = chains_of_.voting(heat, seed_);
    chain->start_at(network.arcs, network.order);
    {
        const Deadline deadline(seconds);
        chain->polish(moves);
    }
    auto found = scored(chain->best());
    note(found);
    return found;
}

std::int64_t DirectRun::polishing(std::int64_t moves, std::int64_t most) const {
    return std::max(std::min(moves * arcs_, most), least_polish);
}

} // namespace bnfuse
