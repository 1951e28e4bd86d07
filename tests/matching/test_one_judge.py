"""Every task asks the same judge: for the same gold, judgments and run, outcomes and qa agree on which answers are right."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

import assay
from assay.errors import FormatError
from assay.io.sources import Source
from assay.tasks import get

Rows = list[dict[str, Any]]


def said(text: str, judgment: str, **more: Any) -> dict[str, Any]:
    return {"id": "1", "text": text, "judgment": judgment, **more}


def right(tmp_path: Path, task: str, gold: Rows | str, judgments: Rows, answer: Any, **settings: Any) -> bool:
    """Whether a task takes the one answer of a run for right, strictly."""
    files: dict[str, str] = {}
    run = [{"id": "1", **(answer if isinstance(answer, dict) else {"answer": answer})}]
    for name, rows in (("gold", gold), ("judgments", judgments), ("run", run)):
        path = tmp_path / name
        path.write_text(rows if isinstance(rows, str) else "".join(json.dumps(row) + "\n" for row in rows))
        files[name] = str(path)
    if judgments:
        settings["judgments"] = files["judgments"]
    measure = {"outcomes": "accuracy", "qa": "RR", "list": "InstanceP", "context": "RR"}[task]
    value = assay.evaluate(files["gold"], files["run"], [measure], task=task, **settings).mean(measure)["run"]
    assert value in (0, 1)
    return bool(value)


DOCUMENTS = {"id": "1", "answers": [{"text": "Victor Hugo", "docs": ["d1"]}], "patterns": ["Hugo"]}
ASKED = [{"id": "1"}]
CASES: list[tuple[str, Rows | str, Rows, Any, bool]] = [
    ("judged with white space around it", ASKED, [said(" Paris ", "correct")], "Paris", True),
    ("answered with white space around it", ASKED, [said("Paris", "correct")], " Paris ", True),
    ("supported", ASKED, [said("Paris", "correct", doc="d1")], {"answer": "Paris", "doc": "d1"}, True),
    ("unsupported", ASKED, [said("Paris", "unsupported", doc="d1")], {"answer": "Paris", "doc": "d1"}, False),
    ("inexact", ASKED, [said("Paris", "inexact")], "Paris", False),
    ("incorrect, though the gold has it", [{"id": "1", "answers": ["x"]}], [said("x", "incorrect")], "x", False),
    ("judgments alone", "".join([json.dumps(said("Paris", "correct")), "\n"]), [], "Paris", True),
    ("judgments alone, NIL", "".join([json.dumps(said("NIL", "correct")), "\n"]), [], " NIL", True),
    ("NIL where there is no answer", [{"id": "1", "nil": True}], [], "NIL", True),
    ("NIL judged so, too", [{"id": "1", "nil": True}], [said("NIL", "correct")], "NIL", True),
    ("NIL where there is one", [{"id": "1", "answers": ["x"]}], [], "NIL", False),
    ("exact", [{"id": "1", "answers": ["Paris"]}], [], "  paris. ", True),
    (
        "exact, with another document",
        [{**DOCUMENTS, "patterns": []}],
        [],
        {"answer": "victor hugo", "doc": "d2"},
        False,
    ),
    ("pattern", [DOCUMENTS], [], {"answer": "old Hugo", "doc": "d1"}, True),
    ("pattern, with another document", [DOCUMENTS], [], {"answer": "old Hugo", "doc": "d2"}, False),
    ("pattern, with no document", [DOCUMENTS], [], "old Hugo", True),
    ("a file of patterns", "1 19\\d\\d\n", [], "in 1985", True),
    ("a file of patterns, NIL", "1 NIL\n", [], "NIL", True),
    ("worth nothing", [{"id": "1", "answers": [{"text": "a b", "grade": 0}, "c d"]}], [], "a b", False),
]


@pytest.mark.parametrize("task", ["outcomes", "qa", "list"])
@pytest.mark.parametrize(("case", "gold", "judgments", "answer", "expected"), CASES, ids=[case[0] for case in CASES])
def test_what_is_right(tmp_path, task, case, gold, judgments, answer, expected) -> None:
    assert right(tmp_path, task, gold, judgments, answer) is expected


ERRORS: list[tuple[str, Rows | str, Rows, Any, str]] = [
    ("unjudged", ASKED, [said("x", "correct")], "y", "run:1: the answer 'y' to question '1' has no judgment; judge it"),
    ("NIL, of which nobody knows", ASKED, [said("x", "unsupported")], "NIL", "run:1: the answer 'NIL' to question"),
    ("two judgments", ASKED, [said("x", "correct"), said("x ", "incorrect")], "x", "judgments:2: 'x ' to question"),
    ("two classes", ASKED, [said("x", "correct", **{"class": c}) for c in "ab"], "x", "judgments:2: 'x' to question"),
    ("NIL correct", [{"id": "1", "answers": ["x"]}], [said("NIL", "correct")], "NIL", "judgments:1: NIL is correct"),
    ("NIL wrong", [{"id": "1", "nil": True}], [said("NIL", "inexact")], "NIL", "judgments:1: NIL is inexact here"),
    ("NIL and another", [{"id": "1", "nil": True}], [said("x", "correct")], "x", "judgments:1: 'x' is correct here"),
    ("NIL and more", [{"id": "1", "answers": ["x", "NIL"]}], [], "x", "gold:1: question '1' has NIL and other right"),
    ("another question", ASKED, [said("x", "correct") | {"id": "2"}], "x", "judgments:1: judges question '2'"),
    ("unused", ASKED, [said("x", "correct"), said("y", "correct")], "x", "judgments:2: judges the answer 'y' to quest"),
]


@pytest.mark.parametrize("task", ["outcomes", "qa", "list"])
@pytest.mark.parametrize(("case", "gold", "judgments", "answer", "message"), ERRORS, ids=[case[0] for case in ERRORS])
def test_what_is_refused(tmp_path, task, case, gold, judgments, answer, message) -> None:
    with pytest.raises(FormatError) as problem:
        right(tmp_path, task, gold, judgments, answer)
    assert message in str(problem.value)


@pytest.mark.parametrize("task", ["outcomes", "qa"])
def test_unjudged_and_unused_by_choice(tmp_path, task) -> None:
    judgments = [said("x", "correct"), said("y", "correct")]
    assert right(tmp_path, task, ASKED, judgments, "x", unused_judgments="ignore")
    assert not right(tmp_path, task, ASKED, judgments, "z", unused_judgments="ignore", unjudged="incorrect")


def test_outcomes_count_what_nobody_judged(tmp_path) -> None:
    """A final answer is one answer, though it stands in a list; a candidate is one, too."""
    judgments = tmp_path / "judgments"
    judgments.write_text(json.dumps(said("x", "correct")) + "\n")
    gold = b'{"id": "1"}\n{"id": "2"}\n'
    run = b'{"id": "1", "answers": ["y", "x"]}\n{"id": "2", "answer": null, "candidate": "z"}\n'
    scores = assay.evaluate(
        gold, {"r": run}, ["incorrect", "nuW"], task="outcomes", judgments=str(judgments), unjudged="incorrect"
    )
    notes = scores.run("r").notes
    assert (notes.unjudged, scores.mean("incorrect"), scores.mean("nuW")) == (2, {"r": 1}, {"r": 1})
    assert notes.warnings == ["r: 2 answers without a judgment count as incorrect (`unjudged='incorrect'`)"]


def test_answers_that_are_not_for_the_judge_were_given_all_the_same(tmp_path) -> None:
    """A refusal, and an answer whose outcome the run states: a judgment of either is no slip."""
    judgments, refusals = tmp_path / "judgments", tmp_path / "refusals"
    judgments.write_text("".join(json.dumps(said(t, "incorrect")) + "\n" for t in ("no idea", "x")))
    refusals.write_text("no idea\n")
    settings = {"judgments": str(judgments), "refusal": str(refusals), "task": "outcomes"}
    runs = {"a": b'{"id": "1", "answer": "no idea"}', "b": b'{"id": "1", "answer": "x", "outcome": "correct"}'}
    scores = assay.evaluate(b'{"id": "1"}', runs, ["correct", "unanswered"], **settings)
    assert (scores.mean("correct"), scores.mean("unanswered")) == ({"a": 0, "b": 1}, {"a": 1, "b": 0})
    with pytest.raises(FormatError, match="judges the answer 'x' to question '1', which no run gave"):
        assay.evaluate(b'{"id": "1"}', {"a": runs["a"]}, ["correct"], **settings)


def test_supporting_documents_serve_outcomes_too(tmp_path) -> None:
    support = tmp_path / "support"
    support.write_text("1 d2\n")
    for task in ("outcomes", "qa"):
        assert right(tmp_path, task, "1 Hugo\n", [], {"answer": "Hugo", "doc": "d2"}, support=str(support))
        assert not right(tmp_path, task, "1 Hugo\n", [], {"answer": "Hugo", "doc": "d1"}, support=str(support))


def test_gold_judges_runs_from_several_threads() -> None:
    from concurrent.futures import ThreadPoolExecutor

    task = get("outcomes")
    settings = task.settings()
    rows = [json.dumps({"id": f"{i}", "answers": [f"answer {i}", "other"]}) for i in range(200)]
    gold = task.read(Source("gold", data="\n".join(rows).encode()), (), settings)

    def join(shift: int) -> int:
        answers = [json.dumps({"id": f"{i}", "answer": f"Answer {i + (i % 7 == shift)}"}) for i in range(200)]
        [views] = task.join(gold, Source(f"run{shift}", data="\n".join(answers).encode()), settings)
        return sum(views.column("correct"))

    with ThreadPoolExecutor(4) as pool:
        assert list(pool.map(join, range(7))) == [200 - len(range(shift, 200, 7)) for shift in range(7)]
