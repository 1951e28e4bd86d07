"""Records as a table: JSONL, a JSON array of objects, a list of dicts. The columns are the keys of all records."""

from __future__ import annotations

from assay.errors import InputError
from assay.formats.frames import cell_text, is_null, list_cells
from assay.formats.json_files import decode_lines, decode_part
from assay.formats.jsonl import json_lines, members
from assay.formats.object_ids import id_text

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence
    from typing import Any, TypeVar

    from assay.io.heads import Head
    from assay.io.sources import Source

    T = TypeVar("T")

JSON_RECORDS = ("json", "array")
"""Shapes of files that hold records."""


def first_keys(head: Head) -> list[str]:
    """Return the keys of the first JSON object of a file, also where its head cuts the object off.

    >>> from assay.io.heads import head_of_bytes
    >>> first_keys(head_of_bytes(b'[{"id": "q1", "meta": {"by": "x"}, "text": "cut')), first_keys(head_of_bytes(b'["a"]'))
    (['id', 'meta', 'text'], [])
    """
    from assay.formats.json_files import keys_of

    prefix = "[]." if head.shape == "array" else ""
    cut = (key.removeprefix(prefix) for key in keys_of(head.text) if key.startswith(prefix))
    return list(head.record) or sorted(key for key in cut if "." not in key and "[" not in key)


def numbered_records(source: Source) -> Iterator[tuple[int, Mapping[Any, Any]]]:
    """Yield every record with its physical line; of a list of dicts, with its place from 1.

    Tools write NaN, which JSON does not have; it is read as null.
    """
    if source.is_bytes:
        yield from json_lines(source, "records", nan_is_null=True)
        return
    for number, record in enumerate(source.data, 1):
        if not (hasattr(record, "keys") and hasattr(record, "items")):
            raise source.error(number, f"expected a dict like the others, found {record!r:.40}")
        yield number, record


def typed_records(source: Source, kind: type[T], expected: str) -> Iterator[tuple[int, T]]:
    """Yield every record decoded as a type, with its line; only what the type names is built."""
    import msgspec

    if source.head.shape == "array":
        for line, text in members(source):
            yield line, decode_part(source, text, kind, expected, line)
    elif source.head.shape == "records":
        for number, record in numbered_records(source):
            try:
                yield number, msgspec.convert(record, kind)
            except msgspec.ValidationError as problem:
                raise source.error(number, f"{problem}; expected {expected}") from None
    else:
        yield from decode_lines(source, kind, expected)


class Records:
    """The records of a source, read at once: the keys of all are the columns, and a missing key is an empty cell.

    >>> from assay.io.sources import Source
    >>> records = Records(Source("a.jsonl", data=b'{"id": 1, "score": null}\\n{"id": 2, "note": true}\\n'))
    >>> records.names, list(records.rows())
    (['id', 'score', 'note'], [(1, ['1', '', '']), (2, ['2', '', 'True'])])
    """

    def __init__(self, source: Source) -> None:
        self._source = source
        self._records = list(numbered_records(source))
        keys: dict[Any, None] = {}
        for line, record in self._records:
            for key in record:
                if not isinstance(key, str):
                    raise source.error(line, f"found the key {key!r:.40}; expected the name of a column")
                keys[key] = None
        if not keys:
            raise InputError(f"{source.name}: is empty; expected records with the names of the columns")
        self.names: list[str] = list(keys)

    def rows(self) -> Iterator[tuple[int, list[str]]]:
        """Yield line and cells of every record, a cell per name."""
        for line, record in self._records:
            yield line, [cell_text(record.get(name), self._source, line) for name in self.names]

    def alternatives(self, place: int) -> dict[int, list[str]]:
        """Return the texts of the cells of a column that are lists, by line.

        >>> from assay.io.sources import Source
        >>> records = Records(Source("a.jsonl", data=b'{"id": 1, "gold": ["Rome", "Roma"]}\\n{"id": 2, "gold": "Oslo"}\\n'))
        >>> records.alternatives(1)
        {1: ['Rome', 'Roma']}
        """
        return list_cells(self._source, ((line, record.get(self.names[place])) for line, record in self._records))

    def check_ids(self, places: Sequence[int]) -> None:
        """Refuse ids, in columns at `places`, that are not text, whole numbers or UTF-8 bytes; empty cells are left to the caller."""
        for place in places:
            for line, record in self._records:
                cell = record.get(self.names[place])
                if not isinstance(cell, str) and not is_null(cell):
                    id_text(cell, f"{self._source.name}:{line}")
