// The heuristic order by its definition: every cost anew at every step, arcs reversed one by one.
#include "order.hpp"
#include "testing.hpp"

using namespace bnfuse;
using namespace bnfuse::testing;

namespace {

template <int W> class PlainOrder {
public:
    PlainOrder(std::vector<Rows<W>> dags, std::vector<std::int64_t> weights)
        : dags_(std::move(dags)), weights_(std::move(weights)), n_(static_cast<int>(dags_[0].size())) {}

    std::vector<int> operator()() {
        std::vector<int> order(n_);
        std::vector<bool> gone(n_);
        for (int place = n_ - 1; place >= 0; --place) {
            int cheapest = -1;
            std::int64_t least = 0;
            for (int x = 0; x < n_; ++x) {
                if (gone[x]) continue;
                std::int64_t total = 0;
                for (std::size_t i = 0; i < dags_.size(); ++i) total += weights_[i] * cost(dags_[i], x);
                if (cheapest < 0 || total < least) cheapest = x, least = total;
            }
            order[place] = cheapest;
            gone[cheapest] = true;
            for (auto& dag : dags_) make_sink(dag, cheapest);
            for (auto& dag : dags_) dag[cheapest] = {};
        }
        return order;
    }

private:
    std::vector<Rows<W>> dags_;
    std::vector<std::int64_t> weights_;
    int n_;

    static bool adjacent(const Rows<W>& dag, int a, int b) { return dag[a].test(b) || dag[b].test(a); }

    long cost(const Rows<W>& dag, int x) const {
        long total = -1;
        std::vector<bool> counted(n_);
        for (int c = 0; c < n_; ++c) {
            if (!dag[c].test(x)) continue;
            ++total;
            for (int other = 0; other < n_; ++other) {
                total += dag[x].test(other) && !adjacent(dag, other, c);
                if (dag[c].test(other) && other != x && !adjacent(dag, other, x) && !counted[other]) {
                    counted[other] = true;
                    ++total;
                }
            }
        }
        return total;
    }

    bool reaches(const Rows<W>& dag, int from, int to) const {
        std::vector<bool> seen(n_);
        std::vector<int> stack{from};
        while (!stack.empty()) {
            const int v = stack.back();
            stack.pop_back();
            for (int c = 0; c < n_; ++c) {
                if (!dag[c].test(v) || seen[c]) continue;
                if (c == to) return true;
                seen[c] = true;
                stack.push_back(c);
            }
        }
        return false;
    }

    void make_sink(Rows<W>& dag, int x) const {
        for (int c = 0; c < n_;) {
            if (!dag[c].test(x)) {
                ++c;
                continue;
            }
            dag[c].reset(x);
            if (reaches(dag, x, c)) {
                dag[c].set(x);
                ++c;
                continue;
            }
            dag[c] |= dag[x];
            dag[x] = dag[c];
            dag[x].set(c);
            c = 0;
        }
    }
};

template <int W> void test_order(const std::vector<Rows<W>>& dags, bool against_definition) {
    const int n = static_cast<int>(dags[0].size());
    std::vector<std::int64_t> weights(dags.size());
    for (const int step : {0, 2}) { // all weigh 1; or 1, 3, 5, ...
        for (std::size_t i = 0; i < dags.size(); ++i) weights[i] = 1 + step * static_cast<std::int64_t>(i);
        const auto order = heuristic_order(dags, weights);
        CHECK(n, is_permutation(order, n));
        if (against_definition) CHECK(n, order == PlainOrder<W>(dags, weights)());
    }
}

void test_complete(int n) {
    with_words(n, [&]<int W>() {
        const auto dag = complete_dag<W>(n);
        std::vector<int> forwards(n), backwards(n);
        std::iota(forwards.begin(), forwards.end(), 0);
        std::iota(backwards.rbegin(), backwards.rend(), 0);
        CHECK(n, heuristic_order<W>({dag}, {1}) == forwards); // nothing to reverse
        CHECK(n, is_permutation(heuristic_order<W>({dag, relabelled(dag, backwards)}, {1, 1}), n));
    });
}

void test_cycles_are_refused(int n, Random& random) {
    auto dag = random_dag<1>(n, n, random);
    const auto path = random_order(n, random);
    const int length = 1 + static_cast<int>(random.below(n));
    for (int i = 0; i < length; ++i) dag[path[(i + 1) % length]].set(path[i]);
    CHECK(n, throws<std::invalid_argument>([&] { heuristic_order<1>({dag}, {1}); }));
}

void test_all() {
    each_size([]<int W>(int n, int round, Random& random) {
        const int arcs = arcs_of_round(n, round);
        const auto a = random_dag<W>(n, arcs, random), b = random_dag<W>(n, arcs, random);
        test_order<W>({a, b}, n <= 33);
    });
    for (const int n : {1, 2, 64, 65, 129, 512}) test_complete(n);
    for (int round = 0; round < 100; ++round) {
        Random random(round, 1);
        const int n = 5 + round % 20;
        std::vector<Rows<1>> dense(3);
        for (auto& dag : dense) dag = random_dag<1>(n, 4 * n, random);
        test_order(dense, true);
        test_cycles_are_refused(1 + round % 30, random);
    }
}

const Suite suite("order", test_all);

} // namespace
