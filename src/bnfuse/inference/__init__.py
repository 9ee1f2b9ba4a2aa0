"""Exact inference: queries, missing values, sampling, and tables from data or pooled from networks."""
