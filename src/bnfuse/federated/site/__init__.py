"""A site: its identity, what it holds, its ledger, and its answers."""
