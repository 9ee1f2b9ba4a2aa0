"""The answer: `consensus`, `frontier`, and everything that is known about a result."""
