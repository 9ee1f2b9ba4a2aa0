"""The example of the paper: three networks and what they fuse to."""

from __future__ import annotations

from bnfuse import DAG


def network(arcs: str, variables: int) -> DAG:
    return DAG([f"X{i + 1}" for i in range(variables)], [(arc[:2], arc[4:]) for arc in arcs.split(",")])


G1 = network("X2->X1,X2->X3,X1->X5,X3->X4", 5)
G2 = network("X1->X3,X1->X4,X3->X5,X4->X2", 5)
G3 = network("X3->X1,X3->X5,X1->X4,X5->X2", 5)
INPUTS = [G1, G2, G3]
G_PLUS = network("X1->X2,X1->X3,X1->X4,X1->X5,X3->X2,X3->X4,X3->X5,X4->X2,X5->X2", 5)
