"""Why arcs are in or out: the effect of a single move on the network."""
