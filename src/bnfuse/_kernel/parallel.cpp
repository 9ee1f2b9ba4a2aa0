#include "parallel.hpp"

#include <chrono>
#include <condition_variable>
#include <functional>
#include <mutex>
#include <thread>
#include <vector>

namespace bnfuse {

struct Workers::Threads {
    std::mutex mutex; // of all later work
    std::condition_variable work, done;
    const std::function<void()>* portion = nullptr;
    unsigned portions = 0;
    int busy = 0;
    bool stopped = false;
    std::vector<std::thread> others;
};

Workers::Workers(int threads, void (*before_each)()) : threads_(std::make_unique<Threads>()) {
    auto& others = threads_->others;
    try {
        for (int i = 1; i < threads; ++i) {
            others.emplace_back(); // memory first: a thread that has started must be kept
            before_each();
            others.back() = std::thread([this] { serve(); });
        }
    } catch (...) {
        if (!others.empty() && !others.back().joinable()) others.pop_back();
    }
}

Workers::~Workers() {
    {
        const std::lock_guard lock(threads_->mutex);
        threads_->stopped = true;
    }
    threads_->work.notify_all();
    for (auto& other : threads_->others) other.join();
}

int Workers::threads() const { return static_cast<int>(threads_->others.size()) + 1; }

void Workers::run(int count, const Worker& worker) {
    const Take take(count);
    if (threads_->others.empty() || count < 2) return worker(take);
    std::exception_ptr failure; // the first
    Watch* const watch = watch_of_thread;
    const std::function<void()> portion = [&] {
        const Watched watched(watch);
        try {
            worker(take);
        } catch (...) {
            take.no_more();
            const std::lock_guard lock(threads_->mutex);
            if (!failure) failure = std::current_exception();
        }
    };
    {
        const std::lock_guard lock(threads_->mutex);
        threads_->portion = &portion;
        threads_->busy = static_cast<int>(threads_->others.size());
        ++threads_->portions;
    }
    threads_->work.notify_all();
    portion();
    wait(watch);
    if (failure) std::rethrow_exception(failure);
}

void Workers::serve() {
    auto& [mutex, work, done, portion, portions, busy, stopped, others] = *threads_;
    std::unique_lock lock(mutex);
    for (unsigned served = 0;;) {
        while (!stopped && portions == served) work.wait(lock);
        if (stopped) return;
        served = portions;
        const auto& now = *portion;
        lock.unlock();
        now();
        lock.lock();
        if (!--busy) done.notify_one();
    }
}

// Until the others are finished; in the meantime, this thread checks the clock.
void Workers::wait(Watch* watch) {
    auto& threads = *threads_;
    std::unique_lock lock(threads.mutex);
    const auto all_done = [&] { return !threads.busy; };
    if (!watch) return threads.done.wait(lock, all_done);
    while (!threads.done.wait_for(lock, std::chrono::duration<double>(Watch::asked_every), all_done)) {
        lock.unlock(); // checking can take long: the others must be able to end
        watch->is_over();
        lock.lock();
    }
}

} // namespace bnfuse
