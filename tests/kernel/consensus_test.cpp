// Whole searches, as pages run them: what they say of their network, against the network itself.
#include "consensus_question.hpp"
#include "testing.hpp"
#include "turning.hpp"

using namespace bnfuse;
using namespace bnfuse::testing;

namespace {

ArcList arcs_of(const Rows<1>& parents) {
    ArcList arcs;
    for (int v = 0; v < static_cast<int>(parents.size()); ++v) parents[v].each([&](int u) { arcs.emplace_back(u, v); });
    std::ranges::sort(arcs);
    return arcs;
}

ConsensusQuestion random_question(int n, Random& random) {
    ConsensusQuestion question{};
    question.n = n;
    question.limit = 2 + static_cast<int>(random.below(4));
    question.wanted_parents = static_cast<int>(random.below(4)) - 1;
    question.metric = random.below(2) ? Metric::smhd : Metric::shd;
    question.directions = static_cast<Directions>(random.below(3));
    question.tiers.assign(n, -1);
    std::vector<int> all(n);
    std::iota(all.begin(), all.end(), 0);
    for (int i = 0; i < 4; ++i)
        question.inputs.push_back(
            {1 + static_cast<Weight>(random.below(3)), all, arcs_of(random_dag<1>(n, 2 * n, random))});
    return question;
}

// The summed distance to all inputs, pair by pair.
Weight distance_of(const ConsensusQuestion& question, const ArcList& arcs) {
    const auto joins = [&](const ArcList& one) {
        Rows<1> parents(question.n);
        for (const auto& [u, v] : one) parents[v].set(u);
        return std::pair(parents, moral_graph(parents));
    };
    const auto [own, own_moral] = joins(arcs);
    Weight sum = 0;
    for (const auto& input : question.inputs) {
        const auto [other, other_moral] = joins(input.arcs);
        for (int a = 0; a < question.n; ++a)
            for (int b = a + 1; b < question.n; ++b) {
                const bool differs = question.metric == Metric::shd
                                         ? own[a].test(b) != other[a].test(b) || own[b].test(a) != other[b].test(a)
                                         : own_moral[a].test(b) != other_moral[a].test(b);
                sum += differs ? input.weight : 0;
            }
    }
    return sum;
}

void run() {
    Random random(39, 0);
    for (const int n : {1, 2, 5, 9, 14}) {
        const auto question = random_question(n, random);
        const auto problem = problem_of(question);
        ConsensusAnswer answer(question, Effort::quick, 7);
        while (!answer.is_done()) answer.step(HUGE_VAL);
        const auto found = answer.finished();
        CHECK(n, found.proof.is_within(problem));
        CHECK(n, found.distance == distance_of(question, found.arcs));
        CHECK(n, answer.bound() <= found.distance);
        CHECK(n, turned_to_support(problem, found.arcs) == found.arcs);
        for (const auto& [u, v] : found.arcs) CHECK(n, problem.said(u, v) & ConsensusProblem::may);

        Networks networks;
        for (const auto& input : question.inputs) networks.push_back(input.arcs);
        const auto searched = [&](int threads) {
            DirectRun search(problem, networks, Effort::quick, 7);
            while (!search.is_done()) search.step(threads, HUGE_VAL);
            return search.best().arcs;
        };
        CHECK(n, searched(1) == searched(3));
        DirectRun cut(problem, networks, Effort::quick, 7);
        cut.step(1, 0);
        CHECK(n, cut.distance() <= problem.distance_without_arcs());
    }
    auto clash = random_question(4, random);
    clash.required = clash.forbidden = {{0, 1}};
    CHECK(4, throws<std::invalid_argument>([&] { problem_of(clash); }));
    clash.forbidden.clear();
    clash.tiers = {1, 0, -1, -1};
    CHECK(4, throws<std::invalid_argument>([&] { problem_of(clash); }));
}

const Suite suite("consensus", run);

} // namespace
