"""Nuggets: what each answer returned, against the median."""

from __future__ import annotations

from assay.figures import module_of
from assay.tasks import get


def test_nuggets(jsonl, scored):
    gold = jsonl("g.jsonl", [{"id": 1, "nuggets": [{"id": "a", "vital": True, "votes": 1}, {"id": "b"}]}])
    runs = [
        jsonl("r1.jsonl", [{"id": 1, "answer": "abc", "nuggets": ["a", "b"]}]),
        jsonl("r2.jsonl", [{"id": 1, "answer": "abc", "nuggets": ["b"]}]),
    ]
    first, second = module_of(get("nuggets")).figures(scored("nuggets", gold, *runs)).runs
    assert (first.nuggets_returned, first.vital_returned, first.length) == ((2,), (1,), (3,))
    assert [graph.measure for graph in first.against_median] == ["NuggetF", "PyramidF"]
    assert first.against_median[0].differences == (0.5,)
    assert second.against_median[0].differences == (-0.5,)
