// Direct search for FSim: what a chain says of its best network, against the network itself.
#include "fsim_search.hpp"
#include "testing.hpp"

using namespace bnfuse;
using namespace bnfuse::testing;

namespace {

template <int W> void test_fsim_chain(int n, int limit, int max_parents, std::int64_t work) {
    Random random(n, 7 + static_cast<std::uint64_t>(limit));
    FsimProblem<W> problem;
    problem.n = n;
    problem.limit = limit;
    problem.max_parents = max_parents;
    problem.support = PairWeights(n);
    problem.rules.resize(static_cast<std::size_t>(n) * n);
    std::vector<Rows<W>> dags;
    for (int i = 0; i < 7; ++i) dags.push_back(random_dag<W>(n, n + n / 4, random));
    dags.push_back(dags.front()); // counts twice
    std::uint32_t drawn = 0;
    for (const auto& dag : dags) {
        problem.add_reference(dag, 1 + static_cast<Weight>(problem.references.size()));
        for (int v = 0; v < n; ++v)
            dag[v].each([&](int u) {
                problem.support(u, v) += 1;
                auto& rule = problem.rules[static_cast<std::size_t>(u) * n + v];
                if (rule || !random.below(8)) return;
                rule = 1;
                problem.arcs.emplace_back(u, v);
                problem.drawn_until.push_back(drawn += 1 + random.below(5));
            });
    }
    if (problem.arcs.empty()) return;
    const auto [source, target] = problem.arcs.front();
    problem.rules[static_cast<std::size_t>(source) * n + target] |= 2;
    Rows<W> start(n);
    start[target].set(source);
    FsimChain<W> chain(problem, static_cast<std::uint64_t>(n), 0), sliced(problem, static_cast<std::uint64_t>(n), 0);
    for (auto* each : {&chain, &sliced}) {
        each->start_at(start, random_order(n, random));
        each->rewind();
    }
    auto before = chain.best();
    const double hot = 0.5 * static_cast<double>(problem.total_weight);
    chain.anneal(work, work, hot);
    for (int part = 1; part <= 5; ++part) sliced.anneal(work * part / 5, work, hot);
    const auto& best = chain.best();
    CHECK(n, best.parents == sliced.best().parents && chain.networks() == sliced.networks());
    CHECK(n, !before.better_than(best));
    CHECK(n, find_cycle(best.parents).empty() && best.parents[target].test(source));
    CHECK(n, is_permutation(best.order, n) && plain_clique(moral_graph(best.parents), best.order) <= limit);
    Fsim<W> fsim;
    Weight distance = 0, support = 0;
    for (std::size_t i = 0; i < problem.references.size(); ++i)
        distance += problem.weights[i] * fsim(best.parents, problem.references[i].dag, true);
    bool allowed = true;
    int arcs = 0;
    for (int v = 0; v < n; ++v) {
        allowed &= best.parents[v].count() <= max_parents;
        best.parents[v].each([&](int u) {
            allowed &= problem.allowed(u, v);
            support += problem.support(u, v);
            ++arcs;
        });
    }
    CHECK(n, allowed && best.distance == distance && best.support == support && best.arcs == arcs);
    CHECK(n, problem.references.size() <= 7);
}

// After tidying no arc with negative support is left that could go at no cost.
void test_tidy(int n, int limit, Random& random) {
    std::vector<std::uint64_t> rows;
    PairWeights support(n), frequency(n);
    std::vector<std::uint8_t> rules(static_cast<std::size_t>(n) * n, 1);
    constexpr int r = 5;
    for (int u = 0; u < n; ++u)
        for (int v = 0; v < n; ++v) {
            support(u, v) = 1 - 2 * r;
            frequency(u, v) = 1;
        }
    for (int v = 0; v < n; ++v) rules[static_cast<std::size_t>(v) * n + v] = 0;
    for (int i = 0; i < r; ++i)
        for (int v = 0; const auto& row : random_dag<1>(n, 2 * n, random)) {
            row.each([&](int u) { support(u, v) += 4; });
            rows.push_back(row.word[0]);
            ++v;
        }
    const Graphs references(rows.data(), r, static_cast<std::size_t>(n), 1);
    std::vector<int> order(n);
    std::iota(order.begin(), order.end(), 0);
    FsimSearchOf<1> search(
        {references, std::vector<Weight>(r, 1), order, support, frequency, rules, limit, limit - 1, 2, 7});
    const std::vector<std::uint64_t> none(n);
    for (int chain = 0; chain < 2; ++chain)
        search.start_at(chain, Graphs(none.data(), 1, static_cast<std::size_t>(n), 1), order);
    CHECK(n, search.anneal(400, 4'000, 10, 2));
    const auto before = search.best();
    CHECK(n, search.tidy());
    const auto after = search.best();
    CHECK(n, std::pair(-after.distance, after.support) >= std::pair(-before.distance, before.support));
    Fsim<1> fsim;
    const auto distance_of = [&](const Rows<1>& dag) {
        Weight total = 0;
        for (int i = 0; i < r; ++i) total += fsim(dag, references.load<1>(i), true);
        return total;
    };
    const auto dag = Graphs(after.parents.data(), 1, static_cast<std::size_t>(n), 1).load<1>(0);
    CHECK(n, distance_of(dag) == after.distance && plain_clique(moral_graph(dag), after.order) <= limit);
    bool needed = true;
    for (int v = 0; v < n; ++v)
        dag[v].each([&](int u) {
            auto without = dag;
            without[v].reset(u);
            needed &= support(u, v) >= 0 || distance_of(without) > after.distance;
        });
    CHECK(n, needed);
}

void test_bad_input() {
    const std::vector<std::uint64_t> dag{0, 1, 3}, cyclic{2, 1, 0}, beyond{8, 0, 0};
    const std::vector<int> order{0, 1, 2};
    const auto view = [](const std::vector<std::uint64_t>& rows) { return Graphs(rows.data(), 1, 3, 1); };
    PairWeights frequency(3, std::vector<Weight>(9, 1));
    const FsimSetup good{view(dag), {1}, order, PairWeights(3), frequency, {0, 1, 1, 1, 0, 1, 1, 1, 0}, 3, 2, 2, 1};
    using Bad = std::invalid_argument;
    FsimSearchOf<1> search(good);
    CHECK(3, throws<Bad>([&] { search.best(); }) && throws<Bad>([&] { search.anneal(1, 1, 1, 1); }));
    CHECK(3, throws<Bad>([&] { search.restart(); }) && throws<Bad>([&] { search.tidy(); }));
    CHECK(3, throws<Bad>([&] { search.start_at(2, view(dag), order); }));
    CHECK(3, throws<Bad>([&] { search.start_at(0, view(cyclic), order); }));
    CHECK(3, throws<Bad>([&] { search.start_at(0, view(beyond), order); }));
    CHECK(3, throws<Bad>([&] { search.start_at(0, view(dag), {0, 1, 1}); }));
    for (int chain = 0; chain < 2; ++chain) search.start_at(chain, view(dag), order);
    CHECK(3, search.best().distance == 0);
    CHECK(3, throws<Bad>([&] { search.anneal(1, 0, 1, 1); }) && throws<Bad>([&] { search.anneal(1, 1, -1, 1); }));
    for (const auto& change : std::initializer_list<void (*)(FsimSetup&)>{
             [](FsimSetup& bad) { bad.weights = {}; }, [](FsimSetup& bad) { bad.weights = {-1}; },
             [](FsimSetup& bad) { bad.weights = {0}; }, [](FsimSetup& bad) { bad.ties = {0, 0, 1}; },
             [](FsimSetup& bad) { bad.frequency = PairWeights(3); },
             [](FsimSetup& bad) { bad.support = PairWeights(2); },
             [](FsimSetup& bad) { bad.frequency(0, 1) = Weight{1} << 33; }, [](FsimSetup& bad) { bad.rules[0] = 1; },
             [](FsimSetup& bad) { bad.limit = 0; }, [](FsimSetup& bad) { bad.chains = 0; }}) {
        auto bad = good;
        change(bad);
        CHECK(3, throws<Bad>([&] { FsimSearchOf<1>{bad}; }));
    }
}

void test_all() {
    for (const int limit : {2, 3, 5}) {
        for (const int n : {1, 2, 3, 5, 9, 20, 40, 64}) test_fsim_chain<1>(n, limit, std::min(2, limit - 1), 20'000);
        test_fsim_chain<2>(65, limit, limit - 1, 5'000);
        test_fsim_chain<4>(130, limit, limit - 1, 5'000);
    }
    for (int round = 0; round < 12; ++round) {
        Random random(round, 5);
        test_tidy(3 + round, 2 + round % 3, random);
    }
    test_bad_input();
}

const Suite suite("fsim", test_all);

} // namespace
