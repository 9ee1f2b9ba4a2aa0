"""The question: how each input votes, the sums over the inputs, and the constraints."""
