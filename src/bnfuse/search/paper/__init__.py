"""The searches of published papers: greedy and genetic pruning, and min-cut."""
