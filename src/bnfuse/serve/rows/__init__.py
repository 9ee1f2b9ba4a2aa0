"""Say how likely: what people say about rows of tables, and where they and the inputs differ about them."""
