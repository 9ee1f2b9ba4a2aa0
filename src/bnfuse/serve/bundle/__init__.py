"""A workspace as one file, to open elsewhere; and what is deleted for good."""
