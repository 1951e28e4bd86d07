"""Logs of harnesses read without anybody's choice: a log of two scorers is valid, and an evaluation will ask which."""

from __future__ import annotations

from collections.abc import Sequence

from assay.errors import InputError
from assay.formats.harness.logs import Reading
from assay.io.sources import Source


class FirstChoices(Reading):
    """Takes the first of what a log has where a person would have to choose, and remarks on it."""

    def __init__(self) -> None:
        super().__init__()
        self.remarks: list[str] = []

    def choose(self, option: str, known: Sequence[str], source: Source, default: str | None = None) -> str:
        """The only one, the default, or the first."""
        try:
            return super().choose(option, known, source, default)
        except InputError as problem:
            if not known:
                raise
            self.remarks.append(str(problem))
            return known[0]
