// Long work can be ended from outside: by somebody who asks for it, as Ctrl-C does, or by a deadline.
//
// A thread that does long work has a watch; its loops ask now and then whether they should end. Without a watch the
// answer costs nothing and is always no.
#pragma once

#include <atomic>
#include <chrono>
#include <cmath>
#include <exception>
#include <thread>
#include <utility>

namespace bnfuse {

struct Stopped final : std::exception {
    const char* what() const noexcept override { return "the work was ended from outside"; }
};

class Watch {
public:
    using Clock = std::chrono::steady_clock;
    using Ask = bool (*)(); // whether somebody wants the work to end; must not throw

    explicit Watch(Ask ask, double seconds = HUGE_VAL)
        : ask_(ask), owner_(std::this_thread::get_id()), next_ask_(Clock::now() + asked_every),
          deadline_(after(Clock::now(), seconds)) {}
    Watch(const Watch&) = delete;

    // Whether the work should end. All threads may ask; the one that made the watch finds out.
    bool is_over() {
        if (over_.load(std::memory_order_relaxed)) return true;
        if (std::this_thread::get_id() != owner_) return false;
        const auto now = Clock::now();
        bool over = now >= deadline_;
        if (!over && now >= next_ask_) {
            next_ask_ = now + asked_every;
            over = ask_ && ask_();
        }
        if (over) over_.store(true, std::memory_order_relaxed);
        return over;
    }

    // How long the thread that made the watch may wait before it looks again.
    static constexpr std::chrono::milliseconds asked_every{20};

private:
    Ask ask_;
    std::thread::id owner_;
    Clock::time_point next_ask_, deadline_;
    std::atomic<bool> over_{false};

    static Clock::time_point after(Clock::time_point start, double seconds) {
        constexpr double longest = 1e9; // beyond that it is never, and would not fit the clock
        if (!(seconds < longest)) return Clock::time_point::max();
        return start + std::chrono::duration_cast<Clock::duration>(std::chrono::duration<double>(seconds));
    }
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
