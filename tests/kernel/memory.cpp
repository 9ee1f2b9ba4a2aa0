// Memory that runs out when a test says so. It is alone in its file: elsewhere the compiler sees only half of it.
#include "testing.hpp"

#include <cstdlib>
#include <new>

namespace bnfuse::testing {

thread_local std::int64_t allocations_left = INT64_MAX;

} // namespace bnfuse::testing

void* operator new(std::size_t size) {
    if (bnfuse::testing::allocations_left-- == 0) throw std::bad_alloc();
    if (void* const memory = std::malloc(size ? size : 1)) return memory;
    throw std::bad_alloc();
}
void* operator new(std::size_t size, const std::nothrow_t&) noexcept { return std::malloc(size ? size : 1); }
void operator delete(void* memory) noexcept { std::free(memory); }
void operator delete(void* memory, std::size_t) noexcept { std::free(memory); }
void operator delete(void* memory, const std::nothrow_t&) noexcept { std::free(memory); }
