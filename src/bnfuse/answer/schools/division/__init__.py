"""Dividing inputs into a given number of groups: fits without limits, the search within them, and a bound."""
