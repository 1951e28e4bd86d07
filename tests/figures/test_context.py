"""Context: the questions of a series in order, and the series still alive."""

from __future__ import annotations

import assay
from assay.figures import module_of
from assay.tasks import get


def test_context_series(jsonl, scored):
    gold = jsonl("g.jsonl", [{"id": q, "answers": ["x"]} for q in ("10a", "2a", "2b", "2c")])
    run = jsonl(
        "r.jsonl",
        [{"id": "2a", "answers": ["n", "x"]}, {"id": "2c", "answer": "x"}, {"id": "10a", "answer": "x"}],
    )
    figures = module_of(get("context")).figures(scored("context", gold, run))
    first, second = figures.runs[0].series
    assert (first.series, [(q.id, q.rank) for q in first.questions], first.alive) == (
        "2",
        [("2a", 2), ("2b", None), ("2c", 1)],
        1,
    )
    assert (second.series, second.alive) == ("10", 1)
    assert figures.runs[0].alive == (1.0, 0.0, 0.0)


def test_series_alive_are_those_of_the_measure(jsonl, scored):
    """1a is missing: failed where that counts, not looked at where it is skipped."""
    gold = jsonl("g.jsonl", [{"id": q, "answers": ["x"]} for q in ("1a", "1b", "2a")])
    run = jsonl("r.jsonl", [{"id": q, "answer": "x"} for q in ("1b", "2a")])
    for missing, alive in {"zero": (0.5, 0.0), "skip": (1.0, 1.0)}.items():
        figures = module_of(get("context")).figures(scored("context", gold, run, missing=missing))
        table = assay.evaluate(gold, run, ["Alive@1", "Alive@2"], task="context", missing=missing)
        assert figures.runs[0].alive == alive
        assert tuple(table.mean(f"Alive@{k}")["r"] for k in (1, 2)) == alive
