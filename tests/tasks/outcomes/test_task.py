"""Gold and run joined: every question ends correct, incorrect or unanswered, and the what-ifs."""

from __future__ import annotations

import json

import hypothesis
import pytest
from hypothesis import strategies as st

import assay
from assay.errors import FormatError, InputError, UsageError
from assay.tasks.outcomes.task import TASK, OutcomeSettings


def test_a_class_said_in_other_words_is_a_repeat(questions, views) -> None:
    answers = [{"text": "Lutetia", "confidence": 0.5}, {"text": "Paris", "confidence": 0.7}]
    run = views(questions[:1], [{"id": "q1", "answers": answers}])
    assert [view.answers for view in run] == [[(1, 0.5), (0, 0.7)]]


def test_the_final_answer_decides(questions, views, ends) -> None:
    answers = [{"text": "Bern", "confidence": 0.5}, {"text": "Rome", "confidence": 0.7}]
    assert ends(views(questions[2:3], [{"id": "q3", "answers": answers}])) == "i"
    assert ends(views(questions[2:3], [{"id": "q3", "answers": answers, "final": 2}])) == "c"


@pytest.mark.parametrize(("policy", "expected"), [("unanswered", "cu"), ("incorrect", "ci")])
def test_a_question_left_out(policy, expected, questions, given, views, ends, value) -> None:
    gold = [questions[0], questions[3]]
    run = views(gold, [given[1]], missing=policy)
    assert ends(run) == expected
    assert list(run.missing) == [False, True]
    assert list(run.column("answered")) == [1, 0], "left out is no answer, even where it counts as incorrect"
    assert value(run, "Brier") == pytest.approx(0.01)


def test_a_question_left_out_may_be_an_error(questions, given, source) -> None:
    runs = [source([given[1]], "run1.jsonl")]
    with pytest.raises(
        InputError, match=r"run 'run1' has no results for question 'q2' and 2 more; `missing='unanswered'`"
    ):
        assay.evaluate(source(questions, "gold.jsonl"), runs, ["c@1"], missing="error")


def test_zero_is_no_policy_for_answers(views) -> None:
    with pytest.raises(UsageError, match="`missing='zero'`: expected one of unanswered"):
        views(missing="zero")


def test_an_unknown_question_is_named(questions, given, views) -> None:
    with pytest.raises(FormatError, match=r"run1.jsonl:2: answers question 'q9', which is not in gold.jsonl"):
        views(questions, [given[1], {"id": "q9", "answer": "x"}])


def test_the_same_question_twice(questions, given, views) -> None:
    with pytest.raises(FormatError, match=r"run1.jsonl:3: question 'q1' is already answered on line 1"):
        views(questions, [given[1], given[2], given[1]])


def test_refusals_count_only_where_patterns_are_given(tmp_path, questions, views, ends) -> None:
    run = [{"id": "q1", "answer": "I don't know", "confidence": 0.1}, {"id": "q4", "answer": "Oslo", "confidence": 0.9}]
    assert ends(views(questions, run)) == "iuuc"
    file = tmp_path / "refusals.txt"
    file.write_text("don't know\n")
    refused = views(questions, run, refusal=str(file))
    assert ends(refused) == "uuuc"
    assert refused.notes.refusals == 1
    assert views(questions, run[1:], refusal=str(file)).notes.refusals == 0


@pytest.mark.parametrize("name", ["abstain_below", "nil_confidence"])
def test_what_ifs_are_confidences(name, views) -> None:
    with pytest.raises(UsageError, match="expected a number from 0 to 1"):
        views(**{name: 1.5})


# PAN


def test_pan_values(ends, pan) -> None:
    run = pan([{"id": "p1", "value": 0.9}, {"id": "p2", "value": 0.75}, {"id": "p3", "value": 0.5}])
    assert ends(run) == "ciuu"
    assert list(run.column("confidence")) == [0.9, 0.75, None, None]
    assert list(run.column("value")) == [0.9, 0.75, 0.5, 0.5], "a problem left out stands at 0.5"
    counts = ("true_positive", "false_positive", "false_negative", "unanswered_positive", "unanswered_negative")
    assert [sum(run.column(name)) for name in counts] == [1, 1, 0, 1, 1]


