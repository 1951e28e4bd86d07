"""Ids as text, and repeated ids. Ids in Python objects may be text, whole numbers, or bytes in UTF-8.

Files keep the bytes of their ids as they are; this module is for dicts, data frames and typed files such as Parquet.
"""

from __future__ import annotations

from assay.errors import InputError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Hashable, Iterable, Sequence
    from typing import TypeVar

    from assay.io.sources import Source

    Key = TypeVar("Key", bound=Hashable)
    Name = TypeVar("Name", bound=Hashable)

EXPECTED = "expected text, a whole number or UTF-8 bytes"


def id_text(value: object, where: str) -> str:
    """Return an id as text, or raise an InputError that begins with `where`.

    >>> id_text("d1", "qrels"), id_text(7, "qrels"), id_text(b"d1", "qrels")
    ('d1', '7', 'd1')
    >>> id_text(None, "qrels: row 3")
    Traceback (most recent call last):
    assay.errors.InputError: qrels: row 3: found None as an id; expected text, a whole number or UTF-8 bytes
    """
    if isinstance(value, str):
        return str(value)
    if isinstance(value, bytes):
        try:
            return value.decode()
        except UnicodeDecodeError:
            raise InputError(f"{where}: found {value!r:.60} as an id, which is not UTF-8; {EXPECTED}") from None
    if not isinstance(value, bool):
        from numbers import Integral  # numpy registers its whole numbers there

        if isinstance(value, Integral):
            return str(int(value))
    raise InputError(f"{where}: found {value!r:.60} as an id; {EXPECTED}")


def first_repeated(names: Iterable[Name]) -> Name | None:
    """Return the first name that occurs again later, or None.

    >>> first_repeated("abcba"), first_repeated("abc")
    ('a', None)
    """
    counts: dict[Name, int] = {}
    for name in names:
        counts[name] = counts.get(name, 0) + 1
    return next((name for name, count in counts.items() if count > 1), None)


def note_line(lines: dict[Key, int], key: Key, source: Source, line: int, what: str) -> None:
    """Note the line of a key in `lines`; refuse a key that an earlier line has.

    >>> from assay.io.sources import Source
    >>> note_line({"q1": 1}, "q1", Source("gold"), 3, "question 'q1'")
    Traceback (most recent call last):
    assay.errors.FormatError: gold:3: question 'q1' is already on line 1; expected each once
    """
    if key in lines:
        raise source.error(line, f"{what} is already on line {lines[key]}; expected each once")
    lines[key] = line


def check_unique(ids: Sequence[str], noun: str, where: str) -> None:
    """Refuse ids of which two are the same text, as of the keys 1 and "1" of a dict.

    >>> check_unique(["q1", "q1"], "question", "gold")
    Traceback (most recent call last):
    assay.errors.InputError: gold: two questions have the same id 'q1' as text; expected each once
    """
    if len(set(ids)) < len(ids):
        raise InputError(f"{where}: two {noun}s have the same id {first_repeated(ids)!r} as text; expected each once")
