// Work that is ended from outside, at each of its looks at the watch, or for want of memory, at each allocation: what
// was found is valid, and the object goes on as one that was never disturbed.
#include "direct_search.hpp"
#include "evolution.hpp"
#include "kernel.hpp"
#include "structure_learner.hpp"
#include "testing.hpp"

#include <new>

using namespace bnfuse;
using namespace bnfuse::testing;

namespace {

enum class By { watch, memory };

// One way to end work: at the look or the allocation with this number.
struct Ending {
    By by;
    std::int64_t at;

    // Whether the work, which may say so itself, came to its end.
    template <class Work> bool operator()(Work&& work) const {
        Watch watch(nullptr, HUGE_VAL, by == By::watch ? at : INT64_MAX);
        const Watched now(&watch);
        struct Memory {
            explicit Memory(std::int64_t allocations) { allocations_left = allocations; }
            ~Memory() { allocations_left = INT64_MAX; }
        } const memory(by == By::memory ? at : INT64_MAX);
        try {
            return work();
        } catch (const Stopped&) {
        } catch (const std::bad_alloc&) {
        }
        return false;
    }
};

// Ends the work at every place, of the late ones at some, until there is none left. `trial(ending)` says whether the
// work came to its end.
template <class Trial> void at_every_place(Trial&& trial) {
    for (const auto by : {By::watch, By::memory})
        for (std::int64_t at = 0; !trial(Ending{by, at}); at += 1 + at / 32) {
        }
}

constexpr int n = 70; // two words, and more than a pulse in every elimination

struct Dags {
    std::vector<Rows<2>> rows;
    std::vector<std::uint64_t> words;

    Dags(int count, int arcs, Random& random) : words(static_cast<std::size_t>(count) * n * 2) {
        for (int i = 0; i < count; ++i) {
            rows.push_back(random_dag<2>(n, arcs, random));
            store(rows.back(), own_order(), 2, words.data() + static_cast<std::size_t>(i) * n * 2);
        }
    }
    Graphs view() const { return {words.data(), rows.size(), n, 2}; }

