"""DPR's retrieval results: questions by their text, passages in their order, and top-k accuracy from their own `has_answer`."""

from __future__ import annotations

import json

import pytest

import assay
from assay.errors import InputError
from assay.formats.ranked.dpr import read_answers_found, read_passages
from assay.formats.recognition import recognise
from assay.io.sources import Source


def passages(*hits: bool, first: float = 80.0, key: str = "has_answer") -> list[dict[str, object]]:
    return [
        {"id": f"wiki:{n}", "title": "T", "text": "…", "score": str(first - n), key: hit} for n, hit in enumerate(hits)
    ]


def question(text: str, ctxs: list[dict[str, object]]) -> dict[str, object]:
    return {"question": text, "answers": ["a"], "ctxs": ctxs}


MADE = [
    question("who?", passages(False, True, True)),
    question("when?", passages(True, False, False)),
    question("why?", passages(False, False, False)),
    question("where?", []),
]


def source(rows: object, indent: int | None = 4) -> Source:
    return Source("dpr.json", data=json.dumps(rows, indent=indent).encode())


def test_top_k_accuracy_is_the_tools() -> None:
    # DPR's `validate`: the share of questions with an answer among the first k passages
    scores = assay.evaluate(json.dumps(MADE).encode(), None, ["Success@1", "Success@2", "RR"])
    assert {name: scores[name]["run"] for name in ("Success@1", "Success@2", "RR")} == {
        "Success@1": 1 / 4,
        "Success@2": 2 / 4,
        "RR": (1 / 2 + 1) / 4,
    }
    assert "documents that no file has retrieved are unknown" in scores.remarks()[0]


def test_files_that_judge_themselves_share_their_judgments(tmp_path) -> None:
    (tmp_path / "a.json").write_text(json.dumps(MADE))
    other = [question("who?", passages(False, True))]
    (tmp_path / "b.json").write_text(json.dumps(other))
    scores = assay.evaluate(tmp_path / "a.json", tmp_path / "b.json", ["R@2"])
    # who?: wiki:1 and wiki:2 have the answer, and both runs have wiki:1 among two
    assert scores.values("R@2", "b")["who?"] == 1 / 2
    assert scores.runs == ["a", "b"]
    assert assay.evaluate(tmp_path, None, ["R@2"])["R@2"] == scores["R@2"]
    assert len(assay.compare(tmp_path / "a.json", "RR", runs=tmp_path / "b.json").pairs) == 1


def test_two_files_must_agree_on_a_passage(tmp_path) -> None:
    (tmp_path / "a.json").write_text(json.dumps([question("who?", passages(True))]))
    (tmp_path / "b.json").write_text(json.dumps([question("who?", passages(False))]))
    with pytest.raises(
        InputError, match=r"b.json: document wiki:0 has the grade 0 in topic who\?, and 1 in another run"
    ):
        assay.evaluate(tmp_path, None)


def test_it_is_a_run_where_other_gold_is_given() -> None:
    scores = assay.evaluate({"who?": {"wiki:2": 1}}, {"a": json.dumps(MADE).encode()}, ["RR"])
    assert scores["RR"]["a"] == 1 / 3
    scores = assay.evaluate(json.dumps(MADE).encode(), {"t": {"who?": {"wiki:2": 1.0}}}, ["RR"])
    assert scores.values("RR", "t")["who?"] == 1


@pytest.mark.parametrize("indent", [None, 4])
def test_lines_and_arrays_and_contrievers_spelling(indent) -> None:
    rows = [question("who?", passages(False, True, key="hasanswer"))]
    assert read_answers_found(source(rows, indent)) == {"who?": {"wiki:0": 0, "wiki:1": 1}}
    assert read_passages(source(rows, indent)) == {"who?": {"wiki:0": 80.0, "wiki:1": 79.0}}
    lines = Source("dpr.jsonl", data="\n".join(map(json.dumps, rows)).encode())
    assert recognise(lines, "gold").name == "dpr-gold"
    assert read_answers_found(lines) == {"who?": {"wiki:0": 0, "wiki:1": 1}}


@pytest.mark.parametrize(
    ("rows", "message"),
    [
        ([question("q", passages(True)), question("q", passages(True))], "question 'q' is already on line 1"),
        ([question("q", [{"id": "a", "score": "x"}])], "passage a: expected a number as score, found 'x'"),
        ([question("q", [{"id": "a", "score": 1}, {"id": "b", "score": 2}])], "document b has a higher score"),
        ([question("q", [{"id": "a", "score": 1}, {"id": "a", "score": 0}])], "document a appears twice"),
        ([question("q", [{"score": 1}])], "missing required field `id`"),
        ([{"question": "q", "ctxs": "none"}], "Expected `array`, got `str`"),
    ],
)
def test_damaged(rows, message) -> None:
    with pytest.raises(InputError, match=r"^dpr.json:1: .*" + message):
        read_passages(source(rows, indent=None))


def test_a_passage_that_does_not_say_is_refused() -> None:
    with pytest.raises(InputError, match=r"dpr.json:1: passage a has no `has_answer`"):
        read_answers_found(source([question("q", [{"id": "a"}])], None))


def test_cut_off() -> None:
    with pytest.raises(InputError, match=r"dpr.json: broken JSON"):
        read_passages(Source("dpr.json", data=json.dumps(MADE).encode()[:-30]))


def test_it_is_read_as_a_list_of_dicts() -> None:
    scores = assay.evaluate(MADE, None, ["Success@2"])
    assert scores["Success@2"] == {"run": 2 / 4}
    assert assay.evaluate({"who?": {"wiki:2": 1}}, MADE, ["RR"])["RR"] == {"run": 1 / 3}
    assert assay.evaluate({"who?": {"wiki:2": 1}}, {"a": MADE, "b": MADE}, ["RR"])["RR"] == {"a": 1 / 3, "b": 1 / 3}
    with pytest.raises(InputError, match=r"<gold>:2: Object missing required field `ctxs`"):
        assay.evaluate([MADE[0], {"question": "q"}], None)


def test_retrieval_without_judgments_asks_for_them():
    retrieved = b'[{"question": "who?", "ctxs": [{"id": "p1", "score": 2.5}]}]'
    with pytest.raises(InputError, match=r"passage p1 has no `has_answer`.*Fix: give the judgments before this file"):
        assay.evaluate(retrieved, None, "Success@1")
    assert assay.evaluate({"who?": {"p1": 1}}, retrieved, "Success@1")["Success@1"] == {"run": 1.0}
