#include "separation.hpp"

#include "exact.hpp"
#include "views.hpp"

namespace bnfuse {

namespace {

constexpr double least_violation = 1e-4;
constexpr std::int64_t table_states = 20'000, most_work = 200'000;

// Whether a graph can be eliminated within limits on cliques and on their tables, by trying all orders. Only simplicial
// vertices are eliminated without a choice: with tables, the other rules do not hold.
template <int W> class TableDecision {
public:
    TableDecision(int limit, const TableLimit& tables) : limit_(limit), tables_(tables) {}

    Answer operator()(Rows<W> graph, Bits<W> part) {
        check_stop();
        if (--states_ < 0) return Answer::unknown;
        for (int v; (v = simplicial(graph, part)) >= 0; part.reset(v)) {
            if (!allows(graph[v], v)) return Answer::no;
            eliminate(graph, v, [](int, int) {});
        }
        if (!part.any()) return Answer::yes;
        if (!failed_.insert(part).second) return Answer::no;
        auto answer = Answer::no;
        part.each([&](int v) {
            if (answer != Answer::no || !allows(graph[v], v)) return;
            auto rest = graph;
            eliminate(rest, v, [](int, int) {});
            auto others = part;
            others.reset(v);
            answer = (*this)(std::move(rest), others);
        });
        return answer;
    }

private:
    int limit_;
    const TableLimit& tables_;
    std::int64_t states_ = table_states;
    std::unordered_set<Bits<W>, BitsHash<W>> failed_; // the rest does not depend on the order of the eliminated ones

    bool allows(const Bits<W>& neighbours, int v) const {
        return neighbours.count() < limit_ && tables_.table(neighbours, v) < TableLimit::too_large;
    }

    static int simplicial(const Rows<W>& graph, const Bits<W>& part) { // one whose neighbours are a clique, or -1
        int found = -1;
        part.each([&](int v) {
            if (found >= 0) return;
            bool is_clique = true;
            graph[v].each([&](int u) { is_clique &= count_missing(graph[v], graph[u]) == 1; });
            if (is_clique) found = v;
        });
        return found;
    }
};

Separation::EdgeSet in_order(Separation::EdgeSet edges, const std::vector<double>& wish) {
    std::ranges::stable_sort(edges, std::greater{}, [&](int edge) { return wish[edge]; });
    return edges;
}

Separation::EdgeSet support_of(const Separation::Choice& choice) { // the edges that the choice contains in part
    Separation::EdgeSet edges;
    for (int i = 0; i < static_cast<int>(choice.size()); ++i)
        if (choice[i] > least_violation) edges.push_back(i);
    return edges;
}

Separation::EdgeSet first_of(const Separation::EdgeSet& edges, std::size_t count) {
    return {edges.begin(), edges.begin() + static_cast<std::ptrdiff_t>(count)};
}

} // namespace

Separation::Separation(int n, std::vector<Edge> edges, int limit, TableLimit tables)
    : n_(n), limit_(std::min(limit, std::max(n, 1))), edges_(std::move(edges)), tables_(std::move(tables)) {
    require(limit >= 1, "a clique has members");
    require(!tables_.is_set() || tables_.size() == static_cast<std::size_t>(n), "each variable has states");
}

void Separation::check(const Choice& choice) const {
    require(choice.size() == edges_.size(), "a choice has a number for each edge");
}

bool Separation::fits(const EdgeSet& chosen) const {
    for (const int edge : chosen) require(0 <= edge && edge < static_cast<int>(edges_.size()), "there is no such edge");
    return !is_over(chosen, {});
}

bool Separation::is_over(const EdgeSet& chosen, const Test& test, std::int64_t* work) const {
    std::vector<int> label(n_, -1), vertices;
    for (const int edge : chosen)
        for (const int v : {edges_[edge].a, edges_[edge].b})
            if (label[v] < 0) {
                label[v] = static_cast<int>(vertices.size());
                vertices.push_back(v);
            }
    const int n = static_cast<int>(vertices.size());
    if (!n) return false;
    return with_words(n, [&]<int W>() {
        Rows<W> graph(n);
        for (const int edge : chosen) {
            graph[label[edges_[edge].a]].set(label[edges_[edge].b]);
            graph[label[edges_[edge].b]].set(label[edges_[edge].a]);
        }
        const auto tables = tables_.of(vertices);
        if (tables.is_set() && test.excess == 1) { // of edges that make tables too large, at least one must be absent
            if (min_fill(graph, limit_, tables).clique <= limit_) return false;
            return TableDecision<W>(limit_, tables)(std::move(graph), first<W>(n)) == Answer::no;
        }
        auto states = test.states;
        const auto answer = decide_clique(graph, limit_ + test.excess - 1, states);
        if (work) *work -= test.states - std::max<std::int64_t>(states, 0);
        return answer == Answer::no;
    });
}

// Removes vertices, then edges, while the rest stays over the limits: those with the smallest values first. If tests
// take long, it ends before all were tried.
Separation::EdgeSet Separation::shrunk(EdgeSet obstruction, const std::vector<double>& wish, const Test& test) const {
    std::int64_t work = most_work;
    std::vector<double> slack(n_, 0);
    std::vector<int> vertices;
    for (const int edge : obstruction)
        for (const int v : {edges_[edge].a, edges_[edge].b}) {
            if (slack[v] == 0) vertices.push_back(v);
            slack[v] += 1.5 - wish[edge];
        }
    std::ranges::stable_sort(vertices, std::greater{}, [&](int v) { return slack[v]; });
    for (const int v : vertices) {
        if (work < 0) return obstruction;
        auto rest = obstruction;
        std::erase_if(rest, [&](int edge) { return edges_[edge].a == v || edges_[edge].b == v; });
        if (rest.size() < obstruction.size() && is_over(rest, test, &work)) obstruction = std::move(rest);
    }
    obstruction = in_order(std::move(obstruction), wish);
    for (auto at = obstruction.size(); at-- > 0 && work >= 0;) {
        auto rest = obstruction;
        rest.erase(rest.begin() + static_cast<std::ptrdiff_t>(at));
        if (is_over(rest, test, &work)) obstruction = std::move(rest);
    }
    return obstruction;
}

std::size_t Separation::first_over(const EdgeSet& edges, std::size_t least, const Test& test) const {
    auto fitting = least, over = edges.size();
    while (over - fitting > 1) {
        const auto middle = (fitting + over) / 2;
        if (is_over(first_of(edges, middle), test))
            over = middle;
        else
            fitting = middle;
    }
    return over;
}

std::vector<Separation::EdgeSet> Separation::obstructions(const Choice& choice, int tries, std::uint64_t seed) const {
    check(choice);
    const auto support = support_of(choice);
    std::vector<EdgeSet> found;
    Random random(seed, 1);
    auto pool = support;
    for (int attempt = 0; attempt < tries; ++attempt) {
        check_stop();
        constexpr std::uint32_t grains = 1u << 20;
        auto wish = choice;
        if (attempt)
            for (const int edge : pool) wish[edge] += 0.3 * random.below(grains) / grains;
        const auto wished = in_order(pool, wish);
        if (!is_over(wished, {})) { // the sets found so far meet every other one: begin again, with other values
            if (pool.size() == support.size()) break;
            pool = support;
            continue;
        }
        auto one = shrunk(first_of(wished, first_over(wished, 0, {})), wish, {});
        double slack = 0;
        for (const int edge : one) slack += 1 - choice[edge];
        std::erase_if(pool, [&](int edge) { return std::ranges::find(one, edge) != one.end(); });
        if (slack > 1 - least_violation) continue;
        std::ranges::sort(one);
        if (std::ranges::find(found, one) == found.end()) found.push_back(std::move(one));
    }
    return found;
}

std::vector<Separation::Excess> Separation::excesses(const Choice& choice, int most, std::int64_t states) const {
    check(choice);
    require(most >= 0, "the number of sets is not negative");
    const auto order = in_order(support_of(choice), choice);
    std::vector<double> slack(order.size() + 1);
    for (std::size_t i = 0; i < order.size(); ++i) slack[i + 1] = slack[i] + 1 - choice[order[i]];
    struct Start {
        Test test;
        std::size_t size;
        double violation;
    };
    std::vector<Start> starts;
    for (Test test{2, states}; is_over(order, test); ++test.excess) {
        const auto size = first_over(order, starts.empty() ? 0 : starts.back().size, test);
        starts.push_back({test, size, test.excess - slack[size]});
    }
    std::ranges::stable_sort(starts, std::greater{}, &Start::violation);
    if (starts.size() > static_cast<std::size_t>(most)) starts.resize(static_cast<std::size_t>(most));
    std::vector<Excess> found;
    for (const auto& start : starts) {
        check_stop();
        auto edges = shrunk(first_of(order, start.size), choice, start.test);
        double missing = 0;
        for (const int edge : edges) missing += 1 - choice[edge];
        if (missing > start.test.excess - least_violation) continue;
        std::ranges::sort(edges);
        found.push_back({std::move(edges), start.test.excess});
    }
    return found;
}

std::vector<MinorCut> Separation::bounding_minors(const std::vector<Weight>& weights, int rounds) const {
    require(weights.size() == edges_.size(), "each edge has a weight");
    for (const auto weight : weights) require(0 < weight && weight <= largest_total, "weights are 1 to 2^38");
    if (limit_ < 3 || edges_.empty()) return {};
    auto edges = edges_;
    for (std::size_t i = 0; i < edges.size(); ++i) edges[i].weight = weights[i];
    MinorBound bound(n_, std::move(edges), limit_ - 1);
    bound(rounds);
    return bound.cuts();
}

std::vector<MinorCut> Separation::minors(const Choice& choice, int tries, std::uint64_t seed) const {
    check(choice);
    std::vector<MinorCut> grown, found;
    if (limit_ < 3) return found;
    MinorSearch search(n_, limit_ - 1, edges_);
    Random random(seed, 2);
    search.grow_ranks(choice, grown);
    for (int attempt = 0; attempt < tries; ++attempt) {
        const auto noise = static_cast<double>(attempt) / tries;
        if (auto cut = search(choice, noise, random)) found.push_back(std::move(*cut));
        search.grow_along(choice, noise, random, grown);
    }
    std::ranges::stable_sort(grown, std::greater{}, &MinorCut::price); // how much they are violated
    const auto most = found.size() + 4 * static_cast<std::size_t>(tries);
    for (auto& cut : grown) {
        if (found.size() >= most) break;
        found.push_back(std::move(cut));
    }
    std::vector<MinorCut> distinct;
    for (auto& cut : found) {
        const auto is_known = std::ranges::any_of(distinct, [&](const MinorCut& other) {
            return other.representatives == cut.representatives && other.contracted == cut.contracted;
        });
        if (!is_known) distinct.push_back(std::move(cut));
    }
    return distinct;
}

// By the greedy algorithm, the rank of the edges with the largest values is the number of them that it keeps. An edge
// at a vertex with at most k others of them contributes one to the rank, so it is uninformative and removed.
std::vector<Separation::RankedSet> Separation::ranks(const std::vector<double>& wish, const Choice& choice,
                                                     int most) const {
    check(choice);
    check(wish);
    require(most >= 0, "the number of sets is not negative");
    const int k = std::min(limit_ - 1, n_);
    const auto order = in_order(support_of(choice), wish);
    std::vector<Edge> sorted, kept;
    for (const int i : order) sorted.push_back({edges_[i].a, edges_[i].b, 1, i});
    keep_independent(n_, sorted, k, kept);
    std::vector<bool> is_kept(edges_.size());
    for (const auto& edge : kept) is_kept[edge.id] = true;
    std::vector<std::pair<double, std::size_t>> broken; // by how much, and how many edges
    double violation = 0;
    for (std::size_t i = 0; i < order.size(); ++i) {
        violation += choice[order[i]] - is_kept[order[i]];
        const bool ends_level = i + 1 == order.size() || wish[order[i + 1]] < wish[order[i]];
        if (ends_level && violation > least_violation) broken.emplace_back(violation, i + 1);
    }
    std::ranges::stable_sort(broken, std::greater{}, [](const auto& one) { return one.first; });
    if (broken.size() > static_cast<std::size_t>(most)) broken.resize(static_cast<std::size_t>(most));
    std::vector<RankedSet> found;
    for (const auto& [by, size] : broken) {
        std::vector<Edge> core(sorted.begin(), sorted.begin() + static_cast<std::ptrdiff_t>(size)), gone;
        peel(n_, k, core, gone);
        for (const auto& block : Blocks(n_, core)()) {
            RankedSet one{{}, 0};
            double sum = 0;
            for (const auto& edge : block) {
                one.edges.push_back(edge.id);
                one.rank += is_kept[edge.id];
                sum += choice[edge.id];
            }
            if (sum > one.rank + least_violation) found.push_back(std::move(one));
        }
    }
    return found;
}

} // namespace bnfuse
