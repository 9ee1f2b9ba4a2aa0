"""The requests, the gate in front of them, and the page."""
