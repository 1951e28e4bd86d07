"""Which cell of a score table gets the star."""

from __future__ import annotations

import assay
from assay.reports import results
from assay.table.best_runs import best_run, legend

QRELS = {"1": {"a": 1}, "2": {"b": 1}}


def best(runs, measure="AP", **settings) -> str | None:
    scores = assay.evaluate(QRELS, runs, [measure], **settings)
    return best_run(scores, scores.summary(), scores.measures[0])


def ranked(*ranks: int) -> dict[str, dict[str, float]]:
    """A run whose relevant document of each topic has this rank; rank 0 is a missing topic."""
    return {
        topic: {f"n{i}": 9.0 - i for i in range(1, rank)} | {document: 9.0 - rank}
        for (topic, document), rank in zip((("1", "a"), ("2", "b")), ranks, strict=True)
        if rank
    }


def test_the_best_is_alone_at_the_top():
    assert best({"x": ranked(1, 1), "y": ranked(1, 2)}) == "x"
    assert best({"x": ranked(1, 2), "y": ranked(2, 1)}) is None, "both .75"
    assert best({"x": ranked(1, 1)}) is None, "a run alone"


def test_lower_is_better_where_the_measure_says_so():
    scores = assay.scores([[12.1, 14.0], [11.2, 15.3]], runs=["new", "old"], measure="perplexity")
    assert best_run(scores, scores.summary(), scores.measures[0]) == "new"
    neither = assay.scores([[1.0, 2.0]], runs=["x", "y"], measure="other", higher_is_better=True)
    assert best_run(neither, neither.summary(), neither.measures[0]) == "y"


def test_a_measure_without_direction_has_no_star():
    assert best({"x": ranked(1, 1), "y": ranked(1, 2)}, "NumRet") is None


def test_values_over_different_topics_have_no_star():
    """x has topic 1 and y topic 2: as many topics, and not the same."""
    runs = {"x": ranked(1, 0), "y": ranked(0, 2)}
    assert best(runs, missing="skip") is None
    assert best({"x": ranked(1, 1), "y": ranked(0, 2)}, missing="skip") is None, "two topics against one"
    assert best(runs, missing="zero") == "x", "both over two topics: .5 and .25"


def test_values_that_look_alike_are_a_tie():
    scores = assay.scores([[0.50001, 0.50002]], runs=["x", "y"], measure="AP")
    assert best_run(scores, scores.summary(), scores.measures[0]) is None


def test_the_line_below_the_table():
    assert legend([]) == ""
    assert legend([False]) == "* lowest value; `assay compare` says whether it is really better."
    assert legend([True, False]) == "* best value; `assay compare` says whether it is really better."
    shown = results.text(assay.evaluate(QRELS, {"x": ranked(1, 1), "y": ranked(1, 2)}, ["AP", "NumRet"]))
    assert shown.splitlines()[-1] == "* highest value; `assay compare` says whether it is really better."
    tied = results.text(assay.evaluate(QRELS, {"x": ranked(1, 2), "y": ranked(2, 1)}, ["AP"]))
    assert "*" not in tied
