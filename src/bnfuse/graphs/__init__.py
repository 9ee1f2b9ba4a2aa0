"""Graphs with named variables: DAG, PDAG, votes for arcs, and networks with states and tables."""
