"""The report as one HTML file, and what notebooks show."""
