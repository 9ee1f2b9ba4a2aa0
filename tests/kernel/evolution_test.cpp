// Generations: within the limit, never worse, the same on any number of threads, what must be kept is kept. What they
// do gene by gene is compared with a twin in Python.
#include "evolution.hpp"
#include "kernel.hpp"
#include "testing.hpp"

using namespace bnfuse;
using namespace bnfuse::testing;

namespace {

CandidatesSetup setup_of(const std::vector<std::uint64_t>& words, int n) {
    const Graphs dags(words.data(), words.size() / n, n, 1);
    CandidatesSetup setup{Decoding::keep_arcs, Triangulation::min_fill, {}, {}, dags, {}, Metric::smhd, dags, {}, {}};
    for (int v = 0; v < n; ++v) setup.order.push_back(v);
    setup.ties = setup.order;
    setup.support_weights = setup.reference_weights = std::vector<Weight>(dags.count(), 1);
    const auto rows = dags.load<1>(0);
    for (int v = 0; v < n; ++v)
        rows[v].each([&](int u) { setup.arcs.push_back({0, u, v, static_cast<int>(setup.arcs.size())}); });
    return setup;
}

EvolutionSetup options(int genes, int n, int limit, int variant) {
    EvolutionSetup setup{genes, 9,  limit, 1 + variant % 2, variant % 3 == 0, variant % 5 == 0, variant % 2 == 0, true,
                         {},    {}, {}};
    setup.add.assign(n + 1, 0.1);
    setup.remove.assign(n + 1, 0.2);
    return setup;
}

void test_generations(int n, int variant) {
    Random random(n, static_cast<std::uint64_t>(variant));
    std::vector<std::uint64_t> words;
    for (int i = 0; i < 4; ++i)
        for (const auto& row : random_dag<1>(n, 3 * n, random)) words.push_back(row.word[0]);
    const auto given = setup_of(words, n);
    const auto candidates = kernel_for(n).candidates(given);
    const int genes = candidates->gene_count(), limit = 3;
    auto setup = options(genes, n, limit, variant);
    if (variant % 4 == 3) { // the last gene is forbidden, and nobody has two parents
        setup.repair.required.assign(genes, 0);
        setup.repair.forbidden.assign(genes, 0);
        setup.repair.forbidden.back() = 1;
        setup.repair.max_parents = 1;
        for (const auto& arc : given.arcs) {
            setup.repair.offered.push_back(arc.gene);
            setup.repair.target.push_back(arc.target);
        }
    }
    Evolution one(setup), two(setup);
    const std::vector<std::uint8_t> nothing(genes);
    std::vector<std::uint8_t> first(static_cast<std::size_t>(9) * genes);
    for (auto& gene : first) gene = static_cast<std::uint8_t>(random.below(2));
    for (int i = 0; i < 9; ++i) setup.repair(first.data() + static_cast<std::size_t>(i) * genes);
    CHECK(n, throws<std::invalid_argument>([&] { one.next(*candidates, words.data(), 1); }));
    one.start(*candidates, nothing.data(), first.data(), 1);
    two.start(*candidates, nothing.data(), first.data(), 2);
    for (int generation = 0; generation < 12; ++generation) {
        const auto before = one.best().value;
        std::vector<std::uint64_t> draws(one.words());
        for (auto& word : draws) word = random.next();
        one.next(*candidates, draws.data(), 1);
        two.next(*candidates, draws.data(), 2);
        const auto& best = one.best();
        CHECK(n, best.genes == two.best().genes && one.seen() == two.seen());
        CHECK(n, best.value.clique <= limit && best.value.distance <= before.distance);
        CHECK(n, candidates->evaluate(best.genes.data(), 1, 1)[0].distance == best.value.distance);
        auto kept = best.genes;
        setup.repair(kept.data());
        CHECK(n, kept == best.genes);
    }
    Watch over(nullptr, 0);
    const Watched now(&over);
    std::vector<std::uint64_t> draws(one.words(), ~std::uint64_t{0} / 3);
    const auto best = one.best().genes;
    try {
        one.next(*candidates, draws.data(), 1);
    } catch (const Stopped&) {
        CHECK(n, one.best().genes == best || one.best().value.clique <= limit);
    }
}

void test_bad_setups() {
    using Bad = std::invalid_argument;
    const auto bad = [](auto&& change) {
        auto setup = options(5, 4, 3, 0);
        change(setup);
        return throws<Bad>([&] { Evolution evolution(setup); });
    };
    CHECK(5, !bad([](EvolutionSetup&) {}));
    CHECK(5, bad([](EvolutionSetup& setup) { setup.population = 1; }));
    CHECK(5, bad([](EvolutionSetup& setup) { setup.offspring = 3; }));
    CHECK(5, bad([](EvolutionSetup& setup) { setup.add.clear(); }));
    CHECK(5, bad([](EvolutionSetup& setup) { setup.remove[0] = 1.5; }));
    CHECK(5, bad([](EvolutionSetup& setup) { setup.repair.required = {1}; }));
    CHECK(5, bad([](EvolutionSetup& setup) { setup.repair.max_parents = 2; }));
    CHECK(5, bad([](EvolutionSetup& setup) {
              setup.repair.max_parents = 2;
              setup.repair.target = setup.repair.offered = {0, 1, 2, 3, 5};
          }));
}

void test_all() {
    for (int n = 4; n < 12; ++n)
        for (int variant = 0; variant < 8; ++variant) test_generations(n, variant);
    test_bad_setups();
}

const Suite suite("evolution", test_all);

} // namespace
