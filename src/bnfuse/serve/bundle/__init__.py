"""A workspace as one file, to open elsewhere; and permanent deletion."""
