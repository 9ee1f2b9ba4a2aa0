"""The agreement of a federation: its settings, its vocabulary and the roster of its sites."""
