"""Rows whose floats are written many at once are written as Python writes each."""

from __future__ import annotations

import math
import struct
from array import array

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from assay.core import digits
from assay.core.digits import lines


def written(values) -> list[str]:
    """One column, behind nothing."""
    text = lines([""] * len(values), [array("d", values)], "\t")
    return [line.removeprefix("\t") for line in text.split("\n")[:-1]]


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


NAMES = ["a", "", "größer", "\ud800", '"a\nb"', "c\td"]


@pytest.mark.parametrize("core", [True, False])
@given(
    st.lists(st.tuples(st.sampled_from(NAMES), st.floats(0, 1), st.floats(), st.sampled_from(EDGES)), max_size=9),
    st.sampled_from(",\t"),
)
def test_every_number_stands_behind_its_name(core, rows, separator) -> None:
    names, *columns = zip(*rows, strict=True) if rows else ([], [], [], [])
    with pytest.MonkeyPatch.context() as patch:
        if not core:
            patch.setattr(digits, "LIBRARY", None)
        text = lines(names, [array("d", column) for column in columns], separator)
    assert text == "".join(separator.join([name, *map(repr, numbers)]) + "\n" for name, *numbers in rows)


def test_a_name_with_a_zero_byte_is_no_end_of_it() -> None:
    assert lines(["a\0b", "c"], [array("d", [0.5, 1.0])], ",") == "a\0b,0.5\nc,1.0\n"


def test_without_the_core(monkeypatch) -> None:
    monkeypatch.setattr(digits, "LIBRARY", None)
    assert written(EDGES) == list(map(repr, EDGES))
