#include "exact_sets.hpp"

namespace bnfuse {

namespace {

using Mask = std::uint32_t;

constexpr Mask one(int v) { return Mask{1} << v; }

struct MaskedSet {
    Points score;
    Mask parents;
};

class OrderGraph {
public:
    OrderGraph(const std::vector<SetList>& lists, const FoundSets& known)
        : n_(static_cast<int>(lists.size())), all_(n_ == 32 ? ~Mask{0} : one(n_) - 1), sets_(n_), known_(known) {
        for (int v = 0; v < n_; ++v)
            for (int i = 0; i < lists[v].size(); ++i) {
                Mask parents = 0;
                for (const int u : lists[v].parents(i)) parents |= one(u);
                sets_[v].push_back({lists[v].score(i), parents});
            }
        halve();
    }

    ProvenSets operator()(std::size_t most_nodes) {
        std::vector<Node> layer{{0, 0, -1}};
        ProvenSets found{known_, bound(layer), false};
        try {
            for (int size = 0; size < n_ && !layer.empty(); ++size) {
                layers_.push_back(std::move(layer));
                layer = next(layers_.back());
                nodes_ += layer.size();
                found.bound = std::min(found.bound, bound(layer));
                if (nodes_ > most_nodes) return found;
            }
        } catch (const Stopped&) {
            return found;
        }
        found.is_whole = true;
        if (!layer.empty()) found.best = network(layer.front());
        found.bound = found.best.score;
        return found;
    }

private:
    struct Node { // the best order of some variables
        Mask variables;
        Points score;
        int last;
        friend bool operator<(const Node& a, const Node& b) {
            return a.variables != b.variables ? a.variables < b.variables : a.score > b.score;
        }
    };

    int n_;
    Mask all_;
    std::vector<std::vector<MaskedSet>> sets_;
    const FoundSets& known_;
    std::vector<int> halves_[2];
    std::vector<Points> rest_[2]; // by the members of a half that are still to come: the most that they add
    std::vector<std::vector<Node>> layers_;
    std::size_t nodes_ = 0;

    // The best set within these variables; refused where there is none.
    const MaskedSet* best_within(int v, Mask variables) const {
        for (const auto& set : sets_[v])
            if (!(set.parents & ~variables)) return &set;
        return nullptr;
    }

    // Variables that are joined in the known network are in one half, where that can be.
    void halve() {
        std::vector<Mask> joined(n_);
        for (int v = 0; v < n_; ++v)
            for (const int u : known_.parents[v]) {
                joined[v] |= one(u);
                joined[u] |= one(v);
            }
        std::vector<int> order;
        Mask reached = 0;
        for (int root = 0; root < n_; ++root) {
            if (reached & one(root)) continue;
            reached |= one(root);
            order.push_back(root);
            for (std::size_t i = order.size() - 1; i < order.size(); ++i)
                for (int v = 0; v < n_; ++v)
                    if (joined[order[i]] & ~reached & one(v)) {
                        reached |= one(v);
                        order.push_back(v);
                    }
        }
        for (int i = 0; i < n_; ++i) halves_[2 * i >= n_].push_back(order[i]);
        for (int half = 0; half < 2; ++half) rest_[half] = rest_of(halves_[half]);
    }

    std::vector<Points> rest_of(const std::vector<int>& half) const {
        const Watched whole(nullptr);
        std::vector<Points> most(std::size_t{1} << half.size(), refused);
        most[0] = 0;
        for (std::size_t left = 1; left < most.size(); ++left) {
            Mask before = all_;
            for (std::size_t i = 0; i < half.size(); ++i)
                if (left >> i & 1) before &= ~one(half[i]);
            for (std::size_t i = 0; i < half.size(); ++i) {
                if (!(left >> i & 1)) continue;
                const auto after = most[left ^ (std::size_t{1} << i)];
                const auto* set = best_within(half[i], before);
                if (set && after != refused) most[left] = std::max(most[left], set->score + after);
            }
        }
        return most;
    }

    // The most that all others can add; refused where they cannot all have a set.
    Points most_after(Mask variables) const {
        Points sum = 0;
        for (int half = 0; half < 2; ++half) {
            std::size_t left = 0;
            for (std::size_t i = 0; i < halves_[half].size(); ++i)
                if (!(variables & one(halves_[half][i]))) left |= std::size_t{1} << i;
            if (rest_[half][left] == refused) return refused;
            sum += rest_[half][left];
        }
        return sum;
    }

    Points bound(const std::vector<Node>& layer) const {
        auto most = known_.score;
        for (const auto& node : layer)
            if (const auto after = most_after(node.variables); after != refused)
                most = std::max(most, node.score + after);
        return most;
    }

    std::vector<Node> next(const std::vector<Node>& layer) const {
        constexpr std::size_t most_loose = std::size_t{1} << 22;
        std::vector<Node> nodes;
        const auto merge = [&] {
            std::sort(nodes.begin(), nodes.end());
            const auto end = std::unique(nodes.begin(), nodes.end(),
                                         [](const Node& a, const Node& b) { return a.variables == b.variables; });
            nodes.erase(end, nodes.end());
        };
        std::size_t merged = 0;
        Pulse pulse(1 << 8);
        for (const auto& node : layer) {
            pulse();
            for (int v = 0; v < n_; ++v) {
                if (node.variables & one(v)) continue;
                const auto* set = best_within(v, node.variables);
                const auto after = most_after(node.variables | one(v));
                if (!set || after == refused || node.score + set->score + after <= known_.score) continue;
                nodes.push_back({node.variables | one(v), node.score + set->score, v});
            }
            if (nodes.size() > 2 * merged + most_loose) {
                merge();
                merged = nodes.size();
            }
        }
        merge();
        return nodes;
    }

    FoundSets network(const Node& last) const {
        FoundSets found{last.score, std::vector<ParentSet>(n_), {}};
        auto node = last;
        for (int size = n_; size > 0; --size) {
            const auto before = node.variables & ~one(node.last);
            const auto parents = best_within(node.last, before)->parents;
            for (int u = 0; u < n_; ++u)
                if (parents & one(u)) found.parents[node.last].push_back(u);
            const auto& layer = layers_[size - 1];
            node = *std::lower_bound(layer.begin(), layer.end(), Node{before, INT64_MAX, -1});
        }
        return found;
    }
};

} // namespace

ProvenSets proven(const std::vector<SetList>& lists, const FoundSets& known, std::size_t most_nodes) {
    require(!lists.empty() && lists.size() <= most_proven, "too many variables for a proof");
    return OrderGraph(lists, known)(most_nodes);
}

} // namespace bnfuse
