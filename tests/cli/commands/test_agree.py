"""`assay agree`, as a person types it."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from assay.cli import main


@pytest.fixture(autouse=True)
def here(tmp_path, monkeypatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("ann.qrels").write_text("q1 0 a 2\nq1 0 b 0\nq2 0 a 1\nq2 0 b 0\n")
    Path("bob.qrels").write_text("q1 0 a 2\nq1 0 b 1\nq2 0 a 0\nq2 0 b 0\n")
    Path("one.run").write_text("q1 Q0 a 1 2 one\nq1 Q0 b 2 1 one\nq2 Q0 a 1 2 one\nq2 Q0 b 2 1 one\n")
    Path("two.run").write_text("q1 Q0 b 1 2 two\nq1 Q0 a 2 1 two\nq2 Q0 b 1 2 two\nq2 Q0 a 2 1 two\n")


def test_json(capfd) -> None:
    assert main(["agree", "ann.qrels", "bob.qrels", "-f", "json"]) == 0
    found = json.loads(capfd.readouterr().out)
    assert [one["judge"] for one in found["judges"]] == ["ann", "bob"]
    # Rows 0: 1 1 0; 1: 1 0 0; 2: 0 0 1: chance (2·2 + 1·1 + 1·1)/16, (8 - 6)/(16 - 6).
    assert found["coefficients"]["kappa"]["value"] == pytest.approx(0.2)
    assert found["pairs"][0]["confusion"] == [[1, 1, 0], [1, 0, 0], [0, 0, 1]]
    assert [one["document"] for one in found["disagreements"]] == ["b", "a"]
    assert found["rankings"] is None


def test_the_table_and_the_runs(capfd) -> None:
    assert (
        main(
            ["agree", "nist=ann.qrels", "bob.qrels", "--at", "1", "--runs", "one.run", "--runs", "two.run", "-m", "RR"]
        )
        == 0
    )
    out = capfd.readouterr().out
    assert "nist and bob judged 4 documents of 2 topics (4 by both)" in out
    assert "No two runs differ significantly under any judge." in out.splitlines()[0]
    assert "below 1" in out


def test_runs_are_named_by_their_files(capfd) -> None:
    words = ["agree", "ann.qrels", "bob.qrels", "--name-by", "file", "-f", "json"]
    Path("three.run").write_bytes(Path("two.run").read_bytes())
    assert main([*words, "--runs", "one.run", "--runs", "three.run"]) == 0
    rankings = json.loads(capfd.readouterr().out)["rankings"]
    assert [list(judge["runs"]) for judge in rankings["scores"]] == [["one", "three"]] * 2
    assert main(words) == 2
    assert "--name-by file is a setting for scoring runs; expected --runs with it" in capfd.readouterr().err


def test_csv_and_what_is_said_beside_it(capfd) -> None:
    with Path("bob.qrels").open("a") as file:
        file.write("q2 0 b 0\n")
    assert main(["agree", "ann.qrels", "bob.qrels", "-f", "csv"]) == 0
    out, err = capfd.readouterr()
    assert out.splitlines()[1].startswith("ann,bob,4,raw,0.5,")
    assert "bob judged 1 pair twice" in err
    assert main(["agree", "ann.qrels", "bob.qrels"]) == 0
    out, err = capfd.readouterr()
    assert "bob judged 1 pair twice" in out
    assert err == ""


VERDICTS = "id,judge,human\nq1,1,1\nq2,1,0\nq3,0,0\nq4,0,\nq5,1,1\n"


def test_the_table_of_a_judge_and_people(capfd) -> None:
    Path("judge.csv").write_text(VERDICTS)
    assert main(["agree", "judge.csv"]) == 0
    out = capfd.readouterr().out
    # 3 of 4 agree; chance is (3 · 2 + 1 · 2) / 16, and kappa (.75 - .5) / (1 - .5).
    assert out.startswith("judge and human agree on 75% of 4 answers (kappa .50, ")
    assert "judge and human judged 5 answers of 5 questions (4 by both)" in out
    assert "document" not in out
    assert "topics drawn" not in out
    Path("judge.csv").write_text(VERDICTS + "q6,N,1\n")
    assert main(["agree", "judge.csv", "-f", "json"]) == 0
    found = json.loads(capfd.readouterr().out)
    # Columns and rows: correct, incorrect, unanswered; 3 of 5 agree, chance is (3 · 3 + 1 · 2) / 25.
    assert found["pairs"][0]["confusion"] == [[2, 1, 0], [0, 1, 0], [1, 0, 0]]
    assert found["coefficients"]["kappa"]["value"] == pytest.approx((0.6 - 0.44) / 0.56)


def test_verdicts_on_answers_rank_no_runs(capfd) -> None:
    Path("judge.csv").write_text(VERDICTS)
    assert main(["agree", "judge.csv", "--runs", "one.run"]) == 2
    assert "--runs needs judgments of documents; found answers" in capfd.readouterr().err
    assert main(["agree", "judge.csv", "ann.qrels"]) == 2
    assert "found both" in capfd.readouterr().err
    Path("judge.csv").write_text("id,judge,human\nq1,1,0\nq1,0,0\n")
    assert main(["agree", "judge.csv"]) == 3
    assert "judge.csv:3: question 'q1': judge judged the answer on line 2 already" in capfd.readouterr().err


def test_a_page(capfd) -> None:
    assert main(["agree", "ann.qrels", "bob.qrels", "-o", "agree.html"]) == 0
    assert "Do the judges agree?" in Path("agree.html").read_text(encoding="utf-8")
    assert main(["agree", "ann.qrels", "bob.qrels", "-o", "agree.html", "-f", "json"]) == 2


def test_adjudication_from_end_to_end(capfd) -> None:
    words = ["agree", "ann.qrels", "bob.qrels", "--adjudicate", "open.csv"]
    assert main([*words, "--qrels", "final.qrels"]) == 2
    assert main(words) == 0
    assert "wrote open.csv: 2 documents to decide" in capfd.readouterr().err
    assert main([*words, "--qrels", "final.qrels"]) == 3
    assert "open.csv:2: no decision (2 of 2 are open)" in capfd.readouterr().err
    assert not Path("final.qrels").exists()
    Path("open.csv").write_text(Path("open.csv").read_text().replace(",,,", ",1,carol,"))
    assert main([*words, "--qrels", "final.qrels"]) == 0
    assert Path("final.qrels").read_text() == "q1 0 a 2\nq1 0 b 1\nq2 0 a 1\nq2 0 b 0\n"
    assert "q1,b,1,adjudicated,carol,,0,1" in Path("final.qrels.provenance.csv").read_text()
    assert "2 agreed, 2 adjudicated, 0 one judge" in capfd.readouterr().err
    assert main([*words, "--qrels", "ann.qrels"]) == 2  # never over what is read
    assert main([*words, "-o", "open.csv"]) == 2


@pytest.mark.parametrize(
    ("arguments", "code", "said"),
    [
        (["ann.qrels"], 2, "at least 2 judges"),
        (["ann.qrels", "none.qrels"], 3, "none.qrels: cannot be read"),
        (
            ["ann.qrels", "bob.qrels", "--scale", "0-1"],
            3,
            "ann.qrels:1: the judge gives topic q1, document a the grade '2'",
        ),
        (
            ["ann.qrels", "bob.qrels", "--pool", "pool.txt"],
            3,
            "ann.qrels:1: topic q1, document a is not in the pool (and 3 more",
        ),
        (["ann.qrels", "bob.qrels", "-m", "AP"], 2, "needs runs to rank"),
        (["ann.qrels", "bob.qrels", "--qrels", "x"], 2, "--qrels needs --adjudicate"),
        (["ann.qrels", "bob.qrels", "--reference", "eve"], 2, "unknown judge"),
        (["-", "-"], 2, "can be given only once"),
    ],
)
def test_what_is_wrong_is_said(capfd, arguments, code, said) -> None:
    Path("pool.txt").write_text("q1 b\nq2 b\n")
    assert main(["agree", *arguments]) == code
    err = capfd.readouterr().err
    assert said in err
    assert "Traceback" not in err


def decided() -> None:
    assert main(["agree", "ann.qrels", "bob.qrels", "--adjudicate", "open.csv"]) == 0
    Path("open.csv").write_text("topic,document,ann,bob,decision,by,note\nq1,b,0,1,1,,\nq2,a,1,0,0,,\n")


@pytest.mark.parametrize("there", ["final.qrels", "final.qrels.provenance.csv"])
def test_final_judgments_and_their_provenance_are_never_written_over(capfd, there) -> None:
    decided()
    Path(there).write_text("mine")
    assert main(["agree", "ann.qrels", "bob.qrels", "--adjudicate", "open.csv", "--qrels", "final.qrels"]) == 3
    assert f"{there}: exists already" in capfd.readouterr().err
    assert Path(there).read_text() == "mine"
    assert {path.name for path in Path().glob("final*")} == {there}


def test_the_page_is_no_provenance(capfd) -> None:
    decided()
    words = ["--adjudicate", "open.csv", "--qrels", "final.qrels", "-o", "final.qrels.provenance.csv"]
    assert main(["agree", "ann.qrels", "bob.qrels", *words]) == 2
    assert "--qrels writes the same file" in capfd.readouterr().err


def test_one_judge_named_twice(capfd) -> None:
    assert main(["agree", "nist=ann.qrels", "umbrela=./ann.qrels"]) == 2
    assert "ann.qrels and ./ann.qrels are the same file" in capfd.readouterr().err
