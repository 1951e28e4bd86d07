"""Numbers as sentences have them."""

from __future__ import annotations

import pytest

from assay.analyses.brief_numbers import apart, as_written, brief, interval, percent, two_digits


@pytest.mark.parametrize(
    ("value", "digits", "shown"),
    [
        (0.5742, 3, ".574"),
        (-0.042, 3, "−.042"),
        (0.0, 2, ".00"),
        (-0.004, 2, ".00"),  # what rounds to zero has no sign
        (0.9996, 3, "1.000"),
        (-12.5, 1, "−12.5"),
        (0.4, 0, "0"),
        (1532.2, 0, "1532"),
    ],
)
def test_a_number_has_a_true_minus_and_no_leading_zero(value, digits, shown):
    assert brief(value, digits) == shown


@pytest.mark.parametrize(
    ("share", "shown"),
    [
        (0.5, "50%"),
        (0.995, "99.5%"),
        (0.996, "99.6%"),
        (1.0, "100%"),
        (0.0, "0%"),
        (0.004, "0.4%"),
        (0.005, "0.5%"),
        (0.625, "62%"),
    ],
)
def test_a_share_looks_whole_only_where_it_is(share, shown):
    assert percent(share) == shown


def test_ends_of_an_interval_do_not_look_like_zero():
    assert interval(0.0001, 0.2, 2) == ".0001 to .2000"
    assert interval(-0.2, -0.001, 2) == "−.200 to −.001"
    assert interval(0.0, 0.2, 2) == ".00 to .20"


def test_numbers_that_differ_look_different():
    assert apart(0.1, 0.1000001, 2) == (".1000000", ".1000001")
    assert apart(0.1, 0.1 + 1e-12, 2) == (".10000000", ".10000000")


def test_two_significant_digits_rounded_up():
    assert two_digits(0.05, up=True) == ".050"
    assert two_digits(0.0501, up=True) == ".051"
    assert two_digits(120.4, up=True) == "121"


def test_numbers_as_they_were_given():
    assert [as_written(value) for value in (0.05, 0.1, 1.0, 2, 0.00001, 12.5)] == [
        ".05",
        ".1",
        "1",
        "2",
        ".00001",
        "12.5",
    ]
