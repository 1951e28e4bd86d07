"""Decode JSON with NaN and Infinity, which Python's writer produces and strict parsers refuse.

A text is decoded as it is first, typed, so that unused values are never built. Only where that fails are NaN and Infinity
replaced by null, and the text decoded again; the caller decides what null means.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import TypeVar

import msgspec

from assay.errors import FormatError
from assay.formats.parser_errors import error_text

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
