// The Python interface of the kernel: its searches.
#include "direct_search.hpp"
#include "evolution.hpp"
#include "python.hpp"
#include "separation.hpp"

#include <nanobind/stl/optional.h>

using namespace bnfuse;

namespace {

// The states of each variable; empty if tables have no limit.
using StatesIn = std::optional<WeightsIn>;

TableLimit tables_of(const StatesIn& states, std::uint64_t max_table, int limit) {
    if (!states) return {};
    return {list<std::uint64_t>(*states), max_table, limit};
}

// Candidates of the pruning searches

using PyCandidates = Exclusive<Candidates>;

Metric metric_of(const std::string& name) {
    return one_of<Metric>(name, {{"smhd", Metric::smhd}, {"fsim", Metric::fsim}, {"shd", Metric::shd}});
}

void make_candidates(PyCandidates* self, const std::string& decoding, const std::string& triangulation,
                     const ArcGenes& arcs, const OrderIn& order, const ManyDags& support,
                     const WeightsIn& support_weights, const std::string& metric, const ManyDags& references,
                     const WeightsIn& reference_weights, const OrderIn& ties, const StatesIn& states,
                     std::uint64_t max_table, int limit) {
    CandidatesSetup setup{one_of<Decoding>(decoding, {{"keep-arcs", Decoding::keep_arcs},
                                                      {"fuse", Decoding::fuse},
                                                      {"fuse-in-own-order", Decoding::fuse_in_own_order}}),
                          one_of<Triangulation>(triangulation, {{"min-fill", Triangulation::min_fill},
                                                                {"mcs", Triangulation::max_cardinality}}),
                          {},
                          order_of(order),
                          view(support),
                          weights_of(support_weights),
                          metric_of(metric),
                          view(references),
                          weights_of(reference_weights),
                          order_of(ties),
                          tables_of(states, max_table, limit)};
    for (std::size_t i = 0; i < arcs.shape(0); ++i)
        setup.arcs.push_back({arcs(i, 0), arcs(i, 1), arcs(i, 2), arcs(i, 3)});
    new (self) PyCandidates(interruptible([&] { return kernel_for(setup.support).candidates(setup); }));
}

void check_population(const Candidates& candidates, const Population& population) {
    require(population.shape(1) == static_cast<std::size_t>(candidates.gene_count()), "a candidate has all genes");
    require(population.shape(0) <= 1u << 30, "too many candidates");
}

// A row (distance, directed support, clique) for each candidate.
Numbers numbers_of(const std::vector<Value>& values) {
    auto rows = std::make_unique<std::int64_t[]>(3 * values.size());
    for (std::size_t i = 0; i < values.size(); ++i) {
        rows[3 * i] = values[i].distance;
        rows[3 * i + 1] = values[i].support;
        rows[3 * i + 2] = values[i].clique;
    }
    return owned<Numbers>(std::move(rows), {values.size(), 3});
}

Numbers evaluate(PyCandidates& self, const Population& population, int threads) {
    const auto count = population.shape(0);
    const auto values = self.use([&](Candidates& candidates) {
        check_population(candidates, population);
        return interruptible([&] { return candidates.evaluate(population.data(), static_cast<int>(count), threads); });
    });
    return numbers_of(values);
}

// The network of one candidate, and the elimination order that proves its clique size.
std::tuple<NewDag, std::vector<int>> decode(PyCandidates& self, const Population& candidate, std::size_t variables) {
    const auto words = (variables + 63) / 64;
    std::unique_ptr<std::uint64_t[]> rows;
    auto order = self.use([&](Candidates& candidates) {
        check_population(candidates, candidate);
        require(candidate.shape(0) == 1, "one candidate at a time");
        require(variables == static_cast<std::size_t>(candidates.n()), "the network has another number of variables");
        rows = std::make_unique<std::uint64_t[]>(variables * words);
        return interruptible([&] { return candidates.decode(candidate.data(), rows.get()); });
    });
    return {owned<NewDag>(std::move(rows), {variables, words}), std::move(order)};
}

void start_greedy(PyCandidates& self, int limit) {
    self.use([&](Candidates& candidates) { candidates.start_greedy(limit); });
}

std::vector<std::uint8_t> offer(PyCandidates& self, const std::vector<int>& genes) {
    return self.use([&](Candidates& candidates) { return interruptible([&] { return candidates.offer(genes); }); });
}

// Generations of the genetic search

using PyEvolution = Exclusive<Evolution>;
using Bytes = In<std::uint8_t, nb::ndim<1>>;
using Rates = In<double, nb::ndim<1>>;
using Words = In<std::uint64_t, nb::ndim<1>>;
using NewGenes = nb::ndarray<nb::numpy, std::uint8_t, nb::ndim<2>>;

void make_evolution(PyEvolution* self, int genes, int population, int limit, int offspring, bool elites_first,
                    bool champion_over_limit, bool note_offspring, bool restrained, const Rates& add,
                    const Rates& remove, const Bytes& required, const Bytes& forbidden, int max_parents,
                    const OrderIn& offered, const OrderIn& target) {
    EvolutionSetup setup{genes,
                         population,
                         limit,
                         offspring,
                         elites_first,
                         champion_over_limit,
                         note_offspring,
                         restrained,
                         list<double>(add),
                         list<double>(remove),
                         {list<std::uint8_t>(required), list<std::uint8_t>(forbidden), max_parents, order_of(offered),
                          order_of(target)}};
    new (self) PyEvolution(std::make_unique<Evolution>(std::move(setup)));
}

// Whether the work was done: a deadline may have ended it.
template <class Work> bool in_time(Work&& work, double seconds) {
    return interruptible(
        [&] {
            try {
                work();
                return true;
            } catch (const Stopped&) {
                return false;
            }
        },
        seconds);
}

template <class Use> auto use_both(PyEvolution& self, PyCandidates& candidates, Use&& work) {
    return self.use([&](Evolution& evolution) {
        return candidates.use([&](Candidates& those) { return work(evolution, those); });
    });
}

// A row for each chromosome as `Candidates.evaluate` returns it; empty if a deadline ended it.
std::optional<Numbers> evolution_evaluate(PyEvolution& self, PyCandidates& candidates, const Population& population,
                                          int threads, double seconds) {
    std::vector<Value> values;
    const bool done = use_both(self, candidates, [&](Evolution& evolution, Candidates& those) {
        check_population(those, population);
        const int count = static_cast<int>(population.shape(0));
        return in_time([&] { values = evolution.evaluate(those, population.data(), count, threads); }, seconds);
    });
    if (!done) return std::nullopt;
    return numbers_of(values);
}

bool evolution_start(PyEvolution& self, PyCandidates& candidates, const Population& best, const Population& population,
                     int threads, double seconds) {
    return use_both(self, candidates, [&](Evolution& evolution, Candidates& those) {
        check_population(those, best);
        check_population(those, population);
        require(best.shape(0) == 1 && population.shape(0) == static_cast<std::size_t>(evolution.population()),
                "the first population has another size");
        return in_time([&] { evolution.start(those, best.data(), population.data(), threads); }, seconds);
    });
}

bool evolution_next(PyEvolution& self, PyCandidates& candidates, const Words& words, int threads, double seconds) {
    return use_both(self, candidates, [&](Evolution& evolution, Candidates& those) {
        require(words.size() == evolution.words(), "a generation needs another number of random words");
        return in_time([&] { evolution.next(those, words.data(), threads); }, seconds);
    });
}

// The best chromosome, and its row as `evaluate` returns it.
std::tuple<NewGenes, Numbers> evolution_best(PyEvolution& self) {
    return self.use([](const Evolution& evolution) {
        const auto& [genes, value] = evolution.best();
        auto bytes = std::make_unique<std::uint8_t[]>(genes.size());
        std::ranges::copy(genes, bytes.get());
        return std::tuple(owned<NewGenes>(std::move(bytes), {1, genes.size()}), numbers_of({value}));
    });
}

// Direct search

using PyDirectSearch = Exclusive<DirectSearch>;
using DirectTuple = std::tuple<Weight, Weight, ArcList, std::vector<int>>;

void make_direct_search(PyDirectSearch* self, const PairNumbers& gain, const PairNumbers& support, const Rules& rules,
                        int limit, int max_parents, double hot, double decay, int chains, std::uint64_t seed,
                        std::uint64_t stream, double support_share, bool by_arc, const StatesIn& states,
                        std::uint64_t max_table) {
    const int n = checked_size(gain.shape(0));
    DirectProblem problem{n,
                          limit,
                          max_parents,
                          pairs_of(gain, n),
                          pairs_of(support, n),
                          {},
                          rules_of(rules, n),
                          hot,
                          decay,
                          support_share,
                          by_arc,
                          tables_of(states, max_table, limit)};
    new (self) PyDirectSearch(
        interruptible([&] { return std::make_unique<DirectSearch>(std::move(problem), chains, seed, stream); }));
}

DirectTuple tuple_of(DirectSearch::Network network) {
    return {network.score.gain, network.score.support, std::move(network.arcs), std::move(network.order)};
}

template <auto method, class... Arguments> void direct_void(PyDirectSearch& self, const Arguments&... arguments) {
    self.use([&](DirectSearch& search) {
        interruptible([&] {
            (search.*method)(arguments...);
            return true;
        });
    });
}

bool direct_anneal(PyDirectSearch& self, std::int64_t start, std::int64_t stop, std::int64_t total, int threads,
                   double seconds) {
    return self.use([&](DirectSearch& search) {
        return interruptible([&] { return search.anneal(start, stop, total, threads); }, seconds);
    });
}

bool direct_polish(PyDirectSearch& self, std::int64_t moves, double seconds) {
    return self.use([&](DirectSearch& search) { return interruptible([&] { return search.polish(moves); }, seconds); });
}

DirectTuple direct_best(PyDirectSearch& self) {
    return self.use([](const DirectSearch& search) { return tuple_of(search.best()); });
}

DirectTuple direct_current(PyDirectSearch& self) {
    return self.use([](const DirectSearch& search) { return tuple_of(search.current()); });
}

int direct_arc_count(PyDirectSearch& self) {
    return self.use([](const DirectSearch& search) { return search.arc_count(); });
}

// Direct search for FSim

using PyFsimSearch = Exclusive<FsimSearch>;

void make_fsim_search(PyFsimSearch* self, const ManyDags& references, const WeightsIn& weights, const OrderIn& ties,
                      const PairNumbers& support, const PairNumbers& frequency, const Rules& rules, int limit,
                      int max_parents, int chains, std::uint64_t seed, const StatesIn& states,
                      std::uint64_t max_table) {
    const auto dags = view(references);
    const int n = dags.n();
    FsimSetup setup{dags,
                    weights_of(weights),
                    order_of(ties),
                    pairs_of(support, n),
                    pairs_of(frequency, n),
                    rules_of(rules, n),
                    limit,
                    max_parents,
                    chains,
                    seed,
                    tables_of(states, max_table, limit)};
    new (self) PyFsimSearch(interruptible([&] { return kernel_for(n).fsim_search(std::move(setup)); }));
}

void fsim_start_at(PyFsimSearch& self, int chain, const OneDag& dag, const std::vector<int>& order) {
    self.use([&](FsimSearch& search) {
        interruptible([&] {
            search.start_at(chain, view(dag), order);
            return true;
        });
    });
}

void fsim_restart(PyFsimSearch& self) {
    self.use([&](FsimSearch& search) {
        interruptible([&] {
            search.restart();
            return true;
        });
    });
}

bool fsim_anneal(PyFsimSearch& self, std::int64_t until, std::int64_t total, double hot, int threads, double seconds) {
    return self.use([&](FsimSearch& search) {
        return interruptible([&] { return search.anneal(until, total, hot, threads); }, seconds);
    });
}

bool fsim_tidy(PyFsimSearch& self, double seconds) {
    return self.use([&](FsimSearch& search) { return interruptible([&] { return search.tidy(); }, seconds); });
}

// (distance, minus directed support, parents, elimination order that proves the clique size)
std::tuple<Weight, Weight, NewDag, std::vector<int>> fsim_best(PyFsimSearch& self) {
    auto found = self.use([](const FsimSearch& search) { return search.best(); });
    const auto n = found.order.size(), words = (n + 63) / 64;
    auto rows = std::make_unique<std::uint64_t[]>(n * words);
    std::ranges::copy(found.parents, rows.get());
    return {found.distance, -found.support, owned<NewDag>(std::move(rows), {n, words}), std::move(found.order)};
}

std::int64_t fsim_networks(PyFsimSearch& self) {
    return self.use([](const FsimSearch& search) { return search.networks(); });
}

// Min-cut consensus

using PyMinCutSearch = Exclusive<MinCutSearch>;

void make_min_cut_search(PyMinCutSearch* self, const OneDag& network, const ManyDags& inputs, const WeightsIn& weights,
                         const PairNumbers& support, const ArcList& required, int threads) {
    const auto dags = view(inputs);
    MinCutSetup setup{view(network), dags, weights_of(weights), pairs_of(support, dags.n()), required, threads};
    new (self) PyMinCutSearch(interruptible([&] { return kernel_for(dags).min_cut_search(std::move(setup)); }));
}

// (whether there was time, the next arc to delete and the sum of its cuts; empty when all have been deleted)
std::tuple<bool, std::optional<std::tuple<int, int, Weight>>> min_cut_least(PyMinCutSearch& self, double seconds) {
    std::optional<WeightedCut> cut;
    const bool done = self.use([&](MinCutSearch& search) { return in_time([&] { cut = search.least(); }, seconds); });
    if (!cut) return {done, std::nullopt};
    return {done, std::tuple(cut->source, cut->target, cut->size)};
}

// Inequalities for proofs

using PySeparation = Exclusive<Separation>;
using ChoiceIn = In<double, nb::ndim<1>>;

void make_separation(PySeparation* self, int n, const Edges& edges, int limit, const StatesIn& states,
                     std::uint64_t max_table) {
    checked_size(static_cast<std::size_t>(std::max(n, 0)));
    std::vector<Edge> all;
    for (std::size_t i = 0; i < edges.shape(0); ++i) {
        all.push_back({edges(i, 0), edges(i, 1), 1});
        check_arcs({{edges(i, 0), edges(i, 1)}}, n);
    }
    new (self)
        PySeparation(std::make_unique<Separation>(n, std::move(all), limit, tables_of(states, max_table, limit)));
}

// The result of a method of a separation; empty if a deadline ended it.
template <auto method, class... Arguments>
auto separated(PySeparation& self, double seconds, const Arguments&... arguments) {
    decltype((std::declval<const Separation&>().*method)(arguments...)) found{};
    self.use([&](const Separation& one) { return in_time([&] { found = (one.*method)(arguments...); }, seconds); });
    return found;
}

bool separation_fits(PySeparation& self, const std::vector<int>& chosen, double seconds) {
    return separated<&Separation::fits>(self, seconds, chosen);
}

std::vector<std::vector<int>> separation_obstructions(PySeparation& self, const ChoiceIn& choice, int tries,
                                                      std::uint64_t seed, double seconds) {
    return separated<&Separation::obstructions>(self, seconds, list<double>(choice), tries, seed);
}

// (edges, excess) of each
std::vector<std::tuple<std::vector<int>, int>> separation_excesses(PySeparation& self, const ChoiceIn& choice, int most,
                                                                   std::int64_t states, double seconds) {
    std::vector<std::tuple<std::vector<int>, int>> result;
    for (auto& one : separated<&Separation::excesses>(self, seconds, list<double>(choice), most, states))
        result.emplace_back(std::move(one.edges), one.excess);
    return result;
}

// (representatives, contracted, vertices) of each
using Minors = std::vector<std::tuple<std::vector<int>, std::vector<int>, int>>;
Minors minors_of(std::vector<MinorCut> cuts) {
    Minors result;
    for (auto& cut : cuts) result.emplace_back(std::move(cut.representatives), std::move(cut.contracted), cut.vertices);
    return result;
}

Minors separation_minors(PySeparation& self, const ChoiceIn& choice, int tries, std::uint64_t seed, double seconds) {
    return minors_of(separated<&Separation::minors>(self, seconds, list<double>(choice), tries, seed));
}

Minors separation_bounding_minors(PySeparation& self, const WeightsIn& weights, int rounds, double seconds) {
    return minors_of(separated<&Separation::bounding_minors>(self, seconds, list<Weight>(weights), rounds));
}

// (edges, rank) of each
std::vector<std::tuple<std::vector<int>, int>> separation_ranks(PySeparation& self, const ChoiceIn& wish,
                                                                const ChoiceIn& choice, int most, double seconds) {
    std::vector<std::tuple<std::vector<int>, int>> result;
    for (auto& set : separated<&Separation::ranks>(self, seconds, list<double>(wish), list<double>(choice), most))
        result.emplace_back(std::move(set.edges), set.rank);
    return result;
}

} // namespace

