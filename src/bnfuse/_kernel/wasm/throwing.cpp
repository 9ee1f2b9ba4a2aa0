// Nothing unwinds in a page: what is thrown ends the call as an error in JavaScript, which then gives up the instance.
#include <cstdlib>
#include <exception>
#include <string> // declares what the library calls where it can only give up

extern "C" {

__attribute__((import_module("page"), import_name("thrown"), noreturn)) void page_thrown(const char* what);

void* __cxa_allocate_exception(std::size_t size) noexcept { return std::malloc(size); }
void __cxa_free_exception(void* thrown) noexcept { std::free(thrown); }
void __cxa_throw(void* thrown, void*, void*) {
    page_thrown(static_cast<std::exception*>(thrown)->what()); // all that the kernel throws is a std::exception
}
}

// Otherwise it is printed, by some 15 kilobytes of the C library.
void std::__libcpp_verbose_abort(const char* what, ...) noexcept { page_thrown(what); }
