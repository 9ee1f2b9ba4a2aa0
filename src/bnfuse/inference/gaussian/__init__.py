"""Gaussian networks: their joint normal distribution, queries, rows, fitting and pooling."""
