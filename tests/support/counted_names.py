"""A name that counts how often names are compared, to see that work grows with the names and not with their pairs."""

from __future__ import annotations


class Counted(str):
    compared = 0
    __hash__ = str.__hash__

    def __eq__(self, other: object) -> bool:
        Counted.compared += 1
        return str.__eq__(self, other)

    def strip(self, *characters: str) -> Counted:
        """Itself, so that a reader does not lose the count."""
        return self
