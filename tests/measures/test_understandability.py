"""Understandability-biased RBP by hand, and what must hold of it."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

import assay
from assay.errors import UsageError
from assay.measures.views.ranked import RankedView
from assay.measures.views.understandability import UnderstandableView

VIEW = UnderstandableView.of([2, None, 1, 0, 1, 1], understood=[80, 90, 40, 100, 50, None], unretrieved=[1])
"""Relevant at ranks 1, 3, 5 and 6, of which 1 and 5 have an understandability of 50 or more, and 6 is not judged for it."""


def value(name: str, view: RankedView) -> float | None:
    return assay.measure(name)(view)


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("uRBP(easy=50)", 0.2 * (1 + 0.8**4)),
        ("uRBP(50)", 0.2 * (1 + 0.8**4)),
        ("uRBP(easy=40,p=0.5)", 0.5 * (1 + 0.5**2 + 0.5**4)),
        ("uRBP(easy=50)@3", 0.2),
        ("uRBP(easy=50,rel=2)", 0.2),
        ("uRBP'(easy=50)", 0.2 * (1 + 0.8**3)),  # without rank 2, which has no judgment of relevance
        ("uRBPgr(worth=100)", 0.2 * (0.8 + 0.8**2 * 0.4 + 0.8**4 * 0.5)),
        ("uRBPgr(worth=100,p=0.5)@4", 0.5 * (0.8 + 0.25 * 0.4)),
        ("uRBPgr(worth=40:0.1,50:0.5,80:1)", 0.2 * (1 + 0.8**2 * 0.1 + 0.8**4 * 0.5)),
    ],
)
def test_by_hand(name, expected) -> None:
    assert value(name, VIEW) == pytest.approx(expected, rel=1e-14)


def test_the_scale_of_clef_ehealth_2015() -> None:
    """Grades 0 to 3 are worth 0, .4, .8 and 1, and easy from 2 on: the constants of ubire."""
    view = UnderstandableView.of([1, 1, 1, 1], understood=[0, 1, 2, 3])
    assert value("uRBPgr(worth=1:0.4,2:0.8,3:1)", view) == pytest.approx(0.2 * (0.8 * 0.4 + 0.64 * 0.8 + 0.512))
    assert value("uRBP(easy=2)", view) == pytest.approx(0.2 * (0.64 + 0.512))


def test_undefined_without_judgments_of_understandability() -> None:
    unjudged = UnderstandableView.of([1, 0], understood=[None, None])
    for name in ("uRBP(easy=2)", "uRBPgr(worth=3)"):
        assert value(name, unjudged) is None
        assert value(name, RankedView.of([1, 0])) is None
        assert value(name, UnderstandableView.of([0, 1], understood=[3, 0])) == 0


@given(
    st.lists(st.tuples(st.sampled_from([None, 0, 1, 2]), st.integers(0, 3)), min_size=1, max_size=15),
    st.sampled_from([0.5, 0.8, 1.0]),
)
def test_between_0_and_rbp_which_it_is_where_everything_is_easy(pairs, p) -> None:
    grades, understood = [grade for grade, _ in pairs], [grade for _, grade in pairs]
    rbp = value(f"RBP(p={p},rel=1)", RankedView.of(grades))
    view = UnderstandableView.of(grades, understood)
    easy, graded = value(f"uRBP(easy=2,p={p})", view), value(f"uRBPgr(worth=3,p={p})", view)
    assert 0 <= easy <= rbp + 1e-12
    assert 0 <= graded <= rbp + 1e-12
    assert value(f"uRBP(easy=0,p={p})", view) == pytest.approx(rbp)
    assert value(f"uRBPgr(worth=0:1,1:1,2:1,3:1,p={p})", view) == pytest.approx(rbp)


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("uRBP", "easy must be given, as in uRBP"),
        ("uRBPgr", "worth must be given"),
        ("uRBPgr(worth=0)", "expected a number above 0"),
        ("uRBPgr(worth=1:0.4,2:1.5)", "worths from 0 to 1"),
        ("uRBPgr(worth=50)", "understandability 80, above worth=50; write the highest grade of the scale"),
        ("uRBPgr(worth=80:1,40:0.2)", "understandability 50, which has no worth. Fix: give 50:WORTH too"),
    ],
)
def test_what_is_refused(name, message) -> None:
    with pytest.raises(UsageError, match=message):
        value(name, VIEW)
