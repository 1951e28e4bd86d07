"""The beginning of a source, from which its format is told: looked at once, light, before any reader is imported."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

SIZE = 1 << 16
"""How many bytes of a file are looked at."""
BOM = b"\xef\xbb\xbf"


class Head:
    """What a recogniser sees.

    shape     text, json, table (a line of names between commas, tabs or semicolons), parquet; of Python objects mapping
              (a dict), frame, or object for anything else
    text      the first bytes, without byte order mark and blank lines
    words     the fields of the first line that is no comment
    columns   the names of a table's or a frame's columns
    values    what a mapping holds for its keys
    """

    __slots__ = ("_record", "columns", "shape", "text", "values", "words")

    def __init__(
        self, shape: str, text: bytes = b"", columns: tuple[str, ...] = (), values: tuple[Any, ...] = ()
    ) -> None:
        self.shape = shape
        self.text = text
        self.columns = columns
        self.values = values
        self.words: list[bytes] = []
        self._record: dict[str, Any] | None = None

    @property
    def record(self) -> dict[str, Any]:
        """The JSON object on the first line; empty where none stands there whole."""
        if self._record is None:
            self._record = _first_object(self.text) if self.shape == "json" else {}
        return self._record

    def has(self, *names: str) -> bool:
        """Whether the first JSON object has any of these fields; one that is not whole, whether it speaks of them.

        >>> head_of_bytes(b'{"id": "p1", "same": true}').has("same", "label")
        True
        """
        if self.shape == "json" and not self.record:
            return any(b'"%s"' % name.encode() in self.text for name in names)
        return any(name in self.record for name in names)


def head_of_bytes(data: bytes) -> Head:
    """The head of a file's first bytes.

    >>> head_of_bytes(b"301 0 d1 1").shape, head_of_bytes(b"id,gold,m1").columns
    ('text', ('id', 'gold', 'm1'))
    """
    text = data.removeprefix(BOM).lstrip()
    if data[:4] == b"PAR1":
        return Head("parquet", data)
    if text[:1] == b"{":
        return Head("json", text)
    first, _, _ = text.partition(b"\n")
    columns = () if first.startswith((b"# ", b"##")) else _header(first)
    head = Head("table" if columns else "text", text, columns)
    while text.startswith(b"#"):
        text = text.partition(b"\n")[2].lstrip()
    head.words = text.partition(b"\n")[0].split()
    return head


def head_of_object(data: Any) -> Head:
    """The head of a Python object: a mapping's values, the names of a frame's columns."""
    if hasattr(data, "columns"):
        # pyarrow calls the names column_names, and the columns themselves columns.
        return Head("frame", columns=tuple(map(str, getattr(data, "column_names", data.columns))))
    if is_mapping(data):
        return Head("mapping", values=tuple(data.values()))
    return Head("object")


def is_mapping(data: Any) -> bool:
    """Whether a Python object maps ids to something, as dicts do and data frames do not."""
    return hasattr(data, "items") and hasattr(data, "keys") and not hasattr(data, "columns")


def _header(first: bytes) -> tuple[str, ...]:
    """The names a line holds if it can be the header of a table: between commas or tabs, none of them a number."""
    for mark in (b"\t", b",", b";"):
        names = [name.strip() for name in first.split(mark)]
        if len(names) > 1:
            if all(names) and not any(name.replace(b".", b"", 1).isdigit() for name in names):
                return tuple(name.decode("utf-8", "replace") for name in names)
            return ()
    return ()


def _first_object(text: bytes) -> dict[str, Any]:
    import json

    try:
        found = json.loads(text.partition(b"\n")[0])
    except (ValueError, RecursionError):
        return {}
    return found if isinstance(found, dict) else {}
