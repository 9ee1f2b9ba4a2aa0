"""What disagreements of the inputs cost: disputed pairs, each solved again with the other decision."""
