"""The cost of disagreements between the inputs: disputed pairs, each solved again with the other decision."""
