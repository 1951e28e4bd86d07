"""Who leads by the price of a wrong answer, by hand and against a plain search."""

from __future__ import annotations

from fractions import Fraction

from hypothesis import given
from hypothesis import strategies as st

from assay.figures.price_curves import leads, prices, score

COUNTS = st.lists(st.tuples(*[st.integers(0, 6)] * 3).filter(any), min_size=1, max_size=6)


def test_the_places_of_change_are_exact():
    """Right 242 and wrong 158 against 225 and 97 of 400: x = 17/61, t = 17/78; then 225 = 97 x, t = 225/322."""
    found = leads([("always", 242, 158, 0), ("shy", 225, 97, 78), ("guesser", 149, 251, 0)])
    assert [(one.start, one.end, one.runs) for one in found] == [
        (0, Fraction(17, 78), ("always",)),
        (Fraction(17, 78), Fraction(225, 322), ("shy",)),
        (Fraction(225, 322), 1, ()),
    ]


def test_a_run_without_an_error_leads_to_the_end():
    assert [one.runs for one in leads([("a", 5, 5, 0), ("b", 1, 0, 9)])] == [("a",), ("b",)]


def test_runs_that_are_equal_lead_together_and_fewer_errors_break_a_tie():
    assert leads([("a", 3, 1, 1), ("b", 3, 1, 1)])[0].runs == ("a", "b")
    assert leads([("a", 3, 2, 0), ("b", 3, 1, 1)])[0].runs == ("b",)


def test_runs_of_different_size_are_compared_by_their_means():
    assert leads([("half", 4, 1, 0), ("whole", 6, 4, 0)])[0].runs == ("half",)


def test_curves_are_the_scores_and_end_where_a_run_is_worthless():
    found = prices([("a", 1, 1, 0), ("never", 0, 0, 0)])
    assert list(found.curves) == ["a"]
    assert found.curves["a"][0] == (0.0, 0.5)
    assert all(value >= -1 for _, value in found.curves["a"])
    assert found.curves["a"][-1][0] < 0.95
    assert prices([("never", 0, 0, 0)]) is None


@given(COUNTS, st.fractions(0, Fraction(99, 100), max_denominator=200))
def test_nobody_does_better_than_who_leads(counts, t):
    runs = [(f"r{place}", *one) for place, one in enumerate(counts)]
    found = leads(runs)
    assert [one.start for one in found] == [0, *(one.end for one in found[:-1])]
    assert found[-1].end == 1
    best = max(Fraction(0), *(score(*one, t) for one in counts))
    for lead in found:
        if lead.start <= t <= lead.end:
            values = {score(*counts[int(name[1:])], t) for name in lead.runs} or {Fraction(0)}
            assert values == {best}
