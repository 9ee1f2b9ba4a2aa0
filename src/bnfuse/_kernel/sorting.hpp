// Sorting, as std::ranges does it; in pages by a short merge sort, as each sort of the standard library takes several
// kilobytes there.
#pragma once

#include <algorithm>
#include <functional>
#include <type_traits>
#include <utility>
#include <vector>

namespace bnfuse {

#if defined(BNFUSE_FOR_PAGES)

// From the bottom up: runs of one, two, four, ... elements are merged, back and forth between two buffers.
template <class Elements, class Less = std::ranges::less, class By = std::identity>
void stable_sort(Elements& elements, Less less = {}, By by = {}) {
    const auto count = elements.size();
    std::vector<std::remove_cvref_t<decltype(*elements.data())>> room(elements.begin(), elements.end());
    auto *from = elements.data(), *to = room.data();
    for (std::size_t run = 1; run < count; run *= 2) {
        for (std::size_t next = 0; next < count;) {
            auto left = next, right = std::min(left + run, count);
            const auto left_end = right, end = std::min(right + run, count);
            for (; next < end; ++next) {
                const bool takes_right =
                    left == left_end ||
                    (right < end && std::invoke(less, std::invoke(by, from[right]), std::invoke(by, from[left])));
                to[next] = std::move(from[takes_right ? right++ : left++]);
            }
        }
        std::swap(from, to);
    }
    if (from != elements.data()) std::ranges::move(room, elements.data());
}

template <class Elements, class Less = std::ranges::less, class By = std::identity>
void sort(Elements& elements, Less less = {}, By by = {}) {
    stable_sort(elements, less, by);
}

#else

using std::ranges::sort;
using std::ranges::stable_sort;

#endif

} // namespace bnfuse
