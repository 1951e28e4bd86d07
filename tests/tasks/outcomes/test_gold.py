"""The gold of outcomes: questions and their answers, problems, or runs that bring their own."""

from __future__ import annotations

import json

import pytest

import assay
from assay.errors import FormatError, InputError, UsageError
from assay.io.sources import Source
from assay.tasks.outcomes import gold as outcome_gold


def test_judgments_file(tmp_path, views, ends) -> None:
    file = tmp_path / "judgments.jsonl"
    rows = [
        {"id": "q1", "text": "Paris", "judgment": "correct", "class": "a"},
        {"id": "q1", "text": "Paname", "judgment": "correct", "class": "b"},
        {"id": "q3", "text": "Rome", "judgment": "unsupported"},
    ]
    file.write_text("".join(json.dumps(row) + "\n" for row in rows))
    gold = [{"id": "q1"}, {"id": "q3"}]
    run = [{"id": "q1", "answer": "Paname"}, {"id": "q3", "answer": "Rome"}]
    found = views(gold, run, judgments=str(file))
    assert ends(found) == "ci"
    assert found.gold.known == [2, 0], "the distinct right answers that were judged"
    assert "judgments file" in found.notes.judging
    assert ends(views(gold, run, judgments=str(file), judging="judgments-lenient")) == "cc"
    with pytest.raises(InputError, match=r"judges question .q3., which is not in gold\.jsonl"):
        views(gold[:1], run[:1], judgments=str(file))


def test_runs_that_carry_outcomes_are_their_own_gold(joined, ends) -> None:
    one = [{"id": "b", "outcome": "correct", "confidence": 0.5, "lang": "en"}, {"id": "a", "outcome": "incorrect"}]
    two = [{"id": "c", "outcome": "unanswered"}, {"id": "a", "outcome": 1}]
    gold, pairs = joined(None, (one, two))
    assert gold.topics == ["a", "b", "c"]
    assert gold.fields == {"lang": [None, "en", None]}
    assert [ends(run) for _, run in pairs] == ["icu", "cuu"]
    assert [list(run.missing) for _, run in pairs] == [[False, False, True], [False, True, False]]
    assert pairs[0][1].notes.judging == "as judged in the file"


def test_tables_as_gold_and_as_runs(joined, ends) -> None:
    run = "run,id,answer,confidence\nx,1,paris,0.5\ny,1,Rome,0.4\nx,2,,\n"
    gold, pairs = joined("id,answer\n1,Paris\n2,Oslo\n", run)
    assert gold.topics == ["1", "2"]
    assert [(v.name, ends(v)) for _, v in pairs] == [("x", "cu"), ("y", "iu")]
    _, own = joined(None, "run,id,answer,gold\nx,1,paris,Paris\ny,1,Rome,Paris\n")
    assert [(v.name, ends(v)) for _, v in own] == [("x", "c"), ("y", "i")]


def test_an_answer_without_outcome_needs_gold(joined) -> None:
    with pytest.raises(FormatError, match=r"run1.jsonl:1: question 'q1' has an answer but no outcome"):
        joined(None, [{"id": "q1", "answer": "x"}])


SQUAD = json.dumps({"version": "v2.0", "data": [{"title": "T", "paragraphs": [
    {"qas": [{"id": "a", "answers": [{"text": "the Normans"}, {"text": "Norman kings"}], "is_impossible": False},
             {"id": "b", "answers": [{"text": "Rome"}], "is_impossible": False}]},
    {"qas": [{"id": "c", "answers": [], "is_impossible": True}, {"id": "d", "answers": [], "is_impossible": True}]},
]}]})  # fmt: skip


def test_squad_gold_of_which_nothing_is_left(views, ends, value) -> None:
    """The official script takes a gold text such as "the" for an empty one, and an empty prediction for right."""
    gold = SQUAD.replace("Rome", "The")
    run = views(gold, json.dumps({"a": "x", "b": "", "c": "x", "d": "x"}))
    assert ends(run) == "icii"
    assert [value(run, name) for name in ("HasAns_EM", "HasAns_F1", "NoAns_EM")] == [0.5, 0.5, 0.0]


def test_na_prob_goes_with_squad_only(tmp_path, views) -> None:
    with pytest.raises(UsageError, match="`na_prob=FILE` needs SQuAD"):
        views(na_prob=str(tmp_path / "x.json"))


def test_a_rule_of_judging_needs_something_to_judge(views) -> None:
    with pytest.raises(
        UsageError, match="`judging='letter'` needs gold answers; these runs are judged by their values"
    ):
        views([{"id": "p", "same": True}], [{"id": "p", "value": 1}], judging="letter")
    with pytest.raises(UsageError, match="these runs are judged already"):
        views(None, [{"id": "q", "outcome": "correct"}], judging="exact")


def test_fields_are_names(views, value) -> None:
    """Whatever a line holds can be grouped by."""
    run = [{"id": "1", "outcome": "correct", "cluster": ["a"]}, {"id": "2", "outcome": "incorrect", "cluster": ["b"]}]
    found = views(None, run)
    assert value(found, "c@1_cluster_mean") == 0.5
    assert found.gold.fields == {"cluster": ["['a']", "['b']"]}
    table = "run,id,outcome,cluster\nm,1,correct,a\nm,2,incorrect,\n"
    assert views(None, table).gold.fields == {"cluster": ["a", None]}, "an empty cell names nothing"


def test_the_rule_told_is_the_rule_used(views) -> None:
    gold = [{"id": "a", "answers": ["A"]}, {"id": "b", "answers": ["B"]}]
    stated, given = {"id": "a", "outcome": "correct"}, {"id": "b", "answer": "B"}
    assert views(gold, [given]).notes.judging.startswith("the option letter")
    assert views(gold, [stated]).notes.judging == "as judged in the file"
    both = views(gold, [stated, given]).notes.judging
    assert both.startswith("as judged in the file where it states an outcome; elsewhere the option letter")


def test_runs_with_long_answers_are_read_again_rather_than_held(tmp_path, monkeypatch) -> None:
    """Red before: the answers of all runs were in memory at once."""
    for run in ("a", "b", "c"):
        lines = [
            {
                "id": f"q{i}",
                "answer": f"{run} {i} " + "word " * 80,
                "outcome": "correct" if i % 2 else "incorrect",
                "topic": "x",
            }
            for i in range(4)
        ]
        (tmp_path / f"{run}.jsonl").write_text("".join(json.dumps(line) + "\n" for line in lines))
    paths = [tmp_path / f"{run}.jsonl" for run in ("a", "b", "c")]
    whole = assay.evaluate(None, paths)
    monkeypatch.setattr(outcome_gold, "MAX_CACHED_LETTERS", 2000)
    gold = outcome_gold.read(None, [Source(str(one), path=str(one)) for one in paths], outcome_gold.OutcomeSettings())
    assert [*gold.rows] == [str(paths[0])]
    again = assay.evaluate(None, paths)
    assert again.to_dict() == whole.to_dict()
    assert again.texts("c", "q3")[1].answer == "c 3 " + "word " * 80
    for run in again.runs:
        rows = again.run(run).views.read_texts.__closure__
        assert all(not getattr(cell.cell_contents, "extra", None) for cell in rows)
