"""Work in other processes: the workers, the order of jobs, and their results."""
