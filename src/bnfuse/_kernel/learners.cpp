// The Python interface of the kernel: learning from data.
#include "available_cases.hpp"
#include "gaussian_learner.hpp"
#include "python.hpp"
#include "structure_learner.hpp"

using namespace bnfuse;

namespace {

// It is never changed: several calls may use it at the same time.
using Columns = In<std::uint16_t, nb::ndim<2>>;
using RowUnits = In<std::uint32_t, nb::ndim<1>>;
using RowNumbers = nb::ndarray<nb::numpy, std::uint32_t, nb::ndim<1>>;
// (score, parents, elimination order that proves the clique size if it has a limit, how it ended: "finished", "time
// limit" or "interrupted")
using LearnedTuple = std::tuple<double, NewDag, std::vector<int>, std::string>;
// (score, parents, a score that no network without limits exceeds, whether the proof was finished)
using ProvedTuple = std::tuple<double, NewDag, double, bool>;
using SetEnds = In<std::int64_t, nb::ndim<1>>;

using EffortTuple = std::tuple<int, int, int>; // rounds, chains, moves

SetEffort effort_of(const EffortTuple& effort) {
    return {std::get<0>(effort), std::get<1>(effort), std::get<2>(effort)};
}

// `states` are empty if tables have no limit.
SetRules set_rules(int n, const Rules& rules, int limit, int max_parents, const WeightsIn& states,
                   std::uint64_t max_table) {
    require(limit >= 1 && max_parents >= 0, "the limits are too small for any network");
    limit = std::min(limit, n);
    SetRules own{n, limit, std::min(max_parents, limit - 1), rules_of(rules, n)};
    if (max_table) own.tables = TableLimit(list<std::uint64_t>(states), max_table, limit);
    check_tables(own.tables, n);
    return own;
}

NewDag dag_of(const std::vector<std::vector<int>>& parents) {
    const auto n = parents.size(), words = (n + 63) / 64;
    auto rows = std::make_unique<std::uint64_t[]>(n * words);
    for (std::size_t v = 0; v < n; ++v)
        for (const int u : parents[v]) rows[v * words + u / 64] |= std::uint64_t{1} << (u % 64);
    return owned<NewDag>(std::move(rows), {n, words});
}

// From data

void make_structure_learner(StructureLearner* self, const Columns& columns, const WeightsIn& states,
                            const std::string& score, double sample_size, std::uint64_t largest_family,
                            const Rules& rules, int limit, int max_parents, std::uint64_t max_table, bool anneals,
                            int tabu, int restarts, const EffortTuple& effort, const RowUnits& units,
                            std::uint32_t unit, const RowUnits& groups) {
    const int n = checked_size(columns.shape(0));
    const ScoreRule rule{one_of<ScoreKind>(score, {{"bic", ScoreKind::bic},
                                                   {"aic", ScoreKind::aic},
                                                   {"bdeu", ScoreKind::bdeu},
                                                   {"loglik", ScoreKind::log_likelihood}}),
                         sample_size, largest_family};
    LearnSetup setup{
        set_rules(n, rules, limit, max_parents, states, max_table), anneals, {tabu, restarts}, effort_of(effort)};
    RowWeights weights{list<std::uint32_t>(units), unit, list<std::uint32_t>(groups)};
    auto data = interruptible([&] {
        return DiscreteData(columns.data(), columns.shape(0), columns.shape(1), list<int>(states), std::move(weights));
    });
    new (self) StructureLearner(std::move(data), rule, std::move(setup));
}

using Cells = In<double, nb::ndim<2>>;

void make_gaussian_learner(GaussianLearner* self, const Cells& cells, const std::string& score, double prior_rows,
                           double prior_freedom, const Rules& rules, int limit, int max_parents, bool anneals, int tabu,
                           int restarts, const EffortTuple& effort, std::size_t all_families, const RowUnits& units,
                           std::uint32_t unit, const RowUnits& groups) {
    const int n = checked_size(cells.shape(1));
    const GaussianRule rule{one_of<GaussianKind>(score, {{"bic-g", GaussianKind::bic}, {"bge", GaussianKind::bge}}),
                            prior_rows, prior_freedom};
    LearnSetup setup{
        set_rules(n, rules, limit, max_parents, {}, 0), anneals, {tabu, restarts}, effort_of(effort), all_families};
    RowWeights weights{list<std::uint32_t>(units), unit, list<std::uint32_t>(groups)};
    auto learner = interruptible([&] {
        GaussianData data(cells.data(), cells.shape(1), cells.shape(0), std::move(weights));
        return GaussianLearner(std::move(data), rule, std::move(setup));
    });
    new (self) GaussianLearner(std::move(learner));
}

LearnedTuple tuple_of(LearnedNetwork network, bool interrupted = false) {
    auto ended = std::string(network.finished ? "finished" : interrupted ? "interrupted" : "time limit");
    return {network.score, dag_of(network.parents), std::move(network.order), std::move(ended)};
}

template <class Learner> LearnedTuple learned(const Learner& self, std::uint64_t seed, int threads, double seconds) {
    auto [network, interrupted] = interruptible_best([&] { return self.learned(seed, threads); }, seconds);
    return tuple_of(std::move(network), interrupted);
}

template <class Learner> ProvedTuple proved(const Learner& self, const std::vector<std::vector<int>>& known,
                                            std::size_t most_sets, std::size_t most_nodes, double seconds) {
    auto proof = interruptible([&] { return self.proved(known, most_sets, most_nodes); }, seconds);
    return {proof.best.score, dag_of(proof.best.parents), proof.bound, proof.is_whole};
}

// Those before the first unfinished one.
template <class Learner> std::vector<LearnedTuple>
resampled(const Learner& self, std::uint64_t seed, std::uint64_t first, int count, int threads, double seconds) {
    auto networks = interruptible([&] { return self.resampled(seed, first, count, threads); }, seconds);
    std::vector<LearnedTuple> tuples;
    for (auto& network : networks) {
        if (!network.finished) break;
        tuples.push_back(tuple_of(std::move(network)));
    }
    return tuples;
}

RowNumbers drawn(std::uint64_t seed, std::uint64_t resample, std::uint32_t bound, std::uint32_t number) {
    require(1 <= bound && bound <= RowDraws::most_units, "draws are of 1 to 2^31 units");
    auto numbers = std::make_unique<std::uint32_t[]>(number);
    std::generate_n(numbers.get(), number, Draws(seed, resample, bound));
    return owned<RowNumbers>(std::move(numbers), {number});
}

// The common part of learners from data.
template <class Learner> void bind_methods(nb::class_<Learner>& learner) {
    learner.def("learned", learned<Learner>, nb::arg("seed"), nb::arg("threads"), nb::arg("seconds") = HUGE_VAL)
        .def("proved", proved<Learner>, nb::arg("known"), nb::arg("most_sets"), nb::arg("most_nodes"),
             nb::arg("seconds") = HUGE_VAL)
        .def("resampled", resampled<Learner>, nb::arg("seed"), nb::arg("first"), nb::arg("count"), nb::arg("threads"),
             nb::arg("seconds") = HUGE_VAL)
        .def(
            "family_score",
            [](const Learner& self, int child, const std::vector<int>& parents) {
                return interruptible([&] { return self.family_score(child, parents); });
            },
            nb::arg("child"), nb::arg("parents"))
        .def(
            "network_score",
            [](const Learner& self, const std::vector<std::vector<int>>& parents) {
                return interruptible([&] { return self.network_score(parents); });
            },
            nb::arg("parents"));
}

// From lists of scores

// The sets of all variables one after the other: their scores, the ends of their members, and the members; `ends` has
// the ends of each variable's sets.
void make_set_search(SetSearch* self, const SetEnds& ends, const Reals& scores, const SetEnds& member_ends,
                     const OrderIn& members, const Rules& rules, int limit, int max_parents, const WeightsIn& states,
                     std::uint64_t max_table, const EffortTuple& effort, std::uint64_t seed) {
    const int n = checked_size(ends.shape(0));
    const auto own = set_rules(n, rules, limit, max_parents, states, max_table);
    require(scores.shape(0) == member_ends.shape(0), "each set has a score");
    double largest = 1;
    for (std::size_t i = 0; i < scores.shape(0); ++i) {
        require(std::isfinite(scores.data()[i]), "a score is a number");
        largest = std::max(largest, std::abs(scores.data()[i]));
    }
    double units = 1ull << 40;
    while (units * largest * n > static_cast<double>(1ull << 60)) units /= 2;
    std::vector<SetList> lists;
    std::int64_t set = 0, member = 0;
    for (int v = 0; v < n; ++v) {
        std::vector<ScoredSet> sets;
        for (; set < ends.data()[v]; ++set) {
            require(static_cast<std::size_t>(set) < scores.shape(0), "there are more sets than scores");
            ScoredSet one{std::llround(scores.data()[set] * units), {}};
            for (; member < member_ends.data()[set]; ++member) {
                require(static_cast<std::size_t>(member) < members.shape(0), "there are more members than given");
                const int u = members.data()[member];
                require(0 <= u && u < n && u != v && (one.parents.empty() || one.parents.back() < u),
                        "a parent set has other variables, in increasing order");
                one.parents.push_back(u);
            }
            sets.push_back(std::move(one));
        }
        lists.push_back(interruptible([&] { return useful_sets(v, std::move(sets), own); }));
    }
    new (self) SetSearch(own, std::move(lists), effort_of(effort), units, seed);
}

LearnedTuple searched(SetSearch& self, int threads, double seconds) {
    check_threads(threads);
    auto [done, interrupted] = interruptible_best([&] { return self.round(threads); }, seconds);
    auto best = self.best();
    auto ended = std::string(done ? "finished" : interrupted ? "interrupted" : "time limit");
    return {self.value(best.score), dag_of(best.parents), std::move(best.order), std::move(ended)};
}

ProvedTuple proved_sets(SetSearch& self, std::size_t most_nodes, double seconds) {
    const auto best = self.best();
    const auto proof = interruptible([&] { return proven(self.lists(), best, most_nodes); }, seconds);
    const auto& shown = self.rules().is_limited() ? best : proof.best;
    return {self.value(shown.score), dag_of(shown.parents), self.value(proof.bound), proof.is_whole};
}

} // namespace

