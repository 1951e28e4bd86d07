"""JSON files and their faults: decode as a type, NaN as null, repeated keys, recognition by the first keys.

Only what a type names is built; everything else is skipped while reading. Tools write NaN and Infinity, which JSON does not have:
they are read as null, and the reader decides what a missing number means.
"""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterator
from functools import lru_cache
from typing import Any, TypeVar

import msgspec

from assay.errors import FormatError, InputError
from assay.formats.object_ids import first_repeated
from assay.io.heads import BOM, Head
from assay.io.sources import Source

T = TypeVar("T")

STRING = rb'"[^"\\]*+(?:\\.[^"\\]*+)*+"'
_PIECES = re.compile(rb"(" + STRING + rb")(\s*:)?|[{}\[\]]|\"", re.DOTALL)
STRING_OR_NUMBER = re.compile(rb"""("[^"\\]*(?:\\.?[^"\\]*)*(?:"|\Z)) | -?(?:NaN|Infinity)""", re.VERBOSE | re.DOTALL)
"""A string, whole or cut off, so that the pattern never backtracks into it; or NaN or Infinity outside of strings.
Possessive quantifiers would do the same, but are broken in Python 3.11.2, which Debian has."""
MAX_KEY_DEPTH = 6
"""Levels of nesting that `keys_of` looks at."""
WHOLE_TEXT = "one whole JSON text: was it cut off while it was copied or written?"
BROKEN = (msgspec.MsgspecError, ValueError, RecursionError)
"""The errors of a decoder. Up to msgspec 0.20 its errors are no ValueErrors."""


class RepeatedKeyError(ValueError):
    """A key is repeated in one JSON object."""

    def __init__(self, key: str) -> None:
        super().__init__(f"the key {key!r} appears twice in one object")
        self.key = key


def decode(source: Source, kind: type[T], expected: str) -> T:
    """Decode a whole file; an error says what was expected."""
    return _decode_part(source, source.read().removeprefix(BOM), msgspec.json.Decoder(kind), expected, None)


def decode_lines(source: Source, kind: type[T], expected: str) -> Iterator[tuple[int, T]]:
    """Yield every object of JSONL with its physical line; blank lines are skipped."""
    decoder = msgspec.json.Decoder(kind)
    nothing = True
    for number, text in enumerate(source.lines(), 1):
        if text.strip():
            nothing = False
            yield number, _decode_part(source, text, decoder, expected, number)
    if nothing:
        raise source.error(None, f"is empty; expected {expected}")


def decode_part(source: Source, content: msgspec.Raw | bytes, kind: type[T], expected: str, line: int | None) -> T:
    """Decode a raw part of a file."""
    return _decode_part(source, bytes(content), msgspec.json.Decoder(kind), expected, line)


def _decode_part(
    source: Source, content: bytes, decoder: msgspec.json.Decoder[T], expected: str, line: int | None
) -> T:  # fmt: skip
    try:
        return _decode_with_nan(content, decoder)
    except BROKEN as problem:
        if line is None and not isinstance(problem, msgspec.ValidationError):
            # The decoder says `(byte 123)`, or nothing where the text ends too early.
            offset = str(problem).partition("(byte ")[2].rstrip(")")
            line = content.count(b"\n", 0, int(offset) if offset.isdigit() else len(content)) + 1
        raise source.error(line, _message(problem, expected)) from None


def decode_text(
    text: bytes, decoder: msgspec.json.Decoder[T], error: Callable[[str], FormatError], expected: str = WHOLE_TEXT
) -> T:  # fmt: skip
    """Decode a JSON text; `error` makes the exception from a message."""
    try:
        return _decode_with_nan(text, decoder)
    except BROKEN as problem:
        raise error(_message(problem, expected)) from None


def _decode_with_nan(content: bytes, decoder: msgspec.json.Decoder[T]) -> T:
    """Decode JSON; only where that fails, replace NaN and Infinity and decode again."""
    try:
        return decoder.decode(content)
    except BROKEN:
        if b"NaN" not in content and b"Infinity" not in content:
            raise
    return decoder.decode(without_nan(content))


def _message(problem: Exception, expected: str) -> str:
    if isinstance(problem, msgspec.ValidationError):
        return f"{problem}; expected {expected}"
    return f"broken JSON ({error_text(problem)}); expected {expected}"


def without_nan(text: bytes) -> bytes:
    """Replace NaN, Infinity and -Infinity outside strings by null.

    >>> without_nan(b'[NaN, -Infinity, "NaN", "a\\\\"NaN", -1]')
    b'[null, null, "NaN", "a\\\\"NaN", -1]'
    """
    return STRING_OR_NUMBER.sub(lambda match: match[1] or b"null", text)


def error_text(problem: Exception) -> str:
    """Return a parser's error in words for the user of the file, without advice on configuring Python.

    >>> error_text(RecursionError("maximum recursion depth exceeded")), error_text(ValueError("Out of range float values"))
    ('nested too deeply', 'Out of range float values')
    """
    if isinstance(problem, RecursionError):
        return "nested too deeply"
    if isinstance(problem, UnicodeDecodeError):
        return "not UTF-8"
    text = str(problem)
    return "a number of thousands of digits" if "integer string conversion" in text else text


