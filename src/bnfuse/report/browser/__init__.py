"""The empty page: networks dropped on it are read, and their consensus is found and shown, in the browser."""
