#include "families.hpp"

#include <numeric>

namespace bnfuse {

namespace {

constexpr int group_size = 4;                               // candidates that are counted in one pass over the rows
constexpr int bit_group = 32;                               // the same, where they are counted by bits
constexpr std::size_t most_packed = 16384;                  // cells of a pack's table, which stay in the cache
constexpr std::size_t worth_sharing = std::size_t{1} << 20; // cells to count for which threads are worthwhile

} // namespace

Families::Families(const DiscreteData& data, Sample sample, FamilyScore& score, const std::vector<std::uint8_t>& rules,
                   Workers* workers, std::uint32_t least_rows)
    : data_(data), sample_(std::move(sample)), score_(score), rules_(rules), workers_(workers),
      keys_((data.variables() + 63) / 64 + 1), key_((data.variables() + 63) / 64 + 1), codes_(sample_.rows.size()) {
    if (!data.is_complete()) available_.emplace(data_, sample_, score_, rules_, workers_, least_rows);
}

Points Families::score(int child, const Parents& parents) {
    auto& family = known(child, parents);
    if (family.has_score) return family.score;
    if (available_) {
        family.score = available_->score(child, parents);
        family.has_score = true;
        return family.score;
    }
    const auto lines = configurations(parents);
    const auto states = data_.states(child);
    family.has_score = lines * states > score_.largest_table();
    if (family.has_score) return family.score = refused;
    std::vector<std::uint32_t> counts(lines * states);
    if (bits_ && !parents.empty() && bits_->pays(lines * states, codes_.size() * parents.size())) {
        const BitColumns::Table table{child, counts.data()};
        bits_->count(parents, {&table, 1});
    } else {
        encode(child, parents);
        for (std::size_t i = 0; i < codes_.size(); ++i) counts[codes_[i]] += sample_.weights[i];
    }
    const auto cells = score_.terms(lines * states), alone = score_.terms(lines);
    family.score = by_lines(counts.data(), static_cast<std::uint32_t>(lines), states, cells, alone);
    family.has_score = true;
    return family.score;
}

Families::Additions Families::additions(int child, const Parents& parents) {
    if (parents.empty() && !pairs_counted_ && !available_) count_pairs();
    if (const auto& family = known(child, parents); family.additions) return family.additions;
    std::vector<Points> scores(data_.variables(), refused);
    if (available_) {
        const auto others = possible_parents(child, parents);
        const auto found = available_->additions(child, parents, others);
        for (std::size_t i = 0; i < others.size(); ++i) scores[others[i]] = found[i];
    } else {
        const auto lines = configurations(parents);
        auto all = candidates(child, possible_parents(child, parents), lines, score(child, parents));
        if (!all.empty()) count(all, child, parents, static_cast<std::uint32_t>(lines));
        for (const auto& candidate : all) scores[candidate.variable] = candidate.score;
    }
    auto& family = known(child, parents);
    family.additions = std::make_shared<const std::vector<Points>>(std::move(scores));
    return family.additions;
}

std::vector<Points> Families::with_each(int child, const Parents& parents, const Parents& others) {
    if (available_) return available_->additions(child, parents, others);
    const auto lines = configurations(parents);
    auto all = candidates(child, others, lines, refused);
    if (!all.empty()) count(all, child, parents, static_cast<std::uint32_t>(lines));
    std::vector<Points> by_variable(data_.variables(), refused), scores;
    for (const auto& one : all) by_variable[one.variable] = one.score;
    for (const int u : others) scores.push_back(by_variable[u]);
    return scores;
}

Families::Known& Families::known(int child, const Parents& parents) {
    const auto most = std::max(most_known, 4 * rules_.size());
    if (static_cast<std::size_t>(keys_.size()) * data_.variables() > most) {
        keys_.clear();
        known_.clear();
        pairs_counted_ = false;
    }
    std::ranges::fill(key_, 0);
    for (const int parent : parents) key_[parent / 64] |= std::uint64_t{1} << (parent % 64);
    key_.back() = static_cast<std::uint64_t>(child);
    const auto found = keys_.find(key_.data());
    if (found.fresh) known_.emplace_back();
    return known_[found.slot];
}

// For these parents; larger than the largest table if there are too many to count.
std::uint64_t Families::configurations(const Parents& parents) const {
    std::uint64_t product = 1;
    for (const int parent : parents) product = std::min(product * data_.states(parent), score_.largest_table() + 1);
    return product;
}

// Gives each row of the sample the number of its cell in the family's table, the child's states last. Consecutive
// requests often share their first parents.
void Families::encode(int child, const Parents& parents) {
    check_stop();
    std::size_t same = 0;
    while (same < std::min(encoded_.size(), parents.size()) && encoded_[same] == parents[same]) ++same;
    encoded_.assign(parents.begin(), parents.end());
    if (levels_.size() < parents.size()) levels_.resize(parents.size(), std::vector<std::uint32_t>(codes_.size()));
    for (; same < parents.size(); ++same) append(same, parents[same], levels_[same]);
    append(parents.size(), child, codes_);
}

// To the codes of the first parents, of this number.
void Families::append(std::size_t parents, int variable, std::vector<std::uint32_t>& codes) const {
    const auto states = data_.states(variable);
    data_.with_column(variable, [&](const auto* column) {
        if (!parents)
            for (std::size_t i = 0; i < codes.size(); ++i) codes[i] = column[sample_.rows[i]];
        else
            for (std::size_t i = 0; i < codes.size(); ++i)
                codes[i] = levels_[parents - 1][i] * states + column[sample_.rows[i]];
    });
}

Families::Parents Families::possible_parents(int child, const Parents& parents) const {
    Parents others;
    for (int u = 0; u < data_.variables(); ++u)
        if (may_be_parent(u, child) && std::ranges::find(parents, u) == parents.end()) others.push_back(u);
    return others;
}

// Without those that cannot score more than this.
std::vector<Families::Candidate> Families::candidates(int child, const Parents& others, std::uint64_t configurations,
                                                      Points least) {
    std::vector<Candidate> all;
    for (const int u : others) {
        const auto lines = configurations * data_.states(u), cells = lines * data_.states(child);
        if (cells > score_.largest_table() || score_.most(lines, data_.states(child)) <= least) continue;
        all.push_back({u, score_.terms(cells), score_.terms(lines), score_.terms(data_.states(child))});
    }
    // Groups have columns of one kind.
    std::ranges::stable_partition(all, [&](const Candidate& one) { return data_.is_narrow(one.variable); });
    return all;
}

void Families::count(std::vector<Candidate>& all, int child, const Parents& parents, std::uint32_t configurations) {
    if (std::exchange(may_have_bits_, false) && BitColumns::suits(data_, sample_)) bits_.emplace(data_, sample_);
    if (bits_ && bits_->pays(static_cast<std::uint64_t>(configurations) * data_.states(child), codes_.size())) {
        count_bits(all, child, parents, configurations);
    } else {
        encode(child, parents);
        count_rows(all, child, configurations);
    }
}

void Families::count_bits(std::vector<Candidate>& all, int child, const Parents& parents,
                          std::uint32_t configurations) {
    auto family = parents;
    family.push_back(child);
    const auto lines = static_cast<std::size_t>(configurations) * data_.states(child);
    const auto size = static_cast<int>(all.size());
    const auto work = [&](const Take& take) {
        std::vector<std::uint32_t> counts;
        std::vector<BitColumns::Table> tables;
        for (int i; (i = take()) >= 0; check_stop()) {
            const int first = i * bit_group, end = std::min(first + bit_group, size);
            std::size_t cells = 0;
            for (int k = first; k < end; ++k) cells += lines * data_.states(all[k].variable);
            counts.assign(cells, 0);
            tables.clear();
            auto* next = counts.data();
            for (int k = first; k < end; next += lines * data_.states(all[k++].variable))
                tables.push_back({all[k].variable, next});
            bits_->count(family, tables);
            for (int k = first; k < end; ++k) judge(all[k], tables[k - first].counts, child, configurations);
        }
    };
    const int groups = (size + bit_group - 1) / bit_group;
    if (workers_ && codes_.size() * all.size() > worth_sharing)
        workers_->run(groups, work);
    else
        work(Take(groups));
}

void Families::judge(Candidate& candidate, const std::uint32_t* table, int child, std::uint32_t configurations) const {
    candidate.score = by_columns(table, candidate, child, configurations);
    if (configurations == 1 && !pairs_counted_)
        candidate.turned =
            by_lines(table, data_.states(child), data_.states(candidate.variable), candidate.cells, candidate.alone);
}

void Families::count_rows(std::vector<Candidate>& all, int child, std::uint32_t configurations) {
    const auto lines = configurations * data_.states(child);
    const auto counted = units(all, lines);
    const auto is_narrow = [&](const Unit& unit) { return data_.is_narrow(all[unit.first].variable); };
    std::vector<std::pair<int, int>> groups; // first and size
    for (int i = 0, size = static_cast<int>(counted.size()), next; i < size; i = next) {
        for (next = i; next < size && next < i + group_size && is_narrow(counted[next]) == is_narrow(counted[i]);)
            ++next;
        groups.emplace_back(i, next - i);
    }
    const auto work = [&](const Take& take) {
        std::vector<std::uint32_t> counts, own;
        for (int i; (i = take()) >= 0; check_stop()) {
            const auto [first, size] = groups[i];
            if (is_narrow(counted[first]))
                count_group<std::uint8_t>(all, &counted[first], size, lines, counts);
            else
                count_group<std::uint16_t>(all, &counted[first], size, lines, counts);
            const auto* whole = counts.data();
            for (int k = first; k < first + size; whole += static_cast<std::size_t>(lines) * counted[k++].codes)
                for (int j = counted[k].first; j < counted[k].first + counted[k].size; ++j) {
                    const int u = all[j].variable;
                    if (counted[k].is_packed) sum_out(whole, counted[k].codes, u, lines, own);
                    const auto* table = counted[k].is_packed ? own.data() : whole;
                    judge(all[j], table, child, configurations);
                }
        }
    };
    if (workers_ && codes_.size() * all.size() > worth_sharing)
        workers_->run(static_cast<int>(groups.size()), work);
    else
        work(Take(static_cast<int>(groups.size())));
}

// Candidates of one pack are counted together where its table is small.
std::vector<Families::Unit> Families::units(const std::vector<Candidate>& all, std::uint32_t lines) const {
    const auto most = std::min<std::size_t>(codes_.size(), most_packed);
    std::vector<Unit> units;
    for (int i = 0, size = static_cast<int>(all.size()); i < size;) {
        const auto& pack = data_.pack_of(all[i].variable);
        int next = i + 1;
        if (static_cast<std::size_t>(lines) * pack.codes <= most)
            while (next < size && &data_.pack_of(all[next].variable) == &pack) ++next;
        const bool is_packed = next > i + 1;
        units.push_back({i, next - i, is_packed, is_packed ? pack.codes : data_.states(all[i].variable)});
        i = next;
    }
    return units;
}

// One table after the other: a line for each number that rows have, a column for each code of the unit.
template <class Cell> void Families::count_group(const std::vector<Candidate>& all, const Unit* group, int size,
                                                 std::uint32_t lines, std::vector<std::uint32_t>& counts) const {
    const Cell* columns[group_size];
    std::uint32_t lengths[group_size];
    std::size_t starts[group_size], cells = 0;
    for (int k = 0; k < group_size; ++k) {
        const auto& unit = group[std::min(k, size - 1)]; // a group that is not full repeats its last
        const int variable = all[unit.first].variable;
        if constexpr (sizeof(Cell) == 1)
            columns[k] = unit.is_packed ? data_.packed(data_.pack_of(variable)) : data_.narrow(variable);
        else
            columns[k] = data_.wide(variable);
        lengths[k] = unit.codes;
        starts[k] = cells;
        cells += static_cast<std::size_t>(lines) * lengths[k];
    }
    counts.assign(cells, 0);
    std::uint32_t* const tables[group_size] = {&counts[starts[0]], &counts[starts[1]], &counts[starts[2]],
                                               &counts[starts[3]]};
    for (std::size_t i = 0; i < codes_.size(); ++i) {
        const auto row = sample_.rows[i], line = codes_[i], weight = sample_.weights[i];
        for (int k = 0; k < group_size; ++k) tables[k][line * lengths[k] + columns[k][row]] += weight;
    }
}

// The table of one variable of a pack.
void Families::sum_out(const std::uint32_t* packed, std::uint32_t codes, int variable, std::uint32_t lines,
                       std::vector<std::uint32_t>& counts) const {
    const auto length = data_.states(variable), stride = data_.stride(variable);
    counts.assign(static_cast<std::size_t>(lines) * length, 0);
    auto* count = counts.data();
    for (const auto* const end = packed + static_cast<std::size_t>(lines) * codes; packed != end; count += length)
        for (std::uint32_t done = 0; done < codes; done += length * stride)
            for (std::uint32_t x = 0; x < length; ++x, packed += stride)
                count[x] = std::accumulate(packed, packed + stride, count[x]);
}

// The child's states go down the lines, the candidate's along them.
Points Families::by_columns(const std::uint32_t* counts, const Candidate& candidate, int child,
                            std::uint32_t configurations) const {
    const auto states = data_.states(candidate.variable);
    std::vector<std::uint32_t> sums(states);
    Points sum = 0;
    for (std::uint32_t j = 0; j < configurations; ++j) {
        for (std::uint32_t y = 0; y < data_.states(child); ++y, counts += states)
            for (std::uint32_t x = 0; x < states; ++x) {
                sum += candidate.cells(counts[x]);
                sums[x] += counts[x];
            }
        for (auto& count : sums) sum -= candidate.configurations(std::exchange(count, 0));
    }
    return sum + score_.most(static_cast<std::uint64_t>(configurations) * states, data_.states(child));
}

// A line for each configuration of the parents, of the child's states.
Points Families::by_lines(const std::uint32_t* counts, std::uint32_t lines, std::uint32_t states,
                          const CountTerms& cells, const CountTerms& alone) const {
    Points sum = 0;
    for (std::uint32_t line = 0; line < lines; ++line, counts += states) {
        std::uint32_t count = 0;
        for (std::uint32_t x = 0; x < states; ++x) {
            sum += cells(counts[x]);
            count += counts[x];
        }
        sum -= alone(count);
    }
    return sum + score_.most(lines, states);
}

// The families of one parent, in both directions from one table.
void Families::count_pairs() {
    const int n = data_.variables();
    std::vector<std::vector<Points>> scores(n, std::vector<Points>(n, refused));
    for (int child = 0; child < n; ++child) {
        std::vector<Candidate> all;
        for (int u = child + 1; u < n; ++u) {
            const std::uint64_t cells = static_cast<std::uint64_t>(data_.states(u)) * data_.states(child);
            if ((!may_be_parent(u, child) && !may_be_parent(child, u)) || cells > score_.largest_table()) continue;
            all.push_back({u, score_.terms(cells), score_.terms(data_.states(u)), score_.terms(data_.states(child))});
        }
        std::ranges::stable_partition(all, [&](const Candidate& one) { return data_.is_narrow(one.variable); });
        if (!all.empty()) count(all, child, {}, 1);
        for (const auto& pair : all) {
            if (may_be_parent(pair.variable, child)) scores[child][pair.variable] = pair.score;
            if (may_be_parent(child, pair.variable)) scores[pair.variable][child] = pair.turned;
        }
    }
    pairs_counted_ = true;
    for (int child = 0; child < n; ++child)
        known(child, {}).additions = std::make_shared<const std::vector<Points>>(std::move(scores[child]));
}

} // namespace bnfuse
