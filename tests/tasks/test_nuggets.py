"""Definition questions."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

import assay
from assay.errors import FormatError, InputError, UsageError


def put(tmp_path: Path, name: str, text: str) -> str:
    (tmp_path / name).write_text(text)
    return str(tmp_path / name)


GOLD = [
    {
        "id": "1",
        "nuggets": [
            {"id": "a", "vital": True, "votes": 4},
            {"id": "b", "vital": True, "votes": 2},
            {"id": "c", "votes": 2},
        ],
    },
    {
        "id": "2",
        "nuggets": [{"id": "a", "vital": True, "patterns": ["born in 18\\d\\d"]}, {"id": "b", "patterns": ["poet"]}],
    },
]


def jsonl(tmp_path: Path, name: str, rows: list[dict[str, object]]) -> str:
    return put(tmp_path, name, "".join(json.dumps(row) + "\n" for row in rows))


class TestNuggets:
    def test_by_hand(self, tmp_path):
        gold = jsonl(tmp_path, "g.jsonl", GOLD)
        run = jsonl(
            tmp_path,
            "r.jsonl",
            [
                {"id": "1", "answer": "x" * 400 + " " * 50, "nuggets": ["a", "c"]},
                {"id": "2", "answers": ["He was BORN in 1802,", "a poet"]},
            ],
        )
        scores = assay.evaluate(gold, run, task="nuggets")
        assert scores.values("NuggetP", "r") == {"1": 200 / 400, "2": 1.0}
        assert scores.values("NuggetR", "r") == {"1": 1 / 2, "2": 1.0}
        assert scores.values("NuggetF", "r") == {"1": 0.5, "2": 1.0}
        p, r = 1 / 2, 6 / 8
        assert scores.values("PyramidF", "r") == {"1": pytest.approx(10 * p * r / (9 * p + r)), "2": None}
        assert scores.value("r", "PyramidF").topics == 1
        assert scores.run("r").notes.judging.startswith("the nuggets the run's file states; else the patterns")

    def test_an_answer_nobody_judged(self, tmp_path):
        gold = jsonl(tmp_path, "g.jsonl", GOLD)
        run = jsonl(tmp_path, "r.jsonl", [{"id": "2", "answer": "poet"}, {"id": "1", "answer": "text"}])
        with pytest.raises(FormatError, match=r"r\.jsonl:2: the answer to question '1' has no judgment"):
            assay.evaluate(gold, run, task="nuggets")
        scores = assay.evaluate(gold, run, task="nuggets", unjudged="incorrect")
        assert scores.values("NuggetF", "r") == {"1": 0, "2": 0}  # one okay nugget is not a vital one
        assert scores.run("r").notes.unjudged == 1
        assert scores.run("r").notes.judging.startswith("the patterns")
        alone = jsonl(tmp_path, "s.jsonl", [{"id": "1", "answer": "text"}])
        judged = assay.evaluate(gold, alone, task="nuggets", unjudged="incorrect").run("s").notes.judging
        assert judged == ""  # nobody judged anything, by whatever rule

    def test_bad_runs_name_their_line(self, tmp_path):
        gold = jsonl(tmp_path, "g.jsonl", GOLD)
        with pytest.raises(FormatError, match=r"r\.jsonl:1: question '1' has no nugget 'z'; nuggets are a, b, c"):
            assay.evaluate(
                gold, jsonl(tmp_path, "r.jsonl", [{"id": "1", "answer": "x", "nuggets": ["z"]}]), task="nuggets"
            )
        with pytest.raises(FormatError, match=r"s\.jsonl:1: answers question '9'"):
            assay.evaluate(
                gold, jsonl(tmp_path, "s.jsonl", [{"id": "9", "answer": "x", "nuggets": []}]), task="nuggets"
            )

    def test_missing_and_repeated_nuggets(self, tmp_path):
        gold = jsonl(tmp_path, "g.jsonl", GOLD)
        with pytest.raises(UsageError, match=r"`level=2`: is a setting of the task ranked, .*; this is nuggets"):
            assay.evaluate(gold, gold, task="nuggets", level=2)
        run = jsonl(tmp_path, "r.jsonl", [{"id": "1", "answer": "x", "nuggets": ["a", "a"]}])
        scores = assay.evaluate(gold, run, task="nuggets")
        assert scores.values("NuggetR", "r") == {"1": 1 / 2, "2": 0}
        assert scores.value("r", "NuggetF").missing == 1
        assert scores.values("NuggetP", "r") == {"1": 1.0, "2": 0}  # nothing said of 2: worth 0, not precise

    def test_nuggets_are_read_from_files_alone(self, tmp_path):
        gold = jsonl(tmp_path, "g.jsonl", GOLD)
        with pytest.raises(InputError, match="expected a path or bytes"):
            assay.evaluate({"1": ["a"]}, gold, task="nuggets")
        with pytest.raises(InputError, match="expected a path or bytes"):
            assay.evaluate(gold, {"mine": {"1": "x"}}, task="nuggets")
