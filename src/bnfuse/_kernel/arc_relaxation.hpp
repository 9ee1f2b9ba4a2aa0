// What networks can gain whose arcs are few, because of a rule on directions or other constraints: a linear program.
//
// With z for arcs, x for moral edges and y_abc for a and b being parents of c, every network in which a variable has p
// parents at most satisfies
//
//     x_ab <= z_ab + z_ba + sum_c y_abc                  an edge is an arc, or has a common child
//     y_abc <= z_ac,  y_abc <= z_bc                      whose parents are both
//     sum_b y_abc <= (p - 1) z_ac                        and a parent has p - 1 others beside it at most
//     z_ab + z_ba <= x_ab,  z_ac + z_bc - 1 <= x_ab      an arc is an edge, and parents of a child marry
//     sum_a z_ac <= p
//
// and what minors of a graph with small cliques can have (see minors.hpp). Where arcs gain, and not moral edges, the
// last three and the minors are all there is.
#pragma once

#include "linear_program.hpp"
#include "minors.hpp"
#include "sorting.hpp"

#include <map>

namespace bnfuse {

class ArcRelaxation {
public:
    // `gain` of moral edges, or of arcs; `rules` by arc: 1 it may be there, 2 it must be.
    ArcRelaxation(const PairWeights& gain, const std::vector<std::uint8_t>& rules, bool by_arc, int k, int max_parents)
        : n_(gain.size()), k_(k), parents_(std::min(k, max_parents)), by_arc_(by_arc), gain_(gain), rules_(rules),
          incoming_(n_), edge_(static_cast<std::size_t>(n_) * n_, -1), arc_(edge_.size(), -1) {
        number_variables();
        std::vector<Weight> weights(arcs_end_ + marriages_.size());
        std::vector<bool> is_fixed(weights.size());
        for (std::size_t i = 0; i < edges_.size(); ++i) weights[i] = edges_[i].weight;
        for (int c = 0; c < n_; ++c)
            for (const int a : incoming_[c]) {
                is_fixed[arc(a, c)] = rules_[at(a, c)] & 2;
                if (by_arc_) weights[arc(a, c)] = gain_(a, c);
            }
        program_.emplace(std::move(weights), std::move(is_fixed));
        add_rows();
    }

    // At least what any network gains; more rounds of looking for minors make it tighter.
    Weight operator()(int rounds) {
        constexpr int first_steps = 1'024, steps = 256, searches = 8;
        constexpr std::size_t most_entries = 200'000'000; // looked at: less than a second
        const auto limited = [&](int wanted) {
            const auto entries = program_->entries() + 1;
            return static_cast<int>(std::min<std::size_t>(wanted, most_entries / entries));
        };
        program_->improve(limited(first_steps));
        MinorSearch search(n_, k_, edges_);
        Random random(0, 0);
        std::size_t work = 0;
        for (int round = 0; round < rounds && work < most_entries; ++round) {
            bool found = false;
            const auto mean = program_->mean();
            const std::vector<double> choice(mean.begin(), mean.begin() + static_cast<std::ptrdiff_t>(edges_.size()));
            for (int i = 0; i < searches; ++i)
                if (const auto cut = search(choice, static_cast<double>(i) / searches, random)) found |= add(*cut);
            if (!found) break;
            program_->improve(limited(steps));
            work += 2 * steps * program_->entries();
        }
        const auto most = program_->bound(edges_.size(), [&](const std::vector<Weight>& left) {
            std::vector<Edge> rest;
            for (std::size_t i = 0; i < left.size(); ++i)
                if (left[i] > 0) rest.push_back({edges_[i].a, edges_[i].b, left[i]});
            bnfuse::stable_sort(rest, std::greater{}, &Edge::weight);
            return rigidity_weight(n_, std::move(rest), k_);
        });
        return most.value_or(everything());
    }

private:
    struct Marriage {
        int a, b, child;
    };

    int n_, k_, parents_;
    bool by_arc_;
    const PairWeights& gain_;
    const std::vector<std::uint8_t>& rules_;
    std::vector<std::vector<int>> incoming_; // by child
    std::vector<int> edge_, arc_;            // their variables by pair, or -1
    std::vector<Edge> edges_;                // the first variables
    std::size_t arcs_end_ = 0;
    std::vector<Marriage> marriages_; // those that gain something: the last variables
    std::optional<LinearProgram> program_;
    std::vector<MinorCut> cuts_;

