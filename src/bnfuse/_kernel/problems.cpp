// The Python interface of the kernel: consensus problems, their bounds, and whole searches.
#include "consensus_bound.hpp"
#include "direct_run.hpp"
#include "majority_vote.hpp"
#include "python.hpp"
#include "turning.hpp"

#include <nanobind/stl/optional.h>
#include <nanobind/stl/shared_ptr.h>

using namespace bnfuse;

namespace {

using Shared = std::shared_ptr<const ConsensusProblem>;
using ByPair = In<std::int64_t>; // a number for each pair that has one: a matrix if all have
using BytesByPair = In<std::uint8_t>;
using ArcMatrix = nb::ndarray<nb::numpy, std::uint8_t>;
using PairMatrix = nb::ndarray<nb::numpy, std::int64_t>;
using Starts = In<std::int64_t, nb::ndim<1>>;
using Columns = In<std::int32_t, nb::ndim<1>>;
using PairsIn = std::tuple<Starts, Columns>;                         // the rows of pairs that have numbers
using SeenIn = std::tuple<In<std::uint8_t, nb::ndim<2>>, WeightsIn>; // the variables of each kind of inputs
using Orders = std::tuple<ArcList, std::vector<int>>;

struct PyProblem {
    Shared problem;
    const ConsensusProblem& operator*() const { return *problem; }
};

Pairs listed_pairs(const PairsIn& given) {
    const auto& [starts, columns] = given;
    require(starts.size() >= 2, "pairs are given as sorted rows");
    return {checked_count(static_cast<int>(std::min<std::size_t>(starts.size() - 1, 1 << 30))),
            list<std::int64_t>(starts), list<int>(columns)};
}

std::shared_ptr<const Seen> seen_of(const SeenIn& given, int n) {
    const auto& [has, weights] = given;
    require(has.shape(0) == static_cast<std::size_t>(n), "each variable is in some kinds of inputs");
    require(has.shape(1) == weights.size(), "each kind of inputs has a weight");
    return std::make_shared<const Seen>(n, list<std::uint8_t>(has), weights_of(weights));
}

void make_problem(PyProblem* self, int limit, int max_parents, const std::string& metric, const std::string& directions,
                  bool is_listed, const BytesByPair& arcs, const ByPair& input_arcs, const ByPair& input_seen,
                  const ByPair& reference_arcs, const ByPair& reference_moral, const ByPair& reference_seen,
                  Weight reference_weight, bool is_whole, const ByPair& oriented, const ByPair& worth,
                  const std::optional<WeightsIn>& states, std::uint64_t max_table, const std::optional<PairsIn>& pairs,
                  std::uint8_t others, const std::optional<SeenIn>& see_others) {
    const auto all = pairs ? listed_pairs(*pairs) : Pairs(checked_size(arcs.ndim() ? arcs.shape(0) : 0));
    const auto numbers = [&](const ByPair& given) { return PairWeights(all, list<Weight>(given)); };
    auto problem = std::make_shared<ConsensusProblem>(ConsensusProblem{
        all.n(),
        limit,
        max_parents,
        one_of<Metric>(metric, {{"smhd", Metric::smhd}, {"fsim", Metric::fsim}, {"shd", Metric::shd}}),
        one_of<Directions>(directions,
                           {{"any", Directions::any}, {"seen", Directions::seen}, {"majority", Directions::majority}}),
        is_listed,
        {numbers(input_arcs), PairWeights(), numbers(input_seen)},
        {numbers(reference_arcs), numbers(reference_moral), numbers(reference_seen), reference_weight, is_whole},
        numbers(oriented),
        numbers(worth),
        list<std::uint8_t>(arcs),
        states ? list<std::uint64_t>(*states) : std::vector<std::uint64_t>(),
        max_table,
        others,
        see_others ? seen_of(*see_others, all.n())
        : pairs    ? std::make_shared<const Seen>(reference_weight)
                   : nullptr});
    problem->worth.set_elsewhere(1, -2, problem->see_others);
    problem->check();
    new (self) PyProblem{std::move(problem)};
}

// By pairs that have numbers: a matrix if all have.
template <class Array, class T, class From> Array by_pair(const From& from, const Pairs& pairs) {
    auto values = std::make_unique<T[]>(pairs.count());
    for (std::size_t i = 0; i < pairs.count(); ++i) values[i] = from[i];
    const auto n = static_cast<std::size_t>(pairs.n());
    if (pairs.are_all()) return owned<Array>(std::move(values), {n, n});
    return owned<Array>(std::move(values), {pairs.count()});
}

template <ArcBytes (*make)(const ConsensusProblem&)> ArcMatrix arcs_of(const PyProblem& self) {
    return by_pair<ArcMatrix, std::uint8_t>(interruptible([&] { return make(*self); }), (*self).pairs());
}

std::tuple<PairMatrix, Weight> positive_pairs_of(const PyProblem& self) {
    const auto [pairs, lost] = interruptible([&] { return positive_pairs(*self); });
    return {by_pair<PairMatrix, std::int64_t>(pairs, pairs.pairs()), lost};
}

Orders vote(const PyProblem& self, std::int64_t numerator, std::int64_t denominator, bool by_arc) {
    auto network = interruptible([&] { return majority_vote(*self, {numerator, denominator}, by_arc); });
    return {std::move(network.arcs), std::move(network.order)};
}

std::optional<std::vector<int>> order_within(const PyProblem& self, const ArcList& arcs) {
    check_arcs(arcs, (*self).n);
    auto within = interruptible([&] { return within_limits(*self, arcs); });
    if (!within) return std::nullopt;
    return std::move(within->order);
}

ArcList turned(const PyProblem& self, const ArcList& arcs, const nb::object& keeps) {
    check_arcs(arcs, (*self).n);
    if (keeps.is_none()) return interruptible([&] { return turned_to_support(*self, arcs); });
    return turned_to_support(*self, arcs, [&](const ArcList& other) { return nb::cast<bool>(keeps(other)); });
}

Weight shared_out(const ArcList& edges, const std::vector<Weight>& weights, const std::vector<std::uint64_t>& states,
                  std::uint64_t max_table) {
    require(edges.size() == weights.size(), "each edge has one weight");
    check_arcs(edges, static_cast<int>(states.size()));
    for (const auto count : states) require(count >= 1, "a variable has no states");
    std::vector<Edge> all;
    for (std::size_t i = 0; i < edges.size(); ++i) all.push_back({edges[i].first, edges[i].second, weights[i]});
    return shared_out_weight(all, states, max_table);
}

// DAGs as sorted lists of arcs.
Networks networks_of(const std::vector<Edges>& dags, int n) {
    Networks networks;
    for (const auto& given : dags) {
        auto& arcs = networks.emplace_back();
        for (std::size_t i = 0; i < given.shape(0); ++i) arcs.emplace_back(given(i, 0), given(i, 1));
        check_arcs(arcs, n);
        std::ranges::sort(arcs);
    }
    return networks;
}

// (arcs, elimination order, whether it is an input)
std::tuple<ArcList, std::vector<int>, bool> lowest(const PyProblem& self, const std::vector<Edges>& inputs,
                                                   double seconds) {
    auto floor = interruptible([&] { return floor_of(*self, networks_of(inputs, (*self).n), seconds); });
    return {std::move(floor.network.arcs), std::move(floor.network.order), floor.is_input};
}

std::unique_ptr<DirectSearch> chains(const PyProblem& self, int count, double hot, double decay, std::uint64_t seed,
                                     std::uint64_t stream, bool by_majority) {
    return interruptible([&] { return AnnealingChains(*self)(count, {hot, decay}, seed, stream, by_majority); });
}

std::unique_ptr<DirectSearch> voting_chain(const PyProblem& self, double hot, double decay, std::uint64_t seed) {
    return interruptible([&] { return AnnealingChains(*self).voting({hot, decay}, seed); });
}

// A search keeps its problem alive.
struct Run {
    Shared problem;
    DirectRun run;
    Run(Shared own, Networks networks, Effort effort, std::uint64_t seed, const ArcList* start)
        : problem(std::move(own)), run(*problem, std::move(networks), effort, seed, start) {}
};
using PyRun = Exclusive<Run>;

void make_run(PyRun* self, const PyProblem& problem, const std::vector<Edges>& inputs, const std::string& effort,
              std::uint64_t seed, const std::optional<ArcList>& start) {
    const auto wanted =
        one_of<Effort>(effort, {{"quick", Effort::quick}, {"normal", Effort::normal}, {"thorough", Effort::thorough}});
    new (self) PyRun(interruptible([&] {
        return std::make_unique<Run>(problem.problem, networks_of(inputs, (*problem).n), wanted, seed,
                                     start ? &*start : nullptr);
    }));
}

bool run_step(PyRun& self, int threads, double seconds) {
    return self.use([&](Run& one) { return interruptible([&] { return one.run.step(threads, seconds); }); });
}

void run_trim(PyRun& self) {
    self.use([](Run& one) {
        interruptible([&] {
            one.run.trim();
            return true;
        });
    });
}

Orders run_best(PyRun& self) {
    return self.use([](const Run& one) { return Orders(one.run.best().arcs, one.run.best().order); });
}

// (summed distance, largest clique) of the best network, and the moves so far
std::tuple<Weight, int, std::int64_t> run_state(PyRun& self) {
    return self.use(
        [](const Run& one) { return std::tuple(one.run.distance(), one.run.best_clique(), one.run.moves()); });
}

} // namespace

