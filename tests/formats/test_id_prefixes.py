"""Prefixes by which ids differ."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from assay.formats.id_prefixes import other_prefix, prefix_hint

CLEF = [f"clef2015.test.{number}" for number in range(1, 67)]


@pytest.mark.parametrize(
    ("identity", "known", "found", "expected"),
    [
        ("qtest.1", CLEF, "qtest.", "clef2015.test."),
        ("qtest.66", CLEF, "qtest.", "clef2015.test."),
        ("1", CLEF, "", "clef2015.test."),
        ("clef2015.test.7", [str(number) for number in range(1, 9)], "clef2015.test.", ""),
        ("q1", ["d1"], "q", "d"),
        ("T-A", ["A", "B"], "T-", ""),
    ],
)
def test_prefixes(identity, known, found, expected) -> None:
    prefixes = other_prefix(identity, known)
    assert prefixes is not None
    assert (prefixes.found, prefixes.expected) == (found, expected)
    assert prefixes.replaced(identity) in known


@pytest.mark.parametrize(
    ("identity", "known"),
    [
        ("51", ["1", "2"]),
        ("q9", ["1", "2"]),
        ("cat", ["hat", "hop"]),
        ("", ["1"]),
        ("q1", []),
        ("a1", ["b1", "c1"]),
        ("a.", ["b."]),
    ],
)
def test_no_prefix(identity, known) -> None:
    """A number is not cut, and the known ids have one prefix or none."""
    assert other_prefix(identity, known) is None
    assert prefix_hint(identity, known, "gold") == ""


@given(st.text(max_size=12), st.lists(st.text(max_size=12), max_size=5))
def test_any_ids(identity, known) -> None:
    prefixes = other_prefix(identity, known)
    assert prefixes is None or prefixes.replaced(identity) in known
