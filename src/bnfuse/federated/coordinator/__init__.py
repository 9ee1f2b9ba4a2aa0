"""The coordinator: the rounds of a federation, its secure sums, and the file that keeps them."""
