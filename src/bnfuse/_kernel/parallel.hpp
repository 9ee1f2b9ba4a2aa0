// Independent jobs over threads. A job writes only what belongs to its index, so the number of threads never shows.
#pragma once

#include <algorithm>
#include <atomic>
#include <thread>
#include <vector>

namespace bnfuse {

// Threads that wait for work: waking them takes a fraction of starting them, which counts where work comes in many
// small portions.
class Workers {
public:
    explicit Workers(int threads) {
        for (int i = 1; i < threads; ++i) others_.emplace_back([this] { serve(); });
    }
    ~Workers() {
        stopped_ = true;
        wake();
    }
    Workers(const Workers&) = delete;
    Workers& operator=(const Workers&) = delete;

    int threads() const { return static_cast<int>(others_.size()) + 1; }

    // Runs worker(take) on each thread; take() hands out the indices 0..count-1, then -1. A worker can keep scratch
    // memory between its jobs.
    template <class Worker> void run(int count, Worker&& worker) {
        std::atomic<int> next{0};
        const auto take = [&] {
            const int index = next.fetch_add(1, std::memory_order_relaxed);
            return index < count ? index : -1;
        };
        const auto work = [&] { worker(take); };
        if (others_.empty() || count < 2) return work();
        context_ = &work;
        call_ = [](const void* context) { (*static_cast<decltype(&work)>(context))(); };
        busy_.store(static_cast<int>(others_.size()), std::memory_order_relaxed);
        wake();
        work();
        for (int left; (left = busy_.load(std::memory_order_acquire));) busy_.wait(left, std::memory_order_acquire);
    }

private:
    const void* context_ = nullptr;
    void (*call_)(const void*) = nullptr;
    bool stopped_ = false;
    std::atomic<unsigned> portion_{0};
    std::atomic<int> busy_{0};
    std::vector<std::jthread> others_; // last: they end before what they use

    void wake() {
        portion_.fetch_add(1, std::memory_order_release);
        portion_.notify_all();
    }

    void serve() {
        for (unsigned done = 0;; ++done) {
            portion_.wait(done, std::memory_order_acquire);
            if (stopped_) return;
            call_(context_);
            if (busy_.fetch_sub(1, std::memory_order_acq_rel) == 1) busy_.notify_one();
        }
    }
};

// The same for one portion of work.
template <class Worker> void parallel(int count, int threads, Worker&& worker) {
    Workers(std::min(threads, count)).run(count, worker);
}

} // namespace bnfuse
