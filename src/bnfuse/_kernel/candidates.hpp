// Candidates of the pruning searches: which arcs of the inputs (or of their fusion) are kept, the network that this
// gives, and its value. Evaluated by the population, in parallel; a result never depends on threads or on the cache.
#pragma once

#include "key_table.hpp"
#include "objective.hpp"
#include "parallel.hpp"

#include <memory>
#include <optional>

namespace bnfuse {

enum class Triangulation { min_fill, max_cardinality };

enum class Decoding {
    keep_arcs,        // the kept arcs are the network: pruning after fusion
    fuse,             // prune the inputs, then fuse them under one order: labels are its positions
    fuse_in_own_order // prune the inputs, then fuse them under the heuristic order of the pruned ones
};

struct ArcGene { // an arc of an input that is kept when its gene is 1
    int input, source, target, gene;
};

struct Value {
    Weight distance, support;
    int clique;
};

using Genes = const std::uint8_t*;

// Minimal I-maps of one pruned input, identified by which of its arcs are kept.
template <int W> class ImapCache {
public:
    ImapCache(int n, std::size_t key_words) : n_(n), keys_(key_words) {}

    // The slot of the map with these kept arcs; a new one is still to be filled.
    KeyTable::Found find(const std::uint64_t* key) {
        const auto found = keys_.find(key);
        if (found.fresh) maps_.resize(maps_.size() + n_);
        return found;
    }

    Bits<W>* map(int slot) { return maps_.data() + slot * n_; }
    std::size_t bytes() const { return maps_.size() * sizeof(Bits<W>); }

    void clear() {
        keys_.clear();
        maps_.clear();
    }

private:
    std::size_t n_;
    KeyTable keys_;
    std::vector<Bits<W>> maps_;
};

// The genes of many candidates as bits, gene by gene: the kept arcs of an input are then gathered for 64 candidates at
// a time.
class GeneColumns {
public:
    GeneColumns(Genes genes, int count, int gene_count) : count_(count), gene_count_(gene_count) {
        columns_.resize(static_cast<std::size_t>((count + 63) / 64) * gene_count);
        for (int first = 0; first < count; first += 64)
            for (int gene = 0; gene < gene_count; gene += 64) {
                BitSquare square{};
                const int width = std::min(64, gene_count - gene), height = std::min(64, count - first);
                for (int i = 0; i < height; ++i)
                    square[i] = packed(genes + static_cast<std::size_t>(first + i) * gene_count + gene, width);
                transpose(square);
                std::copy_n(square.begin(), width, column(first / 64, gene));
            }
    }

    // For each candidate, its bits of these genes, in that many words.
    void rows_of(const std::vector<int>& genes, std::vector<std::uint64_t>& rows) const {
        const std::size_t words = (genes.size() + 63) / 64;
        rows.resize(words * count_);
        for (int first = 0; first < count_; first += 64)
            for (std::size_t word = 0; word < words; ++word) {
                BitSquare square{};
                const auto width = std::min<std::size_t>(64, genes.size() - 64 * word);
                const auto* from = columns_.data() + static_cast<std::size_t>(first / 64) * gene_count_;
                for (std::size_t i = 0; i < width; ++i) square[i] = from[genes[64 * word + i]];
                transpose(square);
                for (int i = 0; i < std::min(64, count_ - first); ++i) rows[(first + i) * words + word] = square[i];
            }
    }

private:
    int count_, gene_count_;
    std::vector<std::uint64_t> columns_; // by 64 candidates, then gene

