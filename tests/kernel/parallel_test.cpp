// Threads: all the work is done whatever starts or fails, nothing is left behind, and it can be ended from outside.
#include "parallel.hpp"
#include "testing.hpp"

#include <new>
#include <system_error>
#include <thread>

using namespace bnfuse;
using namespace bnfuse::testing;

namespace {

void test_parallel() {
    for (const int count : {0, 1, 2, 7, 1000})
        for (const int threads : {1, 2, 3, 16, 64}) {
            std::vector<std::atomic<int>> taken(count);
            std::atomic<int> workers{0};
            parallel(count, threads, [&](auto&& take) {
                ++workers;
                for (int i; (i = take()) >= 0;) ++taken[i];
            });
            CHECK(count, std::ranges::all_of(taken, [](const auto& times) { return times == 1; }));
            CHECK(count, workers == std::max(1, std::min(count, threads)));
        }
}

void test_workers_serve_many_portions() {
    for (const int threads : {1, 2, 5}) {
        Workers workers(threads);
        CHECK(threads, workers.threads() == threads);
        for (int portion = 0; portion < 500; ++portion) {
            std::vector<std::atomic<int>> taken(portion % 7);
            workers.run(portion % 7, [&](auto&& take) {
                for (int i; (i = take()) >= 0;) ++taken[i];
            });
            CHECK(portion, std::ranges::all_of(taken, [](const auto& times) { return times == 1; }));
        }
    }
}

// Some threads start, then none.

std::atomic<int> threads_left{0};

void start_some() {
    if (threads_left-- <= 0) throw std::system_error(std::make_error_code(std::errc::resource_unavailable_try_again));
}

void test_fewer_threads_than_asked() {
    for (const int started : {0, 1, 3, 20}) {
        threads_left = started;
        Workers workers(8, start_some);
        CHECK(started, workers.threads() == std::min(started, 7) + 1);
        std::vector<std::atomic<int>> taken(100);
        workers.run(100, [&](auto&& take) {
            for (int i; (i = take()) >= 0;) ++taken[i];
        });
        CHECK(started, std::ranges::all_of(taken, [](const auto& times) { return times == 1; }));
    }
}

// What a worker throws arrives, whichever thread it was on; no job is done twice, and the workers go on serving.

void test_exceptions_are_carried_over() {
    Workers workers(4);
    if (workers.threads() == 1) return;
    const auto caller = std::this_thread::get_id();
    for (int round = 0; round < 40; ++round) {
        const bool by_caller = round % 2;
        std::vector<std::atomic<int>> taken(40);
        std::atomic<bool> thrown{false};
        const auto work = [&](auto&& take) {
            for (int i; (i = take()) >= 0;) {
                ++taken[i];
                if ((std::this_thread::get_id() == caller) == by_caller) {
                    thrown = true;
                    throw std::out_of_range("bad");
                }
                while (!thrown) std::this_thread::yield(); // leaves a job to those that throw
            }
        };
        CHECK(round, throws<std::out_of_range>([&] { workers.run(40, work); }));
        CHECK(round, std::ranges::all_of(taken, [](const auto& times) { return times <= 1; }));
    }
    std::atomic<int> done{0};
    workers.run(40, [&](auto&& take) {
        while (take() >= 0) ++done;
    });
    CHECK(40, done == 40);
}

// Memory for so many objects more, then none.

std::atomic<int> allocations_left{0};

template <class T> struct ShortMemory : std::allocator<T> {
    using value_type = T;
    ShortMemory() = default;
    template <class U> ShortMemory(const ShortMemory<U>&) {}
    template <class U> struct rebind {
        using other = ShortMemory<U>;
    };
    T* allocate(std::size_t count) {
        if (allocations_left-- <= 0) throw std::bad_alloc();
        return std::allocator<T>::allocate(count);
    }
};

void start_with_short_memory() {
    if (allocations_left-- <= 0) throw std::bad_alloc();
}

void test_memory_runs_out() {
    for (int left = 0; left < 40; ++left) {
        std::vector<std::atomic<int>> taken(16);
        allocations_left = left;
        bool failed = false;
        try {
            Workers(4, start_with_short_memory).run(16, [&](auto&& take) {
                for (int i; (i = take()) >= 0;) {
                    const std::vector<int, ShortMemory<int>> scratch(100 + i);
                    taken[i] += scratch.back() + 1;
                }
            });
        } catch (const std::bad_alloc&) {
            failed = true;
        }
        CHECK(left, failed == (left < 16 + 3)); // each thread and each job needs its own
        CHECK(left, std::ranges::all_of(taken, [&](const auto& times) { return times == 1 || (failed && !times); }));
    }
}

// Ending from outside

std::atomic<int> asked{0};

void test_endless_work_can_be_ended() {
    const auto endless = [](auto&& take) {
        while (take() >= 0)
            for (;;) check_stop();
    };
    const auto later = [] { return ++asked > 2; };
    for (const int threads : {1, 2, 5})
        for (const int jobs : {1, 2, 9}) {
            asked = 0;
            Watch watch(later);
            const Watched now(&watch);
            CHECK(threads, throws<Stopped>([&] { parallel(jobs, threads, endless); }));
            Watch deadline(nullptr, 0.01);
            const Watched then(&deadline);
            CHECK(threads, throws<Stopped>([&] { parallel(jobs, threads, endless); }));
        }
    CHECK(0, watch_of_thread == nullptr);
}

void test_the_caller_watches_while_others_work() {
    asked = 0;
    Watch watch([] { return ++asked > 2; });
    const Watched now(&watch);
    const auto caller = std::this_thread::get_id();
    std::atomic<bool> others_work{false};
    const auto work = [&](auto&& take) {
        if (std::this_thread::get_id() == caller) { // leaves the work to the others
            while (!others_work) std::this_thread::yield();
            return;
        }
        while (take() >= 0) {
            others_work = true;
            for (;;) check_stop();
        }
    };
    Workers workers(2);
    if (workers.threads() == 2) CHECK(2, throws<Stopped>([&] { workers.run(2, work); }));
}

void test_all() {
    test_parallel();
    test_workers_serve_many_portions();
    test_fewer_threads_than_asked();
    test_exceptions_are_carried_over();
    test_memory_runs_out();
    test_endless_work_can_be_ended();
    test_the_caller_watches_while_others_work();
}

const Suite suite("parallel", test_all);

} // namespace
