"""Tables as people have them, as numbers of states."""
