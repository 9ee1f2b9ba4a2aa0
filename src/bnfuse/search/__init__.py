"""Searches for a consensus, one strategy per file: each takes a problem and a run, and returns a `Found`."""
