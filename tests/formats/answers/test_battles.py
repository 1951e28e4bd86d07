"""Battles: what a line may say, what is refused with its line, and AlpacaEval's annotations as battles."""

from __future__ import annotations

import json

import pytest

import assay
from assay.errors import FormatError, InputError
from assay.formats.answers.battles import Battle, any_battles, read_battles
from assay.formats.harness.logs import LogReading
from assay.formats.recognition import recognise, task_of
from assay.io.sources import Source


def source(text: str, name: str = "file") -> Source:
    return Source(name, data=text.encode())


def line(**changes) -> str:
    return json.dumps({"question": "q1", "a": "x", "b": "y", "winner": "a", **changes}) + "\n"


@pytest.mark.parametrize(
    ("winner", "won"),
    [
        ("a", 1),
        ("b", 0),
        ("tie", 0.5),
        ("x", 1),
        ("y", 0),
        ("model_b", 0),
        ("Tie", 0.5),
        ("tie (bothbad)", 0.5),
        ("both_bad", 0.5),
    ],
)
def test_who_won_in_words_or_by_name(winner, won):
    assert read_battles(source(line(winner=winner))) == [Battle("q1", "x", "y", won)]


def test_a_system_may_be_called_what_its_side_is_called():
    assert read_battles(source(line(a="a", b="b", winner="b")))[0].won == 0


@pytest.mark.parametrize(
    ("row", "said"),
    [
        ({"a": "b", "b": "a", "winner": "b"}, "means a win of the second system"),
        ({"a": "x", "b": "a", "winner": "a"}, "means a win of the first system"),
        ({"a": "x", "b": "tie", "winner": "tie"}, "means a tie"),
    ],
)
def test_a_winner_that_may_be_read_both_ways_is_refused(row, said):
    """By name one of them won, by side the other: either reading would be a number, and one of them the wrong one."""
    with pytest.raises(FormatError, match=f"file:1: winner '{row['winner']}' is the name of a system and also {said}"):
        read_battles(source(line(**row)))


def test_tables_arrays_and_arena_names_are_the_same_battles():
    one = [Battle("7", "x", "y", 0.0, 10, 20)]
    assert read_battles(source("question_id,model_a,model_b,winner,length_a,length_b\n7,x,y,model_b,10,20\n")) == one
    assert read_battles(source("id\ta\tb\twinner\tlength_a\tlength_b\n7\tx\ty\ty\t10\t20.0\n")) == one
    row = {"question": 7, "a": "x", "b": "y", "winner": "b", "length_a": 10, "length_b": 20, "judge": "me"}
    assert read_battles(source(json.dumps([row], indent=1))) == one


@pytest.mark.parametrize("names", [{}, {"question": "Which one?"}, {"judge": "me"}])
@pytest.mark.parametrize("sides", [("a", "b"), ("model_a", "model_b")])
def test_a_battle_may_have_an_id(sides, names, tmp_path):
    """The id is the question's, unless the line has a `question`: x wins q1 and ties q2, so 3/4."""
    rows = [
        {"id": q, **dict(zip(sides, "xy", strict=True)), "winner": w, **names} for q, w in (("q1", "x"), ("q2", "tie"))
    ]
    text = "\n".join(map(json.dumps, rows))
    for data in (text, json.dumps(rows)):
        scores = assay.evaluate(data.encode(), measures=["WinRate"])
        assert (scores.task.name, scores["WinRate"]) == ("pairwise", {"x": 0.75, "y": 0.25})
        assert scores.topics == ([names["question"]] if "question" in names else ["q1", "q2"])
        assert assay.evaluate(data.encode(), measures=["WinRate"], task="pairwise")["WinRate"] == scores["WinRate"]
    (tmp_path / "battles.jsonl").write_text(text)
    assert assay.check(tmp_path / "battles.jsonl").ok


def test_battles_are_recognised_and_nothing_else_is_taken_for_them():
    assert task_of(source(line())) == "pairwise"
    assert task_of(source("question,a,b,winner\nq,x,y,a\n")) == "pairwise"
    assert recognise(source("topic,a,b\n301,0.5,0.25\n"), "scores").name != "battles"
    assert task_of(source('{"id": "q1", "answers": ["Paris"]}\n')) == "outcomes"


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        (line() + line(winner="nobody"), "file:2: winner 'nobody': expected a, b, tie, 'x' or 'y'"),
        (line(b="x"), "file:1: system 'x' is compared with itself"),
        (line() + "\n" + line(a=None), "file:3: expected 'a', the name of a system, found none"),
        (line(question=[1]), "expected 'question', the question's id, found none"),
        (line(length_a=-3), "length_a -3: expected a whole number of characters"),
        (line(length_b="long"), "length_b 'long'"),
        ("question,a,b,winner\nq,x,y\n", "file:2: expected 4 cells"),
    ],
)
def test_what_is_refused_says_where(text, problem):
    with pytest.raises(FormatError) as error:
        read_battles(source(text))
    assert problem in str(error.value)


def pair(**changes):
    given = {
        "instruction": "Do it",
        "output_1": "long one",
        "output_2": "short",
        "generator_1": "base",
        "generator_2": "m",
    }
    return {**given, "preference": 1.75, **changes}


def test_annotations_of_alpaca_eval_are_battles_of_the_model_against_the_baseline():
    pairs = [pair(), pair(preference=0), pair(preference=None), pair(generator_2="base", preference=1.5)]
    found, lost = any_battles(source(json.dumps(pairs)), LogReading())
    assert [(one.a, one.b, one.won, one.length_a, one.length_b) for one in found] == [
        ("m", "base", 0.75, 5, 8),
        ("m", "base", 0.5, 5, 8),
    ]
    assert lost == 1


def test_one_annotator_is_chosen_of_several():
    pairs = source(json.dumps([pair(annotator="x", preference=1), pair(annotator="y", preference=2)]))
    with pytest.raises(InputError, match="has 2 scorers, x, y; choose one"):
        any_battles(pairs, LogReading())
    assert [one.won for one in any_battles(pairs, LogReading({"scorer": "y"}))[0]] == [1.0]
    with pytest.raises(FormatError, match="m: preference 3: expected a number from 1 to 2"):
        any_battles(source(json.dumps([pair(preference=3)])), LogReading())


def test_another_gold_is_named():
    with pytest.raises(FormatError, match=r"expected battles, \{question, a, b, winner\} a line"):
        any_battles(source('{"id": "q1", "answers": ["Paris"]}\n'), LogReading())
