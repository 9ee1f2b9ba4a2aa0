// Fixed-width sets of small integers: the rows of every graph in the kernel.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <cstring>
#include <iterator>
#include <utility>
#include <vector>

namespace bnfuse {

template <int W> struct Bits {
    std::array<std::uint64_t, W> word{};

    static constexpr int capacity = 64 * W;

    // The word of a member; with one word, the compiler need not compute which.
    static constexpr int of(int i) { return W == 1 ? 0 : i >> 6; }

    void set(int i) { word[of(i)] |= std::uint64_t{1} << (i & 63); }
    void set_if(int i, bool member) { word[of(i)] |= static_cast<std::uint64_t>(member) << (i & 63); } // no branch
    void reset(int i) { word[of(i)] &= ~(std::uint64_t{1} << (i & 63)); }
    bool test(int i) const { return word[of(i)] >> (i & 63) & 1; }

    bool any() const {
        std::uint64_t seen = 0;
        for (auto w : word) seen |= w;
        return seen != 0;
    }
    int count() const {
        int total = 0;
        for (auto w : word) total += std::popcount(w);
        return total;
    }
    int lowest() const { // -1 when empty
        for (int i = 0; i < W; ++i)
            if (word[i]) return 64 * i + std::countr_zero(word[i]);
        return -1;
    }
    int highest() const { // -1 when empty
        for (int i = W - 1; i >= 0; --i)
            if (word[i]) return 64 * i + 63 - std::countl_zero(word[i]);
        return -1;
    }

    Bits& operator|=(const Bits& other) {
        for (int i = 0; i < W; ++i) word[i] |= other.word[i];
        return *this;
    }
    Bits& operator&=(const Bits& other) {
        for (int i = 0; i < W; ++i) word[i] &= other.word[i];
        return *this;
    }
    Bits& operator-=(const Bits& other) {
        for (int i = 0; i < W; ++i) word[i] &= ~other.word[i];
        return *this;
    }
    friend Bits operator|(Bits a, const Bits& b) { return a |= b; }
    friend Bits operator&(Bits a, const Bits& b) { return a &= b; }
    friend Bits operator-(Bits a, const Bits& b) { return a -= b; }
    friend bool operator==(const Bits&, const Bits&) = default;

    // Visits the members in increasing order; each word is read once, so the visitor may change the set.
    template <class Visit> void each(Visit&& visit) const {
        for (int i = 0; i < W; ++i)
            for (std::uint64_t rest = word[i]; rest; rest &= rest - 1) visit(64 * i + std::countr_zero(rest));
    }
};

// With many variables, a row has few members: a list of these, in increasing order.
template <> struct Bits<0> {
    std::vector<int> members;

    void set(int i) {
        const auto at = std::lower_bound(members.begin(), members.end(), i);
        if (at == members.end() || *at != i) members.insert(at, i);
    }
    void reset(int i) {
        const auto at = std::lower_bound(members.begin(), members.end(), i);
        if (at != members.end() && *at == i) members.erase(at);
    }
    bool test(int i) const { return std::binary_search(members.begin(), members.end(), i); }

    bool any() const { return !members.empty(); }
    int count() const { return static_cast<int>(members.size()); }
    int lowest() const { return members.empty() ? -1 : members.front(); }
    int highest() const { return members.empty() ? -1 : members.back(); }

    Bits& operator|=(const Bits& other) {
        std::vector<int> all;
        all.reserve(members.size() + other.members.size());
        std::set_union(members.begin(), members.end(), other.members.begin(), other.members.end(),
                       std::back_inserter(all));
        members = std::move(all);
        return *this;
    }
    Bits& operator&=(const Bits& other) {
        std::erase_if(members, [&](int i) { return !other.test(i); });
        return *this;
    }
    Bits& operator-=(const Bits& other) {
        if (other.any()) std::erase_if(members, [&](int i) { return other.test(i); });
        return *this;
    }
    friend Bits operator|(Bits a, const Bits& b) { return a |= b; }
    friend Bits operator&(Bits a, const Bits& b) { return a &= b; }
    friend Bits operator-(Bits a, const Bits& b) { return a -= b; }
    friend bool operator==(const Bits&, const Bits&) = default;

    // The visitor must not change the set.
    template <class Visit> void each(Visit&& visit) const {
        for (const int i : members) visit(i);
    }
};

template <int W> int count_common(const Bits<W>& a, const Bits<W>& b) {
    int total = 0;
    for (int i = 0; i < W; ++i) total += std::popcount(a.word[i] & b.word[i]);
    return total;
}

template <int W> int count_missing(const Bits<W>& a, const Bits<W>& b) { // |a - b|
    int total = 0;
    for (int i = 0; i < W; ++i) total += std::popcount(a.word[i] & ~b.word[i]);
    return total;
}

inline int count_missing(const Bits<0>& a, const Bits<0>& b) { // in the order of both
    int total = 0;
    auto at = b.members.begin();
    for (const int i : a.members) {
        while (at != b.members.end() && *at < i) ++at;
        total += at == b.members.end() || *at != i;
    }
    return total;
}
inline int count_common(const Bits<0>& a, const Bits<0>& b) { return a.count() - count_missing(a, b); }

template <int W> Bits<W> interval(int low, int high) { // {low, ..., high}, not empty
    Bits<W> result;
    for (int i = Bits<W>::of(low); i <= Bits<W>::of(high); ++i) result.word[i] = ~std::uint64_t{0};
    result.word[Bits<W>::of(low)] &= ~std::uint64_t{0} << (low & 63);
    result.word[Bits<W>::of(high)] &= ~std::uint64_t{0} >> (63 - (high & 63));
    return result;
}

template <> inline Bits<0> interval<0>(int low, int high) {
    Bits<0> result;
    for (int i = low; i <= high; ++i) result.members.push_back(i);
    return result;
}

template <int W> Bits<W> first(int n) { return interval<W>(0, n - 1); } // {0, ..., n-1}

// A graph over 0..n-1: row v holds the parents of v (DAG) or the neighbours of v (undirected).
template <int W> using Rows = std::vector<Bits<W>>;

// The largest numbers of variables: of graphs as rows of bits, and of graphs as lists.
#if defined(BNFUSE_FOR_PAGES) // for pages, where every kilobyte counts
inline constexpr int most_in_rows = BNFUSE_FOR_PAGES, max_variables = most_in_rows;
#else
inline constexpr int most_in_rows = 2048, max_variables = 20'000;
#endif

// Whether their graphs are lists: never in pages.
constexpr bool are_many(int variables) { return max_variables > most_in_rows && variables > most_in_rows; }

inline constexpr int most_words = most_in_rows / 64;

// The widths of rows in words. Each is compiled separately (width.cpp); four would save little compared with eight.
#if !defined(BNFUSE_FOR_PAGES)
#define BNFUSE_EACH_WIDTH(declare) declare(1) declare(2) declare(8) declare(16) declare(32)
#elif BNFUSE_FOR_PAGES == 64
#define BNFUSE_EACH_WIDTH(declare) declare(1)
#else
#define BNFUSE_EACH_WIDTH(declare) declare(1) declare(32)
#endif

// The width to try after one that is too small.
constexpr int wider_than(int words) {
#if defined(BNFUSE_FOR_PAGES)
    return words ? most_words : 1;
#else
    return words == 2 ? 8 : 2 * words;
#endif
}

// Calls f<W>() with the smallest word count that holds n variables; they are known to fit `Most` words.
template <int Most = most_words, int W = 1, class F> decltype(auto) with_words(int n, F&& f) {
    if constexpr (W < Most) {
        if (n > 64 * W) return with_words<Most, wider_than(W)>(n, std::forward<F>(f));
    }
    return f.template operator()<W>();
}

// The same for any number of variables: if no width holds them, rows are lists.
template <class F> decltype(auto) with_rows(int n, F&& f) {
#if !defined(BNFUSE_FOR_PAGES)
    if (are_many(n)) return f.template operator()<0>();
#endif
    return with_words(n, std::forward<F>(f));
}

// Bytes that are 0 or 1, at most 64 of them, as bits.
inline std::uint64_t packed(const std::uint8_t* bytes, int count) {
    std::uint64_t bits = 0;
    int i = 0;
    for (; std::endian::native == std::endian::little && i + 8 <= count; i += 8) {
        std::uint64_t eight;
        std::memcpy(&eight, bytes + i, 8);
        bits |= (eight * 0x0102040810204080) >> 56 << i; // the product collects the eight in its top byte
    }
    for (; i < count; ++i) bits |= static_cast<std::uint64_t>(bytes[i]) << i;
    return bits;
}

using BitSquare = std::array<std::uint64_t, 64>;

// Bit j of row i becomes bit i of row j, by swapping ever smaller blocks.
inline void transpose(BitSquare& rows) {
    std::uint64_t low = 0xffffffff;
    for (int size = 32; size; size /= 2, low ^= low << size)
        for (int i = 0; i < 64; i = (i + size + 1) & ~size) {
            const auto swapped = ((rows[i] >> size) ^ rows[i + size]) & low;
            rows[i] ^= swapped << size;
            rows[i + size] ^= swapped;
        }
}

} // namespace bnfuse
