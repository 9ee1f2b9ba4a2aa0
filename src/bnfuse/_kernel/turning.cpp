#include "turning.hpp"

#include <set>

namespace bnfuse {

namespace {

// A DAG whose arcs are reversed one by one.
class TurningDag {
public:
    TurningDag(int n, const ArcList& arcs) : parents_(n), children_(n) {
        for (const auto& [u, v] : arcs) put(u, v);
    }

    ArcList arcs() const {
        ArcList all;
        for (int u = 0; u < static_cast<int>(children_.size()); ++u)
            for (const int v : children_[u]) all.emplace_back(u, v);
        return all;
    }
    int parents(int v) const { return static_cast<int>(parents_[v].size()); }

    void turn(int u, int v) {
        take(u, v);
        put(v, u);
    }

    // Whether the network with this arc reversed has no cycle and the same moral graph.
    bool keeps_moral_graph(int u, int v) {
        for (const int parent : parents_[u])
            if (!are_joined(v, parent)) return false;
        take(u, v);
        bool kept = !reaches(u, v);
        for (const int parent : parents_[v]) kept = kept && are_joined(u, parent);
        put(u, v);
        return kept;
    }

private:
    std::vector<std::set<int>> parents_, children_;

    void put(int u, int v) {
        children_[u].insert(v);
        parents_[v].insert(u);
    }
    void take(int u, int v) {
        children_[u].erase(v);
        parents_[v].erase(u);
    }
    bool are_joined(int a, int b) const {
        if (children_[a].contains(b) || children_[b].contains(a)) return true;
        return std::ranges::any_of(children_[a], [&](int child) { return children_[b].contains(child); });
    }
    bool reaches(int from, int to) const {
        std::vector<bool> seen(children_.size());
        std::vector<int> stack{from};
        while (!stack.empty()) {
            const int v = stack.back();
            stack.pop_back();
            for (const int child : children_[v]) {
                if (child == to) return true;
                if (seen[child]) continue;
                seen[child] = true;
                stack.push_back(child);
            }
        }
        return false;
    }
};

} // namespace

ArcList turned_to_support(const ConsensusProblem& problem, const ArcList& arcs,
                          const std::function<bool(const ArcList&)>& keeps) {
    TurningDag dag(problem.n, arcs);
    const int most = problem.max_parents();
    const auto gain = problem.by_arc() ? problem.gain() : PairWeights();
    const auto is_better_turned = [&](int u, int v) {
        return (problem.said(v, u) & ConsensusProblem::may) && problem.oriented(u, v) < problem.oriented(v, u) &&
               !(problem.said(u, v) & ConsensusProblem::must) && dag.parents(u) < most;
    };
    for (bool changed = true; changed;) {
        changed = false;
        for (const auto& [u, v] : dag.arcs()) {
            check_stop();
            if (!is_better_turned(u, v) || !dag.keeps_moral_graph(u, v)) continue;
            if (problem.by_arc() && gain(u, v) != gain(v, u)) continue;
            dag.turn(u, v);
            if (keeps && !keeps(dag.arcs()))
                dag.turn(v, u);
            else
                changed = true;
        }
    }
    return dag.arcs();
}

} // namespace bnfuse
