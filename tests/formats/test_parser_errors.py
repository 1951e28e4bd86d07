"""What an interpreter says of a file is put into words for the person whose file it is."""

from __future__ import annotations

import json

import pytest

from assay.formats.parser_errors import error_text


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("9" * 5000, "a number of thousands of digits"),
        ("[" * 60_000, "nested too deeply"),
        ("{", "Expecting property name"),
    ],
)
def test_what_json_cannot_read(text, expected) -> None:
    with pytest.raises((ValueError, RecursionError)) as problem:
        json.loads(text)
    assert error_text(problem.value).startswith(expected)
