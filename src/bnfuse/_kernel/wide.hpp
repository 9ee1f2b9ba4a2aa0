// Whole numbers of 128 bits: the compiler's own where it has them, otherwise two words.
#pragma once

#include <compare>
#include <cstdint>

namespace bnfuse {

// Just what sums that are compared need; in two's complement, like the compiler's own.
class TwoWords {
public:
    constexpr TwoWords(std::int64_t value = 0)
        : high_(value < 0 ? ~std::uint64_t{0} : 0), low_(static_cast<std::uint64_t>(value)) {}

    constexpr TwoWords& operator+=(const TwoWords& other) {
        low_ += other.low_;
        high_ += other.high_ + (low_ < other.low_);
        return *this;
    }
    constexpr TwoWords& operator-=(const TwoWords& other) {
        high_ -= other.high_ + (low_ < other.low_);
        low_ -= other.low_;
        return *this;
    }
    friend constexpr TwoWords operator+(TwoWords a, const TwoWords& b) { return a += b; }

    // By 1 to 127 bits.
    friend constexpr TwoWords operator<<(TwoWords a, int bits) {
        if (bits >= 64) {
            a.high_ = a.low_ << (bits - 64);
            a.low_ = 0;
        } else {
            a.high_ = a.high_ << bits | a.low_ >> (64 - bits);
            a.low_ <<= bits;
        }
        return a;
    }

    friend constexpr bool operator==(const TwoWords&, const TwoWords&) = default;
    friend constexpr std::strong_ordering operator<=>(const TwoWords& a, const TwoWords& b) {
        if (a.high_ != b.high_) return static_cast<std::int64_t>(a.high_) <=> static_cast<std::int64_t>(b.high_);
        return a.low_ <=> b.low_;
    }

private:
    std::uint64_t high_, low_;
};

#if defined(__SIZEOF_INT128__)
__extension__ using Wide = __int128;
#else
using Wide = TwoWords;
#endif

} // namespace bnfuse
