"""The paper's experiments, end to end: instances, jobs, a store that survives anything, statistics, tables, figures."""
