"""Structures from data: hill climbing, resamples and the bootstrap."""
