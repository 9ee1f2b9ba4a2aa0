"""A site: its identity, its networks or data, its ledger, and its answers."""
