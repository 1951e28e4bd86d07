"""`assay evaluate` and `assay threshold` on answers: what a person sees, and what a bad file gets."""

from __future__ import annotations

import json
import sys

import pytest
from four_questions import GOLD, A, B


def text(rows) -> str:
    return rows if isinstance(rows, str) else "".join(json.dumps(row) + "\n" for row in rows)


@pytest.fixture
def files(jsonl_files):
    """A gold and two runs, and more where a test asks for them."""
    jsonl_files(gold=GOLD, a=A, b=B)
    return jsonl_files


def test_the_documented_shape(files, result) -> None:
    found = result("evaluate", "gold.jsonl", "a.jsonl", "b.jsonl", "-m", "c@1", "-m", "CWS", "-q")
    assert (found["task"], found["settings"]["missing"]) == ("outcomes", "unanswered")
    a, b = found["runs"]
    assert (a["run"], a["file"], a["missing"]) == ("a", "a.jsonl", 0)
    assert a["scores"]["c@1"] == pytest.approx((2 + 2 / 4) / 4)
    assert b["scores"] == {"c@1": 0.5, "CWS": None}
    assert b["undefined"] == {"c@1": 0, "CWS": 1}
    assert a["denominators"] == {"c@1": 4, "CWS": 4}
    assert a["judging"].startswith("exact match after Unicode NFKC")
    assert a["topics"]["q1"] == {"state": "correct", "correct": 1, "incorrect": 0, "unanswered": 0, "confidence": 0.9}
    assert a["topics"]["q4"]["confidence"] is None


def test_undefined_is_said_never_0(files, run) -> None:
    _, out, _ = run("evaluate", "gold.jsonl", "b.jsonl", "-m", "CWS", "-m", "K1", "-m", "r")
    assert out.split()[-3:] == ["n/a", "0.0000", "n/a"]


def test_by_type_is_the_table_of_clef_2004(files, run, result) -> None:
    found = result("evaluate", "gold.jsonl", "a.jsonl", "--by", "type")
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
    _, out, _ = run("evaluate", "gold.jsonl", "a.jsonl", "--by", "type")
    assert [line.split()[1] for line in out.splitlines()] == ["type", "factoid", "list", "total"]


def test_counts_by_type_have_their_percentage(files, run, result) -> None:
    """Table 2 of CLEF 2004's pilot task prints 4 (22.22%) for 4 of 18 factoid questions."""
    factoid = [{"id": f"f{i}", "type": "factoid", "answers": [f"a{i}"]} for i in range(18)]
    dates = [{"id": f"d{i}", "type": "date", "answers": [f"a{i}"]} for i in range(20)]
    right = [{"id": f"f{i}", "answer": f"a{i}"} for i in range(4)] + [
        {"id": f"d{i}", "answer": f"a{i}"} for i in (1, 2)
    ]
    files(gold=[*factoid, *dates], a=right)
    _, out, _ = run("evaluate", "gold.jsonl", "a.jsonl", "--by", "type", "-m", "questions_with_correct", "-m", "nu")
    rows = {line.split()[1]: line.split()[2:] for line in out.splitlines()[1:]}
    assert rows == {
        "date": ["20", "2", "(10.0%)", "18", "(90.0%)"],
        "factoid": ["18", "4", "(22.2%)", "14", "(77.8%)"],
        "total": ["38", "6", "(15.8%)", "32", "(84.2%)"],
    }
    found = result("evaluate", "gold.jsonl", "a.jsonl", "--by", "type", "-m", "questions_with_correct")["by"]["rows"][1]
    assert (found["scores"], found["samples"]) == ({"questions_with_correct": 4}, 18)
    assert found["percent"] == {"questions_with_correct": pytest.approx(400 / 18)}
    _, out, _ = run("evaluate", "gold.jsonl", "a.jsonl", "--by", "type", "-m", "questions_with_correct", "-f", "csv")
    assert out.splitlines()[2] == "a,factoid,18,4", "a program reads numbers"
    _, out, _ = run("evaluate", "gold.jsonl", "a.jsonl", "-m", "questions_with_correct")
    assert out.splitlines()[1].endswith("6 (15.8%)")


def test_by_a_field_nobody_has(files, run) -> None:
    code, out, err = run("evaluate", "gold.jsonl", "a.jsonl", "--by", "colour")
    assert (code, out) == (2, "")
    assert "the gold has no field 'colour'; it has type, lang" in err


