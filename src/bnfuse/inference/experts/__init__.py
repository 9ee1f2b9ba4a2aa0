"""What experts say about single rows of tables, and where they and the inputs differ about them."""
