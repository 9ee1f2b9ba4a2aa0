"""Access: the door with its secrets, the file that opens a browser, addresses and the start page."""
