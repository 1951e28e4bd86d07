"""Kernels on whole runs: the same numbers, to the last bit, as the functions that define the measures."""

from __future__ import annotations

import pickle

import pytest
from hypothesis import given
from hypothesis import strategies as st

import assay
from assay.core import Gold, Ranker, measure_plans
from assay.core.measure_plans import Numbers
from assay.core.run_files import JoinedRanked
from assay.io.sources import Source
from assay.measures.registry import find
from assay.tasks.ranked import RankedGold, RankedViews

NAMES = (
    "AP", "AP@2", "nDCG", "nDCG@2", "P@1", "P@5", "R@1", "R@1000", "RelP@3", "Success@1", "Success@5", "Rprec", "RR", "RR@2", "Bpref",
    "IPrec@0.0", "IPrec@0.1", "IPrec@0.125", "IPrec@0.5", "IPrec@0.667", "IPrec@1.0",
)  # fmt: skip
TOPICS = st.sampled_from(["1", "2", "3", "tópico-10"])
JUDGED = st.dictionaries(st.tuples(TOPICS, st.sampled_from("abcdefgh")), st.integers(-2, 4), min_size=1)
RANKED = st.lists(st.tuples(TOPICS, st.sampled_from("abcdefghxyz")), unique=True)


def views(judged: dict[tuple[str, str], int], runs: list[list[tuple[str, str]]], level: int = 1) -> RankedViews:
    """A run read in one part or several, topics together, the first document the best."""
    qrels = "".join(f"{topic} 0 {document} {grade}\n" for (topic, document), grade in judged.items())
    gold = RankedGold(Gold.read(qrels.encode()), "qrels")
    parts = []
    for run in runs:
        ranker = Ranker(gold.core)
        for rank, (topic, document) in enumerate(sorted(run, key=lambda pair: pair[0])):
            ranker.feed(f"{topic} Q0 {document} 0 {-rank} tag\n".encode())
        parts.append(ranker.finish())
    return RankedViews(gold, JoinedRanked(parts) if len(parts) > 1 else parts[0], Source("run", data=b""), level)


@pytest.mark.native_only
@given(JUDGED, RANKED, st.integers(1, 3), st.booleans())
def test_every_kernel_is_its_function_to_the_last_bit(judged, run, level, split) -> None:
    runs = [[pair for pair in run if pair[0] < "2"], [pair for pair in run if pair[0] >= "2"]] if split else [run]
    of_run = views(judged, runs, level)
    measures = [find(name, "ranked") for name in NAMES]
    columns = of_run.measured([measure.kernel() for measure in measures])
    expected = [[measure.bound()(view) for view in of_run] for measure in measures]
    assert [[*map(repr, column)] for column in columns] == [[*map(repr, column)] for column in expected]


@pytest.mark.native_only
def test_a_column_by_hand() -> None:
    of_run = views({("1", "a"): 1, ("1", "b"): 2, ("2", "a"): 0}, [[("1", "x"), ("1", "b")]])
    precision, recall = of_run.measured([("P", 5), ("R", 1000)])
    assert (list(precision), list(recall)) == ([0.2, 0.0], [0.5, None])


def test_what_the_core_does_not_measure_is_left_to_the_functions(monkeypatch) -> None:
    judged, run = {("1", "a"): 1}, [("1", "a"), ("1", "b")]
    assert views(judged, [run], level=0).measured([("P", 5)]) is None
    monkeypatch.setattr(measure_plans, "MAX_RANK", 1)
    assert views(judged, [run]).measured([("P", 5)]) is None


def test_a_column_of_numbers_is_like_a_tuple() -> None:
    column = Numbers([0.5, -0.0])
    assert column == (0.5, 0.0) == column
    assert column != (0.5,)
    assert column != "ab"
    with pytest.raises(TypeError, match="a column is not changed"):
        column[0] = 1.0
    again = pickle.loads(pickle.dumps(column))
    assert type(again) is Numbers
    assert list(map(repr, again)) == ["0.5", "-0.0"]


@pytest.mark.native_only
def test_a_column_is_compact_where_it_is_defined_everywhere() -> None:
    run = assay.evaluate({"q": {"d": 1}, "p": {"d": 0}}, {"q": {"d": 1.0}, "p": {"d": 1.0}}, ["P@1", "AP"]).run("run")
    assert type(run.columns["P@1"]) is Numbers
    assert run.columns["AP"] == (None, 1.0)
