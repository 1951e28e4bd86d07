"""`assay evaluate` and `assay threshold` on answers: what a person sees, and what a bad file gets."""

from __future__ import annotations

import json
import subprocess
import sys

import pytest

from assay.cli import main

GOLD = [
    {"id": "q1", "type": "factoid", "answers": ["Paris"], "lang": "fr"},
    {"id": "q2", "type": "factoid", "nil": True},
    {"id": "q3", "type": "list", "answers": ["Rome", "Milan"]},
    {"id": "q4", "type": "list", "answers": ["Oslo"]},
]
A = [
    {"id": "q1", "answer": "Paris", "confidence": 0.9},
    {"id": "q2", "answer": "NIL", "confidence": 0.4},
    {"id": "q3", "answer": "Bern", "confidence": 0.3},
    {"id": "q4", "answer": None},
]
B = [
    {"id": "q1", "answer": "Lyon", "confidence": 0.0},
    {"id": "q2", "answer": "Lyon", "confidence": 0.0},
    {"id": "q3", "answer": "Rome", "confidence": 0.0},
    {"id": "q4", "answer": "Oslo", "confidence": 0.0},
]


def text(rows) -> str:
    return rows if isinstance(rows, str) else "".join(json.dumps(row) + "\n" for row in rows)


@pytest.fixture
def files(tmp_path, monkeypatch):
    """Writes files into an empty folder that the command then runs in."""
    monkeypatch.chdir(tmp_path)

    def write(**contents):
        for name, content in contents.items():
            data = text(content)
            (tmp_path / f"{name}.jsonl").write_bytes(data if isinstance(data, bytes) else data.encode())

    write(gold=GOLD, a=A, b=B)
    return write


def run(capfd, *words: str) -> tuple[int, str, str]:
    code = main(list(words))
    out, err = capfd.readouterr()
    return code, out, err


def result(capfd, *words: str) -> dict:
    code, out, err = run(capfd, *words, "-f", "json")
    assert code == 0, err
    return json.loads(out)


def test_the_documented_shape(files, capfd) -> None:
    found = result(capfd, "evaluate", "gold.jsonl", "a.jsonl", "b.jsonl", "-m", "c@1", "-m", "CWS", "-q")
    assert (found["task"], found["settings"]["missing"]) == ("outcomes", "unanswered")
    a, b = found["runs"]
    assert (a["run"], a["file"], a["missing"]) == ("a", "a.jsonl", 0)
    assert a["scores"]["c@1"] == pytest.approx((2 + 2 / 4) / 4)
    assert b["scores"] == {"c@1": 0.5, "CWS": None}
    assert b["undefined"] == {"c@1": 0, "CWS": 1}
    assert a["denominators"] == {"c@1": 4, "CWS": 4}
    assert a["judging"].startswith("exact match after Unicode NFKC")
    assert a["topics"]["q1"] == {"correct": 1, "incorrect": 0, "unanswered": 0, "confidence": 0.9}
    assert a["topics"]["q4"]["confidence"] is None


def test_undefined_is_said_never_0(files, capfd) -> None:
    _, out, _ = run(capfd, "evaluate", "gold.jsonl", "b.jsonl", "-m", "CWS", "-m", "K1", "-m", "r")
    assert out.split()[-3:] == ["n/a", "0.0000", "n/a"]


def test_by_type_is_the_table_of_clef_2004(files, capfd) -> None:
    found = result(capfd, "evaluate", "gold.jsonl", "a.jsonl", "--by", "type")
    assert found["by"]["field"] == "type"
    factoid, listed, total = found["by"]["rows"]
    assert (factoid["value"], listed["value"], total["value"]) == ("factoid", "list", None)
    assert factoid["scores"] == {
        "questions": 2,
        "known_answers": 1,
        "answers_given": 2,
        "questions_with_correct": 2,
        "correct_answers": 2,
        "answer_recall": 1.0,
        "answer_precision": 1.0,
        "K": pytest.approx(0.65),
        "r": None,
    }
    assert listed["scores"]["K"] == pytest.approx((-0.3 / 2 + 0) / 2)
    assert total["scores"]["K"] == pytest.approx((0.9 + 0.4 - 0.15) / 4)
    _, out, _ = run(capfd, "evaluate", "gold.jsonl", "a.jsonl", "--by", "type")
    assert [line.split()[1] for line in out.splitlines()] == ["type", "factoid", "list", "total"]


def test_by_a_field_nobody_has(files, capfd) -> None:
    code, out, err = run(capfd, "evaluate", "gold.jsonl", "a.jsonl", "--by", "colour")
    assert (code, out) == (2, "")
    assert "the gold has no field 'colour'; it has type, lang" in err