namespace bnfuse {

void bind_problems(nb::module_& m) {
    m.attr("USUAL_ROUNDS") = usual_rounds;
    m.def("most_rounds", most_rounds, nb::arg("edges"));
    m.def("shared_out_weight", shared_out, nb::arg("edges"), nb::arg("weights"), nb::arg("states"),
          nb::arg("max_table"));
    nb::class_<PyProblem>(m, "ConsensusProblem")
        .def("__init__", make_problem, nb::arg("limit"), nb::arg("max_parents"), nb::arg("metric"),
             nb::arg("directions"), nb::arg("is_listed"), nb::arg("arcs").noconvert(),
             nb::arg("input_arcs").noconvert(), nb::arg("input_seen").noconvert(),
             nb::arg("reference_arcs").noconvert(), nb::arg("reference_moral").noconvert(),
             nb::arg("reference_seen").noconvert(), nb::arg("reference_weight"), nb::arg("is_whole"),
             nb::arg("oriented").noconvert(), nb::arg("worth").noconvert(), nb::arg("states").noconvert() = nb::none(),
             nb::arg("max_table") = 0, nb::arg("pairs") = nb::none(), nb::arg("others") = 0,
             nb::arg("see_others") = nb::none())
        .def("allowed_arcs", arcs_of<allowed_arcs>)
        .def("useful_arcs", arcs_of<useful_arcs>)
        .def("rules", arcs_of<arc_rules>)
        .def("arcs_to_search",
             [](const PyProblem& self) { return interruptible([&] { return arcs_to_search(*self); }); })
        .def("best_branching",
             [](const PyProblem& self) { return interruptible([&] { return best_branching(*self); }); })
        .def(
            "bound",
            [](const PyProblem& self, int rounds) {
                return interruptible([&] { return consensus_bound(*self, rounds); });
            },
            nb::arg("rounds"))
        .def("positive_pairs", positive_pairs_of)
        .def("vote", vote, nb::arg("numerator"), nb::arg("denominator"), nb::arg("by_arc"))
        .def("order_within", order_within, nb::arg("arcs"))
        .def("turned", turned, nb::arg("arcs"), nb::arg("keeps") = nb::none())
        .def("floor", lowest, nb::arg("inputs"), nb::arg("seconds"))
        .def(
            "chains",
            [](const PyProblem& self, int count, double hot, double decay, std::uint64_t seed, std::uint64_t stream,
               bool by_majority) {
                return new Exclusive<DirectSearch>(chains(self, count, hot, decay, seed, stream, by_majority));
            },
            nb::arg("count"), nb::arg("hot"), nb::arg("decay"), nb::arg("seed"), nb::arg("stream") = 0,
            nb::arg("by_majority") = false, nb::rv_policy::take_ownership)
        .def(
            "voting_chain",
            [](const PyProblem& self, double hot, double decay, std::uint64_t seed) {
                return new Exclusive<DirectSearch>(voting_chain(self, hot, decay, seed));
            },
            nb::arg("hot"), nb::arg("decay"), nb::arg("seed"), nb::rv_policy::take_ownership);
    nb::class_<PyRun>(m, "DirectRun")
        .def("__init__", make_run, nb::arg("problem"), nb::arg("inputs"), nb::arg("effort"), nb::arg("seed"),
             nb::arg("start").none() = nb::none())
        .def("step", run_step, nb::arg("threads"), nb::arg("seconds") = HUGE_VAL)
        .def("is_done", [](PyRun& self) { return self.use([](const Run& one) { return one.run.is_done(); }); })
        .def("steps", [](PyRun& self) { return self.use([](const Run& one) { return one.run.steps(); }); })
        .def("trim", run_trim)
        .def("best", run_best)
        .def("state", run_state);
}

} // namespace bnfuse
