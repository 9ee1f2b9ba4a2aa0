"""Inputs that call the same thing by other names: what is proposed, what was decided, and what follows."""
