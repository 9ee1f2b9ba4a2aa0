// Sets of vertices with their neighbours, listed by how many neighbours they have and by each of them: those which see
// few vertices together with a given set are found without a look at each. Two sets that see a and b vertices, but at
// most m together, see a + b - m or more in common; so each that fits sees one of any m - a + 1 neighbours of the given
// one, and those with the shortest lists are looked up.
#pragma once

#include "bitset.hpp"

#include <algorithm>

namespace bnfuse {

template <int W> struct SeenSet {
    Bits<W> members, neighbours;
};

template <int W> class UnionIndex {
public:
    explicit UnionIndex(int n) : n_(n) {}

    void insert(const SeenSet<W>& one) {
        const auto number = static_cast<std::uint32_t>(sets_.size());
        const auto seen = static_cast<std::size_t>(one.neighbours.count());
        if (layers_.size() <= seen) layers_.resize(seen + 1);
        auto& layer = layers_[seen];
        layer.seeing.resize(n_);
        sets_.push_back(one);
        layer.all.push_back(number);
        one.neighbours.each([&](int v) { layer.seeing[v].push_back(number); });
    }

    // Calls visit on each set that does not touch `other` if the two have at most `most` neighbours together. The
    // visitor must not insert.
    template <class Visit> void each_beside(const SeenSet<W>& other, int most, Visit&& visit) const {
        const auto closed = other.members | other.neighbours;
        const auto offer = [&](const SeenSet<W>& one) {
            if ((one.members & closed).any() || (one.neighbours | other.neighbours).count() > most) return;
            visit(one);
        };
        std::vector<int> seen;
        other.neighbours.each([&](int v) { seen.push_back(v); });
        for (int count = 0; count <= std::min(most, static_cast<int>(layers_.size()) - 1); ++count) {
            const auto& layer = layers_[count];
            const auto needed = static_cast<std::size_t>(most - count + 1);
            if (layer.all.empty()) continue;
            if (needed > seen.size()) {
                for (const auto number : layer.all) offer(sets_[number]);
                continue;
            }
            std::ranges::partial_sort(seen, seen.begin() + needed, {}, [&](int v) { return layer.seeing[v].size(); });
            Bits<W> before;
            for (std::size_t i = 0; i < needed; ++i) {
                for (const auto number : layer.seeing[seen[i]])
                    if (!(sets_[number].neighbours & before).any()) offer(sets_[number]);
                before.set(seen[i]);
            }
        }
    }

private:
    struct Layer { // numbers of the sets with this number of neighbours
        std::vector<std::uint32_t> all;
        std::vector<std::vector<std::uint32_t>> seeing; // by neighbour
    };
    int n_;
    std::vector<SeenSet<W>> sets_;
    std::vector<Layer> layers_;
};

} // namespace bnfuse