    std::uint64_t* column(int block, int gene) {
        return columns_.data() + static_cast<std::size_t>(block) * gene_count_ + gene;
    }
};

template <int W> class Evaluator {
public:
    struct Setup {
        int n;
        Decoding decoding;
        Triangulation triangulation;
        std::vector<ArcGene> arcs;   // sorted by input; labels as the decoding wants them
        std::vector<Weight> weights; // of the inputs
        PairWeights support;
        std::optional<SmhdObjective<W>> smhd; // one of the three objectives
        std::optional<ShdObjective<W>> shd;
        std::optional<FsimObjective<W>> fsim;
        std::vector<int> tie_place; // label -> label of the FSim references
        TableLimit tables;
    };

    explicit Evaluator(Setup setup) : setup_(std::move(setup)) {
        inputs_.resize(setup_.weights.size());
        for (const auto& arc : setup_.arcs) {
            inputs_[arc.input].push_back(arc);
            if (arc.gene >= static_cast<int>(by_gene_.size())) by_gene_.resize(arc.gene + 1);
            by_gene_[arc.gene].push_back(arc);
        }
        for (const auto& arcs : inputs_) {
            auto& genes = genes_of_.emplace_back();
            for (const auto& arc : arcs) genes.push_back(arc.gene);
            caches_.emplace_back(setup_.n, (arcs.size() + 63) / 64);
        }
    }

    int gene_count() const { return static_cast<int>(by_gene_.size()); }

    void evaluate(Genes genes, int count, int threads, Value* values) {
        if (count * estimated_nanoseconds() < worth_a_thread) threads = 1;
        if (!workers_ || asked_threads_ != threads) workers_ = std::make_unique<Workers>(threads);
        asked_threads_ = threads;
        if (setup_.decoding == Decoding::fuse) return evaluate_cached(genes, count, values);
        workers_->run(count, [&](auto&& take) {
            Scratch scratch;
            for (int i; (i = take()) >= 0; check_stop())
                values[i] = value_of(decode(genes + static_cast<std::size_t>(i) * gene_count(), scratch), scratch);
        });
    }

    struct Network {
        Rows<W> parents;
        std::vector<int> elimination_order; // with the clique size that `evaluate` tells
    };

    // The network of a candidate, in labels.
    Network network(Genes genes) const {
        Scratch scratch;
        auto parents = decode(genes, scratch);
        auto order = triangulated(moral_graph(parents)).order;
        return {std::move(parents), std::move(order)};
    }

private:
    template <int> friend class GreedyPruning;

    struct Scratch {
        MinimalImap<W> minimal_imap;
        Fsim<W> fsim;
        MinFillClique<W> min_fill_clique;
        Rows<W> moral;
    };

    static constexpr double worth_a_thread = 60'000; // nanoseconds of work

    // The approximate cost of one candidate, as measured for 10 to 60 variables.
    double estimated_nanoseconds() const {
        const double n = setup_.n, inputs = static_cast<double>(inputs_.size());
        const double decoding = setup_.decoding == Decoding::keep_arcs ? 0 : 10 * n * inputs;
        return 80 * n + decoding + (setup_.fsim ? 200 * n * inputs : 0);
    }

    static constexpr std::size_t cache_bytes = std::size_t{16} << 20;

    Setup setup_;
    std::vector<std::vector<ArcGene>> inputs_, by_gene_;
    std::vector<std::vector<int>> genes_of_; // by input, then arc: packed, as it is read for every candidate
    std::vector<ImapCache<W>> caches_;       // by input: only one thread works on each
    std::unique_ptr<Workers> workers_;
    int asked_threads_ = 0; // fewer may have started

    Rows<W> pruned(const std::vector<ArcGene>& arcs, Genes genes) const {
        Rows<W> parents(setup_.n);
        for (const auto& arc : arcs) parents[arc.target].set_if(arc.source, genes[arc.gene]);
        return parents;
    }

    Rows<W> decode(Genes genes, Scratch& scratch) const {
        if (setup_.decoding == Decoding::keep_arcs) return pruned(setup_.arcs, genes);
        std::vector<Rows<W>> dags;
        for (const auto& arcs : inputs_) dags.push_back(pruned(arcs, genes));
        return fused(std::move(dags), scratch);
    }

    Rows<W> fused(std::vector<Rows<W>> dags, Scratch& scratch) const {
        std::vector<int> order;
        if (setup_.decoding == Decoding::fuse_in_own_order) {
            order = heuristic_order(dags, setup_.weights);
            const auto place = places(order);
            for (auto& dag : dags) dag = relabelled(dag, place);
        }
        Rows<W> sum(setup_.n);
        for (auto& dag : dags) {
            scratch.minimal_imap(dag);
            for (int v = 0; v < setup_.n; ++v) sum[v] |= dag[v];
        }
        return order.empty() ? sum : relabelled(sum, order);
    }

    Elimination triangulated(const Rows<W>& moral, int limit = no_limit) const {
        if (setup_.triangulation == Triangulation::min_fill) return min_fill(moral, limit, setup_.tables);
        return setup_.tables.is_set() ? max_cardinality(moral, setup_.tables) : max_cardinality(moral);
    }

    // The clique size of `triangulated`.
    int clique_of(const Rows<W>& moral, Scratch& scratch) const {
        const bool is_plain = setup_.triangulation == Triangulation::min_fill && !setup_.tables.is_set();
        return is_plain ? scratch.min_fill_clique(moral) : triangulated(moral).clique;
    }

    Value value_of(const Rows<W>& dag, Scratch& scratch) const {
        auto& moral = scratch.moral;
        moral_graph(dag, moral);
        Value value{0, 0, clique_of(moral, scratch)};
        value.distance = setup_.smhd  ? (*setup_.smhd)(moral)
                         : setup_.shd ? (*setup_.shd)(dag)
                                      : (*setup_.fsim)(relabelled(dag, setup_.tie_place), scratch.fsim);
        for (int v = 0; v < setup_.n; ++v) dag[v].each([&](int p) { value.support += setup_.support(p, v); });
        return value;
    }

    // Under one order, the minimal I-map of an input depends on its own kept arcs alone: known ones are reused.
    void evaluate_cached(Genes genes, int count, Value* values) {
        const auto per_candidate = inputs_.size() * setup_.n * sizeof(Bits<W>);
        const int batch = static_cast<int>(std::clamp<std::size_t>(cache_bytes / (per_candidate + 1), 1, 1 << 16));
        for (int start = 0; start < count; start += batch) {
            const int size = std::min(batch, count - start);
            std::size_t bytes = 0;
            for (const auto& cache : caches_) bytes += cache.bytes();
            if (bytes > cache_bytes) clear_caches();
            try {
                evaluate_batch(genes + static_cast<std::size_t>(start) * gene_count(), size, values + start);
            } catch (...) {
                clear_caches(); // slots may be left without their maps
                throw;
            }
        }
    }

    void clear_caches() {
        for (auto& cache : caches_) cache.clear();
    }

    void evaluate_batch(Genes genes, int count, Value* values) {
        const int r = static_cast<int>(inputs_.size());
        const GeneColumns columns(genes, count, gene_count());
        std::vector<int> slots(static_cast<std::size_t>(count) * r); // by candidate, then input
        workers_->run(r, [&](auto&& take) {
            Scratch scratch;
            Rows<W> dag;
            std::vector<std::uint64_t> keys;
            Pulse pulse(16);
            for (int input; (input = take()) >= 0;) {
                columns.rows_of(genes_of_[input], keys);
                const std::size_t words = keys.size() / count;
                for (int i = 0; i < count; ++i) {
                    const auto* key = keys.data() + i * words;
                    const auto [slot, fresh] = caches_[input].find(key);
                    slots[static_cast<std::size_t>(i) * r + input] = slot;
                    if (!fresh) continue;
                    pulse();
                    build(inputs_[input], key, dag);
                    scratch.minimal_imap(dag);
                    std::ranges::copy(dag, caches_[input].map(slot));
                }
            }
        });
        workers_->run(count, [&](auto&& take) {
            Scratch scratch;
            for (int i; (i = take()) >= 0; check_stop()) {
                Rows<W> sum(setup_.n);
                for (int input = 0; input < r; ++input) {
                    const auto* map = caches_[input].map(slots[static_cast<std::size_t>(i) * r + input]);
                    for (int v = 0; v < setup_.n; ++v) sum[v] |= map[v];
                }
                values[i] = value_of(sum, scratch);
            }
        });
    }

    void build(const std::vector<ArcGene>& arcs, const std::uint64_t* key, Rows<W>& dag) const {
        dag.assign(setup_.n, {});
        for (std::size_t i = 0; 64 * i < arcs.size(); ++i)
            for (auto rest = key[i]; rest; rest &= rest - 1) {
                const auto& arc = arcs[64 * i + std::countr_zero(rest)];
                dag[arc.target].set(arc.source);
            }
    }
};

// The paper's Algorithm 2: genes are offered one by one and kept when the network that they give stays within the
// limit. Only the inputs that have the offered arc are transformed again.
template <int W> class GreedyPruning {
public:
    GreedyPruning(const Evaluator<W>& evaluator, int limit)
        : evaluator_(evaluator), limit_(limit), pruned_(input_count(), Rows<W>(evaluator.setup_.n)), maps_(pruned_),
          network_(evaluator.setup_.n) {}

    // Unusable after an exception.
    bool offer(int gene) {
        const auto& arcs = evaluator_.by_gene_[gene];
        for (const auto& arc : arcs) pruned_[place(arc)][arc.target].set(arc.source);
        auto maps = transformed(arcs);
        auto network = combined(arcs, maps);
        if (network == network_ || evaluator_.triangulated(moral_graph(network), limit_).clique <= limit_) {
            for (std::size_t i = 0; i < maps.size(); ++i) maps_[arcs[i].input] = std::move(maps[i]);
            network_ = std::move(network);
            return true;
        }
        for (const auto& arc : arcs) pruned_[place(arc)][arc.target].reset(arc.source);
        return false;
    }

private:
    const Evaluator<W>& evaluator_;
    int limit_;
    std::vector<Rows<W>> pruned_, maps_; // by input
    Rows<W> network_;
    typename Evaluator<W>::Scratch scratch_;

    bool after_fusion() const { return evaluator_.setup_.decoding == Decoding::keep_arcs; }
    std::size_t input_count() const { return after_fusion() ? 1 : evaluator_.inputs_.size(); }
    int place(const ArcGene& arc) const { return after_fusion() ? 0 : arc.input; }

    std::vector<Rows<W>> transformed(const std::vector<ArcGene>& arcs) {
        std::vector<Rows<W>> maps;
        if (evaluator_.setup_.decoding == Decoding::fuse)
            for (const auto& arc : arcs) scratch_.minimal_imap(maps.emplace_back(pruned_[arc.input]));
        return maps;
    }

    Rows<W> combined(const std::vector<ArcGene>& arcs, const std::vector<Rows<W>>& fresh) {
        if (after_fusion()) return pruned_[0];
        if (evaluator_.setup_.decoding == Decoding::fuse_in_own_order) return evaluator_.fused(pruned_, scratch_);
        Rows<W> sum(evaluator_.setup_.n);
        std::size_t next = 0; // arcs are sorted by input
        for (std::size_t i = 0; i < maps_.size(); ++i) {
            const bool changed = next < fresh.size() && arcs[next].input == static_cast<int>(i);
            const auto& map = changed ? fresh[next++] : maps_[i];
            for (int v = 0; v < evaluator_.setup_.n; ++v) sum[v] |= map[v];
        }
        return sum;
    }
};

} // namespace bnfuse
