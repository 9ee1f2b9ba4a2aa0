"""Proofs on request: branch and cut over moral edges."""
