"""Ranked answers, and whether a system is confident of its final one."""

from __future__ import annotations

from answer_rows import Write, answers

import assay
from assay.table.scores import Scores


def qa(gold: str, *runs: str, measures: list[str] | None = None, **settings: object) -> Scores:
    return assay.evaluate(gold, list(runs), measures, task="qa", **settings)


class TestConfidence:
    def test_confident_on_the_final_answer(self, write: Write):
        gold = write("g.jsonl", *({"id": str(i), "answers": ["x"]} for i in range(4)))
        run = write(
            "r.jsonl",
            answers("0", "a", "x", final=2, confident=True),
            answers("1", "a", "x", confident=True),
            answers("2", "x", confident=False),
            answers("3", "x"),
        )
        silent = write("s.jsonl", answers("0", "x"))
        scores = qa(gold, run, silent)
        assert scores.mean("Confident") == {"r": 0.5, "s": None}
        assert scores.mean("ConfidentCorrect") == {"r": 0.5, "s": None}

    def test_it_is_shown_only_where_stated(self, write: Write):
        gold = write("g.jsonl", {"id": "1", "answers": ["x"]})
        scores = qa(gold, write("s.jsonl", answers("1", "x")))
        assert "Confident" not in [m.name for m in scores.measures]
