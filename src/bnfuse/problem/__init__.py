"""The question: how each input votes, what the inputs add up to, and the constraints."""
