"""Runs given where gold usually stands."""

from __future__ import annotations

import pytest
from inspect_logs import json_log, sample

import assay
from assay.errors import InputError
from assay.io.sources import Source
from assay.tasks.judged_runs import in_place_of_gold, judged_answers

LOG = json_log([sample()])


def test_a_folder_with_a_log_is_runs_and_the_rest_is_named(tmp_path) -> None:
    (tmp_path / "log.json").write_bytes(LOG)
    (tmp_path / "README.md").write_text("# what these are")
    found, passed_over = in_place_of_gold(Source("logs", path=str(tmp_path)), None)
    assert ([source.name for source in found], passed_over) == (
        [str(tmp_path / "log.json")],
        [str(tmp_path / "README.md")],
    )


def test_what_follows_a_log_is_runs_too(tmp_path) -> None:
    (tmp_path / "more.json").write_bytes(LOG)
    found, _ = in_place_of_gold(Source("log.json", data=LOG), [str(tmp_path / "more.json")])
    assert [source.name for source in found] == ["log.json", str(tmp_path / "more.json")]


@pytest.mark.parametrize(
    "gold",
    [b"301 0 d1 1\n", b'{"id": "q1", "answers": ["Paris"]}\n', b"id,gold,m1\nq1,A,B\n", b"id,outcome,gold\nq1,A,A\n"],
)
def test_gold_is_gold_alone_or_with_runs(gold) -> None:
    for runs in (None, "runs/"):
        assert in_place_of_gold(Source("gold", data=gold), runs) == ([], [])
    assert judged_answers(Source("gold", data=gold)) == []


@pytest.mark.parametrize(
    "gold",
    [
        b"question,a,b,winner,id,score\nq1,x,y,a,1,0.5\n",
        b'{"id": "q1", "patterns": ["^P"], "score": 3}\n',
        b'{"id": "q1", "answer": "Paris", "score": 0.5}\n',
        b'{"id": "q1", "text": "Paris", "judgment": "correct", "score": 1}\n',
    ],
)
def test_other_gold_may_have_a_score(gold) -> None:
    assert in_place_of_gold(Source("gold", data=gold), None) == ([], [])


def test_named_columns_make_outcomes_of_a_table() -> None:
    table = b"model,question,grade\na,q1,C\n"
    assert in_place_of_gold(Source("t.csv", data=table), None) == ([], [])
    found, _ = in_place_of_gold(Source("t.csv", data=table), None, "run=model,id=question,outcome=grade")
    assert [source.name for source in found] == ["t.csv"]


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b'{"score": 0.5, "score:std": 0.1}', "give the file …_allresults.json beside it"),
        (b'{"results": {}, "configs": {}, "versions": {}}', "give the samples_….jsonl beside it"),
    ],
)
def test_a_file_that_lies_beside_a_log_says_which_is_the_log(content, message, tmp_path) -> None:
    """Red before: it was read as gold, and the message spoke of documents and grades."""
    (tmp_path / "given.json").write_bytes(content)
    with pytest.raises(InputError, match=message):
        assay.evaluate(str(tmp_path / "given.json"))
