// Without threads, the single one does all the work.
#include "parallel.hpp"

namespace bnfuse {

struct Workers::Threads {};

Workers::Workers(int, void (*)()) {}
Workers::~Workers() = default;
int Workers::threads() const { return 1; }
void Workers::run(int count, const Worker& worker) { worker(Take(count)); }

} // namespace bnfuse
