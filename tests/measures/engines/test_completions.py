"""The bounds against every completion there is."""

from __future__ import annotations

from itertools import product

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from assay.measures.engines.completions import UNKNOWN, completions, extremes
from assay.measures.ranked import average_precision
from assay.measures.registry import declarations, find
from assay.measures.views.ranked import RankedView

GRADE = 3
WITH = {"P@cut": "P@3"}


def every_measure():
    """Each measure of ranked retrieval, with what it cannot do without."""
    found = []
    for declaration in declarations("ranked"):
        if not declaration.ours or declaration.level != "topic" or declaration.name in UNKNOWN:
            continue
        for text in (declaration.name, f"{declaration.name}@3", f"{declaration.name}@0.5"):
            try:
                found.append(find(text, "ranked"))
                break
            except Exception:  # noqa: BLE001 - it needs another parameter
                continue
    return found


MEASURES = every_measure()
GRADES = st.sampled_from([None, None, None, -1, 0, 0, 1, 2, GRADE])


@given(st.lists(GRADES, min_size=1, max_size=6), st.lists(st.sampled_from([-1, 0, 1, 2, GRADE]), max_size=3))
@settings(max_examples=60)
def test_no_completion_is_below_or_above(ranking, rest):
    functions = [measure.bound() for measure in MEASURES]
    found = extremes(RankedView.of(ranking, unretrieved=rest), functions, GRADE)
    holes = [place for place, grade in enumerate(ranking) if grade is None or grade < 0]
    values = [[] for _ in MEASURES]
    for choice in product((0, GRADE), repeat=len(holes)):
        filled = list(ranking)
        for place, grade in zip(holes, choice, strict=True):
            filled[place] = grade
        view = RankedView.of(filled, unretrieved=rest)
        for column, function in zip(values, functions, strict=True):
            column.append(function(view))
    for measure, ends, column in zip(MEASURES, found, values, strict=True):
        known = [value for value in column if value is not None]
        lowest = None if len(known) < len(column) else min(known)
        expected = (lowest, max(known, default=None))
        assert ends == pytest.approx(expected, abs=1e-12, nan_ok=False), measure.name


def test_nearly_every_measure_is_looked_at():
    assert len(MEASURES) > 35


def test_an_end_may_lie_elsewhere():
    """P-measure is highest where the fifth document is the best and the third is not, which is neither a first nor a last."""
    ranking, function = [1, 0, None, 1, None, None, None], find("P-measure").bound()
    ((_, high),) = extremes(RankedView.of(ranking, unretrieved=[3, 0]), [function], GRADE)
    better = function(RankedView.of([1, 0, 0, 1, GRADE, 0, 0], unretrieved=[3, 0]))
    assert better == (3 + 5) / (5 + 8)
    assert high < better
    assert "P-measure" in UNKNOWN


def test_a_ranking_that_is_all_judged_is_its_own_only_completion():
    view = RankedView.of([1, 0, 2], unretrieved=[1])
    assert [one.pooled() for one in completions(view, 2)] == [[(1, 1), (2, 0), (3, 2)]]
    value = average_precision(view)
    assert extremes(view, [average_precision], 2) == [(value, value)]


def test_the_last_one_relevant_can_be_worse_than_none():
    # AP 1/1 now; with a relevant document at rank 4 (1 + 2/4)/2.
    assert extremes(RankedView.of([1, 0, 0, None]), [average_precision], 1) == [(0.75, 1.0)]


def test_a_relevant_document_at_the_cutoff_loses_its_pairs():
    """Which is why no bounds are given of PairAccuracy: at a cutoff of 3 it is 1 where the fourth is relevant, 1/2 where the third is."""
    function = find("PairAccuracy@3").bound()
    assert [function(RankedView.of(ranking)) for ranking in ([1, 0, 0, 1], [1, 0, 1, 0])] == [1.0, 0.5]
    assert "PairAccuracy" in UNKNOWN
