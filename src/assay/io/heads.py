"""The beginning of a source, from which its format is recognised before any reader is imported."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

BOM = b"\xef\xbb\xbf"
MAGIC = {b"\x1f\x8b": "gzip", b"\xfd7zXZ\x00": "xz", b"BZh": "bz2", b"\x28\xb5\x2f\xfd": "zstd"}
"""The first bytes of compressed files."""


class Head:
    """The input of a recogniser.

    shape     text, json, array (of JSON), table (a line of names between commas, tabs or semicolons), parquet, zip; of
              Python objects mapping (a dict), frame, records (a list of dicts), rows (a list of tuples), or object for
              anything else
    text      the first bytes, without byte order mark and blank lines; of Parquet the footer, which names the columns
    words     the fields of the first line that is not a comment
    columns   the column names of a table or frame, the keys of the first record, the fields of rows that are named tuples
    values    the values of a mapping
    readers   cache of the recognised reader by role
    """

    def __init__(
        self, shape: str, text: bytes = b"", columns: tuple[str, ...] = (), values: tuple[Any, ...] = ()
    ) -> None:
        self.shape = shape
        self.text = text
        self.columns = columns
        self.values = values
        self.words: list[bytes] = []
        self.readers: dict[tuple[str, ...], Any] = {}
        self._record: dict[str, Any] | None = None

    @property
    def record(self) -> dict[str, Any]:
        """The JSON object on the first line, or the first of an array; empty where it is not complete."""
        if self._record is None:
            import json

            record = {}
            try:
                if self.shape == "json":
                    record = json.loads(self.text.partition(b"\n")[0])
                elif self.shape == "array":
                    record, _ = json.JSONDecoder().raw_decode(self.text[1:].decode("utf-8", "replace").lstrip())
            except (ValueError, RecursionError):
                record = {}
            self._record = record if isinstance(record, dict) else {}
        return self._record

    def has(self, *names: str) -> bool:
        """Return whether the first JSON object has any of these fields; an incomplete one is searched.

        >>> head_of_bytes(b'{"id": "p1", "same": true}').has("same", "label")
        True
        """
        if self.shape in ("json", "array") and not self.record:
            return any(b'"%s"' % name.encode() in self.text for name in names)
        return any(name in self.record for name in names)


def head_of_bytes(data: bytes) -> Head:
    """Return the head of a file's first bytes.

    >>> head_of_bytes(b"301 0 d1 1").shape, head_of_bytes(b"id,gold,m1").columns
    ('text', ('id', 'gold', 'm1'))
    """
    text = data.removeprefix(BOM).lstrip()
    if data[:4] == b"PAR1":
        return Head("parquet", data)
    if data[:4] in (b"PK\x03\x04", b"PK\x05\x06"):
        return Head("zip", data)
    if text[:1] == b"[" and text[1:].lstrip().startswith((b"{", b"]", b'"', b'["')):
        return Head("array", text)
    first, _, _ = text.partition(b"\n")
    cells = first.split(b"\t" if b"\t" in first else b"," if b"," in first else b";")
    # Ids may contain commas and braces: four to six words with a number where TREC files have one are not a header, nor JSON
    # unless the line begins with a name and a colon.
    words = first.split()
    number = words[-2 if len(words) == 6 else -1].lstrip(b"+-") if 4 <= len(words) <= 6 else b""
    trec = number.replace(b".", b"", 1).replace(b"e-", b"", 1).isdigit()
    if text[:1] == b"{" and not (trec and not _begins_object(text)):
        return Head("json", text)
    columns = _header(cells) if len(cells) > 1 and not trec and not first.startswith((b"# ", b"##")) else ()
    head = Head("table" if columns else "text", text, columns)
    while text.startswith(b"#"):
        text = text.partition(b"\n")[2].lstrip()
    head.words = text.partition(b"\n")[0].split()
    return head


def _begins_object(text: bytes) -> bool:
    import re

    return re.match(rb'\{\s*(\}|"(?:[^"\\]|\\.)*"\s*:)', text) is not None


def _header(cells: list[bytes]) -> tuple[str, ...]:
    """Return the names of a header: no numbers, none empty but the first (row numbers of pandas)."""
    names = [cell.strip() for cell in cells]
    if (
        not all(names[1:])
        or not any(names[:2])
        or any(name.lstrip(b"+-").replace(b".", b"", 1).isdigit() for name in names)
    ):
        return ()
    return tuple(name.decode("utf-8", "replace") for name in names)


def head_of_object(data: Any) -> Head:
    """Return the head of a Python object."""
    if hasattr(data, "columns"):
        # In pyarrow, `columns` are the columns themselves.
        return Head("frame", columns=tuple(map(str, getattr(data, "column_names", data.columns))))
    if is_mapping(data):
        return Head("mapping", values=tuple(data.values()))
    if is_records(data):
        return Head("records", columns=tuple(map(str, data[0])))
    if is_rows(data):
        return Head("rows", columns=getattr(data[0], "_fields", ()))
    return Head("object")


def is_records(data: Any) -> bool:
    """Return whether a Python object is a list whose first item is a mapping.

    >>> is_records([{"id": "q1", "score": 1}]), is_records([]), is_records(["a.run"])
    (True, False, False)
    """
    return isinstance(data, (list, tuple)) and bool(data) and is_mapping(data[0])


def is_rows(data: Any) -> bool:
    """Return whether a Python object is a list of tuples of plain values, such as (topic, document, grade).

    >>> is_rows([("q1", "d1", 1)]), is_rows([["q1", "d1", 1]]), is_rows(["a.run"]), is_rows([[("q1", "d1", 0.5)]])
    (True, True, False, False)
    """
    first: Any = data[0] if isinstance(data, (list, tuple)) and data else None
    return isinstance(first, (list, tuple)) and len(first) > 1 and not isinstance(first[0], (list, tuple, dict))


def is_mapping(data: Any) -> bool:
    """Return whether a Python object is a mapping; data frames also have items and keys."""
    return hasattr(data, "items") and hasattr(data, "keys") and not hasattr(data, "columns")