    std::size_t at(int a, int b) const { return static_cast<std::size_t>(a) * n_ + b; }
    int arc(int a, int b) const { return arc_[at(a, b)]; }
    int edge(int a, int b) const { return edge_[at(std::min(a, b), std::max(a, b))]; }

    void number_variables() {
        const auto join = [&](int a, int b) {
            if (a > b) std::swap(a, b);
            if (edge_[at(a, b)] >= 0 || (!by_arc_ && !gain_(a, b))) return; // what counts for nothing is left out
            edge_[at(a, b)] = static_cast<int>(edges_.size());
            edges_.push_back({a, b, by_arc_ ? 0 : gain_(a, b)});
        };
        for (int c = 0; c < n_; ++c)
            for (int a = 0; a < n_; ++a)
                if (rules_[at(a, c)]) incoming_[c].push_back(a);
        for (int c = 0; c < n_; ++c)
            for (const int a : incoming_[c]) {
                join(a, c);
                for (const int b : incoming_[c])
                    if (a < b && parents_ > 1) join(a, b);
            }
        arcs_end_ = edges_.size();
        for (int c = 0; c < n_; ++c)
            for (const int a : incoming_[c]) arc_[at(a, c)] = static_cast<int>(arcs_end_++);
        for (int c = 0; c < n_; ++c)
            for (const int a : incoming_[c])
                for (const int b : incoming_[c])
                    if (a < b && parents_ > 1 && !by_arc_ && gain_(a, b) > 0) marriages_.push_back({a, b, c});
    }

    void add_rows() {
        std::vector<std::vector<Term>> makers(edges_.size());
        for (int c = 0; c < n_; ++c) {
            std::vector<Term> all;
            for (const int a : incoming_[c]) {
                all.push_back({arc(a, c), 1});
                if (const int joined = edge(a, c); joined >= 0) makers[joined].push_back({arc(a, c), -1});
                for (const int b : incoming_[c])
                    if (const int joined = edge(a, b); a < b && joined >= 0)
                        program_->add_row({{arc(a, c), 1}, {arc(b, c), 1}, {joined, -1}}, 1);
            }
            if (static_cast<int>(all.size()) > parents_) program_->add_row(all, parents_);
        }
        for (int i = 0; i < static_cast<int>(edges_.size()); ++i) {
            auto arcs = makers[i];
            for (auto& [_, factor] : arcs) factor = 1;
            arcs.push_back({i, -1});
            if (arcs.size() > 1) program_->add_row(arcs, 0);
        }
        add_marriages(makers);
        for (int i = 0; i < static_cast<int>(edges_.size()); ++i) {
            if (edges_[i].weight <= 0) continue;
            makers[i].push_back({i, 1});
            program_->add_row(makers[i], 0);
        }
    }

    void add_marriages(std::vector<std::vector<Term>>& makers) {
        std::map<std::pair<int, int>, std::vector<Term>> beside; // by child and parent
        for (std::size_t i = 0; i < marriages_.size(); ++i) {
            const auto [a, b, c] = marriages_[i];
            const int variable = static_cast<int>(arcs_end_ + i);
            makers[edge(a, b)].push_back({variable, -1});
            for (const int parent : {a, b}) {
                program_->add_row({{variable, 1}, {arc(parent, c), -1}}, 0);
                beside[{c, parent}].push_back({variable, 1});
            }
        }
        for (auto& [family, terms] : beside) {
            if (static_cast<int>(terms.size()) < parents_) continue;
            terms.push_back({arc(family.second, family.first), 1 - parents_});
            program_->add_row(terms, 0);
        }
    }

    bool add(const MinorCut& cut) {
        for (const auto& other : cuts_)
            if (other.representatives == cut.representatives && other.contracted == cut.contracted) return false;
        std::vector<Term> terms;
        for (const int i : cut.representatives) terms.push_back({i, 1});
        for (const int i : cut.contracted) terms.push_back({i, k_});
        program_->add_row(terms, cut.limit);
        cuts_.push_back(cut);
        return true;
    }

    Weight everything() const {
        Weight sum = 0;
        for (const auto& edge : edges_) sum += std::max<Weight>(edge.weight, 0);
        for (int c = 0; c < n_ && by_arc_; ++c)
            for (const int a : incoming_[c]) sum += std::max<Weight>(gain_(a, c), 0);
        return sum;
    }
};

} // namespace bnfuse