def neighbour(source: Source, name: str) -> Source | None:
    """Return the file of a name in the same folder, or None."""
    if source.path is None or source.is_stream:
        return None
    path = os.path.join(os.path.dirname(source.path), name)
    return Source(path, path=path) if os.path.isfile(path) else None


def stated(value: object) -> float | None:
    """Return a value as a number; None where it is none.

    >>> stated(1), stated(0.25), stated(True), stated("0.5"), stated(10**400)
    (1.0, 0.25, None, None, None)
    """
    if isinstance(value, bool) or not isinstance(value, int | float):
        return None
    try:
        return float(value)
    except OverflowError:
        return None


def load_json(source: Source, expected: str) -> Any:
    """Parse a whole file as plain Python objects; repeated keys are an error."""
    import json

    try:
        return json.loads(source.read(), object_pairs_hook=unique_keys)
    except RepeatedKeyError as problem:
        raise InputError(f"{source.name}: {problem}; expected each once") from None
    except json.JSONDecodeError as problem:
        raise source.error(problem.lineno, f"broken JSON ({problem.msg}); expected {expected}") from None
    except (ValueError, RecursionError) as problem:
        raise source.error(None, f"broken JSON ({error_text(problem)}); expected {expected}") from None


def unique_keys(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """Build a JSON object from its pairs, for `json.loads(…, object_pairs_hook=unique_keys)`; refuse repeated keys.

    >>> unique_keys([("a", 1), ("a", 2)])
    Traceback (most recent call last):
    assay.formats.json_files.RepeatedKeyError: the key 'a' appears twice in one object
    """
    pairs_by_key = dict(pairs)
    if len(pairs_by_key) < len(pairs):
        raise RepeatedKeyError(first_repeated(key for key, _ in pairs) or "")
    return pairs_by_key


def repeated_key(text: bytes) -> str | None:
    """Return the first key repeated in an object of a valid JSON text, or None.

    >>> repeated_key(b'{"a": {"b": 1, "b": 2}}'), repeated_key(b'{"a": {"b": 1}, "b": 2}')
    ('b', None)
    """
    import json

    try:
        # Numbers stay text: the first parser has decided their values.
        json.loads(
            text.decode("utf-8", "replace"), object_pairs_hook=unique_keys, parse_int=str, parse_float=str, strict=False
        )
    except RepeatedKeyError as problem:
        return problem.key
    except (ValueError, RecursionError):
        return None
    return None


def lost_nothing(text: bytes, parsed: Any) -> bool:
    """Return whether a parsed JSON text certainly repeats no key: it has one colon per parsed key.

    >>> lost_nothing(b'{"a": {"b": 1}}', {"a": {"b": 1}}), lost_nothing(b'{"a": "b:c"}', {"a": "b:c"})
    (True, False)
    """
    keys = 0
    nested: list[Any] = [parsed]
    while nested:
        value = nested.pop()
        if isinstance(value, dict):
            keys += len(value)  # pyright: ignore[reportUnknownArgumentType]
            nested += value.values()  # pyright: ignore[reportUnknownArgumentType]
        elif isinstance(value, list):
            nested += value
    return text.count(b":") == keys


def has_keys(head: Head, *paths: str) -> bool:
    """Return whether the first JSON value has all these keys, as far as the head shows it.

    `results.version` is a key of an object in an object, `[].id` one of an object in a list.

    >>> from assay.io.heads import head_of_bytes
    >>> has_keys(head_of_bytes(b'{"eval": {"task": "version"}, "samples": [{"id": 1'), "eval.task", "samples[].id")
    True
    >>> has_keys(head_of_bytes(b'{"eval": {"task": "version"}}'), "version")
    False
    """
    if any(b'"%s"' % path.rpartition(".")[2].encode() not in head.text for path in paths):
        return False
    return keys_of(head.text).issuperset(paths)


@lru_cache(maxsize=2)
def keys_of(text: bytes) -> frozenset[str]:
    """Return the paths of all keys of the first JSON value of a text, which may be cut off anywhere.

    >>> sorted(keys_of(b'{"a": [{"b": {"c": "d"'))
    ['a', 'a[].b', 'a[].b.c']
    """
    keys: set[str] = set()
    within: list[tuple[str, bool]] = []
    key = ""
    for piece in _PIECES.finditer(text):
        mark = piece.group()[:1]
        if piece.group() == b'"':
            break  # the text ends within a string
        if mark == b'"':
            if piece.group(2) and len(within) <= MAX_KEY_DEPTH and within and not within[-1][1]:
                name = piece.group(1)[1:-1].decode("utf-8", "replace")
                key = f"{within[-1][0]}.{name}" if within[-1][0] else name
                keys.add(key)
        elif mark in b"{[":
            way, many = within[-1] if within else ("", False)
            here = f"{way}[]" if many else key if within else ""
            within.append((here, mark == b"["))
        else:
            if within:
                within.pop()
            if not within:
                break
    return frozenset(keys)