@hypothesis.given(problems=st.lists(st.tuples(st.booleans(), st.floats(0, 1)), min_size=1, max_size=20))
def test_pan_counts_by_the_evaluators_rule(problems, pan) -> None:
    run = pan(
        [{"id": f"p{i}", "value": v} for i, (_, v) in enumerate(problems, 1)], truth=[same for same, _ in problems]
    )
    right = sum((v > 0.5) == same for same, v in problems if v != 0.5)
    unanswered = sum(v == 0.5 for _, v in problems)
    assert (sum(run.column("correct")), sum(run.column("unanswered"))) == (right, unanswered)


# SQuAD


SQUAD = json.dumps({"version": "v2.0", "data": [{"title": "T", "paragraphs": [
    {"qas": [{"id": "a", "answers": [{"text": "the Normans"}, {"text": "Norman kings"}], "is_impossible": False},
             {"id": "b", "answers": [{"text": "Rome"}], "is_impossible": False}]},
    {"qas": [{"id": "c", "answers": [], "is_impossible": True}, {"id": "d", "answers": [], "is_impossible": True}]},
]}]})  # fmt: skip


def test_squad(tmp_path, views, ends, value) -> None:
    run = views(SQUAD, json.dumps({"a": "Normans", "b": "", "c": "", "d": "Bern"}))
    assert ends(run) == "cuci"
    assert [value(run, name) for name in ("EM", "HasAns_EM", "NoAns_EM")] == [0.5, 0.5, 0.5]
    assert value(run, "accuracy") == value(run, "EM")
    partial = views(SQUAD, json.dumps({"a": "Norman queens", "b": "Rome", "c": "", "d": ""}))
    assert value(partial, "TokenF1") == pytest.approx((0.5 + 1 + 1 + 1) / 4)
    assert value(partial, "HasAns_F1") == pytest.approx((0.5 + 1) / 2)


def test_squad_with_probabilities_of_no_answer(tmp_path, views, ends, value) -> None:
    file = tmp_path / "na_prob.json"
    file.write_text(json.dumps({"a": 0.25, "b": 0.5, "c": 0.75, "d": 1.0}))
    predictions = json.dumps({"a": "Normans", "b": "Bern", "c": "", "d": "Bern"})
    run = views(SQUAD, predictions, na_prob=str(file))
    assert list(run.column("confidence")) == [0.75, 0.5, 0.75, 0.0]
    assert ends(run) == "cici"
    # The official script's threshold: an answer with a probability of no answer above 0.5 becomes empty.
    declined = views(SQUAD, predictions, na_prob=str(file), abstain_below=0.5)
    assert ends(declined) == "cicc"
    assert [value(declined, name) for name in ("EM", "NoAns_EM")] == [0.75, 1.0]
    assert ends(views(SQUAD, predictions, na_prob=str(file), abstain_below=0.6)) == "cucc"


def test_squad_questions_without_a_prediction(views, ends) -> None:
    run = json.dumps({"a": "Normans", "c": "x"})
    assert ends(views(SQUAD, run)) == "cuiu"
    scores = {}
    for policy in ("unanswered", "skip"):
        table = assay.evaluate(SQUAD.encode(), {"r": run.encode()}, ["EM", "accuracy"], missing=policy)
        scores[policy] = (table.mean("EM")["r"], table.mean("accuracy")["r"])
    assert scores == {"unanswered": (0.25, 0.25), "skip": (0.5, 0.5)}, "the official script skips"


# The API


def test_evaluate_from_python() -> None:
    gold = {"q1": "Paris", "q2": ["Rome", "Roma"], "q3": "NIL"}
    runs = {"a": {"q1": ("paris", 0.9), "q2": ("Bern", 0.4), "q3": None}, "b": {"q2": "Roma", "q3": "NIL"}}
    scores = assay.evaluate(gold, runs, ["correct", "incorrect", "unanswered", "c@1"])
    assert [scores.mean(name) for name in ("correct", "incorrect", "unanswered")] == [
        {"a": 1, "b": 2},
        {"a": 1, "b": 0},
        {"a": 1, "b": 1},
    ]
    assert scores.mean("c@1")["a"] == pytest.approx((1 + 1 / 3) / 3)


