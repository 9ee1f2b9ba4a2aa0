"""Judgements of rows of tables, and the rows on which people and inputs differ."""
