"""Users' tables, as numbers of states."""
