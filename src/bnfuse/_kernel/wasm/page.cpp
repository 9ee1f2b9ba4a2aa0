// The JavaScript interface of the kernel: one question at a time, as whole numbers of 32 bits; see question-words.js,
// which writes them. Numbers that may be larger use two words, the lower one first.
#include "consensus_question.hpp"

#include "sorting.hpp"

#include <span>

using namespace bnfuse;

#define BNFUSE_EXPORT(name) __attribute__((export_name(#name)))

namespace {

std::vector<std::int32_t> question_words, answer_words;
std::unique_ptr<ConsensusAnswer> answer;

class Reader {
public:
    explicit Reader(std::span<const std::int32_t> words) : words_(words) {}

    int next() {
        require(place_ < words_.size(), "the question is cut short");
        return words_[place_++];
    }
    std::uint64_t next_large() {
        const auto low = static_cast<std::uint32_t>(next());
        return std::uint64_t{static_cast<std::uint32_t>(next())} << 32 | low;
    }
    std::vector<int> list() {
        std::vector<int> numbers(length());
        for (auto& number : numbers) number = next();
        return numbers;
    }
    ArcList arcs() {
        ArcList arcs(length());
        for (auto& [u, v] : arcs) {
            u = next();
            v = next();
        }
        bnfuse::sort(arcs);
        return arcs;
    }
    std::size_t length() {
        const int count = next();
        require(0 <= count && static_cast<std::size_t>(count) <= words_.size(), "the question is cut short");
        return static_cast<std::size_t>(count);
    }

private:
    std::span<const std::int32_t> words_;
    std::size_t place_ = 0;
};

ConsensusQuestion question_of(Reader& words) {
    ConsensusQuestion question{};
    question.n = words.next();
    question.limit = words.next();
    question.wanted_parents = words.next();
    question.metric = words.next() ? Metric::shd : Metric::smhd;
    question.directions = static_cast<Directions>(words.next());
    question.max_table = words.next_large();
    for (auto left = words.length(); left; --left) question.states.push_back(words.next_large());
    question.tiers = words.list();
    question.required = words.arcs();
    question.forbidden = words.arcs();
    for (auto left = words.length(); left; --left) {
        auto& input = question.inputs.emplace_back();
        input.weight = static_cast<Weight>(words.next_large());
        input.variables = words.list();
        input.arcs = words.arcs();
    }
    return question;
}

void write_large(Weight number) {
    answer_words.push_back(static_cast<std::int32_t>(number));
    answer_words.push_back(static_cast<std::int32_t>(number >> 32));
}

// [distance, weight, clique, arcs, order]
const std::int32_t* written(const ConsensusAnswer::Network& network) {
    answer_words.clear();
    write_large(network.distance);
    write_large(answer->weight());
    answer_words.push_back(network.proof.clique);
    answer_words.push_back(static_cast<std::int32_t>(network.arcs.size()));
    for (const auto& [u, v] : network.arcs) {
        answer_words.push_back(u);
        answer_words.push_back(v);
    }
    answer_words.insert(answer_words.end(), network.proof.order.begin(), network.proof.order.end());
    return answer_words.data();
}

} // namespace

extern "C" {

// Room for the words of a question.
BNFUSE_EXPORT(question) std::int32_t* page_question(std::size_t words) {
    question_words.assign(words, 0);
    return question_words.data();
}

// Takes the question from there. The effort is 0 (quick), 1 (normal) or 2 (thorough).
BNFUSE_EXPORT(ask) void page_ask(int effort, std::uint32_t seed_low, std::uint32_t seed_high) {
    Reader words(question_words);
    const auto question = question_of(words);
    answer.reset();
    answer = std::make_unique<ConsensusAnswer>(question, static_cast<Effort>(effort),
                                               std::uint64_t{seed_high} << 32 | seed_low);
}

// One part of the work; returns whether all is finished.
BNFUSE_EXPORT(step) int page_step(double seconds) {
    answer->step(seconds);
    return answer->is_done();
}
BNFUSE_EXPORT(stepsDone) int page_steps_done() { return answer->steps_done(); }
BNFUSE_EXPORT(steps) int page_steps() { return answer->steps(); }

// The best network so far; and the final one, of a search that was finished or stopped.
BNFUSE_EXPORT(best) const std::int32_t* page_best() { return written(answer->best()); }
BNFUSE_EXPORT(finish) const std::int32_t* page_finish() { return written(answer->finished()); }

// A lower bound on the summed distance.
BNFUSE_EXPORT(bound) const std::int32_t* page_bound() {
    answer_words.clear();
    write_large(answer->bound());
    return answer_words.data();
}
}
