"""Patterns of refusals."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from assay.errors import FormatError, InputError
from assay.formats.sources import Source
from assay.judging.refusals import read_refusals


def refusals(content: bytes) -> Callable[[str], bool]:
    return read_refusals(Source("refusals.txt", data=content))


def test_refusals() -> None:
    refuses = refusals(b"# words of refusal\n\nI (do not|don't) know\n^unsure$\n")
    assert [refuses(t) for t in ("Well, i don't KNOW.", "unsure", "unsure?", "Paris")] == [
        True,
        True,
        False,
        False,
    ]
    with pytest.raises(FormatError, match=r"refusals.txt:2: '\(' is no regular expression"):
        refusals(b"ok\n(\n")
    refuses = refusals(b"(a)\\1\n(?i)(b)\\1\n")
    assert [refuses(t) for t in ("aa", "BB", "ab")] == [True, True, False], "a line knows nothing of the others' groups"
    with pytest.raises(InputError, match="holds no patterns"):
        refusals(b"# nothing\n")
