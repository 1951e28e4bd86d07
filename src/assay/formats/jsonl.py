"""JSONL: an object a line, checked against a schema; unknown fields are kept, errors name the physical line.

One array of objects, indented or not, is read as its lines would be.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, TypeVar

import msgspec

from assay.formats.json_files import error_text, lost_nothing, repeated_key, without_nan
from assay.io.heads import BOM
from assay.io.sources import Source

Id = str | int
Text = str | int | float | bool

Line = TypeVar("Line", bound=msgspec.Struct)
_decode = msgspec.json.Decoder().decode


def json_lines(source: Source, holding: str, nan_is_null: bool = False) -> Iterator[tuple[int, dict[str, Any]]]:
    """Yield every JSON object of a source with its physical line; blank lines are skipped.

    holding       plural noun of what is expected, for the error about an empty source
    nan_is_null   read NaN and Infinity, which JSON does not have, as null
    """
    nothing = True
    is_array = source.head.shape == "array"
    for number, text in members(source, nan_is_null) if is_array else enumerate(source.lines(), 1):
        if not text.strip():
            continue
        nothing = False
        yield number, json_object(source, number, text, nan_is_null)
    if nothing:
        raise source.error(None, f"holds no {holding}; expected a JSON object a line")


def json_object(source: Source, number: int, text: bytes, nan_is_null: bool = False) -> dict[str, Any]:
    """Parse a line as a JSON object."""
    try:
        value = _decode(_without_nan(text) if nan_is_null else text)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as problem:
        broken = f"broken JSON ({error_text(problem)}); expected one whole JSON object on this line"
        raise source.error(number, broken) from None
    if not isinstance(value, dict):
        start = text.strip()[:40].decode(errors="ignore")
        raise source.error(number, f"expected a JSON object, found {start!r}")
    twice = None if lost_nothing(text, value) else repeated_key(text)
    if twice is not None:
        raise source.error(number, f"the key {twice!r} appears twice in one object; expected each once")
    return value


def _without_nan(text: bytes) -> bytes:
    return without_nan(text) if b"NaN" in text or b"Infinity" in text else text


def members(source: Source, nan_is_null: bool = False) -> Iterator[tuple[int, bytes]]:
    """Return the raw members of an array, with their first lines."""
    content = source.read().removeprefix(BOM)
    content = _without_nan(content) if nan_is_null else content
    try:
        raw_members = msgspec.json.decode(content, type=list[msgspec.Raw])
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as problem:
        raise source.error(
            None, f"broken JSON ({error_text(problem)}); expected one whole array of JSON objects"
        ) from None
    line, end = 1, 0
    for member in map(bytes, raw_members):
        start = content.index(member, end)
        line += content.count(b"\n", end, start)
        yield line, member
        end = start + len(member)
        line += member.count(b"\n")


def typed_lines(source: Source, kind: type[Line], holding: str) -> Iterator[tuple[int, Line, dict[str, Any]]]:
    """Yield every line decoded as a type, with its fields as in the file."""
    for line, row in json_lines(source, holding):
        try:
            yield line, msgspec.convert(row, kind), row
        except msgspec.ValidationError as problem:
            raise source.error(line, f"{problem} (in {_shorten(row)})") from None
        except SystemError:  # msgspec up to 0.21, of a whole number that is too large for a float
            raise source.error(line, f"Number out of range (in {_shorten(row)})") from None


def _shorten(row: dict[str, Any]) -> str:
    text = msgspec.json.encode(row).decode()
    return text if len(text) <= 60 else text[:57] + "..."


def plain(value: object) -> str:
    """Return a JSON scalar as text.

    >>> plain(True), plain(7), plain("Paris")
    ('true', '7', 'Paris')
    """
    if isinstance(value, bool):
        return "true" if value else "false"
    return str(value)
