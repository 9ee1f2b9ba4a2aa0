#include "direct_search.hpp"

#include "parallel.hpp"
#include "views.hpp"

namespace bnfuse {

namespace {
constexpr int most_chains = 1 << 16;
constexpr auto over_limit = "the network is not within the limit";
} // namespace

DirectSearch::DirectSearch(DirectProblem problem, int chains, std::uint64_t seed, std::uint64_t stream)
    : problem_(std::move(problem)) {
    check();
    require(1 <= chains && chains <= most_chains, "the number of chains is out of range");
    ArcList required;
    problem_.pairs().each([&](int u, int v, std::size_t i) {
        if (problem_.rules[i] & 1) problem_.arcs.emplace_back(u, v);
        if (problem_.rules[i] & 2) required.emplace_back(u, v);
    });
    for (int i = 0; i < chains; ++i) {
        check_stop();
        auto& chain = *chains_.emplace_back(std::make_unique<Chain>(problem_, seed, stream + i));
        for (const auto& [u, v] : required) require(chain.add_anyhow(u, v), "the required arcs do not fit the limit");
        chain.remember();
    }
}

DirectSearch::~DirectSearch() = default;

void DirectSearch::start_from(const ArcList& arcs) {
    check_arcs(arcs, problem_.n);
    changing([&] {
        for (auto& chain : chains_) {
            bool over = false;
            for (const auto& [u, v] : arcs) {
                if ((over = is_over())) break;
                if (!chain->has(u, v)) chain->add_anyhow(u, v);
            }
            chain->remember();
            if (over) throw Stopped();
        }
    });
}

void DirectSearch::start_at(const ArcList& arcs, const std::vector<int>& order) {
    check_network(arcs, order);
    changing([&] {
        for (auto& chain : chains_) chain->start_at(arcs, order);
    });
}

bool DirectSearch::anneal(std::int64_t from, std::int64_t to, std::int64_t total, int threads) {
    require(0 <= from && from <= to && to <= total, "moves go from a first to a last one, of a total");
    check_threads(threads);
    if (problem_.arcs.empty()) return true;
    std::atomic<bool> done{true};
    changing([&] {
        parallel(static_cast<int>(chains_.size()), threads, [&](const Take& take) {
            for (int i; (i = take()) >= 0;)
                if (!chains_[i]->anneal(from, to, total)) done.store(false, std::memory_order_relaxed);
        });
    });
    return done;
}

bool DirectSearch::polish(std::int64_t moves) {
    require(moves >= 0, "the number of moves is not negative");
    bool done = true;
    if (!problem_.arcs.empty()) changing([&] { done = best_chain().polish(moves); });
    return done;
}

void DirectSearch::tidy() {
    changing([&] { best_chain().tidy(); });
}

DirectSearch::Network DirectSearch::best() const { return network(best_chain().best()); }

DirectSearch::Network DirectSearch::current() const {
    check_whole();
    return network(chains_.front()->current());
}

void DirectSearch::check() const {
    const int n = checked_count(problem_.n);
    require(problem_.gain.size() == n && problem_.support.pairs() == problem_.pairs() &&
                (n <= most_in_rows || !problem_.pairs().are_all()),
            "numbers are given by pairs of variables");
    check_rules(problem_.rules, problem_.pairs());
    check_tables(problem_.tables, n);
    require(problem_.limit >= 1 && problem_.max_parents >= 0, "the limits are too small for any network");
    require(std::isfinite(problem_.hot) && problem_.hot >= 0 && std::isfinite(problem_.decay) && problem_.decay >= 0,
            "the temperature and its decay must be numbers that are not negative");
    require(std::isfinite(problem_.support_share) && problem_.support_share >= 0,
            "the share of the support must be a number that is not negative");
}

void DirectSearch::check_network(const ArcList& arcs, const std::vector<int>& order) const {
    const int n = problem_.n;
    check_arcs(arcs, n);
    check_order(order, n);
    with_rows(n, [&]<int W>() {
        Rows<W> parents(n);
        for (const auto& [u, v] : arcs) {
            require(!parents[v].test(u), "an arc is given twice");
            parents[v].set(u);
        }
        require(find_cycle(parents).empty(), has_a_cycle);
        const auto moral = moral_graph(parents);
        require(eliminated_along(moral, order).clique <= problem_.limit, over_limit);
        if (!problem_.tables.is_set()) return;
        require(eliminated_along(moral, order, problem_.tables).clique <= problem_.limit, over_limit);
    });
}

void DirectSearch::check_whole() const {
    if (!whole_) throw std::runtime_error("an earlier call failed halfway: this search cannot go on");
}

template <class Work> void DirectSearch::changing(Work&& work) {
    check_whole();
    whole_ = false;
    try {
        work();
    } catch (const Stopped&) {
        whole_ = true; // between two moves
        throw;
    }
    whole_ = true;
}

Chain& DirectSearch::best_chain() const {
    Chain* best = chains_.front().get();
    for (const auto& chain : chains_)
        if (chain->best_score() > best->best_score()) best = chain.get();
    return *best;
}

DirectSearch::Network DirectSearch::network(const Found& found) const {
    ArcList arcs;
    for (int v = 0; v < problem_.n; ++v)
        for (const int p : found.parents[v]) arcs.emplace_back(p, v);
    return {found.score, std::move(arcs), elimination_order(found.bags, problem_.n)};
}

} // namespace bnfuse
