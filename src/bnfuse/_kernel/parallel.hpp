// Independent jobs over threads. A job writes only what belongs to its index, so the number of threads never shows.
#pragma once

#include <algorithm>
#include <atomic>
#include <thread>
#include <vector>

namespace bnfuse {

// Runs worker(take) on each thread; take() hands out the indices 0..count-1, then -1. A worker can keep scratch
// memory between its jobs.
template <class Worker> void parallel(int count, int threads, Worker&& worker) {
    std::atomic<int> next{0};
    const auto take = [&] {
        const int index = next.fetch_add(1, std::memory_order_relaxed);
        return index < count ? index : -1;
    };
    std::vector<std::jthread> others;
    for (int i = 1; i < std::min(threads, count); ++i) others.emplace_back([&] { worker(take); });
    worker(take);
}

} // namespace bnfuse
