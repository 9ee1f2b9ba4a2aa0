"""The content of a workspace: the question, its changes, its files and its store."""
