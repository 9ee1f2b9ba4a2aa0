"""Work in other processes: who does it, whose turn it is, and what it gives."""
