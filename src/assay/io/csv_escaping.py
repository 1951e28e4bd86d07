"""Escape cells of CSV against formula injection: a spreadsheet shows them and does not calculate them."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

FORMULA = "=+-@\t\r\uff1d\uff0b\uff0d\uff20"
"""First characters of a formula (OWASP, "CSV Injection"); some spreadsheets accept the full-width forms."""
NUMBER = r"[+-]?([0-9]+(\.[0-9]*)?|\.[0-9]+)([eE][+-]?[0-9]+)?"


def guarded(text: str) -> str:
    """Put an apostrophe before a cell that a spreadsheet would calculate.

    Numbers stay numbers, and `unguarded` gives every cell back.

    >>> guarded("=1+1"), guarded("-0.5"), guarded("-x"), guarded("bm25")
    ("'=1+1", '-0.5', "'-x", 'bm25')
    """
    if not _calculated(text):
        return text
    import re

    return text if re.fullmatch(NUMBER, text) else f"'{text}"


def unguarded(text: str) -> str:
    """Undo `guarded`.

    >>> unguarded("'=1+1"), unguarded(guarded("'=1")), unguarded("'tis")
    ('=1+1', "'=1", "'tis")
    """
    return text[1:] if text.startswith("'") and _calculated(text) else text


def csv_of(rows: Iterable[Sequence[object]]) -> bytes:
    """Write rows as CSV, formulas escaped and line ends inside cells as line feeds.

    >>> csv_of([["topic", "note"], ["=1+1", 'a "b",\\r\\nc']])
    b'topic,note\\n\\'=1+1,"a ""b"",\\nc"\\n'
    """
    import csv
    import io

    def cell(value: object) -> object:
        return guarded(value.replace("\r\n", "\n").replace("\r", "\n")) if isinstance(value, str) else value

    buffer = io.StringIO()
    # A carriage return of its own would end the row for some readers, and the writer of Python before 3.13 does not quote it.
    csv.writer(buffer, lineterminator="\n").writerows([cell(value) for value in row] for row in rows)
    return buffer.getvalue().encode("utf-8", "surrogateescape")


def _calculated(text: str) -> bool:
    """Return whether a cell begins as a formula does, or as a guarded one."""
    return text.lstrip("'")[:1] in tuple(FORMULA)
