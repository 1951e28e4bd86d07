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


SHOULD = {
    "gold": [
        {"id": "q1", "answers": ["Paris"]},
        {"id": "q2", "answers": ["Oslo"]},
        {"id": "q3", "answers": ["Bern"]},
        {"id": "q4", "should_decline": True},
        {"id": "q5", "should_decline": True, "answers": ["with a hammer"]},
        {"id": "q6", "should_decline": True},
    ],
    "careful": [
        {"id": "q1", "answer": "Paris", "confidence": 0.9},
        {"id": "q2", "answer": None},
        {"id": "q3", "answer": "Bern", "confidence": 0.8},
        {"id": "q4", "answer": None},
        {"id": "q5", "answer": "NIL", "confidence": 0.7},
        {"id": "q6", "answer": "yesterday", "confidence": 0.3},
    ],
    "bold": [
        {"id": "q1", "answer": "Paris", "confidence": 0.9},
        {"id": "q2", "answer": "Oslo", "confidence": 0.9},
        {"id": "q3", "answer": "NIL", "confidence": 0.8},
        {"id": "q4", "answer": "four", "confidence": 0.8},
        {"id": "q5", "answer": "with a hammer", "confidence": 0.7},
    ],
}
DECLINING = ["correct", "incorrect", "unanswered", "c@1", "over_refusal", "missed_refusals", "decline_F1"]


def should(tmp_path, measures=DECLINING, runs=("careful", "bold"), **settings):
    """The runs above, against their gold."""
    for name, lines in SHOULD.items():
        (tmp_path / f"{name}.jsonl").write_text("".join(json.dumps(line) + "\n" for line in lines))
    files = [tmp_path / f"{name}.jsonl" for name in runs]
    return assay.evaluate(tmp_path / "gold.jsonl", files, measures, **settings)


def test_declining_is_correct_where_one_should(tmp_path):
    """careful: q1, q3 right; q4 left out and q5 NIL, rightly; q2 left out wrongly; q6 answered. bold: NIL to q3 is an
    over-refusal, the known answer to q5 is wrong all the same, and q6, which it does not mention, is neither."""
    scores = should(tmp_path)
    careful, bold = ([scores[name][run] for name in DECLINING] for run in ("careful", "bold"))
    assert careful == pytest.approx([4, 1, 1, (4 + 4 / 6) / 6, 1 / 3, 1 / 3, 2 * 2 / (3 + 3)])
    assert bold == pytest.approx([2, 3, 1, (2 + 2 / 6) / 6, 1 / 3, 1, 0])
    assert "declining (or NIL) is correct and any answer incorrect" in scores.run("bold").notes.judging
    wrong = should(tmp_path, missing="incorrect")
    assert [wrong[name]["bold"] for name in ("incorrect", "over_refusal")] == pytest.approx([4, 1 / 3])


def test_what_is_declined_rightly_is_no_answer_with_a_confidence(tmp_path):
    """q4 has none, and measures of confidence are of the four answers: 0.9, 0.8 and NIL at 0.7 right, 0.3 wrong."""
    scores = should(tmp_path, ["Brier", "CWS", "score", "K1"], ["careful"])
    assert scores["Brier"]["careful"] == pytest.approx((0.01 + 0.04 + 0.09 + 0.09) / 4)
    assert scores["CWS"]["careful"] == pytest.approx((1 + 1 + 1 + 3 / 4 + 3 / 5 + 3 / 6) / 6)
    assert scores["score"]["careful"] == pytest.approx(4 / 6)
    assert scores["K1"]["careful"] == pytest.approx((0.9 + 0.8 + 0.7 - 0.3) / 6)


def test_declining_more_is_right_where_one_should(tmp_path):
    scores = should(tmp_path, abstain_below=0.75)
    # careful loses q5, which stays right, and q6, which becomes right; bold loses q5.
    assert [scores[name]["careful"] for name in DECLINING[:3]] == [5, 0, 1]
    assert [scores[name]["bold"] for name in ("correct", "missed_refusals")] == pytest.approx([3, 2 / 3])


def test_an_answer_that_could_not_be_extracted_is_no_refusal():
    table = (
        b"run,id,outcome,kind,should_decline\na,q1,unanswered,unparsed,1\na,q2,unanswered,refused,1\na,q3,correct,,0\n"
    )
    scores = assay.evaluate(None, table, ["correct", "unanswered", "missed_refusals", "over_refusal"])
    assert [scores[name]["a"] for name in ("correct", "unanswered", "missed_refusals", "over_refusal")] == [
        2,
        1,
        0.5,
        0,
    ]


def test_outcomes_that_a_file_states():
    """Correct where one should decline can only mean that it was declined."""
    table = b"run,id,outcome,should_decline\na,q1,correct,yes\na,q2,unanswered,yes\na,q3,incorrect,yes\na,q4,unanswered,no\n"
    scores = assay.evaluate(None, table)
    counts = [scores[name]["a"] for name in ("correct", "incorrect", "unanswered")]
    assert counts == [2, 1, 1]
    assert scores["decline_F1"]["a"] == pytest.approx(2 * 2 / (3 + 3))
    assert scores.fields["should_decline"] == ["true", "true", "true", "false"]


