"""`assay threshold`: where declining pays, for which questions, and what cannot be asked."""

from __future__ import annotations

import pytest
from four_questions import GOLD, A, B


@pytest.fixture
def files(jsonl_files):
    """A gold and two runs, and more where a test asks for them."""
    jsonl_files(gold=GOLD, a=A, b=B)
    return jsonl_files


def test_threshold(files, run, result) -> None:
    gold = [{"id": f"q{i:03}", "answers": ["x"]} for i in range(120)]
    answers = [
        {"id": f"q{i:03}", "answer": "x" if i % 3 else "y", "confidence": 0.9 if i % 3 else 0.2} for i in range(120)
    ]
    files(gold=gold, a=answers)
    found = result("threshold", "gold.jsonl", "a.jsonl", "-m", "c@1", "--seed", "4")
    assert (found["threshold"], found["measure"], found["run"]) == (0.9, "c@1", "a")
    assert found["as_is"] == pytest.approx(2 / 3)
    assert found["held_out"] == pytest.approx((80 + 80 / 120 * 40) / 120)
    assert found["gain"] == pytest.approx(found["held_out"] - found["as_is"])
    assert found["interval"][0] > 0
    assert found["warnings"] == []
    assert found["coverage"] == {"as_is": 1.0, "held_out": pytest.approx(2 / 3)}
    assert found["risk_coverage"] == [
        {"confidence": 0.9, "coverage": pytest.approx(2 / 3), "risk": 0.0},
        {"confidence": 0.2, "coverage": 1.0, "risk": pytest.approx(1 / 3)},
    ]
    assert found["settings"]["seed"] == 4
    code, out, err = run("threshold", "gold.jsonl", "a.jsonl", "-v")
    assert code == 0
    assert out.startswith(
        "Let a decline below a confidence of .9: c@1 rises from .67 to .89 on held-out questions (95% interval"
    )
    assert "Coverage (share of questions answered)" in out
    assert err == ""
    _, out, _ = run("threshold", "gold.jsonl", "a.jsonl", "-f", "csv")
    assert out.splitlines()[0] == "confidence,coverage,risk"
    assert len(out.splitlines()) == 3


def test_threshold_warns_where_confidence_says_nothing(files, run) -> None:
    code, _, err = run("threshold", "gold.jsonl", "b.jsonl", "-m", "c@1", "--trials", "50")
    assert code == 0
    assert "every answer has the confidence 0: it carries no information" in err
    assert "interval of the gain includes 0" in err


def test_threshold_of_the_questions_that_count(files, result) -> None:
    """Eight answers, on eight questions of twelve that anybody was asked."""
    m = [{"id": f"q{i}", "outcome": ["correct", "wrong"][i % 3 == 0], "confidence": i / 10} for i in range(1, 9)]
    files(m=m, n=[{"id": f"r{i}", "outcome": "correct", "confidence": 0.5} for i in range(4)])
    words = ("threshold", "--judged", "m.jsonl", "n.jsonl", "--run", "m", "--trials", "50")
    for policy, questions in (("skip", 8), ("unanswered", 12)):
        found = result(*words, "--missing", policy)
        assert found["coverage"]["as_is"] == pytest.approx(8 / questions)
        assert found["risk_coverage"][-1] == {"confidence": 0.1, "coverage": pytest.approx(8 / questions), "risk": 0.25}
        right = 6 / questions
        assert found["as_is"] == pytest.approx(right + right * (1 - 8 / questions))
        assert found["missing"] == 4


@pytest.mark.parametrize(
    ("words", "code", "problem"),
    [
        (("gold.jsonl", "a.jsonl", "b.jsonl"), 2, "expected one run, found 2; choose one of a, b"),
        (("gold.jsonl", "a.jsonl", "--run", "z"), 2, "expected one run, found 0"),
        (("gold.jsonl", "a.jsonl", "-m", "c@1", "-m", "UF"), 2, "give -m once"),
        (("gold.jsonl", "a.jsonl", "-m", "unanswered"), 2, "neither better high nor low"),
        (("gold.jsonl", "a.jsonl", "--folds", "1"), 2, "--folds 1"),
        (("gold.jsonl", "a.jsonl", "--trials", "0"), 2, "--resamples 0"),
        (("gold.jsonl", "c.jsonl"), 3, "question 'q1' is answered without a confidence"),
        (("gold.jsonl", "d.jsonl", "-m", "K"), 2, "K counts every answer of a question"),
        (("gold.jsonl", "d.jsonl", "-m", "r"), 2, "such as K1 or c@1"),
    ],
)
def test_what_threshold_refuses(files, words, code, problem, run) -> None:
    several = [{"text": "Rome", "confidence": 0.9}, {"text": "Bern", "confidence": 0.2}]
    files(c=[{"id": "q1", "answer": "x"}, {"id": "q3", "answer": "Rome"}], d=[{"id": "q3", "answers": several}])
    found, out, err = run("threshold", *words)
    assert (found, out) == (code, "")
    assert problem in err


def test_a_promised_risk(files, run, result) -> None:
    """95 right and 1 wrong at 0.9, 30 wrong at 0.2: 0.9⁹⁶ + 96 · 0.1 · 0.9⁹⁵ = 0.0005 at the starts from 0.9 down to 0.4."""
    files(
        a=[
            {"id": f"q{i:03}", "outcome": ["wrong", "correct"][0 < i < 96], "confidence": 0.9 if i < 96 else 0.2}
            for i in range(126)
        ]
    )
    words = ("threshold", "--judged", "a.jsonl", "--risk", "0.1", "--confidence", "0.9")
    found = result(*words)
    assert (found["threshold"], found["answers"], found["wrong"], found["fewest"]) == (0.21, 96, 1, 38)
    assert (found["risk"], found["confidence"], found["coverage"]) == (0.1, 0.9, pytest.approx(96 / 126))
    code, out, err = run(*words)
    assert (code, err) == (0, "")
    assert out.startswith(
        "Let a answer only from a confidence of .21 on (96 of 126 questions): with 90% probability, at most 10% of"
    )
    _, out, _ = run(*words, "-f", "csv")
    assert out.splitlines()[0] == "threshold,answers,wrong,p,level,promised"
    code, out, _ = run("threshold", "--judged", "a.jsonl", "--risk", "0.001")
    assert code == 0, "that nothing can be promised is an answer"
    assert "takes at least 4603 answers without an error, and 126 were given" in out


def test_a_promised_risk_is_no_measure(files, run) -> None:
    code, _, err = run("threshold", "gold.jsonl", "a.jsonl", "--risk", "0.1", "-m", "UF")
    assert code == 2
    assert "-m cannot be combined with --risk 0.1" in err
    code, _, err = run("threshold", "gold.jsonl", "a.jsonl", "--risk", "5")
    assert code == 2
    assert "--risk 5.0: expected a number between 0 and 1" in err


@pytest.mark.parametrize("option", ["--task", "--scores", "--name-by", "--abstain-below", "--depth"])
def test_threshold_has_no_option_that_it_would_refuse(files, option, run, capfd) -> None:
    with pytest.raises(SystemExit) as stop:
        run("threshold", "gold.jsonl", "a.jsonl", f"{option}=0.5")
    assert stop.value.code == 2
    assert f"unknown option {option}" in capfd.readouterr().err
