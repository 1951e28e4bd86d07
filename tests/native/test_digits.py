"""Floats written many at once are written as Python writes each."""

from __future__ import annotations

import math
import struct

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from assay.native import digits
from assay.native.digits import written

EDGES = [
    *(2.0**-k for k in range(-3, 60)), *(k / 2**16 for k in range(1, 2**16, 1021)),
    *(math.nextafter(10.0**-k, to) for k in range(7) for to in (0.0, 2.0)), *(10.0**-k for k in range(20)),
    0.0, -0.0, 1.0, -1.0, 0.5, -0.25, math.nan, math.inf, -math.inf, 1e300, 5e-324, 123.456,
]  # fmt: skip


@settings(max_examples=300)
@given(
    st.lists(
        st.one_of(
            st.floats(0, 1),
            st.floats(),
            st.fractions(0, 1, max_denominator=2000).map(float),
            st.integers(0, 10**17).map(lambda n: n / 10**17),
        )
    )
)
def test_the_same_as_repr(values) -> None:
    assert written(values) == list(map(repr, values))


def test_at_the_edges_of_what_is_written() -> None:
    assert written(EDGES) == list(map(repr, EDGES))


def test_every_mantissa_near_the_ends() -> None:
    """The doubles on both sides of powers of two and of ten, where digits are fewer or more."""
    values = []
    for around in (*(2.0**-k for k in range(14)), 0.001, 0.01, 0.1, 0.3, 0.9999999999999999):
        (bits,) = struct.unpack("q", struct.pack("d", around))
        values += [struct.unpack("d", struct.pack("q", bits + off))[0] for off in range(-200, 200)]
    assert written(values) == list(map(repr, values))


@pytest.mark.native_only
def test_the_core_writes_what_measures_say(monkeypatch) -> None:
    """No more than a few are left to Python."""
    asked: list[float] = []
    monkeypatch.setattr(digits, "repr", lambda value: asked.append(value) or "", raising=False)
    written([a / b for b in range(1, 300) for a in range(b + 1)])
    assert len(asked) < 100


def test_without_the_core(monkeypatch) -> None:
    monkeypatch.setattr(digits, "LIBRARY", None)
    assert written(EDGES) == list(map(repr, EDGES))
