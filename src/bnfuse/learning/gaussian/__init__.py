"""Networks of numbers that stay numbers: linear functions with normal noise, learned from tables."""
