// Independent jobs over threads. A job writes only data of its index, so the result does not depend on the number of
// threads.
#pragma once

#include "stop.hpp"

#include <algorithm>
#include <atomic>
#include <memory>

namespace bnfuse {

// Returns the indices 0..count-1, each once, then -1.
class Take {
public:
    explicit Take(int count) : count_(count) {}
    int operator()() const {
        const int index = next_.fetch_add(1, std::memory_order_relaxed);
        return index < count_ ? index : -1;
    }
    void no_more() const { next_.store(count_, std::memory_order_relaxed); }

private:
    int count_;
    mutable std::atomic<int> next_{0};
};

// The work of each thread: worker(take), which takes indices until there are no more and can keep scratch memory
// between its jobs. It refers to the worker, which must outlive it.
class Worker {
public:
    template <class Function> Worker(const Function& function)
        : function_(&function),
          call_([](const void* f, const Take& take) { (*static_cast<const Function*>(f))(take); }) {}
    void operator()(const Take& take) const { call_(function_, take); }

private:
    const void* function_;
    void (*call_)(const void*, const Take&);
};

// Threads that wait for work: waking them takes a fraction of the time of starting them, which matters if work comes in
// many small portions.
class Workers {
public:
    // If the system has no more threads or memory, fewer start: the work is still done. `before_each` simulates a
    // system that refuses to start one.
    explicit Workers(int threads, void (*before_each)() = [] {});
    ~Workers();
    Workers(const Workers&) = delete;
    Workers& operator=(const Workers&) = delete;

    int threads() const;

    // Exceptions of a worker are thrown here, after all have ended: they refer to this call.
    void run(int count, const Worker& worker);

private:
    struct Threads;
    std::unique_ptr<Threads> threads_;

    void serve();
    void wait(Watch* watch);
};

// The same for one portion of work.
inline void parallel(int count, int threads, const Worker& worker) {
    Workers(std::min(threads, count)).run(count, worker);
}

} // namespace bnfuse
