"""Why arcs are in or out: what one move does to this network, without changing anything else."""
