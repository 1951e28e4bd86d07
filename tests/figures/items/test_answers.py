"""Answers with outcomes, in lists and with nuggets, as they stand in small files."""

from __future__ import annotations

import os

import inspect_logs
import pytest

import assay
from assay.figures.items.lazy_items import items

GOLD = [
    {"id": "q1", "question": "Capital of France?", "answers": ["Paris"], "type": "place"},
    {"id": "q2", "question": "Height?", "patterns": ["^8\\d m"], "nil": False},
    {"id": "q3", "nil": True},
]


def shown(entries):
    return [(entry.text, entry.verdict, entry.good, entry.value, entry.detail) for entry in entries]


def test_outcomes_with_confidence(jsonl) -> None:
    gold = jsonl("gold.jsonl", GOLD)
    run = jsonl("r.jsonl", [{"id": "q1", "answer": "Paris", "confidence": 0.9}, {"id": "q2", "answer": "no idea"}])
    other = jsonl(
        "s.jsonl",
        [
            {"id": "q1", "answer": None, "candidate": "Paris"},
            {"id": "q2", "answer": "84 m"},
            {"id": "q3", "answer": "x"},
        ],
    )
    one, two, three = items(assay.evaluate(gold, [run, other]))
    assert (one.text, one.gold, one.fields) == ("Capital of France?", ("Paris",), {"type": "place"})
    assert shown(one.entries[0]) == [("Paris", "correct", True, 0.9, "")]
    assert shown(one.entries[1]) == [("Paris", "unanswered", None, None, "the answer withheld is correct")]
    assert two.gold == ("/^8\\d m/",)
    assert [entries[0].verdict for entries in two.entries] == ["incorrect", "correct"]
    assert three.gold == ("NIL",)
    assert three.entries[0] == ()
    assert three.more == ("the run has no answer to this question", "")


def test_refusals_have_their_kind(jsonl, put) -> None:
    gold = jsonl("gold.jsonl", GOLD[:1])
    run = jsonl("r.jsonl", [{"id": "q1", "answer": "I don't know"}])
    [one] = items(assay.evaluate(gold, run, refusal=put("no.txt", "I don't know\n")))
    assert shown(one.entries[0]) == [("I don't know", "declined", None, None, "")]


def test_samples_of_a_log_with_texts_usage_and_failures(tmp_path) -> None:
    samples = [inspect_logs.sample(epoch=1), inspect_logs.sample(epoch=2, value="N")]
    (tmp_path / "log.json").write_bytes(inspect_logs.json_log(samples))
    scores = assay.evaluate(tmp_path / "log.json")
    [one] = items(scores)
    said = scores.texts(scores.runs[0], one.topic)
    assert one.text == said[1].question
    assert one.gold == (said[1].gold,)
    assert [entry.text for entry in one.entries[0]] == [said[1].answer, said[2].answer]
    assert [entry.detail.split(";")[0] for entry in one.entries[0]] == ["sample 1", "sample 2"]
    assert [entry.good for entry in one.entries[0]] == [True, None]


def test_real_samples_of_a_log(shared_data) -> None:
    log = shared_data("harness_logs", "inspect_ai", "0.3.285", "capitals_one_sample_error_bold.eval")
    found = {one.topic: one for one in items(assay.evaluate(log, scorer="attempted"))}
    [failed] = found["cap-7"].entries[0]
    assert (failed.verdict, failed.good) == ("failed", None)
    assert failed.detail
    assert sum(one.entries[0][0].good is True for one in found.values()) == 5
    assert sum(one.entries[0][0].good is False for one in found.values()) == 6


def test_yes_and_no_with_values(jsonl) -> None:
    gold = jsonl("gold.jsonl", [{"id": "p1", "same": True}, {"id": "p2", "same": False}])
    run = jsonl("r.jsonl", [{"id": "p1", "value": 0.75}, {"id": "p2", "value": 0.5}])
    one, two = items(assay.evaluate(gold, run))
    assert (one.gold, shown(one.entries[0])) == (("yes",), [("0.75", "correct", True, 0.75, "")])
    assert (two.gold, two.entries[0][0].verdict) == (("no",), "unanswered")


@pytest.mark.parametrize("task", ["qa", "list"])
def test_lists_of_answers(jsonl, task) -> None:
    gold = jsonl(
        "gold.jsonl", [{"id": "q1", "question": "Rivers?", "answers": ["Seine", {"text": "Rhine", "docs": ["d1"]}]}]
    )
    given = [{"text": "Seine"}, {"text": "Oslo", "confidence": 0.5}, {"text": "seine"}, {"text": "Rhine", "doc": "d9"}]
    run = jsonl("r.jsonl", [{"id": "q1", "answers": given}])
    [one] = items(assay.evaluate(gold, run, task=task), depth=4)
    assert (one.text, one.gold) == ("Rivers?", ("Seine", "Rhine"))
    assert shown(one.entries[0]) == [
        ("Seine", "correct", True, None, ""),
        ("Oslo", "incorrect", False, 0.5, ""),
        ("seine", "correct, given before", True, None, ""),
        ("Rhine", "unsupported", None, None, "document d9"),
    ]
    assert [entry.rank for entry in one.entries[0]] == [1, 2, 3, 4]
    [one] = items(assay.evaluate(gold, run, task=task), depth=3)
    assert one.more == ("1 more answers not shown",)


