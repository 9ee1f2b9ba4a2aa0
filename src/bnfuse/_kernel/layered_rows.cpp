#include "layered_rows.hpp"

#include "dag.hpp"

#include <algorithm>
#include <cstdint>

namespace bnfuse {

namespace {

class LayeredRows {
public:
    LayeredRows(const RowItems& items, const RowWork& work)
        : items_(items), work_(work), n_(static_cast<int>(items.row.size())), above_(items.row.size()),
          below_(items.row.size()), place_(items.row.size()), x_(items.row.size()) {
        int last = -1;
        for (const int row : items.row) {
            require(row >= 0 && row < n_, "an item has one of as many rows as there are items");
            last = std::max(last, row);
        }
        rows_.resize(static_cast<std::size_t>(last) + 1);
        for (const auto& [upper, lower, pull] : items.links) {
            require(0 <= upper && upper < n_ && 0 <= lower && lower < n_, "a link joins two items");
            require(items.row[upper] + 1 == items.row[lower], "a link leads from a row to the next");
            below_[upper].push_back({lower, pull});
            above_[lower].push_back({upper, pull});
        }
    }

    PlacedRows operator()() {
        start();
        uncross();
        spread();
        PlacedRows found{{}, x_};
        for (const auto& row : rows_) found.order.insert(found.order.end(), row.begin(), row.end());
        return found;
    }

private:
    struct Linked {
        int item;
        double pull;
    };
    using Row = std::vector<int>;
    using Links = std::vector<std::vector<Linked>>;

    // Linked items start next to each other.
    void start() {
        std::vector<int> first(items_.row.size());
        for (int i = 0; i < n_; ++i) first[i] = i;
        std::stable_sort(first.begin(), first.end(), [&](int a, int b) { return items_.row[a] < items_.row[b]; });
        std::vector<char> seen(items_.row.size());
        std::vector<int> stack;
        for (const int begin : first) {
            stack.push_back(begin);
            while (!stack.empty()) {
                const int item = stack.back();
                stack.pop_back();
                if (seen[item]) continue;
                seen[item] = 1;
                rows_[items_.row[item]].push_back(item);
                for (const auto* links : {&below_[item], &above_[item]})
                    for (auto other = links->rbegin(); other != links->rend(); ++other) stack.push_back(other->item);
            }
        }
        number(rows_);
    }

    void number(const std::vector<Row>& rows) {
        for (const auto& row : rows) number(row);
    }
    void number(const Row& row) {
        for (std::size_t i = 0; i < row.size(); ++i) place_[row[i]] = static_cast<int>(i);
    }

    void uncross() {
        auto best = rows_;
        auto fewest = crossings();
        for (int sweep = 0; sweep < work_.sweeps; ++sweep) {
            const bool down = sweep % 2 == 0;
            const auto count = rows_.size();
            for (std::size_t i = 1; i < count; ++i) sort(rows_[down ? i : count - 1 - i], down ? above_ : below_);
            if (const auto now = crossings(); now < fewest) {
                best = rows_;
                fewest = now;
            }
        }
        rows_ = std::move(best);
        number(rows_);
        for (int round = 0; round < work_.exchanges && exchange(); ++round) {
        }
    }

    // By the mean position of the items linked to each; an item without links keeps its position.
    void sort(Row& row, const Links& links) {
        wanted_.resize(items_.row.size());
        for (const int item : row) {
            std::int64_t total = 0;
            for (const auto& other : links[item]) total += place_[other.item];
            wanted_[item] = links[item].empty() ? static_cast<double>(place_[item])
                                                : static_cast<double>(total) / static_cast<double>(links[item].size());
        }
        std::stable_sort(row.begin(), row.end(), [&](int a, int b) { return wanted_[a] < wanted_[b]; });
        number(row);
    }

    // Pairs of crossing links between adjacent rows: inversions, by a Fenwick tree over the positions below.
    std::int64_t crossings() {
        std::int64_t total = 0;
        for (std::size_t i = 0; i + 1 < rows_.size(); ++i) {
            counts_.assign(rows_[i + 1].size() + 1, 0);
            std::int64_t met = 0;
            for (const int item : rows_[i]) {
                for (const auto& other : below_[item]) total += met - up_to(place_[other.item]);
                for (const auto& other : below_[item]) count(place_[other.item]);
                met += static_cast<std::int64_t>(below_[item].size());
            }
        }
        return total;
    }
    std::int64_t up_to(int place) const {
        std::int64_t sum = 0;
        for (int i = place + 1; i > 0; i -= i & -i) sum += counts_[i];
        return sum;
    }
    void count(int place) {
        for (int i = place + 1; i < static_cast<int>(counts_.size()); i += i & -i) ++counts_[i];
    }