def test_default_measures_follow_what_is_there(questions, given, joined) -> None:
    def names(run, **settings):
        gold, pairs = joined(questions, run, **settings)
        return TASK.more(gold, [v for _, v in pairs], OutcomeSettings(**settings))

    assert "CWS" not in names([{"id": "q1", "answer": "x"}])
    assert "CWS" in names([given[1]])
    assert "K" not in names([given[1]])
    assert "K" in names(given)


def test_pan_problems_left_out_may_count_as_wrong(views, value) -> None:
    """Truth yes, no, yes; the last left out: a false negative where it counts as incorrect, else unanswered."""
    truth = [{"id": f"p{i}", "same": same} for i, same in enumerate((True, False, True))]
    run = [{"id": "p0", "value": 0.9}, {"id": "p1", "value": 0.4}]
    declined, wrong = views(truth, run), views(truth, run, missing="incorrect")
    assert [value(declined, name) for name in ("F1", "F0.5u")] == [1.0, pytest.approx(1.25 / (1.25 + 0.25))]
    assert value(wrong, "F1") == pytest.approx(2 / 3)
    assert value(wrong, "F0.5u(half=positive)") == pytest.approx(1.25 / (1.25 + 0.25))
    assert value(wrong, "c@1") == pytest.approx(2 / 3)


def test_candidates_beside_outcomes(views, value) -> None:
    gold = [{"id": "a", "answers": ["xx"]}, {"id": "b", "answers": ["yy"]}]
    run = [{"id": "a", "outcome": "correct"}, {"id": "b", "outcome": "unanswered", "candidate": "yy"}]
    assert value(views(gold, run), "nuR") == 1
    table = "run,id,outcome,candidate\nm,1,correct,\nm,2,unanswered,correct\nm,3,unanswered,wrong\nm,4,unanswered,\n"
    judged = views(None, table)
    assert [value(judged, name) for name in ("nuR", "nuW", "nuE")] == [1, 1, 1]
    assert value(judged, "validation_recall") == 0.5


def test_candidates_are_told_by_the_words_that_outcomes_are(views, value) -> None:
    """Red before: SimpleQA's C, not attempted, was a right candidate, and its A was none."""
    table = "run,id,outcome,candidate\nm,1,A,\nm,2,C,A\nm,3,C,B\nm,4,C,C\n"
    judged = views(None, table, outcomes="simpleqa")
    assert [value(judged, name) for name in ("correct", "nuR", "nuW", "nuE")] == [1, 1, 1, 1]


def test_nil_in_white_space_is_nil(views, value) -> None:
    run = views([{"id": "a", "nil": True}], [{"id": "a", "answer": " NIL ", "confidence": 0.9}], nil_confidence=0.0)
    assert run.notes.nil_answers == 1
    assert value(run, "K1") == 0


@pytest.mark.parametrize("choice", [{"depth": 5}, {"level": 2}, {"judged_only": True}])
def test_choices_of_rankings_are_refused(choice, views) -> None:
    with pytest.raises(UsageError, match="unknown setting"):
        views(**choice)


def test_an_answer_without_judgment_is_named(tmp_path, views) -> None:
    file = tmp_path / "judgments.jsonl"
    file.write_text('{"id": "a", "text": "xx", "judgment": "correct"}\n')
    gold, run = [{"id": "a"}, {"id": "b"}], [{"id": "a", "answer": "xx"}, {"id": "b", "answer": "yy"}]
    with pytest.raises(FormatError, match=r"run1.jsonl:2: the answer 'yy' to question 'b' has no judgment"):
        views(gold, run, judgments=str(file))
    with pytest.raises(FormatError, match=r"judgments.jsonl:1: judges question 'a', which is not in gold"):
        views(gold[1:], run[1:], judgments=str(file))


