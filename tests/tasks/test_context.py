"""Questions in context."""

from __future__ import annotations

import pytest
from answer_rows import Write, answers

import assay
from assay.errors import AssayError, FormatError


class TestContext:
    def test_series_by_letter(self, write: Write):
        gold = write("g.jsonl", *({"id": id, "answers": ["x"]} for id in ("1a", "1b", "1c", "2a", "2b", "10a")))
        run = write(
            "r.jsonl",
            answers("1a", "x"),
            answers("1b", "y", "x"),
            answers("1c", "y"),
            answers("2b", "x"),
            answers("10a", "x"),
        )
        scores = assay.evaluate(gold, run, task="context")
        assert [m.name for m in scores.measures] == ["RR", "InstanceF", "Alive@1", "Alive@2", "Alive@3"]
        assert scores.mean("Alive@1") == {"r": 2 / 3}
        assert scores.mean("Alive@2") == {"r": 1 / 2}
        assert scores.mean("Alive@3") == {"r": 0}
        assert scores.values("InstanceF", "r")["1b"] == pytest.approx(2 / 3)

    def test_series_by_field_in_the_order_of_the_file(self, write: Write):
        rows = [{"id": id, "series": "s", "answers": ["x"]} for id in ("z", "m", "a")]
        run = write("r.jsonl", answers("z", "x"), answers("m", "x"), answers("a", "y"))
        scores = assay.evaluate(write("g.jsonl", *rows), run, task="context")
        assert [scores.mean(f"Alive@{k}")["r"] for k in (1, 2, 3)] == [1, 1, 0]

    @pytest.mark.parametrize(
        ("ids", "message"),
        [
            (["1a", "17"], r"g\.jsonl:2: question '17': expected an id such as 3b"),
            (["1a", "1c"], r"g\.jsonl:2: question '1c' is number 3 of series 1, which has no 2"),
        ],
    )
    def test_bad_series(self, write: Write, ids: list[str], message: str):
        gold = write("g.jsonl", *({"id": id, "answers": ["x"]} for id in ids))
        with pytest.raises(FormatError, match=message):
            assay.evaluate(gold, write("r.jsonl", answers("1a", "x")), task="context")

    def test_a_series_is_a_text_or_a_number(self, write: Write):
        gold = write(
            "g.jsonl", {"id": "x", "series": 1, "answers": ["x"]}, {"id": "y", "series": [1], "answers": ["x"]}
        )
        with pytest.raises(FormatError, match=r"g\.jsonl:2: series \[1\]: expected a text or a whole number"):
            assay.evaluate(gold, write("r.jsonl", answers("x", "x")), task="context")

    def test_two_questions_in_one_place(self, write: Write):
        gold = write(
            "g.jsonl",
            {"id": "s1", "series": "1", "answers": ["x"]},
            {"id": "1a", "answers": ["x"]},
            {"id": "1b", "answers": ["x"]},
        )
        with pytest.raises(AssayError, match="has the place of"):
            assay.evaluate(gold, write("r.jsonl", answers("1a", "x")), task="context")
