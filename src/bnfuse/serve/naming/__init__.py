"""Inputs with different names for the same thing: proposals, decisions, and their effects."""
