#include "stop.hpp"

#include <chrono>

namespace bnfuse {

namespace {

double seconds_now() {
    return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

// The same for one thread, different for two that live at the same time.
const void* this_thread() {
    static thread_local char mark;
    return &mark;
}

thread_local Watch* outer_watch = nullptr; // that a deadline stands before

bool is_outer_over() { return outer_watch && outer_watch->is_over(); }

} // namespace

Watch::Watch(Ask ask, double seconds, std::int64_t looks)
    : ask_(ask), owner_(this_thread()), next_ask_(seconds_now() + asked_every), deadline_(seconds_now() + seconds),
      looks_left_(looks) {}

bool Watch::is_over() {
    if (over_.load(std::memory_order_relaxed)) return true;
    if (this_thread() != owner_) return false;
    const auto now = seconds_now();
    bool over = now >= deadline_ || --looks_left_ < 0;
    if (!over && now >= next_ask_) {
        next_ask_ = now + asked_every;
        over = ask_ && ask_();
    }
    if (over) over_.store(true, std::memory_order_relaxed);
    return over;
}

Deadline::Deadline(double seconds)
    : before_(std::exchange(outer_watch, watch_of_thread)), watch_(is_outer_over, seconds), now_(&watch_) {}

Deadline::~Deadline() { outer_watch = before_; }

} // namespace bnfuse
