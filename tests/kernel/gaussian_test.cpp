// Linear networks from numbers: equivalent ones score the same, threads never show, and work that is ended from outside
// gives the best so far.
#include "gaussian_learner.hpp"
#include "testing.hpp"

namespace bnfuse::testing {

namespace {

std::vector<double> rows_of(int n, int rows, Random& random) {
    std::vector<double> cells(static_cast<std::size_t>(n) * rows);
    for (int row = 0; row < rows; ++row)
        for (int v = 0; v < n; ++v) {
            auto& cell = cells[static_cast<std::size_t>(row) * n + v];
            cell = static_cast<double>(random.below(1000)) / 500;
            if (v > 1) cell += cells[static_cast<std::size_t>(row) * n + random.below(2)];
        }
    return cells;
}

GaussianLearner learner(int n, GaussianKind kind, bool anneals) {
    Random random(7, 0);
    const auto cells = rows_of(n, 60, random);
    std::vector<std::uint8_t> rules(static_cast<std::size_t>(n) * n, 1);
    for (int v = 0; v < n; ++v) rules[static_cast<std::size_t>(v) * n + v] = 0;
    return {
        GaussianData(cells.data(), n, 60), {kind, 1, n + 2.0}, {{n, 3, 2, rules}, anneals, {3, 2}, {3, 2, 50}, 900}};
}

void test_a_covered_arc_may_turn() {
    for (const auto kind : {GaussianKind::bic, GaussianKind::bge}) {
        const auto own = learner(4, kind, true);
        const double one = own.network_score({{}, {0}, {0, 1}, {2}}), other = own.network_score({{1}, {}, {0, 1}, {2}});
        CHECK(4, one == other);
        CHECK(4, one == own.network_score({{1, 2}, {2}, {}, {2}}));
        CHECK(4, own.family_score(2, {0, 1}) == own.family_score(2, {1, 0}));
    }
}

void test_threads_and_ends_do_not_show() {
    for (const bool anneals : {false, true})
        for (const int n : {5, 70}) {
            const auto own = learner(n, GaussianKind::bge, anneals);
            const auto whole = own.resampled(1, 0, 4, 1), many = own.resampled(1, 0, 4, 2);
            for (std::size_t i = 0; i < whole.size(); ++i) CHECK(n, whole[i].parents == many[i].parents);
            for (int looks = 0; looks < 30; looks += 7) {
                Watch watch([] { return false; }, HUGE_VAL, looks);
                const Watched now(&watch);
                const auto network = own.learned(1, 1);
                CHECK(n, network.parents.size() == static_cast<std::size_t>(n));
            }
        }
}

void test_what_makes_no_sense_is_refused() {
    const double cells[] = {1, 2, 3, HUGE_VAL};
    CHECK(2, throws<std::invalid_argument>([&] { GaussianData(cells, 2, 2); }));
    const GaussianData data(cells, 1, 3);
    const Moments moments = data.all();
    CHECK(1, throws<std::invalid_argument>([&] { GaussianFamilies(data, moments, {GaussianKind::bge, 1, 2}, {0}); }));
}

void test_all() {
    test_a_covered_arc_may_turn();
    test_threads_and_ends_do_not_show();
    test_what_makes_no_sense_is_refused();
}

const Suite suite("gaussian", test_all);

} // namespace

} // namespace bnfuse::testing
