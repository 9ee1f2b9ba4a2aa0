"""The parts that a page needs to find a consensus by itself: the kernel as WebAssembly, and its first question."""
