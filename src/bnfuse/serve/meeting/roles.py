"""The rights of a person, by the link that they opened."""

from __future__ import annotations

from enum import StrEnum


class Role(StrEnum):
    """A role and its rights."""

    FACILITATOR = "facilitator"
    PARTICIPANT = "participant"
    READ_ONLY = "read-only"

    @property
    def may_change(self) -> bool:
        """Whether they may change anything."""
        return self is not Role.READ_ONLY

    @property
    def may_lead(self) -> bool:
        """Whether they may undo the changes of others, and open, reveal and count private rounds."""
        return self is Role.FACILITATOR
