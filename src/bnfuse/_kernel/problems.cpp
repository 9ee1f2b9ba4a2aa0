// The Python face of the kernel: consensus problems, their bounds, and whole searches.
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
using ArcMatrix = nb::ndarray<nb::numpy, std::uint8_t, nb::ndim<2>>;
using PairMatrix = nb::ndarray<nb::numpy, std::int64_t, nb::ndim<2>>;
using Orders = std::tuple<ArcList, std::vector<int>>;

struct PyProblem {
    Shared problem;
    const ConsensusProblem& operator*() const { return *problem; }
};

void make_problem(PyProblem* self, int limit, int max_parents, const std::string& metric, const std::string& directions,
                  bool is_listed, const Rules& arcs, const PairNumbers& input_arcs, const PairNumbers& input_seen,
                  const PairNumbers& reference_arcs, const PairNumbers& reference_moral,
                  const PairNumbers& reference_seen, Weight reference_weight, bool is_whole,
                  const PairNumbers& oriented, const PairNumbers& worth, const std::optional<WeightsIn>& states,
                  std::uint64_t max_table) {
    const int n = checked_size(arcs.shape(0));
    check_square(arcs.shape(0), arcs.shape(1), n);
    auto problem = std::make_shared<ConsensusProblem>(ConsensusProblem{
        n,
        limit,
        max_parents,
        one_of<Metric>(metric, {{"smhd", Metric::smhd}, {"fsim", Metric::fsim}, {"shd", Metric::shd}}),
        one_of<Directions>(directions,
                           {{"any", Directions::any}, {"seen", Directions::seen}, {"majority", Directions::majority}}),
        is_listed,
        {pairs_of(input_arcs, n), PairWeights(), pairs_of(input_seen, n)},
        {pairs_of(reference_arcs, n), pairs_of(reference_moral, n), pairs_of(reference_seen, n), reference_weight,
         is_whole},
        pairs_of(oriented, n),
        pairs_of(worth, n),
        list<std::uint8_t>(arcs),
        states ? list<std::uint64_t>(*states) : std::vector<std::uint64_t>(),
        max_table});
    problem->check();
    new (self) PyProblem{std::move(problem)};
}

ArcMatrix matrix_of(const ArcBytes& bytes, int n) {
    auto values = std::make_unique<std::uint8_t[]>(bytes.size());
    std::ranges::copy(bytes, values.get());
    return owned<ArcMatrix>(std::move(values), {static_cast<std::size_t>(n), static_cast<std::size_t>(n)});
}

template <ArcBytes (*make)(const ConsensusProblem&)> ArcMatrix arcs_of(const PyProblem& self) {
    return matrix_of(interruptible([&] { return make(*self); }), (*self).n);
}

std::tuple<PairMatrix, Weight> positive_pairs_of(const PyProblem& self) {
    const auto [pairs, lost] = interruptible([&] { return positive_pairs(*self); });
    const auto n = static_cast<std::size_t>((*self).n);
    auto values = std::make_unique<std::int64_t[]>(n * n);
    for (int a = 0; a < (*self).n; ++a)
        for (int b = 0; b < (*self).n; ++b) values[a * n + b] = pairs(a, b);
    return {owned<PairMatrix>(std::move(values), {n, n}), lost};
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

// Several DAGs as lists of arcs, in order.
Networks networks_of(const std::optional<ManyDags>& dags, int n) {
    Networks networks;
    if (!dags) return networks;
    const auto graphs = view(*dags);
    require(graphs.n() == n, "the graphs differ in their number of variables");
    for (int i = 0; i < graphs.count(); ++i) {
        auto& arcs = networks.emplace_back();
        with_words(n, [&]<int W>() {
            const auto parents = graphs.load<W>(i);
            for (int v = 0; v < n; ++v) parents[v].each([&](int u) { arcs.emplace_back(u, v); });
        });
        std::ranges::sort(arcs);
    }
    return networks;
}

// (arcs, elimination order, whether it is an input)
std::tuple<ArcList, std::vector<int>, bool> lowest(const PyProblem& self, const std::optional<ManyDags>& inputs,
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

// A search keeps the problem that it refers to.
struct Run {
    Shared problem;
    DirectRun run;
    Run(Shared own, Networks networks, Effort effort, std::uint64_t seed, const ArcList* start)
        : problem(std::move(own)), run(*problem, std::move(networks), effort, seed, start) {}
};
using PyRun = Exclusive<Run>;

void make_run(PyRun* self, const PyProblem& problem, const std::optional<ManyDags>& inputs, const std::string& effort,
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
             nb::arg("max_table") = 0)
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
        .def("floor", lowest, nb::arg("inputs").noconvert().none(), nb::arg("seconds"))
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
        .def("__init__", make_run, nb::arg("problem"), nb::arg("inputs").noconvert().none(), nb::arg("effort"),
             nb::arg("seed"), nb::arg("start").none() = nb::none())
        .def("step", run_step, nb::arg("threads"), nb::arg("seconds") = HUGE_VAL)
        .def("is_done", [](PyRun& self) { return self.use([](const Run& one) { return one.run.is_done(); }); })
        .def("steps", [](PyRun& self) { return self.use([](const Run& one) { return one.run.steps(); }); })
        .def("trim", run_trim)
        .def("best", run_best)
        .def("state", run_state);
}

} // namespace bnfuse
