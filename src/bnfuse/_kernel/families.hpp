// The scores of families on one sample of the data: counted once, then stored, together with the scores of all families
// with one additional parent.
#pragma once

#include "available_cases.hpp"
#include "bit_columns.hpp"
#include "family_scores.hpp"

#include <optional>

namespace bnfuse {

class Families final : public FamilyScores {
public:
    // `rules` by pair: 1 if the first may be a parent of the second. Workers, if any, share the counting. If values are
    // missing, a set of variables that fewer rows have is refused.
    Families(const DiscreteData& data, Sample sample, FamilyScore& score, const std::vector<std::uint8_t>& rules,
             Workers* workers = nullptr, std::uint32_t least_rows = AvailableCases::least_rows);

    int variables() const override { return data_.variables(); }

    // `refused` if the table would be too large, or too few rows have all of the family.
    Points score(int child, const Parents& parents) override;

    // Counted together.
    Additions additions(int child, const Parents& parents) override;

    std::vector<Points> with_each(int child, const Parents& parents, const Parents& others) override;

    Points most(int child, const Parents& parents) const override {
        return score_.most(configurations(parents), data_.states(child));
    }

private:
    struct Known {
        Points score;
        bool has_score = false;
        Additions additions;
    };
    struct Candidate {
        int variable;
        CountTerms cells, configurations;         // terms of the family with this additional parent
        CountTerms alone;                         // of the candidate's own states, if the two change places
        Points score = refused, turned = refused; // of the family, and of the candidate with the child as its parent
    };

    // Candidates that share a pack of columns, or a single one.
    struct Unit {
        int first, size; // among the candidates
        bool is_packed;
        std::uint32_t codes;
    };

    static constexpr std::size_t most_known = std::size_t{1} << 22; // scores: 32 MB

    const DiscreteData& data_;
    Sample sample_;
    FamilyScore& score_;
    const std::vector<std::uint8_t>& rules_;
    Workers* workers_;
    std::optional<AvailableCases> available_; // if values are missing
    KeyTable keys_;
    std::vector<Known> known_;
    std::vector<std::uint64_t> key_;
    std::optional<BitColumns> bits_;   // once many families are counted, if the sample is suitable
    std::vector<std::uint32_t> codes_; // of each row of the sample: the configuration of a family, without bits
    Parents encoded_;                  // whose codes the levels hold, each with one additional parent
    std::vector<std::vector<std::uint32_t>> levels_;
    bool pairs_counted_ = false, may_have_bits_ = true;

    Known& known(int child, const Parents& parents);
    bool may_be_parent(int u, int v) const { return rules_[static_cast<std::size_t>(u) * data_.variables() + v] & 1; }
    Parents possible_parents(int child, const Parents& parents) const;
    std::uint64_t configurations(const Parents& parents) const;
    void encode(int child, const Parents& parents);
    void append(std::size_t parents, int variable, std::vector<std::uint32_t>& codes) const;
    std::vector<Candidate> candidates(int child, const Parents& others, std::uint64_t configurations, Points least);
    void count(std::vector<Candidate>& all, int child, const Parents& parents, std::uint32_t configurations);
    void count_bits(std::vector<Candidate>& all, int child, const Parents& parents, std::uint32_t configurations);
    void count_rows(std::vector<Candidate>& all, int child, std::uint32_t configurations);
    void judge(Candidate& candidate, const std::uint32_t* table, int child, std::uint32_t configurations) const;
    std::vector<Unit> units(const std::vector<Candidate>& all, std::uint32_t lines) const;
    template <class Cell> void count_group(const std::vector<Candidate>& all, const Unit* group, int size,
                                           std::uint32_t lines, std::vector<std::uint32_t>& counts) const;
    void sum_out(const std::uint32_t* packed, std::uint32_t codes, int variable, std::uint32_t lines,
                 std::vector<std::uint32_t>& counts) const;
    Points by_columns(const std::uint32_t* counts, const Candidate& candidate, int child,
                      std::uint32_t configurations) const;
    Points by_lines(const std::uint32_t* counts, std::uint32_t lines, std::uint32_t states, const CountTerms& cells,
                    const CountTerms& alone) const;
    void count_pairs();
};

} // namespace bnfuse
