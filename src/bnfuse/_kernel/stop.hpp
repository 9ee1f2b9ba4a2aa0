// Long work can be ended from outside: by somebody who asks for it, as Ctrl-C does, or by a deadline.
//
// A thread that does long work has a watch; its loops ask now and then whether they should end. Without a watch the
// answer costs nothing and is always no.
//
// The guarantee. Stopped and std::bad_alloc may come out of any call. The object that was called is then as it was
// before, or as it was between two whole steps: a move, a generation, a deleted arc. What it had found is still there,
// and the next call goes on from it. Work that changes an object in several steps looks at no watch meanwhile
// (`Watched whole(nullptr)`) and allocates before the first step; where it cannot (DirectSearch), the object refuses
// further changes after a failed allocation. A call that returns the best so far finishes it without a watch. Neither
// exception reaches a destructor, a thread's function (Workers hands it to the caller) or Python, where a deadline is
// no error (`interruptible`).
#pragma once

#include <atomic>
#include <cmath>
#include <cstdint>
#include <exception>
#include <utility>

namespace bnfuse {

struct Stopped final : std::exception {
    const char* what() const noexcept override { return "the work was ended from outside"; }
};

class Watch {
public:
    using Ask = bool (*)(); // whether the work should end; must not throw

    // Also ends after this number of checks by its thread: a deadline that does not depend on a clock, for tests.
    explicit Watch(Ask ask, double seconds = HUGE_VAL, std::int64_t looks = INT64_MAX);
    Watch(const Watch&) = delete;

    // Whether the work should end. All threads may ask; the thread that made the watch finds out.
    bool is_over();

    // How many seconds the thread that made the watch may wait before the next check.
    static constexpr double asked_every = 0.02;

private:
    Ask ask_;
    const void* owner_;          // a thread
    double next_ask_, deadline_; // seconds of the clock
    std::int64_t looks_left_;
    std::atomic<bool> over_{false};
};

inline thread_local Watch* watch_of_thread = nullptr;

// While it exists, the thread's work obeys this watch; none if it must not end halfway.
class Watched {
public:
    explicit Watched(Watch* watch) : before_(std::exchange(watch_of_thread, watch)) {}
    ~Watched() { watch_of_thread = before_; }
    Watched(const Watched&) = delete;

private:
    Watch* before_;
};

// An earlier end for a part of the thread's work, which still obeys its previous watch.
class Deadline {
public:
    explicit Deadline(double seconds);
    ~Deadline();
    Deadline(const Deadline&) = delete;

private:
    Watch* before_;
    Watch watch_;
    Watched now_;
};

inline bool is_over() { return watch_of_thread && watch_of_thread->is_over(); }

inline void check_stop() {
    if (is_over()) throw Stopped();
}

// For loops whose turns take less than a microsecond: checks only once in this number of turns.
class Pulse {
public:
    explicit Pulse(int turns) : turns_(turns), left_(turns) {}
    void operator()(int turns = 1) {
        if ((left_ -= turns) > 0) return;
        left_ = turns_;
        check_stop();
    }

private:
    int turns_, left_;
};

} // namespace bnfuse
