"""A log of two scorers is valid, whichever an evaluation will take."""

from __future__ import annotations

import pytest

from assay.collections.checking.default_choices import FirstChoices
from assay.errors import InputError
from assay.io.sources import Source


def test_the_first_is_taken_and_remarked_on() -> None:
    reading, source = FirstChoices(), Source("a.eval", data=b"")
    assert reading.choose("scorer", ["only"], source) == "only"
    assert reading.choose("scorer", ["one", "two"], source, default="two") == "two"
    assert reading.remarks == []
    assert reading.choose("scorer", ["one", "two"], source) == "one"
    assert reading.remarks == ["a.eval: has 2 scorers, one, two; choose one with `scorer=NAME`"]


def test_none_at_all_is_an_error() -> None:
    with pytest.raises(InputError, match="has no scorer"):
        FirstChoices().choose("scorer", [], Source("a.eval", data=b""))
