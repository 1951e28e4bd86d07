"""Questions that should be declined: what declining and answering them count."""

from __future__ import annotations

import json

import pytest

import assay

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