def test_rankings(files, run, result) -> None:
    files(c=A)
    found = result("evaluate", "gold.jsonl", "a.jsonl", "b.jsonl", "c.jsonl", "--rankings")
    assert found["rankings"]["c@1"] == {"a": "1..2", "b": "3", "c": "1..2"}
    assert found["rankings"]["CWS"] == {"a": "1..2", "b": None, "c": "1..2"}
    _, out, _ = run("evaluate", "gold.jsonl", "a.jsonl", "b.jsonl", "c.jsonl", "--rankings")
    assert "1..2" in out
    assert "n/a" in out

    _, out, _ = run("evaluate", "gold.jsonl", "a.jsonl", "b.jsonl", "-m", "c@1", "--rankings", "-f", "csv")
    assert out == "run,c@1,c@1_rank\na,0.625,1\nb,0.5,2\n"


def test_early_pan_files(tmp_path, monkeypatch, result) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "truth.txt").write_text("EN001 Y\nEN002 N\nEN003 Y\n")
    (tmp_path / "answers.txt").write_text("EN001 0.9\nEN002 0.5\n")
    scores = result("evaluate", "truth.txt", "answers.txt", "-m", "c@1", "-m", "overall(2014)")["runs"][0]["scores"]
    # 1 right, 2 unanswered of 3: (1 + 2/3)/3 = 5/9. Values .9, .5, .5: of two pairs one in order, one tied: AUC 3/4.
    assert scores == {"c@1": pytest.approx(5 / 9), "overall(2014)": pytest.approx(3 / 4 * 5 / 9)}


def test_gold_alone_is_not_enough(files, run) -> None:
    code, _, err = run("evaluate", "gold.jsonl")
    assert code == 2
    assert "no runs given" in err


def test_what_if(files, run, result) -> None:
    measures = ("-m", "K1", "-m", "unanswered")
    as_is = result("evaluate", "gold.jsonl", "a.jsonl", *measures)["runs"][0]["scores"]
    assert as_is == {"K1": pytest.approx((0.9 + 0.4 - 0.3) / 4), "unanswered": 1}
    _, out, err = run("evaluate", "gold.jsonl", "a.jsonl", *measures, "--nil-confidence", "0", "--abstain-below", "0.35",
        "-f", "json",
    )  # fmt: skip
    found = json.loads(out)
    assert found["runs"][0]["scores"] == {"K1": pytest.approx(0.9 / 4), "unanswered": 3}
    assert found["settings"]["nil_confidence"] == 0.0
    assert found["settings"]["abstain_below"] == 0.35
    assert "a: 2 answers are withheld for their confidence" in err
    assert "a: 1 questions have a NIL answer" in err


def test_refusals_are_counted_in_the_output(files, tmp_path, run, result) -> None:
    files(c=[{"id": "q1", "answer": "I cannot say"}, {"id": "q4", "answer": "Oslo"}])
    (tmp_path / "refusals.txt").write_text("cannot\n")
    found = result("evaluate", "gold.jsonl", "c.jsonl", "--refusal", "refusals.txt", "-m", "incorrect")
    assert found["runs"][0]["refusals"] == 1
    assert found["runs"][0]["scores"] == {"incorrect": 0}
    _, _, err = run("evaluate", "gold.jsonl", "c.jsonl", "--refusal", "refusals.txt")
    assert "c: 1 answers match a refusal pattern and count as unanswered" in err


def test_standard_input(files, monkeypatch, tmp_path, result) -> None:
    import io

    data = (tmp_path / "a.jsonl").read_bytes()
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(data)))
    found = result("evaluate", "gold.jsonl", "-", "-m", "correct")
    assert found["runs"][0]["scores"] == {"correct": 2}


BAD = '{"id": "q1", "answer": "x", "confidence": %s}\n'


