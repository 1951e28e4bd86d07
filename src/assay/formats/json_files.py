"""JSON of other tools, whole or as JSONL: decode it as a type, and recognise it by its first keys.

Only what a type names is built; everything else is skipped as it is read. Tools write NaN and Infinity, which JSON does not
have: they are read as null, and it is for the reader to say what a number that is none means.
"""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterator
from functools import lru_cache
from typing import TypeVar

import msgspec

from assay.errors import FormatError
from assay.io.heads import BOM, Head
from assay.io.sources import Source


def error_text(problem: Exception) -> str:
    """Return an error's message without advice on configuring Python.

    >>> error_text(RecursionError("maximum recursion depth exceeded")), error_text(ValueError("Out of range float values"))
    ('nested too deeply', 'Out of range float values')
    """
    if isinstance(problem, RecursionError):
        return "nested too deeply"
    text = str(problem)
    return "a number of thousands of digits" if "integer string conversion" in text else text


T = TypeVar("T")

STRING = rb'"[^"\\]*+(?:\\.[^"\\]*+)*+"'
_PIECES = re.compile(rb"(" + STRING + rb")(\s*:)?|[{}\[\]]|\"", re.DOTALL)
DEEP = 6
"""How deep keys are looked at."""

BROKEN = (msgspec.MsgspecError, ValueError, RecursionError)
"""What a decoder raises. Up to msgspec 0.20 its errors are no ValueErrors."""


def decode(source: Source, kind: type[T], expected: str) -> T:
    """Decode a whole file; an error says what was expected."""
    return _decoded(source, source.read().removeprefix(BOM), msgspec.json.Decoder(kind), expected, None)


def decode_lines(source: Source, kind: type[T], expected: str) -> Iterator[tuple[int, T]]:
    """Yield every object of JSONL with its physical line; blank lines are skipped."""
    decoder = msgspec.json.Decoder(kind)
    nothing = True
    for number, text in enumerate(source.lines(), 1):
        if text.strip():
            nothing = False
            yield number, _decoded(source, text, decoder, expected, number)
    if nothing:
        raise source.error(None, f"is empty; expected {expected}")


def decode_part(source: Source, content: msgspec.Raw | bytes, kind: type[T], expected: str, line: int | None) -> T:
    """Decode a raw part of a file."""
    return _decoded(source, bytes(content), msgspec.json.Decoder(kind), expected, line)


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


def _decoded(
    source: Source, content: bytes, decoder: msgspec.json.Decoder[T], expected: str, line: int | None
) -> T:  # fmt: skip
    try:
        return decoder.decode(content)
    except BROKEN as problem:
        if b"NaN" not in content and b"Infinity" not in content:
            raise _error(source, content, problem, expected, line) from None
    try:
        return decoder.decode(without_nan(content))
    except BROKEN as problem:
        raise _error(source, content, problem, expected, line) from None


def _error(source: Source, content: bytes, problem: Exception, expected: str, line: int | None) -> FormatError:
    if isinstance(problem, msgspec.ValidationError):
        return source.error(line, f"{problem}; expected {expected}")
    if line is None:
        # The decoder says `(byte 123)`, or nothing where the text ends too early.
        offset = str(problem).partition("(byte ")[2].rstrip(")")
        line = content.count(b"\n", 0, int(offset) if offset.isdigit() else len(content)) + 1
    return source.error(line, f"broken JSON ({error_text(problem)}); expected {expected}")


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
            if piece.group(2) and len(within) <= DEEP and within and not within[-1][1]:
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


Found = TypeVar("Found")

STRING_OR_NUMBER = re.compile(rb"""("[^"\\]*(?:\\.?[^"\\]*)*(?:"|\Z)) | -?(?:NaN|Infinity)""", re.VERBOSE | re.DOTALL)
"""A string, whole or cut off, so that the pattern never backtracks into it; or NaN or Infinity outside of strings.
Possessive quantifiers would do the same, but are broken in Python 3.11.2, which Debian has."""


def without_nan(text: bytes) -> bytes:
    """Replace NaN, Infinity and -Infinity outside strings by null.

    >>> without_nan(b'[NaN, -Infinity, "NaN", "a\\\\"NaN", -1]')
    b'[null, null, "NaN", "a\\\\"NaN", -1]'
    """
    return STRING_OR_NUMBER.sub(lambda match: match[1] or b"null", text)


def decoded(text: bytes, decoder: msgspec.json.Decoder[Found], error: Callable[[str], FormatError]) -> Found:
    """Decode a JSON text; `error` makes the exception from a message."""
    problem: Exception = ValueError()
    for content in (text, without_nan(text)) if b"NaN" in text or b"Infinity" in text else (text,):
        try:
            return decoder.decode(content)
        except msgspec.ValidationError as wrong_type:
            raise error(f"is not what was expected: {error_text(wrong_type)}") from None
        except (msgspec.DecodeError, UnicodeDecodeError, RecursionError, ValueError) as broken:
            problem = broken
    what = "not UTF-8" if isinstance(problem, UnicodeDecodeError) else error_text(problem)
    raise error(f"broken JSON ({what}); expected one whole JSON text: was it cut off while it was copied or written?")
