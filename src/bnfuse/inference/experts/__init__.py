"""Experts' judgements of single rows of tables, and rows on which experts and inputs differ."""
