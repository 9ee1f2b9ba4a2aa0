"""Everything that is done with or by pyAgrum: its models as networks and back, its file formats, incomplete data."""
