"""JSON as Python's own writer leaves it: NaN and Infinity stand in it as they are, which no strict reader takes.

Texts are decoded as they stand first, typed, so that nothing is built that nobody asks for. Only one that is refused and
speaks of such numbers is gone over: they become null, which is for the caller to understand, and it is decoded again.
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
"""A whole string, or one that is cut off, so that what it took is never given back and a text is gone over once; or NaN or
Infinity outside of them. Possessive quantifiers would say the same, and are broken in Python 3.11.2, which Debian has."""


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
