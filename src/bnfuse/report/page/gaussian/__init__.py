"""Gaussian networks on the page."""
