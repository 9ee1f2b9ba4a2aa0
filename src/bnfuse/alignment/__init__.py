"""Which names and states of several networks belong together."""