    static std::vector<int> own_order() {
        std::vector<int> order(n);
        std::iota(order.begin(), order.end(), 0);
        return order;
    }
};

std::vector<std::uint8_t> all_allowed() {
    std::vector<std::uint8_t> rules(static_cast<std::size_t>(n) * n, 1);
    for (int v = 0; v < n; ++v) rules[static_cast<std::size_t>(v) * n + v] = 0;
    return rules;
}

bool is_within(const Rows<2>& parents, const std::vector<int>& order, int limit) {
    return find_cycle(parents).empty() && is_permutation(order, n) &&
           plain_clique(moral_graph(parents), order) <= limit;
}

// Learning

StructureLearner learner(std::uint64_t largest_table, bool anneals) {
    constexpr int rows = 40;
    Random random(1, 70);
    std::vector<std::uint16_t> columns(static_cast<std::size_t>(n) * rows);
    for (int v = 0; v < n; ++v)
        for (int row = 0; row < rows; ++row) {
            const auto before = v % 7 ? columns[static_cast<std::size_t>(v - 1) * rows + row] : 0u;
            const auto noise = random.below(5) ? 0 : random.below(3);
            columns[static_cast<std::size_t>(v) * rows + row] = static_cast<std::uint16_t>((before + noise) % 3);
        }
    return {DiscreteData(columns.data(), n, rows, std::vector<int>(n, 3)),
            {ScoreKind::bic, 1.0, largest_table},
            {{n, 3, n, all_allowed()}, anneals, {2, 2}, {2, 2, 5}}};
}

void check_learned(const LearnedNetwork& network) {
    Rows<2> rows(n);
    for (int v = 0; v < n; ++v)
        for (const int u : network.parents[v]) rows[v].set(u);
    CHECK(n, is_within(rows, network.order, 3));
}

// From all rows.
void check_score(const StructureLearner& own, const LearnedNetwork& network) {
    double score = 0;
    for (int v = 0; v < n; ++v) score += own.family_score(v, network.parents[v]);
    CHECK(n, std::abs(score - network.score) < 1e-6 * std::abs(score));
}

void test_learning(bool anneals) {
    const auto own = learner(1 << 20, anneals);
    const auto whole = own.learned(1, 1);
    check_learned(whole);
    check_score(own, whole);
    at_every_place([&](const Ending& ending) {
        LearnedNetwork network;
        const bool done = ending([&] {
            network = own.learned(1, 1);
            return network.finished;
        });
        CHECK(n, ending.by == By::memory || !network.parents.empty()); // a deadline is not an error
        if (!network.parents.empty()) {
            check_learned(network);
            check_score(own, network);
        }
        if (done) CHECK(n, network.parents == whole.parents && network.order == whole.order);
        return done;
    });
    for (const int threads : {1, 2})
        for (int looks = 0; looks < 40; looks += 3) {
            std::vector<LearnedNetwork> networks;
            Ending{By::watch, looks}([&] {
                networks = own.resampled(1, 0, 3, threads);
                return true;
            });
            CHECK(n, networks.size() == 3);
            for (const auto& network : networks)
                if (!network.parents.empty()) check_learned(network);
        }
}

// Restarts try arcs at random: families whose tables are too large must not come in, as their scores do not add up.
void test_restarts_keep_tables_small() {
    const auto own = learner(9, false);
    const auto network = own.learned(1, 1);
    check_learned(network);
    check_score(own, network);
    for (const auto& parents : network.parents) CHECK(n, parents.size() <= 1);
}

// Searches over DAGs

DirectProblem votes(Random& random) {
    DirectProblem problem{n, 4, 3, PairWeights(n), PairWeights(n), {}, all_allowed(), 8, 6};
    for (int u = 0; u < n; ++u)
        for (int v = 0; v < u; ++v) {
            problem.gain(u, v) = problem.gain(v, u) = random.below(12) ? -5 : 5 + random.below(5);
            problem.support(u, v) = random.below(6);
        }
    return problem;
}

void check_direct(const DirectProblem& problem, const DirectSearch::Network& network) {
    Rows<2> rows(n);
    for (const auto& [u, v] : network.arcs) rows[v].set(u);
    Weight gain = 0;
    const auto moral = moral_graph(rows);
    for (int a = 0; a < n; ++a)
        moral[a].each([&](int b) {
            if (a < b) gain += problem.gain(a, b);
        });
    CHECK(n, is_within(rows, network.order, problem.limit) && gain == network.score.gain);
}

void test_direct() {
    Random random(2, 70);
    const auto problem = votes(random);
    ArcList arcs;
    for (int v = 1; v < n; ++v) arcs.emplace_back(v - 1, v);
    at_every_place([&](const Ending& ending) {
        DirectSearch search(problem, 2, 1, 0);
        const bool done = ending([&] {
            search.start_from(arcs);
            return search.anneal(0, 3'000, 3'000, 1) && search.polish(600) && (search.tidy(), true);
        });
        const auto best = search.best();
        check_direct(problem, best);
        bool goes_on = true;
        try {
            check_direct(problem, search.current());
            search.anneal(0, 500, 500, 2);
        } catch (const std::runtime_error&) { // a move that wanted memory cannot be taken back
            goes_on = false;
        }
        CHECK(n, goes_on || ending.by == By::memory);
        CHECK(n, search.best().score >= best.score);
        return done;
    });
}

void test_fsim() {
    Random random(3, 70);
    const Dags dags(3, n, random);
    const auto order = Dags::own_order();
    const PairWeights frequency(n, std::vector<Weight>(static_cast<std::size_t>(n) * n, 1));
    const auto check_best = [&](const FsimSearch& search) {
        const auto best = search.best();
        const auto rows = Graphs(best.parents.data(), 1, n, 2).load<2>(0);
        Weight distance = 0;
        Fsim<2> fsim;
        for (const auto& dag : dags.rows) distance += fsim(rows, dag, true);
        CHECK(n, is_within(rows, best.order, 5) && distance == best.distance);
    };
    const std::vector<std::uint64_t> none(2 * n);
    at_every_place([&](const Ending& ending) {
        const auto search = kernel_for(n).fsim_search(
            {dags.view(), {1, 1, 1}, order, PairWeights(n), frequency, all_allowed(), 5, 4, 1, 1});
        search->start_at(0, Graphs(none.data(), 1, n, 2), order);
        const bool done = ending([&] {
            search->start_at(0, dags.view(), order);
            search->restart();
            return search->anneal(60, 60, 10, 1) && search->tidy();
        });
        check_best(*search);
        CHECK(n, search->anneal(120, 120, 10, 1));
        check_best(*search);
        return done;
    });
}

// Searches over arcs

void test_min_cut() {
    Random random(4, 70);
    const Dags dags(3, n, random), network(1, n, random);
    const auto search = [&] {
        return kernel_for(n).min_cut_search({network.view(), dags.view(), {1, 2, 1}, PairWeights(n), {}, 1});
    };
    at_every_place([&](const Ending& ending) {
        const auto disturbed = search(), twin = search();
        bool done = true;
        for (int deleted = 0; deleted < 12; ++deleted) {
            done &= ending([&] { return disturbed->least().has_value(); });
            const auto least = disturbed->least(), same = twin->least();
            CHECK(n, least->source == same->source && least->target == same->target && least->size == same->size);
            const bool removed = ending([&] { return disturbed->remove_least(), true; });
            if (!removed) disturbed->remove_least();
            done &= removed;
            twin->remove_least();
        }
        return done;
    });
}

CandidatesSetup candidates_of(const Dags& dags, Decoding decoding) {
    const std::vector<Weight> weights(dags.rows.size(), 1);
    CandidatesSetup setup{
        decoding, Triangulation::min_fill, {}, Dags::own_order(), dags.view(), weights, Metric::smhd, dags.view(),
        weights,  Dags::own_order()};
    for (int i = 0; i < (decoding == Decoding::keep_arcs ? 1 : dags.view().count()); ++i)
        for (int v = 0; v < n; ++v)
            dags.rows[i][v].each([&](int u) { setup.arcs.push_back({i, u, v, static_cast<int>(setup.arcs.size())}); });
    return setup;
}

std::vector<std::uint8_t> random_genes(int count, Random& random) {
    std::vector<std::uint8_t> genes(count);
    for (auto& gene : genes) gene = random.below(2) != 0;
    return genes;
}

void test_candidates() {
    Random random(5, 70);
    const Dags dags(3, n / 2, random);
    for (const auto decoding : {Decoding::keep_arcs, Decoding::fuse, Decoding::fuse_in_own_order}) {
        const auto setup = candidates_of(dags, decoding);
        const auto twin = kernel_for(n).candidates(setup);
        const auto genes = random_genes(4 * twin->gene_count(), random);
        const auto expected = twin->evaluate(genes.data(), 4, 1);
        std::vector<int> all(std::min(12, twin->gene_count()));
        std::iota(all.begin(), all.end(), 0);
        twin->start_greedy(3);
        const auto kept = twin->offer(all);
        at_every_place([&](const Ending& ending) {
            const auto disturbed = kernel_for(n).candidates(setup);
            bool done = ending([&] { return disturbed->evaluate(genes.data(), 4, 1).size() == 4; });
            const auto values = disturbed->evaluate(genes.data(), 4, 1);
            for (int i = 0; i < 4; ++i)
                CHECK(n, values[i].distance == expected[i].distance && values[i].clique == expected[i].clique);
            disturbed->start_greedy(3);
            const bool offered = ending([&] { return disturbed->offer(all) == kept; });
            if (!offered) CHECK(n, throws<std::invalid_argument>([&] { disturbed->offer(all); }));
            disturbed->start_greedy(3);
            CHECK(n, disturbed->offer(all) == kept);
            return done && offered;
        });
    }
}

void test_generations() {
    Random random(6, 70);
    const Dags dags(3, n, random);
    const auto candidates = kernel_for(n).candidates(candidates_of(dags, Decoding::keep_arcs));
    const int genes = candidates->gene_count(), size = 5, limit = 4;
    const std::vector<std::uint8_t> nothing(genes);
    const auto first = random_genes(size * genes, random);
    for (const bool noted : {false, true}) {
        EvolutionSetup setup{genes, size, limit, 2, true, false, noted, true, {}, {}, {}};
        setup.add.assign(n + 1, 0.1);
        setup.remove.assign(n + 1, 0.3);
        at_every_place([&](const Ending& ending) {
            Evolution disturbed(setup), twin(setup);
            bool done = ending([&] { return disturbed.start(*candidates, nothing.data(), first.data(), 1), true; });
            if (!done) disturbed.start(*candidates, nothing.data(), first.data(), 1);
            twin.start(*candidates, nothing.data(), first.data(), 1);
            std::vector<std::uint64_t> words(twin.words());
            for (auto& word : words) word = random.next();
            for (int generation = 0; generation < 3; ++generation) {
                const bool bred = ending([&] { return disturbed.next(*candidates, words.data(), 1), true; });
                const auto& [best, value] = disturbed.best();
                const auto again = candidates->evaluate(best.data(), 1, 1).front();
                CHECK(n, again.clique <= limit && again.distance == value.distance && again.clique == value.clique);
                if (!bred) disturbed.next(*candidates, words.data(), 1);
                twin.next(*candidates, words.data(), 1);
                // Offspring that were noted are not forgotten: the other has not seen them twice.
                CHECK(n, noted || (disturbed.best().genes == twin.best().genes &&
                                   disturbed.mean_objective() == twin.mean_objective()));
                done &= bred;
            }
            return done;
        });
    }
}

void test_counts() {
    Random random(7, 70);
    const Dags dags(9, n, random);
    at_every_place([&](const Ending& ending) {
        std::vector<Weight> moral(static_cast<std::size_t>(n) * n), arcs(moral), none(moral);
        const std::vector<Weight> weights(9, 2);
        const bool done =
            ending([&] { return kernel_for(n).count_edges(dags.view(), weights, moral.data(), arcs.data()), true; });
        CHECK(n, done != (moral == none) && done != (arcs == none));
        return done;
    });
}

void test_all() {
    test_learning(false);
    test_learning(true);
    test_restarts_keep_tables_small();
    test_direct();
    test_fsim();
    test_min_cut();
    test_candidates();
    test_generations();
    test_counts();
}

const Suite suite("stop", test_all);

} // namespace
