// Long work can be ended from outside: by somebody who asks for it, as Ctrl-C does, or by a deadline.
//
// A thread that does long work has a watch; its loops ask now and then whether they should end. Without a watch the
// answer costs nothing and is always no.
#pragma once

#include <atomic>
#include <cmath>
#include <exception>
#include <utility>

namespace bnfuse {

struct Stopped final : std::exception {
    const char* what() const noexcept override { return "the work was ended from outside"; }
};

class Watch {
public:
    using Ask = bool (*)(); // whether somebody wants the work to end; must not throw

    explicit Watch(Ask ask, double seconds = HUGE_VAL);
    Watch(const Watch&) = delete;

    // Whether the work should end. All threads may ask; the one that made the watch finds out.
    bool is_over();

    // How many seconds the thread that made the watch may wait before it looks again.
    static constexpr double asked_every = 0.02;

private:
    Ask ask_;
    const void* owner_;          // a thread
    double next_ask_, deadline_; // seconds of the clock
    std::atomic<bool> over_{false};
};

inline thread_local Watch* watch_of_thread = nullptr;

// While it lives, the thread's work answers to this watch; to none, where it must not end halfway.
class Watched {
public:
    explicit Watched(Watch* watch) : before_(std::exchange(watch_of_thread, watch)) {}
    ~Watched() { watch_of_thread = before_; }
    Watched(const Watched&) = delete;

private:
    Watch* before_;
};

inline void check_stop() {
    if (watch_of_thread && watch_of_thread->is_over()) throw Stopped();
}

// For loops whose turns take less than a microsecond: looks once in so many turns.
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
