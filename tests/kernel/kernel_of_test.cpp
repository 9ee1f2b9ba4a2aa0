// The kernel's way in for every width: against the algorithms themselves, on any number of threads; and bad input.
#include "imap.hpp"
#include "kernel.hpp"
#include "testing.hpp"

using namespace bnfuse;
using namespace bnfuse::testing;

namespace {

template <int W> std::vector<std::uint64_t> words_of(const std::vector<Rows<W>>& dags) {
    std::vector<std::uint64_t> words;
    for (const auto& dag : dags)
        for (const auto& row : dag)
            words.insert(words.end(), row.word.begin(), row.word.begin() + (dag.size() + 63) / 64);
    return words;
}

Graphs view(const std::vector<std::uint64_t>& words, int n) {
    const std::size_t size = n, width = (size + 63) / 64;
    return {words.data(), words.size() / (size * width), size, width};
}

template <int W> void test_functions(int n, Random& random) {
    std::vector<Rows<W>> dags;
    for (int i = 0; i < 5; ++i) dags.push_back(random_dag<W>(n, n, random));
    const auto words = words_of(dags), first_words = words_of<W>({dags[0]});
    const auto all = view(words, n), one = view(first_words, n);
    const auto& kernel = kernel_for(all);
    const std::vector<Weight> weights{1, 2, 3, 4, 5};
    const auto ties = random_order(n, random);
    std::vector<Rows<W>> labelled;
    for (const auto& dag : dags) labelled.push_back(relabelled(dag, places(ties)));
    auto order = heuristic_order(labelled, weights);
    for (auto& v : order) v = ties[v];
    CHECK(n, kernel.heuristic_order(all, weights, ties) == order);
    CHECK(n, kernel.find_cycle(one).empty());
    std::vector<std::uint64_t> maps(words.size()), same(words.size());
    kernel.minimal_imaps(all, order, 1, maps.data());
    kernel.minimal_imaps(all, order, 3, same.data());
    CHECK(n, maps == same);
    MinimalImap<W> minimal_imap;
    bool equal = true;
    std::vector<int> shds, smhds;
    for (int i = 0; i < 5; ++i) {
        auto map = relabelled(dags[i], places(order));
        minimal_imap(map);
        equal &= relabelled(map, order) == view(maps, n).load<W>(i);
        shds.push_back(shd(dags[0], dags[i]));
        smhds.push_back(moral_difference(moral_graph(dags[0]), moral_graph(dags[i])));
    }
    CHECK(n, equal);
    CHECK(n, kernel.shd(one, all) == shds && kernel.smhd(one, all) == smhds);
    CHECK(n, kernel.fsim(one, all, ties, true, 1) == kernel.fsim(one, all, ties, true, 4));
    for (const auto method :
         {Method::best, Method::exact, Method::min_fill, Method::min_degree, Method::max_cardinality}) {
        const auto found = kernel.triangulate(one, method, 10);
        CHECK(n, found.lower <= found.upper && kernel.clique_along(one, found.order) == found.upper);
    }
    std::vector<Weight> moral(static_cast<std::size_t>(n) * n), arcs(moral);
    kernel.count_edges(all, weights, moral.data(), arcs.data());
    Weight total = 0, expected = 0;
    for (const auto count : arcs) total += count;
    for (int i = 0; i < 5; ++i)
        for (const auto& row : dags[i]) expected += weights[i] * row.count();
    CHECK(n, total == expected);
    Watch over(nullptr, 0);
    const Watched now(&over);
    const auto before = arcs;
    CHECK(n, throws<Stopped>([&] { kernel.count_edges(all, weights, moral.data(), arcs.data()); }) && arcs == before);
    CHECK(n, throws<Stopped>([&] { kernel.fsim(one, all, ties, true, 2); }));
    CHECK(n, throws<Stopped>([&] { kernel.heuristic_order(all, weights, ties); }));
}

void test_counts_are_all_or_none() {
    const std::vector<std::uint64_t> words{0, 1, 0, 0, 4, 1}; // the second has a bit beyond the variables
    auto wrong = words;
    wrong[4] = 8;
    std::vector<Weight> moral(9), arcs(9), none(9);
    const auto& kernel = kernel_for(3);
    CHECK(3, throws<std::invalid_argument>(
                 [&] { kernel.count_edges(view(wrong, 3), {1, 1}, moral.data(), arcs.data()); }));
    CHECK(3, moral == none && arcs == none);
}

void test_bad_input() {
    using Bad = std::invalid_argument;
    const std::vector<std::uint64_t> dags{0, 1, 3, 0, 0, 1}, beyond{0, 8, 0}, loop{1, 0, 0}, cyclic{2, 1, 0},
        one{0, 1, 3};
    const auto& kernel = kernel_for(3);
    const std::vector<int> order{2, 0, 1};
    std::vector<std::uint64_t> maps(6);
    const auto two = view(dags, 3);
    CHECK(0,
          throws<Bad>([&] { Graphs(dags.data(), 1, 0, 0); }) && throws<Bad>([&] { Graphs(dags.data(), 1, 2049, 33); }));
    CHECK(3, throws<Bad>([&] { Graphs(dags.data(), 1, 3, 2); }) && throws<Bad>([&] { Graphs(dags.data(), 1, 65, 1); }));
    for (const auto& weights : std::initializer_list<std::vector<Weight>>{
             {}, {1}, {1, 1, 1}, {1, -1}, {1, Weight{1} << 62}, {largest_total, 1}})
        CHECK(3, throws<Bad>([&] { kernel.heuristic_order(two, weights, order); }));
    for (const auto& bad :
         std::initializer_list<std::vector<int>>{{}, {0, 1}, {0, 1, 1}, {0, 1, 3}, {-1, 0, 1}, {0, 1, 2, 3}}) {
        CHECK(3, throws<Bad>([&] { kernel.heuristic_order(two, {1, 1}, bad); }));
        CHECK(3, throws<Bad>([&] { kernel.minimal_imaps(two, bad, 1, maps.data()); }));
        CHECK(3, throws<Bad>([&] { kernel.fsim(view(one, 3), two, bad, true, 1); }));
        CHECK(3, throws<Bad>([&] { kernel.clique_along(view(one, 3), bad); }));
    }
    for (const int threads : {0, -1, 1 << 30})
        CHECK(3, throws<Bad>([&] { kernel.minimal_imaps(two, order, threads, maps.data()); }));
    for (const auto* bad : {&beyond, &loop, &cyclic}) {
        CHECK(3, throws<Bad>([&] { kernel.minimal_imaps(view(*bad, 3), order, 1, maps.data()); }));
        CHECK(3, throws<Bad>([&] { kernel.heuristic_order(view(*bad, 3), {1}, order); }));
        CHECK(3, throws<Bad>([&] { kernel.fsim(view(*bad, 3), two, order, true, 2); }));
        CHECK(3, throws<Bad>([&] { kernel.fsim(view(one, 3), view(*bad, 3), order, true, 2); }));
    }
    CHECK(3, throws<Bad>([&] { kernel.triangulate(view(beyond, 3), Method::min_fill, 0); }));
    CHECK(3, throws<Bad>([&] { kernel.triangulate(view(one, 3), Method::exact, -1); }));
    CHECK(3, throws<Bad>([&] { kernel.find_cycle(view(beyond, 3)); }) && kernel.find_cycle(view(loop, 3)).size() == 1);
    const std::vector<std::uint64_t> four(4);
    CHECK(3, throws<Bad>([&] { kernel.shd(view(one, 3), view(four, 4)); }));
    CHECK(3, throws<Bad>([&] { kernel.smhd(view(one, 3), view(four, 4)); }));
    CHECK(3,
          throws<Bad>([&] { PairWeights(2, {1, 2, 3}); }) && throws<Bad>([&] { PairWeights(1, {Weight{1} << 60}); }));
}

// Candidates: the same values on any number of threads and whatever was evaluated, or ended, before.

CandidatesSetup setup_of(const std::vector<std::uint64_t>& words, int n, Decoding decoding, Metric metric) {
    const auto dags = view(words, n);
    CandidatesSetup setup{decoding, Triangulation::min_fill, {}, {}, dags, {}, metric, dags, {}, {}};
    for (int v = 0; v < n; ++v) setup.order.push_back(v);
    setup.ties = setup.order;
    for (int i = 0; i < dags.count(); ++i) {
        setup.support_weights.push_back(1 + i);
        setup.reference_weights.push_back(1 + i);
        const auto rows = dags.load<1>(i);
        for (int v = 0; v < n; ++v)
            rows[v].each([&](int u) { setup.arcs.push_back({i, u, v, static_cast<int>(setup.arcs.size())}); });
    }
    if (decoding == Decoding::keep_arcs) std::erase_if(setup.arcs, [](const auto& arc) { return arc.input > 0; });
    return setup;
}

void test_candidates(int n, Decoding decoding, Metric metric) {
    Random random(n, 6);
    std::vector<Rows<1>> dags;
    for (int i = 0; i < 6; ++i) dags.push_back(random_dag<1>(n, 2 * n, random));
    const auto words = words_of(dags);
    const auto setup = setup_of(words, n, decoding, metric);
    const auto a = kernel_for(n).candidates(setup), b = kernel_for(n).candidates(setup);
    constexpr int count = 70;
    std::vector<std::uint8_t> genes(static_cast<std::size_t>(count) * a->gene_count());
    for (auto& gene : genes) gene = static_cast<std::uint8_t>(random.below(2));
    const auto same = [](const std::vector<Value>& x, const std::vector<Value>& y) {
        return std::ranges::equal(x, y, [](const Value& p, const Value& q) {
            return p.distance == q.distance && p.support == q.support && p.clique == q.clique;
        });
    };
    {
        Watch over(nullptr, 0);
        const Watched now(&over);
        CHECK(n, throws<Stopped>([&] { b->evaluate(genes.data(), count, 1); }));
    }
    const auto values = a->evaluate(genes.data(), count, 1);
    CHECK(n, same(values, b->evaluate(genes.data(), count, 4)));
    CHECK(n, same(values, a->evaluate(genes.data(), count, 2)));
    std::vector<std::uint64_t> parents(n);
    const auto order = a->decode(genes.data(), parents.data());
    CHECK(n, kernel_for(n).clique_along(view(parents, n), order) == values[0].clique);
    using Bad = std::invalid_argument;
    CHECK(n, throws<Bad>([&] { a->offer({0}); }));
    a->start_greedy(3);
    CHECK(n, throws<Bad>([&] { a->offer({a->gene_count()}); }) && throws<Bad>([&] { a->offer({-1}); }));
    std::vector<int> all(a->gene_count());
    std::iota(all.begin(), all.end(), 0);
    CHECK(n, a->offer(all).size() == all.size());
    genes[3] = 2;
    CHECK(n, throws<Bad>([&] { a->evaluate(genes.data(), count, 1); }));
}

void test_bad_candidates() {
    const std::vector<std::uint64_t> words{0, 1, 3, 0, 0, 1};
    const auto good = setup_of(words, 3, Decoding::fuse, Metric::smhd);
    for (const auto& change : std::initializer_list<void (*)(CandidatesSetup&)>{
             [](CandidatesSetup& bad) { bad.arcs[0].input = 2; }, [](CandidatesSetup& bad) { bad.arcs[0].input = -1; },
             [](CandidatesSetup& bad) { bad.arcs[1].source = 3; },
             [](CandidatesSetup& bad) { bad.arcs[1].target = -1; },
             [](CandidatesSetup& bad) { bad.arcs[1].gene = 1 << 30; },
             [](CandidatesSetup& bad) { bad.arcs[1].gene = -1; },
             [](CandidatesSetup& bad) { std::swap(bad.arcs.front(), bad.arcs.back()); },
             [](CandidatesSetup& bad) { bad.order = {0, 1, 1}; }, [](CandidatesSetup& bad) { bad.ties = {0, 1}; },
             [](CandidatesSetup& bad) { bad.support_weights = {1}; },
             [](CandidatesSetup& bad) { bad.reference_weights = {1, -1}; }}) {
        auto bad = good;
        change(bad);
        CHECK(3, throws<std::invalid_argument>([&] { kernel_for(3).candidates(bad); }));
    }
}

void test_all() {
    for (const int n : {1, 5, 64, 65, 129, 300, 600, 1100})
        with_words(n, [&]<int W>() {
            Random random(n, 8);
            test_functions<W>(n, random);
        });
    for (const auto decoding : {Decoding::keep_arcs, Decoding::fuse, Decoding::fuse_in_own_order})
        for (const auto metric : {Metric::smhd, Metric::fsim})
            for (const int n : {6, 20}) test_candidates(n, decoding, metric);
    test_bad_candidates();
    test_counts_are_all_or_none();
    test_bad_input();
}

const Suite suite("kernel", test_all);

} // namespace
