"""Attributes declared once."""

from __future__ import annotations

import pytest

from assay.records import Record


class Point(Record):
    x: int
    y: int = 0


def test_what_is_not_declared_or_not_given_is_an_error() -> None:
    with pytest.raises(TypeError, match="Point: no attribute 'z'"):
        Point(x=1, z=2)
    with pytest.raises(TypeError, match="Point: 'x' must be given"):
        Point(y=1)


def test_a_changed_copy_leaves_the_first_alone() -> None:
    one = Point(x=1, y=2)
    other = one.but(x=3)
    assert (one.x, one.y, other.x, other.y) == (1, 2, 3, 2)
