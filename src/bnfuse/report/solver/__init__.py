"""What a page needs to find a consensus by itself: the kernel as WebAssembly, and the question that it starts from."""