def test_questions_in_context(jsonl) -> None:
    gold = jsonl("gold.jsonl", [{"id": "1a", "answers": ["x"]}, {"id": "1b", "answers": ["y"]}])
    one, two = items(assay.evaluate(gold, jsonl("r.jsonl", [{"id": "1a", "answer": "x"}]), task="context"))
    assert one.fields == {"series": "1", "position": "1"}
    assert one.entries[0][0].good is True
    assert two.entries[0] == ()


def test_nuggets(jsonl) -> None:
    nuggets = [{"id": "1", "text": "born 1828", "vital": True}, {"id": "2"}, {"id": "3", "vital": True}]
    gold = jsonl("gold.jsonl", [{"id": "q", "nuggets": nuggets}])
    run = jsonl("r.jsonl", [{"id": "q", "answer": "He was born", "nuggets": ["2", "1"]}])
    [one] = items(assay.evaluate(gold, run))
    assert one.gold == ("1: born 1828 (vital)", "2 (okay)", "3 (vital)")
    assert shown(one.entries[0]) == [
        ("He was born", "2 of 3 nuggets", None, None, "9 letters"),
        ("1: born 1828", "vital", True, None, ""),
        ("2", "okay", True, None, ""),
    ]


def test_a_long_answer_is_cut_and_says_so(jsonl) -> None:
    gold, run = jsonl("gold.jsonl", GOLD[:1]), jsonl("r.jsonl", [{"id": "q1", "answer": "a" * 5000}])
    [one] = items(assay.evaluate(gold, run))
    assert one.entries[0][0].text.endswith("a … (1000 letters more)")


def test_squad_answers_are_right_answers(put) -> None:
    question = {"id": "a", "question": "Who?", "answers": [{"text": "Ada"}, {"text": "Ada L."}], "is_impossible": False}
    import json

    gold = put(
        "gold.json",
        json.dumps({"version": "v2.0", "data": [{"title": "T", "paragraphs": [{"context": "c", "qas": [question]}]}]}),
    )
    [one] = items(assay.evaluate(gold, put("r.json", '{"a": "Ada"}')))
    assert one.gold == ("Ada", "Ada L.")
    assert shown(one.entries[0])[0][:3] == ("Ada", "correct", True)


def test_a_log_that_is_gone_says_so_where_its_answers_would_be(jsonl) -> None:
    """Red before: no run was shown on any question."""
    gold = jsonl("gold.jsonl", GOLD)
    lost = jsonl("r.jsonl", [{"id": "q1", "answer": "a village " * 50}, {"id": "q2", "answer": "84 m"}])
    kept = jsonl("s.jsonl", [{"id": "q1", "answer": "Paris"}, {"id": "q2", "answer": "84 m"}])
    scores = assay.evaluate(gold, [lost, kept])
    os.remove(lost)
    one, two, _ = items(scores)
    assert one.entries[0] == ()
    assert one.more[0].endswith("r.jsonl: cannot be read: it is no longer there")
    assert shown(one.entries[1]) == [("Paris", "correct", True, None, "")]
    assert [entries[0].text for entries in two.entries] == ["84 m", "84 m"]


def test_nuggets_and_sentences(jsonl) -> None:
    nuggets = [
        {"text": "born 1828", "importance": "vital", "assignment": "support"},
        {"text": "a poet", "importance": "okay", "assignment": "partial_support"},
        {"text": "tall", "importance": "", "assignment": "not_support"},
    ]
    row = {"qid": "1", "query": "Who?", "run_id": "x", "answer_text": "He was born.", "nuggets": nuggets}
    sentences = [
        {"text": "He was born.", "citations": [{"support": 2}, {"support": -1}]},
        {"text": "So.", "citations": []},
    ]
    support = [{"topic_id": topic, "run_id": run, "sentences": sentences} for topic, run in (("1", "x"), ("2", "y"))]
    [one, other] = items(assay.evaluate(jsonl("a.jsonl", [row]), jsonl("s.jsonl", support)))
    assert (one.text, one.gold) == ("Who?", ("born 1828 (vital)", "a poet (okay)", "tall"))
    cited = [("He was born.", "support, not judged", True, "sentence"), ("So.", "cites nothing", None, "sentence")]
    assert [(entry.text, entry.verdict, entry.good, entry.detail) for entry in one.entries[0]] == [
        ("He was born.", "answer", None, ""),
        ("born 1828", "support", True, "vital nugget"),
        ("a poet", "partial support", None, "okay nugget"),
        ("tall", "no support", False, "nugget"),
        *cited,
    ]
    assert (one.entries[1], one.more[1]) == ((), "no judgment of an answer of this run to this question")
    assert [(entry.text, entry.verdict, entry.good, entry.detail) for entry in other.entries[1]] == cited
