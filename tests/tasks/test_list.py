"""List questions."""

from __future__ import annotations

import pytest
from answer_rows import Write, answers, judgment

import assay


class TestLists:
    def test_accuracy_precision_recall_f(self, write: Write):
        gold = write(
            "g.jsonl",
            {"id": "1", "answers": [{"text": "a", "class": 1}, {"text": "A.", "class": 1}, "b", "c"], "target": 3},
            {"id": "2", "answers": ["x"]},
        )
        run = write("r.jsonl", answers("1", "a", "A.", "z", "b"), answers("2", "x"))
        scores = assay.evaluate(gold, run, task="list")
        assert scores.values("ListAccuracy", "r") == {"1": 1 / 3, "2": None}
        assert scores.values("InstanceP", "r") == {"1": 2 / 4, "2": 1}
        assert scores.values("InstanceR", "r") == {"1": 2 / 3, "2": 1}
        assert scores.values("InstanceF", "r") == {"1": pytest.approx(2 * 2 / (4 + 3)), "2": 1}
        assert scores.value("r", "ListAccuracy").topics == 1
        assert "1 answers beyond the target of 1 questions" in scores.run("r").notes.warnings[0]

    def test_without_targets_there_is_no_accuracy(self, write: Write):
        gold = write("g.jsonl", {"id": "1", "answers": ["a"]})
        scores = assay.evaluate(gold, write("r.jsonl", answers("1", *"abcdefgh")), task="list")
        assert [m.name for m in scores.measures] == ["InstanceP", "InstanceR", "InstanceF"]
        assert scores.mean("InstanceP") == {"r": 1 / 8}  # any number of answers

    def test_judgments_give_the_classes(self, write: Write):
        gold = write(
            "j.jsonl",
            judgment("1", "US", "correct", **{"class": "usa"}),
            judgment("1", "America", "correct", **{"class": "usa"}),
            judgment("1", "Peru", "unsupported"),
            judgment("1", "Oz", "incorrect"),
        )
        run = write("r.jsonl", answers("1", "US", "America", "Peru", "Oz"))
        scores = assay.evaluate(gold, run, ["R", "R(judged=lenient)", "P", "P(judged=lenient)"], task="list")
        assert [scores.mean(m.name)["r"] for m in scores.measures] == [1.0, 1.0, 1 / 4, 2 / 4]
