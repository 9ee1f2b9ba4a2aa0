"""The paper's experiments, end to end: instances, jobs, a crash-proof store, statistics, tables, figures."""
