"""One run of answers as columns: how every question ends, and what declining some would change."""

from __future__ import annotations

import json

import pytest

import assay
from assay.errors import InputError
from assay.measures.registry import find


def test_every_question_ends_one_way(views, ends) -> None:
    run = views()
    assert run.gold.topics == ["q1", "q2", "q3", "q4"]
    assert ends(run) == "cccu"
    assert list(run.column("confidence")) == [0.9, 0.4, 0.8, None]
    assert list(run.column("position")) == [1, 2, 0, 3], "the order of the run's file"
    assert run.column("cluster") == [None, None, None, "p1"]
    assert run.notes.judging.startswith("exact match after")


def test_lists_repeats_and_nil(views, value) -> None:
    """q3: Rome right, rome repeated, Bern wrong, 3 known: (0.8 - 0.2)/3. q2: right NIL. q1: two words, one class."""
    run = views()
    assert [view.known for view in run] == [1, 0, 3, 1]
    assert [find("K", "outcomes")(view) for view in run] == pytest.approx([0.9, 0.4, 0.6 / 3, 0.0])
    assert value(run, "K") == pytest.approx((0.9 + 0.4 + 0.2 + 0) / 4)
    assert value(run, "K1") == pytest.approx((0.9 + 0.4 + 0.8) / 4)
    assert [value(run, name) for name in ("known_answers", "answers_given", "questions_with_correct")] == [5, 5, 3]
    assert value(run, "correct_answers") == 3
    assert value(run, "answer_recall") == pytest.approx(2 / 5), "NIL is no known answer"
    assert value(run, "answer_precision") == pytest.approx(3 / 5)


def test_nil_confidence(views, value) -> None:
    """Herrera, Peñas and Verdejo, CLEF 2004: had all NIL answers stated 0, K1 would have been that of the others."""
    run = views(nil_confidence=0.0)
    assert list(run.column("confidence")) == [0.9, 0.0, 0.8, None]
    assert run.notes.nil_answers == 1
    assert value(run, "K1") == pytest.approx((0.9 + 0.8) / 4)


def test_abstaining_below_a_confidence(views, ends) -> None:
    run = views(abstain_below=0.5)
    assert ends(run) == "cucu"
    assert run.notes.declined == 1
    assert list(run.column("candidate_right")) == [0, 1, 0, 1], "what was withheld stays as the candidate"
    assert [view.answers for view in run][2] == [(1, 0.8), (0, 0.6)], "of a list, only the answers below go"
    assert ends(views(abstain_below=0.4)) == "cccu", "the threshold itself is answered"


def test_abstaining_needs_confidences(questions, views) -> None:
    with pytest.raises(InputError, match="question 'q1' is answered without a confidence"):
        views(questions, [{"id": "q1", "answer": "Paris"}], abstain_below=0.5)


def test_candidates_of_unanswered_questions(questions, views, value) -> None:
    run = [
        {"id": "q1", "answer": None, "candidate": "Paris"},
        {"id": "q3", "answer": None, "candidate": "Bern"},
        {"id": "q4", "answer": None},
    ]
    found = views(questions, run)
    assert [value(found, name) for name in ("nuR", "nuW", "nuE", "nu")] == [1, 1, 2, 4]


def test_pan_confidence_is_the_distance_from_a_half(ends, pan) -> None:
    run = pan([{"id": "p2", "value": 0.125}])
    assert ends(run) == "ucuu"
    assert run.column("confidence")[1] == 0.875
    assert list(pan([{"id": "p1", "value": 0.66}, {"id": "p2", "value": 0.34}]).column("confidence"))[:2] == [
        0.66,
        0.66,
    ]
    run.abstain_below(0.9)
    assert (ends(run), run.column("value")[1]) == ("uuuu", 0.5), "declining in PAN is the value 0.5"


def test_declining_in_squad_is_saying_that_there_is_no_answer(tmp_path, views, ends) -> None:
    """Its confidence is then the probability of no answer; a copy declines on its own."""
    questions = [
        {"id": "s1", "answers": [{"text": "the"}], "is_impossible": False},
        {"id": "s2", "answers": [], "is_impossible": True},
    ]
    gold = json.dumps({"version": "v2.0", "data": [{"paragraphs": [{"qas": questions}]}]})
    file = tmp_path / "na.json"
    file.write_text('{"s1": 0.9, "s2": 0.8}')
    run = views(gold, json.dumps({"s1": "x", "s2": "y"}), na_prob=str(file))
    declined = run.copy()
    declined.abstain_below(0.5)
    assert ends(declined) == "cc", "nothing is left of the gold answer 'the' either"
    assert list(declined.column("confidence")) == [0.9, 0.8]
    assert list(run.column("confidence")) == [0.1, 0.2]


def test_views_that_are_not_kept_drop_their_texts() -> None:
    gold = "\n".join(json.dumps({"id": f"q{i}", "answers": [f"a{i}"]}) for i in range(5)).encode()
    run = "\n".join(json.dumps({"id": f"q{i}", "answer": f"a{i % 2}", "confidence": i / 8}) for i in range(5)).encode()
    kept, light = (assay.evaluate(gold, {"r": run}, keep=keep) for keep in (True, False))
    assert {m.name: kept.mean(m) for m in kept.measures} == {m.name: light.mean(m) for m in light.measures}
    assert kept.run("r").views.read_texts is not None
    assert light.run("r").views is None
