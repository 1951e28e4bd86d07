"""Generated answers: the matrix of nuggets and runs, and what each answer holds."""

from __future__ import annotations

import assay
from assay.figures import figures_of
from assay.figures.generation import AnswerCounts, NuggetCredits, NuggetMatrix


def row(topic, run, *marks):
    nuggets = [
        {"text": text, "importance": importance, "assignment": mark}
        for (text, importance), mark in zip([("o", "okay"), ("v", "vital")], marks, strict=True)
    ]
    return {"qid": topic, "query": "Who?", "run_id": run, "nuggets": nuggets}


def test_figures(jsonl):
    nuggets = [row("1", "x", "support", "partial_support"), row("1", "y", "not_support", "support")]
    cited = {"topic_id": "1", "run_id": "x", "sentences": [{"citations": [{"support": 2}]}, {"citations": []}]}
    alone = {"topic_id": "2", "run_id": "x", "sentences": [{"citations": []}]}
    figures = figures_of(assay.evaluate(jsonl("a.jsonl", nuggets), jsonl("s.jsonl", [cited, alone])))
    # Vital nuggets first; no matrix of a question whose nuggets nobody named.
    assert figures.matrices == (
        NuggetMatrix("1", "Who?", (NuggetCredits("v", "vital", (0.5, 1.0)), NuggetCredits("o", "okay", (1.0, 0.0)))),
    )
    x, y = figures.runs
    assert x.held == (AnswerCounts(1, 1, 0, 2, 1), AnswerCounts(None, None, None, 1, 0))
    assert y.held == (AnswerCounts(1, 0, 1, None, None), AnswerCounts(None, None, None, None, None))
    assert (x.means["StrictVitalScore"], y.means["StrictVitalScore"]) == (0.0, 1.0)
    assert x.means["SentenceP"] is None
    assert [graph.measure for graph in y.against_median] == ["StrictVitalScore", "AllScore", "CitationP"]
    assert y.against_median[0].differences == (0.5, None)
