// A counter-based random generator: the i-th number of a stream is a function of (seed, stream, i) alone, so results
// do not depend on threads, machines or standard libraries.
#pragma once

#include <cstdint>

namespace bnfuse {

class Random {
public:
    Random(std::uint64_t seed, std::uint64_t stream) : key_(mix(mix(seed) + stream)) {}

    std::uint64_t next() { return mix(key_ + golden * ++counter_); }

    // Uniform in 0..bound-1 for a bound below 2^32, by multiplication (bias below 2^-32).
    std::uint32_t below(std::uint32_t bound) { return static_cast<std::uint32_t>(((next() >> 32) * bound) >> 32); }

private:
    static constexpr std::uint64_t golden = 0x9e3779b97f4a7c15;
    std::uint64_t key_, counter_ = 0;

    // The finaliser of SplitMix64 (Steele, Lea, Flood 2014).
    static constexpr std::uint64_t mix(std::uint64_t z) {
        z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9;
        z = (z ^ (z >> 27)) * 0x94d049bb133111eb;
        return z ^ (z >> 31);
    }
};

} // namespace bnfuse
