// Independent jobs over threads. A job writes only what belongs to its index, so the number of threads never shows.
#pragma once

#include "stop.hpp"

#include <algorithm>
#include <atomic>
#include <condition_variable>
#include <functional>
#include <mutex>
#include <thread>
#include <vector>

namespace bnfuse {

inline std::thread start_thread(std::function<void()> work) { return std::thread(std::move(work)); }

// Threads that wait for work: waking them takes a fraction of starting them, which counts where work comes in many
// small portions.
class Workers {
public:
    using Starter = std::thread (*)(std::function<void()>);

    // Where the system has no more threads or memory to give, fewer start: the work gets done all the same.
    explicit Workers(int threads, Starter start = start_thread) {
        try {
            for (int i = 1; i < threads; ++i) {
                others_.emplace_back(); // room first: a thread that started must be kept
                others_.back() = start([this] { serve(); });
            }
        } catch (...) {
            if (!others_.empty() && !others_.back().joinable()) others_.pop_back();
        }
    }
    ~Workers() {
        {
            const std::lock_guard lock(mutex_);
            stopped_ = true;
        }
        work_.notify_all();
        for (auto& other : others_) other.join();
    }
    Workers(const Workers&) = delete;
    Workers& operator=(const Workers&) = delete;

    int threads() const { return static_cast<int>(others_.size()) + 1; }

    // Runs worker(take) on each thread; take() hands out the indices 0..count-1, then -1. A worker can keep scratch
    // memory between its jobs. What a worker throws is thrown here, after all have ended: they refer to this call.
    template <class Worker> void run(int count, Worker&& worker) {
        std::atomic<int> next{0};
        const auto take = [&] {
            const int index = next.fetch_add(1, std::memory_order_relaxed);
            return index < count ? index : -1;
        };
        if (others_.empty() || count < 2) return worker(take);
        std::exception_ptr failure; // the first
        Watch* const watch = watch_of_thread;
        const auto work = [&] {
            const Watched watched(watch);
            try {
                worker(take);
            } catch (...) {
                next.store(count, std::memory_order_relaxed); // no more jobs
                const std::lock_guard lock(mutex_);
                if (!failure) failure = std::current_exception();
            }
        };
        share(&work, [](const void* context) { (*static_cast<decltype(&work)>(context))(); });
        work();
        wait(watch);
        if (failure) std::rethrow_exception(failure);
    }

private:
    using Call = void (*)(const void*);

    std::mutex mutex_; // of all that follows
    std::condition_variable work_, done_;
    const void* context_ = nullptr;
    Call call_ = nullptr;
    unsigned portion_ = 0;
    int busy_ = 0;
    bool stopped_ = false;
    std::vector<std::thread> others_;

    void share(const void* context, Call call) {
        {
            const std::lock_guard lock(mutex_);
            context_ = context;
            call_ = call;
            busy_ = static_cast<int>(others_.size());
            ++portion_;
        }
        work_.notify_all();
    }

    void serve() {
        std::unique_lock lock(mutex_);
        for (unsigned done = 0;;) {
            work_.wait(lock, [&] { return stopped_ || portion_ != done; });
            if (stopped_) return;
            done = portion_;
            const auto call = call_;
            const auto* context = context_;
            lock.unlock();
            call(context);
            lock.lock();
            if (!--busy_) done_.notify_one();
        }
    }

    // Until the others are done; meanwhile this thread looks after the watch.
    void wait(Watch* watch) {
        std::unique_lock lock(mutex_);
        const auto all_done = [&] { return !busy_; };
        if (!watch) return done_.wait(lock, all_done);
        while (!done_.wait_for(lock, Watch::asked_every, all_done)) {
            lock.unlock(); // asking can take long: the others must be able to end
            watch->is_over();
            lock.lock();
        }
    }
};

// The same for one portion of work.
template <class Worker> void parallel(int count, int threads, Worker&& worker) {
    Workers(std::min(threads, count)).run(count, worker);
}

} // namespace bnfuse
