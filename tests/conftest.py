"""One deterministic hypothesis profile: the same examples on every machine, and no deadline on a busy one."""

from hypothesis import settings

settings.register_profile("bnfuse", derandomize=True, deadline=None, max_examples=100)
settings.load_profile("bnfuse")
