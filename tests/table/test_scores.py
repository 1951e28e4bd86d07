"""The score table: it does not change once made, and it says what it holds."""

from __future__ import annotations

import copy

import pytest

import assay
from assay.errors import UsageError

JUDGED = {"q1": {"d1": 1}, "q2": {"d1": 1}}
RUNS = {"a": {"q1": {"d1": 1.0}, "q2": {"x": 2.0, "d1": 1.0}}, "b": {"q1": {"x": 2.0, "d1": 1.0}}}


@pytest.fixture
def scores() -> assay.Scores:
    return assay.evaluate(JUDGED, RUNS, ["RR", "P@1"])


def test_values_by_name_and_by_run(scores) -> None:
    assert scores["RR"] == {"a": 0.75, "b": 0.25}
    assert scores["RR", "a"] == {"q1": 1.0, "q2": 0.5}
    assert scores["recip_rank"] == scores["RR"]


def test_the_cells_given_are_not_overwritten(scores) -> None:
    before = copy.deepcopy(dict(scores.run("b").columns))
    assert scores.column("b", "P@1") == [0.0, 0.0]
    scores.summary(), scores.to_dict(), scores.status("b", "RR")
    assert dict(scores.run("b").columns) == before


def test_summary_has_every_number_with_its_denominator(scores) -> None:
    value = scores.summary()["b"]["RR"]
    assert (value.value, value.topics, value.missing, value.undefined) == (0.25, 2, 1, 0)
    assert repr(value) == "Value(0.25, topics=2, missing=1, undefined=0)"


def test_it_prints_as_its_table(scores) -> None:
    lines = repr(scores).splitlines()
    assert lines[0].split() == ["run", "topics", "RR", "P@1"]
    assert lines[1].split() == ["a", "2", "0.7500*", "0.5000*"]
    assert lines[2].split() == ["b", "2", "0.2500", "0.0000"]
    assert "<table" in scores._repr_html_()


def test_frames_have_a_row_per_run_and_topic(scores) -> None:
    pandas = pytest.importorskip("pandas")
    frame = scores.to_frame()
    assert isinstance(frame, pandas.DataFrame)
    assert list(frame.columns) == ["run", "topic", "status", "RR", "P@1"]
    assert frame["status"].tolist() == ["scored", "scored", "scored", "missing"]


def test_json_has_the_documented_shape(scores) -> None:
    found = scores.to_dict(per_topic=False)
    assert list(found) == ["assay", "numbers", "task", "settings", "runs"]
    assert found["task"] == "ranked"
    assert found["runs"][1]["scores"] == {"RR": 0.25, "P@1": 0.0}
    assert found["runs"][1]["missing"] == 1
    assert "topics" not in found["runs"][1]


def test_a_described_table_is_another_table(scores) -> None:
    told = scores.described(lambda run: {"organisation": run.upper()})
    assert told.run("a").notes.characteristics == {"organisation": "A"}
    assert scores.run("a").notes.characteristics is None
    assert told["RR"] == scores["RR"]


def test_what_it_does_not_have(scores) -> None:
    with pytest.raises(UsageError, match="unknown run 'x'; runs are a, b"):
        scores["RR", "x"]
    with pytest.raises(UsageError, match="was not computed; measures are RR, P@1"):
        scores["AP"]
    answers = assay.evaluate({"q": "Paris"}, {"r": {"q": "Paris"}}, ["c@1"])
    with pytest.raises(UsageError, match=r"c@1 has no value per topic"):
        answers["c@1", "r"]


RUN = {"q1": {"d2": 2.0, "d1": 1.0}, "q2": {"d1": 4.0}}


def test_undefined_and_missing_cells_keep_their_status() -> None:
    judged = {"a": {"d": 1}, "b": {"d": 0}, "c": {"d": 1}}
    scores = assay.evaluate(judged, {"r": {"a": {"d": 1.0}, "b": {"d": 1.0}}}, ["AP", "P@1"])
    assert scores.status("r", "AP") == ["scored", "undefined", "missing"]
    assert scores.column("r", "AP") == [1.0, None, 0.0]
    value = scores.value("r", "AP")
    assert (value.value, value.topics, value.missing, value.undefined) == (pytest.approx(1 / 3), 3, 1, 1)
    assert scores.value("r", "AP", topics=["a"]).value == 1.0
    skip = assay.evaluate(judged, {"r": {"a": {"d": 1.0}, "b": {"d": 1.0}}}, ["AP"], missing="skip", undefined="skip")
    assert skip.value("r", "AP").topics == 1


def test_nothing_to_average_is_undefined_not_zero() -> None:
    scores = assay.evaluate({"a": {"d": 0}}, {"r": {"a": {"d": 1.0}}}, ["AP"], undefined="skip")
    assert scores.mean("AP") == {"r": None}


