#include "available_cases.hpp"

#include <numeric>

namespace bnfuse {

namespace {

constexpr std::size_t least_shared = std::size_t{1} << 20; // cells to count for which threads are worthwhile

// The sum of m(A) from the table of A: an axis for each member, the last along the lines, which have more numbers than
// states if values are missing.
class Interaction {
public:
    Interaction(std::vector<std::uint32_t> states, std::uint32_t length, const std::vector<CountTerms>& terms)
        : states_(std::move(states)), length_(length), terms_(terms), sums_(states_.size()) {}

    Points operator()(const std::uint32_t* table) { return of(table, 0, 0); }

private:
    std::vector<std::uint32_t> states_;
    std::uint32_t length_;
    const std::vector<CountTerms>& terms_; // by the axes that are not summed over, as bits
    std::vector<std::vector<std::uint32_t>> sums_;

    // For the axes from this one on; those before it are fixed or, unless in the mask, summed over.
    Points of(const std::uint32_t* table, std::size_t axis, std::size_t mask) {
        const auto kept = mask | std::size_t{1} << axis;
        Points sum = 0;
        if (axis + 1 == states_.size()) {
            std::uint32_t count = 0;
            for (std::uint32_t x = 0; x < states_[axis]; ++x) {
                sum += terms_[kept](table[x]);
                count += table[x];
            }
            return sum - terms_[mask](count);
        }
        std::size_t size = length_;
        for (auto next = axis + 1; next + 1 < states_.size(); ++next) size *= states_[next];
        sums_[axis].assign(size, 0);
        for (std::uint32_t x = 0; x < states_[axis]; ++x, table += size) {
            sum += of(table, axis + 1, kept);
            std::transform(table, table + size, sums_[axis].begin(), sums_[axis].begin(), std::plus<>());
        }
        return sum - of(sums_[axis].data(), axis + 1, mask);
    }
};

} // namespace

AvailableCases::AvailableCases(const DiscreteData& data, const Sample& sample, FamilyScore& score,
                               const std::vector<std::uint8_t>& rules, Workers* workers, std::uint32_t least)
    : data_(data), sample_(sample), score_(score), rules_(rules), workers_(workers),
      least_(std::uint64_t{least} * sample.unit), keys_((data.variables() + 63) / 64),
      key_((data.variables() + 63) / 64) {}

Points AvailableCases::score(int child, const Members& parents) {
    auto family = parents;
    family.push_back(child);
    if (!fits(family)) return refused;
    Points sum = 0;
    for (std::size_t subset = 0; subset < std::size_t{1} << parents.size(); ++subset) {
        Members base;
        for (std::size_t i = 0; i < parents.size(); ++i)
            if (subset >> i & 1) base.push_back(parents[i]);
        sum = score_.added(sum, sets(base, {child})[0]);
        if (sum == refused) return refused;
    }
    return sum;
}

std::vector<Points> AvailableCases::additions(int child, const Members& parents, const Members& candidates) {
    std::vector<Points> scores(candidates.size(), refused);
    const auto now = score(child, parents);
    if (now == refused) return scores;
    auto family = parents;
    family.push_back(child);
    family.push_back(child);
    Members left;
    std::vector<Points> sums;
    std::vector<std::size_t> places;
    for (std::size_t i = 0; i < candidates.size(); ++i) {
        family.back() = candidates[i];
        if (!fits(family)) continue;
        left.push_back(candidates[i]);
        sums.push_back(now);
        places.push_back(i);
    }
    for (std::size_t subset = 0; subset < std::size_t{1} << parents.size() && !left.empty(); ++subset) {
        Members base{child};
        for (std::size_t i = 0; i < parents.size(); ++i)
            if (subset >> i & 1) base.push_back(parents[i]);
        const auto terms = sets(base, left);
        std::size_t kept = 0;
        for (std::size_t i = 0; i < left.size(); ++i) {
            const auto sum = score_.added(sums[i], terms[i]);
            if (sum == refused) continue;
            sums[kept] = sum;
            places[kept] = places[i];
            left[kept++] = left[i];
        }
        left.resize(kept);
        sums.resize(kept);
        places.resize(kept);
    }
    for (std::size_t i = 0; i < left.size(); ++i) scores[places[i]] = sums[i];
    return scores;
}

// t of the base with each of some additional variables.
std::vector<Points> AvailableCases::sets(const Members& base, const Members& more) {
    if (keys_.size() + more.size() > most_known) {
        keys_.clear();
        known_.clear();
    }
    std::vector<int> slots;
    Members wanted;
    std::vector<int> wanted_slots;
    for (const int u : more) {
        slots.push_back(slot(base, u));
        if (known_[slots.back()] != unknown) continue;
        wanted.push_back(u);
        wanted_slots.push_back(slots.back());
    }
    if (!wanted.empty()) {
        encode(base);
        std::vector<std::vector<CountTerms>> all_terms;
        auto set = base;
        set.push_back(0);
        for (const int u : wanted) {
            set.back() = u;
            all_terms.push_back(terms(set));
        }
        const auto work = [&](const Take& take) {
            std::vector<std::uint32_t> counts;
            auto own = base;
            own.push_back(0);
            for (int i; (i = take()) >= 0; check_stop()) {
                own.back() = wanted[i];
                known_[wanted_slots[i]] = counted(own, all_terms[i], counts);
            }
        };
        const int size = static_cast<int>(wanted.size());
        if (workers_ && rows_.size() * wanted.size() > least_shared)
            workers_->run(size, work);
        else
            work(Take(size));
    }
    std::vector<Points> found;
    for (const int own : slots) found.push_back(known_[own]);
    return found;
}

int AvailableCases::slot(const Members& base, int more) {
    std::ranges::fill(key_, 0);
    for (const int v : base) key_[v / 64] |= std::uint64_t{1} << (v % 64);
    key_[more / 64] |= std::uint64_t{1} << (more % 64);
    const auto found = keys_.find(key_.data());
    if (found.fresh) known_.push_back(unknown);
    return found.slot;
}

void AvailableCases::encode(const Members& base) {
    check_stop();
    rows_.clear();
    for (std::size_t i = 0; i < sample_.rows.size(); ++i) rows_.push_back({sample_.rows[i], 0, sample_.weights[i]});
    for (const int v : base)
        data_.with_column(v, [&](const auto* column) {
            const auto states = data_.states(v);
            std::size_t kept = 0;
            for (const auto& [row, code, weight] : rows_) {
                const std::uint32_t cell = column[row];
                if (cell < states) rows_[kept++] = {row, code * states + cell, weight};
            }
            rows_.resize(kept);
        });
}

// By the members of a table, as bits: the terms of its cells.
std::vector<CountTerms> AvailableCases::terms(const Members& set) {
    std::vector<CountTerms> all;
    for (std::size_t mask = 0; mask < std::size_t{1} << set.size(); ++mask) {
        std::uint64_t cells = 1;
        for (std::size_t i = 0; i < set.size(); ++i)
            if (mask >> i & 1) cells *= data_.states(set[i]);
        all.push_back(score_.terms(cells));
    }
    return all;
}

// The last member is counted into the lines of the others, whose rows are encoded.
Points AvailableCases::counted(const Members& set, const std::vector<CountTerms>& terms,
                               std::vector<std::uint32_t>& counts) const {
    const int last = set.back();
    const auto length = data_.codes(last);
    std::vector<std::uint32_t> states;
    std::uint64_t lines = 1, parameters = 1;
    for (const int v : set) {
        states.push_back(data_.states(v));
        if (v != last) lines *= data_.states(v);
        parameters *= data_.states(v) - 1;
    }
    counts.assign(lines * length, 0);
    data_.with_column(last, [&](const auto* column) {
        for (const auto& [row, code, weight] : rows_)
            counts[static_cast<std::size_t>(code) * length + column[row]] += weight;
    });
    std::uint32_t complete = 0;
    for (std::size_t line = 0; line < lines; ++line)
        for (std::uint32_t x = 0; x < states.back(); ++x) complete += counts[line * length + x];
    if (complete < least_ && !is_required(set)) return refused;
    return score_.of_set(Interaction(std::move(states), length, terms)(counts.data()), parameters, complete);
}

// Whether the set consists of a variable and required parents of it.
bool AvailableCases::is_required(const Members& set) const {
    return std::ranges::any_of(set, [&](int child) {
        return std::ranges::all_of(set, [&](int parent) {
            return parent == child || rules_[static_cast<std::size_t>(parent) * data_.variables() + child] & 2;
        });
    });
}

// Whether a family is small enough.
bool AvailableCases::fits(const Members& set) const {
    if (set.size() > most_members) return false;
    std::uint64_t cells = 1;
    for (const int v : set) cells = std::min(cells * data_.states(v), score_.largest_table() + 1);
    return cells <= score_.largest_table();
}

} // namespace bnfuse
