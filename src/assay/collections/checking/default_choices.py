"""Read a log without a user's choice of scorer or metric: a log with two scorers is valid."""

from __future__ import annotations

from collections.abc import Sequence

from assay.errors import InputError
from assay.formats.harness.logs import LogReading
from assay.io.sources import Source


class FirstChoices(LogReading):
    """A reading that takes the first of several scorers or metrics, and remarks on it."""

    def __init__(self) -> None:
        super().__init__()
        self.remarks: list[str] = []

    def choose(self, option: str, known: Sequence[str], source: Source, default: str | None = None) -> str:
        """Return the only choice, the default, or the first."""
        try:
            return super().choose(option, known, source, default)
        except InputError as problem:
            if not known:
                raise
            self.remarks.append(str(problem))
            return known[0]