def test_questions_the_table_cannot_answer() -> None:
    scores = assay.evaluate(JUDGED, RUN, ["AP"])
    with pytest.raises(assay.UsageError, match="unknown run 'x'; runs are run"):
        scores.column("x", "AP")
    with pytest.raises(assay.UsageError, match="was not computed; measures are AP"):
        scores.mean("P@5")
    with pytest.raises(AttributeError):
        assay.nosuch


def test_tables_say_what_they_do_not_have() -> None:
    scores = assay.evaluate(JUDGED, RUN, ["AP"])
    with pytest.raises(assay.UsageError, match="no topic 'zz'"):
        scores.value("run", "AP", topics=["zz"])
    with pytest.raises(assay.UsageError, match="expected one of pandas, polars, pyarrow"):
        scores.to_frame("modin")


def test_neither_its_cells_nor_its_settings_can_be_changed(scores) -> None:
    with pytest.raises(TypeError):
        scores.run("a").columns["RR"] = [9.0, 9.0]
    with pytest.raises(TypeError):
        scores.run("a").columns["RR"][0] = 9.0
    with pytest.raises(AttributeError, match="settings cannot be changed"):
        scores.settings.missing = "skip"


def test_missing_topics_are_counted_alike_everywhere() -> None:
    scores = assay.evaluate(JUDGED, RUNS, ["RR"], missing="skip")
    assert (scores.value("b", "RR").topics, scores.value("b", "RR").missing) == (1, 1)
    assert scores.to_dict()["runs"][1]["missing"] == 1


@pytest.mark.parametrize(
    ("kind", "returned", "problem"),
    [
        ("sums", "1", "measure Odd failed for r: TypeError: .*; expected numerator and denominator"),
        ("sums", "(1, 0) if n else 1 / 0", None),
        ("whole", "float('nan')", "measure Odd failed for r: ValueError: nan is no finite number"),
        ("whole", "1 / 0", "measure Odd failed for r: ZeroDivisionError"),
    ],
)
def test_a_measure_of_ones_own_fails_with_its_name(kind, returned, problem, registry) -> None:
    function = eval(f"lambda {'n, correct' if kind == 'sums' else 'correct'}: {returned}", {"__name__": "mine"})
    getattr(assay.define, kind)("Odd", task="outcomes", of=("correct",), cite="nobody")(function)
    if problem is None:
        assert assay.evaluate({"q": "x"}, {"r": {"q": "x"}}, ["Odd"])["Odd"] == {"r": None}
    else:
        with pytest.raises(assay.InputError, match=problem):
            assay.evaluate({"q": "x"}, {"r": {"q": "x"}}, ["Odd"])


ANSWERS = {"q1": "Paris", "q2": "Oslo"}


def test_upwards_is_turned_where_less_is_better() -> None:
    """Brier: ((1 - 0.5)² + (1 - 0.5)²)/2 = 0.25 for a, 0.01 for b, which is the better."""
    runs = {"a": {"q1": ("Paris", 0.5), "q2": ("Oslo", 0.5)}, "b": {"q1": ("Paris", 0.9), "q2": ("Oslo", 0.9)}}
    scores = assay.evaluate(ANSWERS, runs, ["Brier", "accuracy"])
    assert scores.upwards("Brier") == pytest.approx({"a": -0.25, "b": -0.01})
    assert scores.upwards("accuracy") == {"a": 1.0, "b": 1.0}


def test_remarks_say_what_is_missing_and_how_answers_were_judged() -> None:
    scores = assay.evaluate(ANSWERS, {"a": {"q1": "Paris"}}, ["accuracy"])
    assert scores.remarks() == ["a: 1 of 2 questions missing, counted as unanswered (`missing=`)"]
    [rule] = scores.judging()
    assert rule.startswith("exact match")


def test_a_summary_changed_by_its_reader_changes_nothing() -> None:
    scores = assay.evaluate(ANSWERS, {"a": {"q1": "Paris"}}, ["accuracy"])
    scores.summary().clear()
    with pytest.raises(TypeError, match="does not support item assignment"):
        scores.summary()["a"]["accuracy"] = None
    assert list(scores.summary()["a"]) == ["accuracy"]


def test_a_table_on_some_of_its_topics() -> None:
    lines = [
        "run,id,outcome,type",
        "x,1,correct,a",
        "x,2,incorrect,b",
        "x,3,correct,b",
        "y,1,correct,a",
        "y,3,incorrect,b",
    ]
    scores = assay.evaluate(None, ("\n".join(lines) + "\n").encode(), ["accuracy", "correct"])
    some = scores.restricted(["3", "2"])
    assert some.topics == ["2", "3"]
    assert some.fields["type"] == ["b", "b"]
    assert some["accuracy"] == {"x": 0.5, "y": 0.0}
    assert some.run("y").gone == 1
    assert isinstance(some.run("x").columns["correct"], bytes), "as compact as it was"
    assert scores.value("x", "accuracy", ["2", "3"]).value == some.value("x", "accuracy").value
    with pytest.raises(assay.UsageError, match="no question '9'"):
        scores.restricted(["9"])