    // Neighbours change places if that saves crossings; returns whether any did.
    bool exchange() {
        bool has_changed = false;
        for (auto& row : rows_)
            for (std::size_t i = 0; i + 1 < row.size(); ++i) {
                const int left = row[i], right = row[i + 1];
                if (saved(above_[left], above_[right]) + saved(below_[left], below_[right]) <= 0) continue;
                std::swap(row[i], row[i + 1]);
                std::swap(place_[left], place_[right]);
                has_changed = true;
            }
        return has_changed;
    }
    int saved(const std::vector<Linked>& left, const std::vector<Linked>& right) const {
        int fewer = 0;
        for (const auto& one : left)
            for (const auto& other : right)
                fewer += (place_[one.item] > place_[other.item]) - (place_[one.item] < place_[other.item]);
        return fewer;
    }

    void spread() {
        std::vector<std::vector<double>> gaps;
        for (const auto& row : rows_) {
            gaps.emplace_back();
            for (std::size_t i = 0; i + 1 < row.size(); ++i)
                gaps.back().push_back((items_.width[row[i]] + items_.width[row[i + 1]]) / 2);
            put(row, settled(std::vector<double>(row.size(), 0.0), gaps.back()));
        }
        std::vector<double> wanted;
        for (int sweep = 0; sweep < work_.sweeps; ++sweep) {
            const bool down = sweep % 2 == 0, both = sweep >= work_.sweeps / 2;
            for (std::size_t i = 0; i < rows_.size(); ++i) {
                const auto at = down ? i : rows_.size() - 1 - i;
                wanted.clear();
                for (const int item : rows_[at]) wanted.push_back(pulled(item, down, both));
                put(rows_[at], settled(wanted, gaps[at]));
            }
        }
    }

    // The position to which an item is drawn: from above or from below, if it has links there, or from both.
    double pulled(int item, bool down, bool both) const {
        const bool has_own = !(down ? above_ : below_)[item].empty();
        double total = 0, pulls = 0;
        const auto add = [&](const std::vector<Linked>& links) {
            for (const auto& [other, pull] : links) {
                total += x_[other] * pull;
                pulls += pull;
            }
        };
        if (both || !has_own || down) add(above_[item]);
        if (both || !has_own || !down) add(below_[item]);
        return total / (work_.inwards + pulls);
    }

    void put(const Row& row, const std::vector<double>& places) {
        for (std::size_t i = 0; i < row.size(); ++i) x_[row[i]] = places[i];
    }

    const RowItems& items_;
    const RowWork work_;
    const int n_;
    Links above_, below_;
    std::vector<Row> rows_;
    std::vector<int> place_; // in its row, from the left
    std::vector<double> x_, wanted_;
    std::vector<std::int64_t> counts_;
};

} // namespace

PlacedRows placed_rows(const RowItems& items, const RowWork& work) {
    require(items.width.size() == items.row.size(), "each item has a width");
    return LayeredRows(items, work)();
}

std::vector<double> settled(const std::vector<double>& wanted, const std::vector<double>& gaps) {
    // Sums of wanted positions and numbers of items: items that touch move together.
    struct Block {
        double total, items;
    };
    std::vector<double> offsets(wanted.size());
    std::vector<Block> blocks;
    for (std::size_t i = 0; i < wanted.size(); ++i) {
        if (i) offsets[i] = offsets[i - 1] + gaps[i - 1];
        Block own{wanted[i] - offsets[i], 1};
        while (!blocks.empty() && blocks.back().total * own.items > own.total * blocks.back().items) {
            own.total += blocks.back().total;
            own.items += blocks.back().items;
            blocks.pop_back();
        }
        blocks.push_back(own);
    }
    std::vector<double> places;
    places.reserve(wanted.size());
    for (const auto& [total, items] : blocks)
        for (double i = 0; i < items; ++i) places.push_back(total / items + offsets[places.size()]);
    return places;
}

} // namespace bnfuse
