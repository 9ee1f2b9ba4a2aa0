"""Networks that people draw in the app."""
