"""What people see of a result: its summary, pictures and the page."""