def test_confidences_that_are_all_the_same_are_said() -> None:
    gold = {"q1": "a", "q2": "b", "q3": "c"}
    same, other = {q: (text, 0.9) for q, text in gold.items()}, {"q1": ("a", 0.9), "q2": ("b", 0.8), "q3": None}
    said = assay.evaluate(gold, {"same": same, "other": other}, ["accuracy"]).remarks()
    told = [line for line in said if "confidence" in line]
    assert told == ["same: every answer has the confidence 0.9, so measures of confidence tell nothing"]


@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("mine.csv", "run,id,outcome\na,q1,correct\na,q2,N\n"),
        ("mine.jsonl", '{"run": "a", "id": "q1", "outcome": "correct"}\n{"run": "a", "id": "q2", "outcome": "N"}\n'),
        ("mine.json", '[{"run": "a", "id": "q1", "outcome": "correct"}, {"run": "a", "id": "q2", "outcome": "N"}]'),
    ],
)
def test_outcomes_that_stand_alone_are_runs_without_gold(name, content, tmp_path) -> None:
    (tmp_path / name).write_text(content)
    scores = assay.evaluate(str(tmp_path / name), None, ["correct", "unanswered"])
    assert (scores["correct"], scores["unanswered"]) == ({"a": 1}, {"a": 1})


def test_gold_that_stands_alone_is_gold(tmp_path) -> None:
    (tmp_path / "gold.jsonl").write_text('{"id": "q1", "answers": ["Paris"], "outcome": "capital"}\n')
    assert assay.read_gold(str(tmp_path / "gold.jsonl")).evaluate({"q1": "Paris"}, "accuracy")["accuracy"] == {
        "run": 1.0
    }


ANSWERS = [{"id": "a", "answers": ["xx"]}], [{"id": "a", "answer": "xx"}]
TRUTH = [{"id": "a", "same": True}], [{"id": "a", "value": 0.9}]


@pytest.mark.parametrize("pair", [ANSWERS, TRUTH])
@pytest.mark.parametrize("choice", [{"outcomes": "A=correct"}, {"columns": "id=a"}])
def test_choices_that_nothing_in_the_files_asks_for_are_refused(pair, choice) -> None:
    """Red before: they were taken and had no effect."""
    gold, run = ("".join(json.dumps(line) + "\n" for line in lines).encode() for lines in pair)
    with pytest.raises(UsageError, match=r"no run states outcomes in words|needs a table, and no file is one"):
        assay.evaluate(gold, run, **choice)


def test_choices_of_tables_and_words_hold_for_any_of_the_files() -> None:
    gold = b'{"id": "a", "answers": ["xx"]}\n{"id": "b", "answers": ["yy"]}\n'
    run = b'{"id": "a", "answer": "xx"}\n{"id": "b", "outcome": "B"}\n'
    assert assay.evaluate(gold, run, ["accuracy"], outcomes="simpleqa")["accuracy"] == {"run": 0.5}
    table = b"llm,id,answer\nm,a,xx\nm,b,zz\n"
    assert assay.evaluate(gold, table, ["accuracy"], columns="run=llm")["accuracy"] == {"m": 0.5}
    assert assay.evaluate(b"id,right\na,xx\n", run[:27], ["accuracy"], columns="gold=right")["accuracy"] == {"run": 1.0}


def test_words_are_refused_where_logs_have_none() -> None:
    programs = {"eval": {"H/0": [{"base_status": "pass", "plus_status": "pass", "solution": "x"}]}}
    with pytest.raises(
        UsageError, match="`outcomes='A=correct'`: none of these logs says in words how a question ended"
    ):
        assay.evaluate(json.dumps(programs).encode(), outcomes="A=correct")
    with pytest.raises(UsageError, match="`columns='id=a'` has no effect on logs: columns are of tables"):
        assay.evaluate(json.dumps(programs).encode(), columns="id=a")


def test_who_names_columns_has_a_table() -> None:
    """Red before: a table with the columns of a RAGAS result was read as one, and its columns could not be named."""
    table = b"id,user_input,reference,gpt,llama\n1,a,b,correct,wrong\n"
    found = assay.evaluate(table, measures=["accuracy"], columns="runs=gpt+llama")
    assert found["accuracy"] == {"gpt": 1.0, "llama": 0.0}
