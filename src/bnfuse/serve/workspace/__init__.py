"""What a workspace holds: the question, its changes, its files and its store."""