def test_rankings(files, capfd) -> None:
    files(c=A)
    found = result(capfd, "evaluate", "gold.jsonl", "a.jsonl", "b.jsonl", "c.jsonl", "--rankings")
    assert found["rankings"]["c@1"] == {"a": "1..2", "b": "3", "c": "1..2"}
    assert found["rankings"]["CWS"] == {"a": "1..2", "b": None, "c": "1..2"}
    _, out, _ = run(capfd, "evaluate", "gold.jsonl", "a.jsonl", "b.jsonl", "c.jsonl", "--rankings")
    assert "1..2" in out
    assert "n/a" in out

    _, out, _ = run(capfd, "evaluate", "gold.jsonl", "a.jsonl", "b.jsonl", "-m", "c@1", "--rankings", "-f", "csv")
    assert out == "run,c@1,c@1_rank\na,0.625,1\nb,0.5,2\n"


def test_early_pan_files(capfd, tmp_path, monkeypatch) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "truth.txt").write_text("EN001 Y\nEN002 N\nEN003 Y\n")
    (tmp_path / "answers.txt").write_text("EN001 0.9\nEN002 0.5\n")
    scores = result(capfd, "evaluate", "truth.txt", "answers.txt", "-m", "c@1", "-m", "overall(2014)")["runs"][0][
        "scores"
    ]
    # 1 right, 2 unanswered of 3: (1 + 2/3)/3 = 5/9. Values .9, .5, .5: of two pairs one in order, one tied: AUC 3/4.
    assert scores == {"c@1": pytest.approx(5 / 9), "overall(2014)": pytest.approx(3 / 4 * 5 / 9)}


def test_gold_alone_is_not_enough(files, capfd) -> None:
    code, _, err = run(capfd, "evaluate", "gold.jsonl")
    assert code == 2
    assert "no runs given" in err


def test_what_if(files, capfd) -> None:
    measures = ("-m", "K1", "-m", "unanswered")
    as_is = result(capfd, "evaluate", "gold.jsonl", "a.jsonl", *measures)["runs"][0]["scores"]
    assert as_is == {"K1": pytest.approx((0.9 + 0.4 - 0.3) / 4), "unanswered": 1}
    _, out, err = run(
        capfd, "evaluate", "gold.jsonl", "a.jsonl", *measures, "--nil-confidence", "0", "--abstain-below", "0.35",
        "-f", "json",
    )  # fmt: skip
    found = json.loads(out)
    assert found["runs"][0]["scores"] == {"K1": pytest.approx(0.9 / 4), "unanswered": 3}
    assert found["settings"]["nil_confidence"] == 0.0
    assert found["settings"]["abstain_below"] == 0.35
    assert "a: 2 answers are withheld for their confidence" in err
    assert "a: 1 questions have a NIL answer" in err


def test_refusals_are_counted_in_the_output(files, capfd, tmp_path) -> None:
    files(c=[{"id": "q1", "answer": "I cannot say"}, {"id": "q4", "answer": "Oslo"}])
    (tmp_path / "refusals.txt").write_text("cannot\n")
    found = result(capfd, "evaluate", "gold.jsonl", "c.jsonl", "--refusal", "refusals.txt", "-m", "incorrect")
    assert found["runs"][0]["refusals"] == 1
    assert found["runs"][0]["scores"] == {"incorrect": 0}
    _, _, err = run(capfd, "evaluate", "gold.jsonl", "c.jsonl", "--refusal", "refusals.txt")
    assert "c: 1 answers match a refusal pattern and count as unanswered" in err


def test_standard_input(files, capfd, monkeypatch, tmp_path) -> None:
    import io

    data = (tmp_path / "a.jsonl").read_bytes()
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(data)))
    found = result(capfd, "evaluate", "gold.jsonl", "-", "-m", "correct")
    assert found["runs"][0]["scores"] == {"correct": 2}


def test_options_of_answers_are_not_for_qrels(files, capfd, tmp_path) -> None:
    (tmp_path / "qrels").write_text("1 0 a 1\n")
    (tmp_path / "run").write_text("1 Q0 a 1 1.0 t\n")
    code, _, err = run(capfd, "evaluate", "qrels", "run", "--abstain-below", "0")
    assert code == 2
    assert "--abstain-below 0.0: the task 'ranked' has no such setting" in err


BAD = '{"id": "q1", "answer": "x", "confidence": %s}\n'


@pytest.mark.parametrize(
    ("name", "content", "problem"),
    [
        ("a", BAD % "1.5", "a.jsonl:1: confidence 1.5: expected a number from 0 to 1"),
        ("a", text(A[1:2]) + BAD % "NaN", "a.jsonl:2: broken JSON"),
        ("a", BAD % "-1", "a.jsonl:1: confidence -1"),
        ("a", '{"id": "q1", "outcome": "perhaps"}\n', "a.jsonl:1: outcome 'perhaps' is not known; expected correct"),
        ("a", text([A[0], A[1], A[0]]), "a.jsonl:3: question 'q1' was answered already on line 1"),
        (
            "a",
            text([A[0], {"id": "q7", "answer": "x"}]),
            "a.jsonl:2: answers question 'q7', which is not in gold.jsonl",
        ),
        ("a", text(A[:2]) + '{"id": "q3",\n', "a.jsonl:3: broken JSON"),
        ("a", "", "a.jsonl: holds no answers"),
        ("a", "\n\n", "a.jsonl: holds no answers"),
        ("gold", text([*GOLD, {"id": "q5"}]), "gold.jsonl:5: question 'q5' has no answers"),
        ("gold", text([*GOLD, GOLD[0]]), "gold.jsonl:5: question 'q1' stands already on line 1"),
        ("gold", text(GOLD)[:-10], "gold.jsonl:4: broken JSON"),
    ],
)
def test_bad_input(files, capfd, tmp_path, name, content, problem) -> None:
    files(**{name: content})
    before = sorted(tmp_path.iterdir())
    code, out, err = run(capfd, "evaluate", "gold.jsonl", "a.jsonl", "b.jsonl", "-o", "out.json")
    assert (code, out) == (3, "")
    assert problem in err
    assert "Traceback" not in err
    assert sorted(tmp_path.iterdir()) == before, "nothing written"