namespace bnfuse {

void bind_searches(nb::module_& m) {
    nb::class_<PyCandidates>(m, "Candidates")
        .def("__init__", make_candidates, nb::arg("decoding"), nb::arg("triangulation"), nb::arg("arcs").noconvert(),
             nb::arg("order").noconvert(), nb::arg("support").noconvert(), nb::arg("support_weights").noconvert(),
             nb::arg("metric"), nb::arg("references").noconvert(), nb::arg("reference_weights").noconvert(),
             nb::arg("ties").noconvert(), nb::arg("states").noconvert() = nb::none(), nb::arg("max_table") = 0,
             nb::arg("limit") = 0)
        .def("evaluate", evaluate, nb::arg("population").noconvert(), nb::arg("threads"))
        .def("decode", decode, nb::arg("candidate").noconvert(), nb::arg("variables"))
        .def("start_greedy", start_greedy, nb::arg("limit"))
        .def("offer", offer, nb::arg("genes"));
    nb::class_<PyEvolution>(m, "Evolution")
        .def("__init__", make_evolution, nb::arg("genes"), nb::arg("population"), nb::arg("limit"),
             nb::arg("offspring"), nb::arg("elites_first"), nb::arg("champion_over_limit"), nb::arg("note_offspring"),
             nb::arg("restrained"), nb::arg("add").noconvert(), nb::arg("remove").noconvert(),
             nb::arg("required").noconvert(), nb::arg("forbidden").noconvert(), nb::arg("max_parents"),
             nb::arg("offered").noconvert(), nb::arg("target").noconvert())
        .def("evaluate", evolution_evaluate, nb::arg("candidates"), nb::arg("population").noconvert(),
             nb::arg("threads"), nb::arg("seconds"))
        .def("start", evolution_start, nb::arg("candidates"), nb::arg("best").noconvert(),
             nb::arg("population").noconvert(), nb::arg("threads"), nb::arg("seconds"))
        .def("words", [](PyEvolution& self) { return self.use([](const Evolution& e) { return e.words(); }); })
        .def("next", evolution_next, nb::arg("candidates"), nb::arg("words").noconvert(), nb::arg("threads"),
             nb::arg("seconds"))
        .def("best", evolution_best)
        .def("mean_objective",
             [](PyEvolution& self) { return self.use([](const Evolution& e) { return e.mean_objective(); }); })
        .def("seen", [](PyEvolution& self) { return self.use([](const Evolution& e) { return e.seen(); }); });
    nb::class_<PyDirectSearch>(m, "DirectSearch")
        .def("__init__", make_direct_search, nb::arg("gain").noconvert(), nb::arg("support").noconvert(),
             nb::arg("rules").noconvert(), nb::arg("limit"), nb::arg("max_parents"), nb::arg("hot"), nb::arg("decay"),
             nb::arg("chains"), nb::arg("seed"), nb::arg("stream"), nb::arg("support_share") = 1.0 / 64,
             nb::arg("by_arc") = false, nb::arg("states").noconvert() = nb::none(), nb::arg("max_table") = 0)
        .def("start_from", direct_void<&DirectSearch::start_from, ArcList>, nb::arg("arcs"))
        .def("start_at", direct_void<&DirectSearch::start_at, ArcList, std::vector<int>>, nb::arg("arcs"),
             nb::arg("order"))
        .def("anneal", direct_anneal, nb::arg("start"), nb::arg("stop"), nb::arg("total"), nb::arg("threads"),
             nb::arg("seconds") = HUGE_VAL)
        .def("polish", direct_polish, nb::arg("moves"), nb::arg("seconds") = HUGE_VAL)
        .def("tidy", direct_void<&DirectSearch::tidy>)
        .def("best", direct_best)
        .def("current", direct_current)
        .def("arc_count", direct_arc_count);
    nb::class_<PyFsimSearch>(m, "FsimSearch")
        .def("__init__", make_fsim_search, nb::arg("references").noconvert(), nb::arg("weights").noconvert(),
             nb::arg("ties").noconvert(), nb::arg("support").noconvert(), nb::arg("frequency").noconvert(),
             nb::arg("rules").noconvert(), nb::arg("limit"), nb::arg("max_parents"), nb::arg("chains"), nb::arg("seed"),
             nb::arg("states").noconvert() = nb::none(), nb::arg("max_table") = 0)
        .def("start_at", fsim_start_at, nb::arg("chain"), nb::arg("dag").noconvert(), nb::arg("order"))
        .def("restart", fsim_restart)
        .def("anneal", fsim_anneal, nb::arg("until"), nb::arg("total"), nb::arg("hot"), nb::arg("threads"),
             nb::arg("seconds") = HUGE_VAL)
        .def("tidy", fsim_tidy, nb::arg("seconds") = HUGE_VAL)
        .def("best", fsim_best)
        .def("networks", fsim_networks);
    nb::class_<PyMinCutSearch>(m, "MinCutSearch")
        .def("__init__", make_min_cut_search, nb::arg("network").noconvert(), nb::arg("inputs").noconvert(),
             nb::arg("weights").noconvert(), nb::arg("support").noconvert(), nb::arg("required"), nb::arg("threads"))
        .def("least", min_cut_least, nb::arg("seconds") = HUGE_VAL)
        .def("remove_least",
             [](PyMinCutSearch& self) { self.use([](MinCutSearch& search) { search.remove_least(); }); })
        .def("cuts", [](PyMinCutSearch& self) { return self.use([](const MinCutSearch& s) { return s.cuts(); }); });
    nb::class_<PySeparation>(m, "Separation")
        .def("__init__", make_separation, nb::arg("n"), nb::arg("edges").noconvert(), nb::arg("limit"),
             nb::arg("states").noconvert() = nb::none(), nb::arg("max_table") = 0)
        .def("fits", separation_fits, nb::arg("chosen"), nb::arg("seconds") = HUGE_VAL)
        .def("obstructions", separation_obstructions, nb::arg("choice").noconvert(), nb::arg("tries"), nb::arg("seed"),
             nb::arg("seconds") = HUGE_VAL)
        .def("excesses", separation_excesses, nb::arg("choice").noconvert(), nb::arg("most"), nb::arg("states"),
             nb::arg("seconds") = HUGE_VAL)
        .def("bounding_minors", separation_bounding_minors, nb::arg("weights").noconvert(), nb::arg("rounds"),
             nb::arg("seconds") = HUGE_VAL)
        .def("minors", separation_minors, nb::arg("choice").noconvert(), nb::arg("tries"), nb::arg("seed"),
             nb::arg("seconds") = HUGE_VAL)
        .def("ranks", separation_ranks, nb::arg("wish").noconvert(), nb::arg("choice").noconvert(), nb::arg("most"),
             nb::arg("seconds") = HUGE_VAL);
}

} // namespace bnfuse
