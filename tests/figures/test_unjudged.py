"""What documents without a judgment do to the numbers."""

from __future__ import annotations

from itertools import product

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import assay
from assay.errors import UsageError
from assay.figures.unjudged import UNKNOWN, bounds, completions, extremes, highest_grade, with_judged
from assay.measures.ranked import average_precision
from assay.measures.registry import declarations, find
from assay.measures.views.ranked import RankedView

QRELS = {"q1": {"a": 2, "b": 0}, "q2": {"a": 1}}
RUNS = {"r": {"q1": {"a": 3.0, "x": 2.0, "b": 1.0}, "q2": {"y": 2.0, "a": 1.0}}, "s": {"q1": {"b": 1.0}}}


def test_judged_and_holes_beside_each_measure():
    scores = with_judged(assay.evaluate(QRELS, RUNS, ["AP", "P@2", "nDCG@2"]))
    assert [m.name for m in scores.measures] == ["AP", "Judged", "Holes", "P@2", "Judged@2", "Holes@2", "nDCG@2"]
    assert scores["Judged", "r"] == {"q1": pytest.approx(2 / 3), "q2": 0.5}
    assert scores["Holes", "r"] == {"q1": 1, "q2": 1}
    assert scores["Holes@2", "r"] == {"q1": 1, "q2": 1}
    assert scores["Holes@2", "s"]["q1"] == 0


def test_bounds_by_hand():
    found = bounds(assay.evaluate(QRELS, RUNS, ["P@2", "RR"])).to_dict()
    assert found["grade"] == 2
    r = {row["measure"]: (row["value"], row["low"], row["high"]) for row in found["rows"] if row["run"] == "r"}
    assert r == {"P@2": (0.5, 0.5, 1.0), "RR": (0.75, 0.75, 1.0)}
    s = {row["measure"]: (row["value"], row["low"], row["high"]) for row in found["rows"] if row["run"] == "s"}
    assert s == {"P@2": (0.0, 0.0, 0.0), "RR": (0.0, 0.0, 0.0)}  # all judged, and a topic it lacks stays 0


def test_bounds_as_rows_and_as_a_person_reads_them():
    found = bounds(assay.evaluate(QRELS, {"r": RUNS["r"]}, ["P@2"]))
    assert found.rows() == (["run", "P@2", "P@2_low", "P@2_high"], [["r", 0.5, 0.5, 1.0]])
    assert found.titles == ["run", "P@2", "if all were judged"]
    assert found.shown == [["r", 0.5, "0.5000 to 1.0000"]]


def test_the_highest_grade_is_at_least_1():
    assert highest_grade(assay.evaluate({"q": {"a": 0}}, {"q": {"a": 1.0}}, ["P@1"])) == 1
    assert highest_grade(assay.evaluate({"q": {"a": -1}, "r": {}}, {"q": {"a": 1.0}}, ["P@1"])) == 1


def test_where_nothing_was_judged_everything_is_possible():
    found = bounds(assay.evaluate({"q": {"a": -1}}, {"q": {"a": 2.0, "b": 1.0}}, ["AP", "P@2"], undefined="skip"))
    assert [(row["low"], row["high"]) for row in found.to_dict()["rows"]] == [(None, 1.0), (0.0, 1.0)]


@pytest.mark.parametrize(
    ("measure", "settings", "said"),
    [
        ("P(rel=3)@1", {}, "needs grade 3, and the gold's highest grade is 1"),
        ("P@1", {"level": 2}, "needs grade 2, and the gold's highest grade is 1"),
        ("P@1", {"judged_only": True}, "drops the unjudged documents"),
    ],
)
def test_no_bounds_where_the_unjudged_are_out_of_it(measure, settings, said):
    with pytest.raises(UsageError, match=said):
        bounds(assay.evaluate({"q": {"a": 1}}, {"q": {"a": 1.0, "b": 2.0}}, [measure], **settings))


def test_no_bounds_that_nobody_knows():
    with pytest.raises(UsageError, match=r"bounds of ED\(RR\): .* leave it out"):
        bounds(assay.evaluate(QRELS, RUNS, ["RR", "ED(RR)"]))


def test_progress_counts_runs():
    seen = []
    bounds(assay.evaluate(QRELS, RUNS, ["RR"]), lambda done, all: seen.append((done, all)))
    assert seen == [(1, 2), (2, 2)]


def test_no_bounds_of_a_measure_of_a_whole_run():
    with pytest.raises(UsageError, match="nAUC_max has no value per topic"):
        bounds(assay.evaluate(QRELS, RUNS, ["nAUC_max"]))


@pytest.mark.parametrize("function", [with_judged, bounds])
def test_refused_where_there_is_no_ranking(function):
    with pytest.raises(UsageError, match="of ranked retrieval"):
        function(assay.evaluate({"q1": "Paris"}, {"m": {"q1": "Rome"}}))
    with pytest.raises(UsageError, match="no rankings; evaluate with `keep=True`"):
        function(assay.evaluate(QRELS, RUNS, ["AP"], keep=False))


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
