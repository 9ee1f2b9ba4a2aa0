"""Searches for a consensus, one strategy a file: each takes a problem and gives a consensus."""