@pytest.mark.parametrize(
    ("name", "content", "problem"),
    [
        ("a", BAD % "1.5", "a.jsonl:1: confidence 1.5: expected a number from 0 to 1"),
        ("a", text(A[1:2]) + BAD % "NaN", "a.jsonl:2: broken JSON"),
        ("a", BAD % "-1", "a.jsonl:1: confidence -1"),
        ("a", '{"id": "q1", "outcome": "perhaps"}\n', "a.jsonl:1: outcome 'perhaps' is not known; expected correct"),
        ("a", text([A[0], A[1], A[0]]), "a.jsonl:3: question 'q1' is already answered on line 1"),
        (
            "a",
            text([A[0], {"id": "q7", "answer": "x"}]),
            "a.jsonl:2: answers question 'q7', which is not in gold.jsonl",
        ),
        ("a", text(A[:2]) + '{"id": "q3",\n', "a.jsonl:3: broken JSON"),
        ("a", "", "a.jsonl: holds no answers"),
        ("a", "\n\n", "a.jsonl: holds no answers"),
        ("gold", text([*GOLD, {"id": "q5"}]), "gold.jsonl:5: question 'q5' has no answers"),
        ("gold", text([*GOLD, GOLD[0]]), "gold.jsonl:5: question 'q1' is already on line 1"),
        ("gold", text(GOLD)[:-10], "gold.jsonl:4: broken JSON"),
    ],
)
def test_bad_input(files, tmp_path, name, content, problem, run) -> None:
    files(**{name: content})
    before = sorted(tmp_path.iterdir())
    code, out, err = run("evaluate", "gold.jsonl", "a.jsonl", "b.jsonl", "-o", "out.json")
    assert (code, out) == (3, "")
    assert problem in err
    assert "Traceback" not in err
    assert sorted(tmp_path.iterdir()) == before, "nothing written"


def test_a_run_of_another_format_is_refused(files, tmp_path, run) -> None:
    (tmp_path / "run").write_text("1 Q0 a 1 1.0 t\n")
    code, _, err = run("evaluate", "gold.jsonl", "run")
    assert code == 3
    assert "run:1: broken JSON" in err


def test_missing_error(files, run) -> None:
    files(a=A[:1])
    code, _, err = run("evaluate", "gold.jsonl", "a.jsonl", "--missing", "error")
    assert code == 3
    assert "a.jsonl: run 'a' has no results for question 'q2' and 2 more" in err


# assay threshold


def test_validation_f_has_the_baselines_as_rows(files, run, result) -> None:
    """Of c's four candidates two are right; it accepts one of them and nothing else: P 1, R 1/2, F 2/3."""
    right = {"q1": "Paris", "q3": "Rome"}
    answers = [{"id": f"q{i}", "answer": None, "candidate": right.get(f"q{i}", "Bern")} for i in (2, 3, 4)]
    files(c=[{"id": "q1", "answer": "Paris"}, *answers])
    code, out, _ = run("evaluate", "gold.jsonl", "c.jsonl", "-m", "validation_F")
    rows = [line.split() for line in out.splitlines()]
    assert code == 0
    assert rows[4][:7] == ["c", "4", "2", "1", "1.0000", "0.5000", "0.6667"]
    assert rows[5][:8] == ["accept", "all", "4", "2", "4", "0.5000", "1.0000", "0.6667"]
    assert rows[6][:8] == ["accept", "half", "4", "2", "2", "0.5000", "0.5000", "0.5000"]
    found = result("evaluate", "gold.jsonl", "c.jsonl", "-m", "validation_F")["validation"]
    assert [one["name"] for one in found["baselines"]] == ["accept all", "accept half"]
    # b withholds nothing that it names: there is no such table.
    assert "validation" not in result("evaluate", "gold.jsonl", "b.jsonl", "-m", "validation_F")


def test_leaderboard_and_median_by_group_of_runs(files, tmp_path, run, result) -> None:
    """c@1 of a is .625 and of b .5; c, which says no language, answers nothing."""
    files(c=[{"id": "q1", "answer": None}])
    (tmp_path / "runs.toml").write_text('[a]\nlanguage = "de"\n[b]\nlanguage = "de"\n[c]\nteam = "x"\n')
    words = ("evaluate", "gold.jsonl", "b.jsonl", "a.jsonl", "c.jsonl", "--characteristics", "runs.toml", "-m", "c@1")
    code, out, err = run(*words, "--group-by", "language")
    assert code == 0
    assert [line.split()[-1] for line in out.splitlines()[1:]] == ["0.6250", "0.5000", "0.5625", "0.0000", "0.0000"]
    assert "runs in the group 'without language': c" in err
    german, none = result(*words, "--group-by", "language")["groups"]["groups"]
    assert ([one["run"] for one in german["places"]], german["median"]) == (["a", "b"], {"c@1": 0.5625})
    assert none["group"] == {"value": None, "label": "without language", "runs": ["c"]}
    _, out, _ = run(*words, "--group-by", "language", "-f", "csv")
    assert out.splitlines()[:2] == ["language,run,topics,rank,c@1", "de,a,4,1,0.625"]
    code, _, err = run(*words, "--group-by", "lang")
    assert (code, "--group-by lang: unknown characteristic; characteristics are language, team" in err) == (2, True)
