"""KILT's provenance: pages, each once, in their order; numbers as KILT's own `eval_retrieval.py` gives for the same files."""

from __future__ import annotations

import json

import pytest

import assay
from assay.errors import InputError
from assay.formats.ranked.kilt import read_evidence, read_provenance
from assay.formats.recognition import recognise
from assay.io.sources import Source


def line(identity: object, *outputs: list[object] | None) -> dict[str, object]:
    """A line with the pages of each output; None for an output without provenance."""
    return {
        "id": identity,
        "input": "who?",
        "output": [
            {"answer": "a"}
            if pages is None
            else {"answer": "a", "provenance": [{"wikipedia_id": page, "title": "T"} for page in pages]}
            for pages in outputs
        ],
    }


def lines(*rows: dict[str, object]) -> bytes:
    return "".join(json.dumps(row) + "\n" for row in rows).encode()


def source(*rows: dict[str, object]) -> Source:
    return Source("kilt.jsonl", data=lines(*rows))


RUN = lines(line("k1", ["2", "9", "2", "1"]), line("k2", ["4", "3"]), line("k3", ["5", "6", "7"]))


def test_one_evidence_set_a_question() -> None:
    # eval_retrieval.py: Rprec 0.5 for k1 (pages 1 and 2, of the first two), 0 for k2, 1 for k3
    gold = lines(line("k1", ["1", "2"], None), line("k2", ["3"]), line("k3", ["5"]))
    scores = assay.evaluate(gold, {"a": RUN}, ["Rprec"])
    assert scores["Rprec"]["a"] == pytest.approx((0.5 + 0 + 1) / 3)


def test_several_pages_that_each_suffice() -> None:
    # eval_retrieval.py: Rprec 2/3, precision@1 2/3, recall@2 (1/2 + 1 + 2/2) / 3, success_rate@2 1
    gold = lines(line("k1", ["1"], ["2"]), line("k2", ["3"]), line("k3", ["5"], ["6"], ["5"]))
    scores = assay.evaluate(gold, {"a": RUN}, ["Success@1", "P@1", "R@2", "Success@2"])
    assert [scores[name]["a"] for name in ("Success@1", "P@1", "R@2", "Success@2")] == pytest.approx(
        [2 / 3, 2 / 3, 2.5 / 3, 1]
    )
    (remark,) = scores.remarks()
    assert "2 questions with several evidence sets" in remark


def test_a_page_counts_once_at_its_first_place() -> None:
    assert read_provenance(source(line("k1", ["2", " 9", 2, "1"]))) == {"k1": {"2": -1, "9": -2, "1": -3}}


def test_questions_without_pages_stay() -> None:
    assert read_evidence(source(line("k1", ["1"]), line(2, None))) == {"k1": {"1": 1}, "2": {}}
    scores = assay.evaluate(lines(line("k1", ["1"]), line("k2", None)), {"a": lines(line("k1", ["1"]))}, ["RR"])
    assert scores["RR"]["a"] == 0.5


def test_it_is_told_from_questions_with_answers() -> None:
    assert [recognise(source(line("k1", None), line("k2", ["1"])), role).name for role in ("gold", "run")] == [
        "kilt-gold",
        "kilt",
    ]


@pytest.mark.parametrize(
    ("rows", "message"),
    [
        ([line("k1", ["1"]), line("k1", ["2"])], r"kilt.jsonl:2: question 'k1' is already on line 1"),
        (
            [line("k1", ["1"], ["2"])],
            r"kilt.jsonl:1: question 'k1' has 2 outputs with a provenance; expected one in a run",
        ),
        ([line("k1", [None])], r"kilt.jsonl:1: Expected `int \| str`, got `null`.*wikipedia_id"),
        ([line("k1")], "kilt.jsonl:1: Expected `array` of length >= 1"),
        ([{"id": "k1"}], "missing required field `output`"),
    ],
)
def test_damaged(rows, message) -> None:
    with pytest.raises(InputError, match=message):
        read_provenance(source(*rows))


def test_cut_off() -> None:
    with pytest.raises(InputError, match=r"kilt.jsonl:3: broken JSON"):
        read_provenance(Source("kilt.jsonl", data=RUN[:-20]))


def test_it_is_read_as_a_list_of_dicts() -> None:
    gold, run = [line("k1", ["1"]), line("k2", ["2"])], [line("k1", ["3", "1"]), line("k2", ["2"])]
    assert assay.evaluate(gold, run, ["RR"])["RR"] == {"run": 0.75}
    assert assay.evaluate(gold, {"a": run}, ["RR"])["RR"] == {"a": 0.75}
