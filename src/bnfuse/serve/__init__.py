"""`bnfuse serve`: workspaces in which several people find a consensus together, as a page and as JSON over HTTP."""

from bnfuse.serve.client import Client, Workspace

__all__ = ["Client", "Workspace"]
