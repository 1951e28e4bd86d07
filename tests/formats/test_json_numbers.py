"""Literal NaN and Infinity in JSON: null outside strings, untouched inside, and errors that say what is broken."""

from __future__ import annotations

import json
import math

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from assay.errors import FormatError
from assay.formats.json_numbers import decoded, without_nan

ANY = msgspec.json.Decoder()


def of(text: bytes, decoder=ANY):
    return decoded(text, decoder, lambda problem: FormatError("a.eval", None, f"member m: {problem}"))


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (b"NaN", None),
        (b'{"a": NaN, "b": [Infinity, -Infinity, -1, 1]}', {"a": None, "b": [None, None, -1, 1]}),
        (b'["NaN", NaN, "-Infinity: NaN,"]', ["NaN", None, "-Infinity: NaN,"]),
        (rb'["say \"NaN\", NaN", NaN, "\\", NaN]', ['say "NaN", NaN', None, "\\", None]),
        (b'[-2, "I-N", NaN]', [-2, "I-N", None]),
    ],
)
def test_numbers_that_are_none_become_null(text, expected) -> None:
    assert of(text) == expected


VALUES = st.none() | st.floats() | st.text('NaIfinty"\\-, :', max_size=12)


@given(st.recursive(VALUES, lambda inner: st.lists(inner, max_size=4)))
def test_what_python_writes_is_read(value) -> None:
    def finite(thing):
        if isinstance(thing, list):
            return [finite(one) for one in thing]
        return None if isinstance(thing, float) and not math.isfinite(thing) else thing

    assert of(json.dumps(value).encode()) == finite(value)


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        (b'{"a": ', "broken JSON"),
        (b'{"a": NaN', "broken JSON"),
        (b'{"a": NaNN}', "broken JSON"),
        (b'{"a": "NaN}', "broken JSON"),
        (b'{"a": Nothing, "b": NaN}', "broken JSON"),
        (b'["\xff"]', "broken JSON"),
        (b"[" * 60_000, "broken JSON"),
        (b"NaN " + b"[" * 60_000, "broken JSON"),
        (b"[" + b"9" * 5000 + b"]", "is not what was expected: Integer value out of range"),
        (b"[1e999]", "is not what was expected: Number out of range"),
        (b"", "broken JSON"),
    ],
)
def test_what_is_broken_is_told(text, problem) -> None:
    with pytest.raises(FormatError, match=rf"^a\.eval: member m: {problem}"):
        of(text)


@pytest.mark.parametrize("text", [b'["x"]', b'[NaN, "x"]'])
def test_what_is_of_another_type(text) -> None:
    with pytest.raises(
        FormatError, match=r"member m: is not what was expected: Expected `int \| null`, got `str` - at `\$\[[01]\]`"
    ):
        of(text, msgspec.json.Decoder(list[int | None]))


def test_a_text_is_gone_over_once() -> None:
    # Going back over what was passed would take minutes here.
    text = b"[" + b'"NaN",' * 200_000 + b"-1,NaN]"
    assert of(text)[-1] is None
    unclosed = b'[NaN, "' + b"N" * 200_000
    assert without_nan(unclosed).startswith(b"[null, ")
