"""The presentation of a result: its summary, pictures and the page."""