namespace bnfuse {

void bind_learning(nb::module_& m) {
    m.attr("MISSING_CODE") = DiscreteData::missing;
    m.attr("MOST_PARENTS_IF_MISSING") = AvailableCases::most_members - 1;
    m.attr("MOST_UNITS") = RowDraws::most_units;
    m.def("drawn", drawn, nb::arg("seed"), nb::arg("resample"), nb::arg("bound"), nb::arg("number"));
    nb::class_<StructureLearner> structure(m, "StructureLearner");
    structure
        .def("__init__", make_structure_learner, nb::arg("columns").noconvert(), nb::arg("states").noconvert(),
             nb::arg("score"), nb::arg("sample_size"), nb::arg("largest_family"), nb::arg("rules").noconvert(),
             nb::arg("limit"), nb::arg("max_parents"), nb::arg("max_table"), nb::arg("anneals"), nb::arg("tabu"),
             nb::arg("restarts"), nb::arg("effort"), nb::arg("units").noconvert(), nb::arg("unit"),
             nb::arg("groups").noconvert());
    bind_methods(structure);
    nb::class_<GaussianLearner> gaussian(m, "GaussianLearner");
    gaussian
        .def("__init__", make_gaussian_learner, nb::arg("cells").noconvert(), nb::arg("score"), nb::arg("prior_rows"),
             nb::arg("prior_freedom"), nb::arg("rules").noconvert(), nb::arg("limit"), nb::arg("max_parents"),
             nb::arg("anneals"), nb::arg("tabu"), nb::arg("restarts"), nb::arg("effort"), nb::arg("all_families"),
             nb::arg("units").noconvert(), nb::arg("unit"), nb::arg("groups").noconvert())
        .def_prop_ro("dependent", &GaussianLearner::dependent);
    bind_methods(gaussian);
    m.attr("MOST_PROVEN") = most_proven;
    nb::class_<SetSearch>(m, "SetSearch")
        .def("__init__", make_set_search, nb::arg("ends").noconvert(), nb::arg("scores").noconvert(),
             nb::arg("member_ends").noconvert(), nb::arg("members").noconvert(), nb::arg("rules").noconvert(),
             nb::arg("limit"), nb::arg("max_parents"), nb::arg("states").noconvert(), nb::arg("max_table"),
             nb::arg("effort"), nb::arg("seed"))
        .def("round", searched, nb::arg("threads"), nb::arg("seconds") = HUGE_VAL)
        .def("proved", proved_sets, nb::arg("most_nodes"), nb::arg("seconds") = HUGE_VAL)
        .def_prop_ro("is_done", &SetSearch::is_done)
        .def_prop_ro("moves", &SetSearch::moves);
}

} // namespace bnfuse
