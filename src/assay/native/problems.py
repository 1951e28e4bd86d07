"""What can be wrong with a qrels or run file, as the core reports it. `formats/trec.py` puts it into words."""

from __future__ import annotations

FIELDS, SCORE, GRADE, DUPLICATE, BINARY, INTERLEAVED, MEMORY = range(1, 8)

TEXT = 199
"""Longest piece of an offending word that is kept, in bytes."""


class Problem(Exception):
    """A malformed place in the input, without the file's name, which the core does not know."""

    def __init__(
        self, code: int, line: int = 0, *, other: int = 0, fields: int = 0, text: bytes = b"", topic: bytes = b""
    ) -> None:
        super().__init__(code, line)
        self.code = code
        self.line = line
        self.other = other
        self.fields = fields
        self.text = text[:TEXT].decode("utf-8", "replace")
        self.topic = topic[:TEXT].decode("utf-8", "replace")