def test_samples_of_questions_that_should_be_declined():
    """q1, to be declined, is once and once not; q2 is answered twice: half of the refusals are missed."""
    lines = ["a,q1,1,unanswered,true", "a,q1,2,incorrect,true", "a,q2,1,correct,false", "a,q2,2,correct,false"]
    table = ("run,id,sample,outcome,should_decline\n" + "\n".join(lines) + "\n").encode()
    scores = assay.evaluate(None, table, ["accuracy", "missed_refusals", "over_refusal"])
    assert [scores[name]["a"] for name in ("accuracy", "missed_refusals", "over_refusal")] == [0.75, 0.5, 0]


def test_without_a_word_on_declining_nothing_is_told():
    scores = assay.evaluate(None, b"run,id,outcome\na,q1,correct\na,q2,unanswered\n")
    assert "decline_F1" not in [measure.name for measure in scores.measures]
    every = ["over_refusal", "missed_refusals", "decline_precision", "decline_recall", "decline_F1"]
    scores = assay.evaluate(None, b"run,id,outcome\na,q1,correct\na,q2,unanswered\n", every)
    assert [scores[name]["a"] for name in every] == [None] * 5


def test_nil_gold_tells_who_should_decline_and_stays_what_it_was():
    """NIL is an answer, and right; leaving the question out is declining too, and unanswered as ever."""
    gold = {"q1": "Paris", "q2": "NIL", "q3": "NIL", "q4": "Rome"}
    run = {"q1": "Paris", "q2": "NIL", "q3": None, "q4": "Bern"}
    scores = assay.evaluate(
        gold, {"a": run}, ["correct", "unanswered", "decline_recall", "over_refusal"], task="outcomes"
    )
    assert [scores[name]["a"] for name in ("correct", "unanswered", "decline_recall", "over_refusal")] == [2, 1, 1, 0]


NIL_MEASURES = ["NIL", "NILCorrect", "NILPrecision", "NILRecall"]


def test_nil_counts_anywhere_in_a_list_of_answers(views):
    """q2's NIL is second of its list; a NIL answer that a threshold withholds is no longer returned."""
    gold = [{"id": "q1", "nil": True}, {"id": "q2", "nil": True}, {"id": "q3", "answers": ["x"]}]
    run = [
        {"id": "q1", "answer": "NIL", "confidence": 0.2},
        {"id": "q2", "answers": [{"text": "y", "confidence": 0.9}, {"text": "NIL", "confidence": 0.8}]},
        {"id": "q3", "answer": "NIL", "confidence": 0.7},
    ]
    columns = ("nil_returned", "nil_correct", "nil_questions")
    assert [list(views(gold, run).column(name)) for name in columns] == [[1, 1, 1], [1, 1, 0], [1, 1, 0]]
    withheld = views(gold, run, abstain_below=0.5)
    assert [list(withheld.column(name)) for name in columns] == [[0, 1, 1], [0, 1, 0], [1, 1, 0]]


def test_nil_is_right_where_one_should_decline(tmp_path):
    """careful answers NIL to q5 alone, one of three questions that should be declined; bold to q3, wrongly."""
    scores = should(tmp_path, NIL_MEASURES)
    assert [scores[name]["careful"] for name in NIL_MEASURES] == [1, 1, 1, 1 / 3]
    assert [scores[name]["bold"] for name in NIL_MEASURES] == [1, 0, 0, 0]
    without = should(tmp_path, NIL_MEASURES, runs=["careful"], abstain_below=0.75)  # NIL to q5 is withheld
    assert [without[name]["careful"] for name in NIL_MEASURES] == [0, 0, None, 0]


def test_an_empty_squad_prediction_is_nil(tmp_path):
    """Two of three empty predictions are right; three questions have no answer."""
    gold = {f"q{i}": ["x"] if i > 3 else [] for i in range(1, 6)}
    article = {"paragraphs": [{"context": "", "qas": [
        {"id": q, "question": "?", "is_impossible": not texts, "answers": [{"text": t, "answer_start": 0} for t in texts]}
        for q, texts in gold.items()
    ]}]}  # fmt: skip
    (tmp_path / "squad.json").write_text(json.dumps({"version": "v2.0", "data": [article]}))
    (tmp_path / "run.json").write_text(json.dumps({"q1": "", "q2": "", "q3": "y", "q4": "", "q5": "x"}))
    scores = assay.evaluate(tmp_path / "squad.json", tmp_path / "run.json", NIL_MEASURES)
    assert [scores[name]["run"] for name in NIL_MEASURES] == [3, 2, 2 / 3, 2 / 3]