def test_a_run_of_another_format_is_refused(files, capfd, tmp_path) -> None:
    (tmp_path / "run").write_text("1 Q0 a 1 1.0 t\n")
    code, _, err = run(capfd, "evaluate", "gold.jsonl", "run")
    assert code == 3
    assert "run:1: broken JSON" in err


def test_missing_error(files, capfd) -> None:
    files(a=A[:1])
    code, _, err = run(capfd, "evaluate", "gold.jsonl", "a.jsonl", "--missing", "error")
    assert code == 3
    assert "a.jsonl: run 'a' has no results for question 'q2' and 2 more" in err


# assay threshold


def test_threshold(files, capfd) -> None:
    gold = [{"id": f"q{i:03}", "answers": ["x"]} for i in range(120)]
    answers = [
        {"id": f"q{i:03}", "answer": "x" if i % 3 else "y", "confidence": 0.9 if i % 3 else 0.2} for i in range(120)
    ]
    files(gold=gold, a=answers)
    found = result(capfd, "threshold", "gold.jsonl", "a.jsonl", "-m", "c@1", "--seed", "4")
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
    code, out, err = run(capfd, "threshold", "gold.jsonl", "a.jsonl")
    assert code == 0
    assert "a: decline below a confidence of 0.9" in out
    assert "Coverage (share of questions answered)" in out
    assert err == ""
    _, out, _ = run(capfd, "threshold", "gold.jsonl", "a.jsonl", "-f", "csv")
    assert out.splitlines()[0] == "confidence,coverage,risk"
    assert len(out.splitlines()) == 3


def test_threshold_warns_where_confidence_says_nothing(files, capfd) -> None:
    code, _, err = run(capfd, "threshold", "gold.jsonl", "b.jsonl", "-m", "c@1", "--trials", "50")
    assert code == 0
    assert "every answer has the confidence 0: it carries no information" in err
    assert "interval of the gain includes 0" in err


def test_threshold_of_the_questions_that_count(files, capfd) -> None:
    """Eight answers, on eight questions of twelve that anybody was asked."""
    m = [{"id": f"q{i}", "outcome": ["correct", "wrong"][i % 3 == 0], "confidence": i / 10} for i in range(1, 9)]
    files(m=m, n=[{"id": f"r{i}", "outcome": "correct", "confidence": 0.5} for i in range(4)])
    words = ("threshold", "--judged", "m.jsonl", "n.jsonl", "--run", "m", "--trials", "50")
    for policy, questions in (("skip", 8), ("unanswered", 12)):
        found = result(capfd, *words, "--missing", policy)
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
        (("gold.jsonl", "a.jsonl", "--abstain-below", "0.5"), 2, "belongs to `assay evaluate`"),
        (("gold.jsonl", "c.jsonl"), 3, "question 'q1' is answered without a confidence"),
        (("gold.jsonl", "d.jsonl", "-m", "K"), 2, "K counts every answer of a question"),
        (("gold.jsonl", "d.jsonl", "-m", "r"), 2, "such as K1 or c@1"),
    ],
)
def test_what_threshold_refuses(files, capfd, words, code, problem) -> None:
    several = [{"text": "Rome", "confidence": 0.9}, {"text": "Bern", "confidence": 0.2}]
    files(c=[{"id": "q1", "answer": "x"}, {"id": "q3", "answer": "Rome"}], d=[{"id": "q3", "answers": several}])
    found, out, err = run(capfd, "threshold", *words)
    assert (found, out) == (code, "")
    assert problem in err


def test_ranked_retrieval_pays_nothing_for_answers(tmp_path) -> None:
    """The start-up of `assay evaluate` on qrels stays free of what only answers need."""
    (tmp_path / "qrels").write_text("1 0 a 1\n")
    (tmp_path / "run").write_text("1 Q0 a 1 1.0 t\n")
    script = (
        "import sys; before = set(sys.modules); from assay.cli import main; code = main(['evaluate', 'qrels', 'run']);"
        "heavy = {'numpy', 'msgspec', 'csv', 'dataclasses', 'assay.tasks.outcomes', 'assay.formats.answers'};"
        "print(code, sorted(heavy & (set(sys.modules) - before)), file=sys.stderr)"
    )
    done = subprocess.run([sys.executable, "-c", script], cwd=tmp_path, capture_output=True, text=True, check=True)
    assert done.stderr.splitlines()[-1] == "0 []"
