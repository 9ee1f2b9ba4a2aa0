// The Python face of the kernel: learning from data.
#include "python.hpp"
#include "structure_learner.hpp"

using namespace bnfuse;

namespace {

// It is never changed: several calls may use it at the same time.
using Columns = In<std::uint16_t, nb::ndim<2>>;
using RowUnits = In<std::uint32_t, nb::ndim<1>>;
using RowNumbers = nb::ndarray<nb::numpy, std::uint32_t, nb::ndim<1>>;
// (score, parents, elimination order that proves the clique size where it has a limit, whether it came to its end)
using LearnedTuple = std::tuple<double, NewDag, std::vector<int>, bool>;

void make_structure_learner(StructureLearner* self, const Columns& columns, const WeightsIn& states,
                            const std::string& score, double sample_size, const Rules& rules, int limit,
                            int max_parents, std::uint64_t max_table, int tabu, int restarts, const RowUnits& units,
                            std::uint32_t unit, const RowUnits& groups) {
    const int n = checked_size(columns.shape(0));
    const ScoreRule rule{one_of<ScoreKind>(score, {{"bic", ScoreKind::bic},
                                                   {"aic", ScoreKind::aic},
                                                   {"bdeu", ScoreKind::bdeu},
                                                   {"loglik", ScoreKind::log_likelihood}}),
                         sample_size, max_table};
    ClimbSetup setup{limit, max_parents, rules_of(rules, n), tabu, restarts};
    RowWeights weights{list<std::uint32_t>(units), unit, list<std::uint32_t>(groups)};
    auto data = interruptible([&] {
        return DiscreteData(columns.data(), columns.shape(0), columns.shape(1), list<int>(states), std::move(weights));
    });
    new (self) StructureLearner(std::move(data), rule, std::move(setup));
}

LearnedTuple tuple_of(StructureLearner::Network network) {
    const auto n = network.parents.size(), words = (n + 63) / 64;
    auto rows = std::make_unique<std::uint64_t[]>(n * words);
    for (std::size_t v = 0; v < n; ++v)
        for (const int u : network.parents[v]) rows[v * words + u / 64] |= std::uint64_t{1} << (u % 64);
    return {network.score, owned<NewDag>(std::move(rows), {n, words}), std::move(network.order), network.finished};
}

LearnedTuple learned(const StructureLearner& self, std::uint64_t seed, int threads, double seconds) {
    return tuple_of(interruptible([&] { return self.learned(seed, threads); }, seconds));
}

// Those before the first that is not finished.
std::vector<LearnedTuple> resampled(const StructureLearner& self, std::uint64_t seed, std::uint64_t first, int count,
                                    int threads, double seconds) {
    auto networks = interruptible([&] { return self.resampled(seed, first, count, threads); }, seconds);
    std::vector<LearnedTuple> tuples;
    for (auto& network : networks) {
        if (!network.finished) break;
        tuples.push_back(tuple_of(std::move(network)));
    }
    return tuples;
}

RowNumbers drawn(std::uint64_t seed, std::uint64_t resample, std::uint32_t bound, std::uint32_t number) {
    require(1 <= bound && bound <= DiscreteData::most_units, "draws are of 1 to 2^31 units");
    auto numbers = std::make_unique<std::uint32_t[]>(number);
    std::generate_n(numbers.get(), number, Draws(seed, resample, bound));
    return owned<RowNumbers>(std::move(numbers), {number});
}

} // namespace

namespace bnfuse {

void bind_learning(nb::module_& m) {
    m.attr("MISSING_CODE") = DiscreteData::missing;
    m.attr("MOST_PARENTS_IF_MISSING") = AvailableCases::most_members - 1;
    m.attr("MOST_UNITS") = DiscreteData::most_units;
    m.def("drawn", drawn, nb::arg("seed"), nb::arg("resample"), nb::arg("bound"), nb::arg("number"));
    nb::class_<StructureLearner>(m, "StructureLearner")
        .def("__init__", make_structure_learner, nb::arg("columns").noconvert(), nb::arg("states").noconvert(),
             nb::arg("score"), nb::arg("sample_size"), nb::arg("rules").noconvert(), nb::arg("limit"),
             nb::arg("max_parents"), nb::arg("max_table"), nb::arg("tabu"), nb::arg("restarts"),
             nb::arg("units").noconvert(), nb::arg("unit"), nb::arg("groups").noconvert())
        .def("learned", learned, nb::arg("seed"), nb::arg("threads"), nb::arg("seconds") = HUGE_VAL)
        .def("resampled", resampled, nb::arg("seed"), nb::arg("first"), nb::arg("count"), nb::arg("threads"),
             nb::arg("seconds") = HUGE_VAL)
        .def(
            "family_score",
            [](const StructureLearner& self, int child, const std::vector<int>& parents) {
                return interruptible([&] { return self.family_score(child, parents); });
            },
            nb::arg("child"), nb::arg("parents"))
        .def(
            "network_score",
            [](const StructureLearner& self, const std::vector<std::vector<int>>& parents) {
                return interruptible([&] { return self.network_score(parents); });
            },
            nb::arg("parents"))
        .def_prop_ro("distinct_rows", [](const StructureLearner& self) { return self.data().distinct_rows(); });
}

} // namespace bnfuse
