// Learning from data: scores by plain counting, networks that keep their limits, and threads that do not show.
#include "families.hpp"
#include "structure_learner.hpp"
#include "testing.hpp"

#include "logarithms.hpp"

#include <bit>
#include <cmath>
#include <map>

using namespace bnfuse;
using namespace bnfuse::testing;

namespace {

struct Table {
    int rows;
    std::vector<int> states;
    std::vector<std::uint16_t> columns;

    int variables() const { return static_cast<int>(states.size()); }
    std::uint16_t cell(int row, int v) const { return columns[static_cast<std::size_t>(v) * rows + row]; }
    DiscreteData data() const { return {columns.data(), states.size(), static_cast<std::size_t>(rows), states}; }
};

// Each variable depends on the one or two before it.
Table random_table(int n, int rows, int most_states, int missing_in_hundred, Random& random) {
    Table table{rows, {}, std::vector<std::uint16_t>(static_cast<std::size_t>(n) * rows)};
    for (int v = 0; v < n; ++v) table.states.push_back(2 + static_cast<int>(random.below(most_states - 1)));
    for (int row = 0; row < rows; ++row)
        for (int v = 0; v < n; ++v) {
            std::uint32_t sum = random.below(3) ? 0 : random.below(table.states[v]);
            for (int u = std::max(0, v - 2); u < v; ++u) sum += table.cell(row, u);
            table.columns[static_cast<std::size_t>(v) * rows + row] =
                static_cast<std::uint16_t>(sum % static_cast<std::uint32_t>(table.states[v]));
        }
    for (auto& cell : table.columns)
        if (random.below(100) < static_cast<std::uint32_t>(missing_in_hundred)) cell = DiscreteData::missing;
    return table;
}

// The interaction of a set within the rows that have all of it, scaled to all rows.
double plain_interaction(const Table& table, const std::vector<int>& set) {
    double sum = 0;
    int complete = 0;
    for (unsigned chosen = 0; chosen < 1u << set.size(); ++chosen) {
        std::map<std::vector<int>, int> cells;
        complete = 0;
        for (int row = 0; row < table.rows; ++row) {
            std::vector<int> seen;
            bool lacks = false;
            for (std::size_t i = 0; i < set.size(); ++i) {
                lacks |= table.cell(row, set[i]) == DiscreteData::missing;
                if (chosen >> i & 1) seen.push_back(table.cell(row, set[i]));
            }
            if (lacks) continue;
            ++complete;
            ++cells[seen];
        }
        const bool is_odd = (set.size() - static_cast<std::size_t>(std::popcount(chosen))) % 2;
        for (const auto& [cell, times] : cells) sum += (is_odd ? -1 : 1) * times * std::log(times);
    }
    return complete ? sum * table.rows / complete : 0;
}

double plain_likelihood(const Table& table, int child, const std::vector<int>& parents) {
    double sum = 0;
    for (unsigned chosen = 0; chosen < 1u << parents.size(); ++chosen) {
        std::vector<int> set{child};
        for (std::size_t i = 0; i < parents.size(); ++i)
            if (chosen >> i & 1) set.push_back(parents[i]);
        sum += plain_interaction(table, set);
    }
    return sum;
}

std::vector<std::uint8_t> all_allowed(int n) {
    std::vector<std::uint8_t> rules(static_cast<std::size_t>(n) * n, 1);
    for (int v = 0; v < n; ++v) rules[static_cast<std::size_t>(v) * n + v] = 0;
    return rules;
}

StructureLearner learner(const Table& table, int limit, int restarts, ScoreKind kind = ScoreKind::bic,
                         bool anneals = false) {
    const int n = table.variables();
    return {table.data(), {kind, 1.0, 1 << 20}, {{n, limit, n, all_allowed(n)}, anneals, {5, restarts}, {2, 2, 20}}};
}

void test_logarithms() {
    for (const double x : {1e-9, 0.1, 0.5, 0.70710678118654752, 1.0, 1.5, 2.0, 2.718281828, 10.0, 12345.678, 1e15}) {
        CHECK(0, std::abs(natural_log(x) - std::log(x)) <= 1e-15 * (1 + std::abs(std::log(x))));
        CHECK(0, std::abs(log_gamma(x) - std::lgamma(x)) <= 2e-14 * (1 + std::abs(std::lgamma(x))));
    }
    CHECK(0, natural_log(1) == 0);
}

void test_scores() {
    for (int round = 0; round < 60; ++round) {
        Random random(1, round);
        const int n = 5 + round % 4;
        const auto table = random_table(n, 1 + 40 * round, round % 5 ? 4 : 300, round % 3 ? 0 : 10, random);
        const auto own = learner(table, n, 0, ScoreKind::log_likelihood);
        auto family = random_order(n, random);
        const int child = family.back();
        family.resize(round % 4);
        const double expected = plain_likelihood(table, child, family), found = own.family_score(child, family);
        if (std::isfinite(found)) CHECK(n, std::abs(found - expected) <= 1e-9 * (1 + std::abs(expected)));
        CHECK(n, std::isfinite(found) || round % 5 == 0);
    }
}

// Candidates are counted together, a family alone: the scores are the same.
void test_candidates() {
    for (int round = 0; round < 40; ++round) {
        Random random(5, round);
        const int n = 6 + round;
        auto table = random_table(n, 20 + 100 * round, 2 + round % 4, round % 3 ? 0 : 5, random);
        if (round % 2) table.states[random.below(n)] = 300; // a wide column between narrow ones
        const auto data = table.data();
        FamilyScore rule({ScoreKind::log_likelihood, 1.0, 1 << 20}, n, data.rows());
        auto rules = all_allowed(n);
        for (auto& allowed : rules) allowed = allowed && random.below(8);
        Families families(data, data.drawn(1, round), rule, rules);
        const auto order = random_order(n, random);
        for (int size = 0; size < 5; ++size) {
            const std::vector<int> parents(order.begin() + 1, order.begin() + 1 + size);
            const int child = order[0];
            const auto together = families.additions(child, parents);
            for (int u = 0; u < n; ++u) {
                const bool is_family = u == child || std::ranges::find(parents, u) != parents.end();
                auto more = parents;
                more.push_back(u);
                const bool could_pay = !data.is_complete() || families.score(child, parents) < 0;
                const bool is_scored = !is_family && rules[static_cast<std::size_t>(u) * n + child] && could_pay;
                CHECK(n, (*together)[u] == (is_scored ? families.score(child, more) : refused));
            }
        }
    }
}

template <int W> Rows<W> rows_of(const LearnedNetwork& network) {
    Rows<W> rows(network.parents.size());
    for (std::size_t v = 0; v < rows.size(); ++v)
        for (const int u : network.parents[v]) rows[v].set(u);
    return rows;
}

void test_networks(int n, int rows) {
    Random random(2, n);
    const auto table = random_table(n, rows, 3, n % 2 ? 5 : 0, random);
    for (const int limit : {2, -2, 3, -3, n, -n}) { // those below 0 for annealing
        const auto own = learner(table, std::abs(limit), 1, ScoreKind::bic, limit < 0);
        const auto alone = own.resampled(7, 3, 6, 1), together = own.resampled(7, 3, 6, 3);
        for (std::size_t i = 0; i < alone.size(); ++i) {
            CHECK(n, alone[i].finished && alone[i].parents == together[i].parents);
            CHECK(n, alone[i].score == together[i].score && alone[i].order == together[i].order);
        }
        auto networks = alone;
        networks.push_back(own.learned(1, 2));
        CHECK(n, networks.back().parents == own.learned(1, 1).parents);
        for (const auto& network : networks)
            with_words(n, [&]<int W>() {
                const auto parents = rows_of<W>(network);
                CHECK(n, find_cycle(parents).empty());
                CHECK(n, network.order.empty() == (std::abs(limit) == n));
                if (std::abs(limit) < n) CHECK(n, plain_clique(moral_graph(parents), network.order) <= std::abs(limit));
            });
    }
}

void test_ended_from_outside() {
    Random random(3, 0);
    const auto own = learner(random_table(30, 3000, 3, 0, random), 4, 1 << 20);
    Watch watch(nullptr, HUGE_VAL, 200);
    const Watched now(&watch);
    const auto network = own.learned(0, 2);
    CHECK(30, !network.finished && network.parents.size() == 30);
    for (const auto& one : own.resampled(0, 0, 4, 2)) CHECK(30, !one.finished);
}

void test_wrong_input() {
    Random random(4, 0);
    auto table = random_table(4, 20, 3, 0, random);
    CHECK(4, throws<std::invalid_argument>([&] { learner(table, 0, 0); }));
    CHECK(4, throws<std::invalid_argument>([&] { learner(table, 4, 0).family_score(4, {}); }));
    CHECK(4, throws<std::invalid_argument>([&] { learner(table, 4, 0).family_score(1, {1}); }));
    table.columns[3] = 9;
    CHECK(4, throws<std::invalid_argument>([&] { table.data(); }));
}

void test_all() {
    test_logarithms();
    test_scores();
    test_candidates();
    for (const int n : {5, 13, 33, 65}) test_networks(n, 200);
    test_ended_from_outside();
    test_wrong_input();
}

const Suite suite("learning", test_all);

} // namespace
