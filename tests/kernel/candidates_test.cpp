// Genes of many candidates as columns of bits.
#include "candidates.hpp"
#include "testing.hpp"

using namespace bnfuse;
using namespace bnfuse::testing;

namespace {

void test_all() {
    Random random(5, 5);
    for (const int count : {1, 3, 64, 65, 130})
        for (const int gene_count : {1, 7, 8, 63, 64, 65, 200}) {
            std::vector<std::uint8_t> genes(static_cast<std::size_t>(count) * gene_count);
            for (auto& gene : genes) gene = static_cast<std::uint8_t>(random.below(2));
            std::vector<int> chosen;
            for (int gene = 0; gene < gene_count; ++gene)
                if (random.below(3)) chosen.push_back(gene);
            std::vector<std::uint64_t> rows;
            GeneColumns(genes.data(), count, gene_count).rows_of(chosen, rows);
            const std::size_t words = (chosen.size() + 63) / 64;
            CHECK(count, rows.size() == words * count);
            bool equal = true;
            for (int i = 0; i < count; ++i)
                for (std::size_t j = 0; j < 64 * words; ++j) {
                    const bool bit = rows[i * words + j / 64] >> (j % 64) & 1;
                    equal &= bit == (j < chosen.size() && genes[static_cast<std::size_t>(i) * gene_count + chosen[j]]);
                }
            CHECK(gene_count, equal);
        }
}

const Suite suite("candidates", test_all);

} // namespace
