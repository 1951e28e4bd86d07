"""The options that `assay report` and `assay view` share: sections from other commands, and what they refuse."""

from __future__ import annotations

import pytest

import assay
from assay.cli import main


def judged(here, name: str, documents: str) -> str:
    (here / name).write_text("".join(f"{topic} 0 {d} {(ord(d) + topic) % 2}\n" for topic in (1, 2) for d in documents))
    return name


def test_the_check_and_the_judges_are_sections(here, capsys):
    ann, bob = judged(here, "ann.qrels", "abcd"), judged(here, "bob.qrels", "abce")
    (here / "rules.toml").write_text("depth = 1\n")
    words = ["--check", "--rules", "rules.toml", "--judges", ann, "--judges", bob, "--trials", "0"]
    assert main(["report", "qrels.txt", "runs", *words]) == 0
    shown = capsys.readouterr().out
    assert "The submissions" in shown
    assert "depth" in shown
    assert "Do the judges agree?" in shown
    assert main(["report", "qrels.txt", "runs", "--trials", "0"]) == 0
    shown = capsys.readouterr().out
    assert "The submissions" not in shown
    assert "Do the judges agree?" not in shown


def test_judges_are_held_against_one_at_a_grade_and_at_the_level_of_the_report(here, monkeypatch):
    ann, bob = judged(here, "ann.qrels", "abcd"), judged(here, "bob.qrels", "abce")
    asked: list[dict] = []
    agree = assay.agree
    monkeypatch.setattr(assay, "agree", lambda judges, **given: asked.append(given) or agree(judges, **given))
    words = ["--judges", ann, "--judges", bob, "--trials", "0", "--reference", "ann", "--at", "1", "--level", "2"]
    assert main(["report", "qrels.txt", "runs", *words]) == 0
    assert [{name: one[name] for name in ("reference", "at", "level")} for one in asked] == [
        {"reference": "ann", "at": "1", "level": 2}
    ]


def test_what_people_would_say_is_a_section(here, capsys):
    (here / "m.csv").write_text(
        "run,id,outcome\n" + "".join(f"{r},q{i},{(i + k) % 3 > 0:d}\n" for k, r in enumerate("ab") for i in range(40))
    )
    (here / "h.csv").write_text("run,id,human\n" + "".join(f"{r},q{i},{i % 2}\n" for r in "ab" for i in range(12)))
    assert main(["report", "m.csv", "--human", "h.csv", "--trials", "0"]) == 0
    shown = " ".join(capsys.readouterr().out.split())
    assert "What would people say?" in shown
    assert "A machine judged 2 runs on 40 questions, and people 12 of them for each run." in shown
    assert main(["report", "m.csv", "--human", "h.csv", "--trials", "0", "-m", "correct", "-m", "precision"]) == 0
    assert "precision with intervals" in capsys.readouterr().out
    some = judged(here, "some.qrels", "abcd")
    assert main(["report", "qrels.txt", "runs", "--human", some, "--trials", "0", "-m", "nDCG@10"]) == 0
    assert "nDCG@10 with intervals" in capsys.readouterr().out


def test_judges_who_share_nothing_are_an_error_and_nothing_is_written(here, capsys):
    ann, eve = judged(here, "ann.qrels", "abc"), judged(here, "eve.qrels", "xyz")
    before = sorted(here.iterdir())
    assert main(["report", "qrels.txt", "runs", "--judges", ann, "--judges", eve, "-o", "r.html"]) == 3
    assert "no pair of topic and document was judged by two judges" in capsys.readouterr().err
    assert sorted(here.iterdir()) == before


@pytest.mark.parametrize(
    ("words", "code", "told"),
    [
        (["--rules", "rules.toml"], 2, "--rules rules.toml needs --check"),
        (["--at", "2"], 2, "--at 2 needs --judges"),
        (["--reference", "ann"], 2, "--reference ann needs --judges"),
        (["--human", "absent.qrels"], 3, "absent.qrels: cannot be read"),
        (["--judges", "absent.qrels", "--judges", "gone.qrels"], 3, "absent.qrels: cannot be read"),
        (["--judges", "qrels.txt"], 2, "at least 2 judges"),
        (["--check", "--rules", "absent.toml"], 3, "absent.toml"),
        (
            ["--judges", "ann.qrels", "--judges", "bob.qrels", "-o", "ann.qrels"],
            2,
            "would overwrite the input ann.qrels",
        ),
    ],
)
def test_what_is_refused(here, capsys, words, code, told):
    judged(here, "ann.qrels", "abc")
    judged(here, "bob.qrels", "abc")
    assert main(["report", "qrels.txt", "runs", "--trials", "0", *words]) == code
    assert told in capsys.readouterr().err


def test_scores_alone_have_no_files_to_check(here, capsys):
    (here / "ap.csv").write_text("topic,a,b\n1,0.5,1\n2,0,0.25\n")
    assert main(["report", "--scores", "ap.csv", "--trials", "0", "--check"]) == 2
    assert "--check needs the runs as files" in capsys.readouterr().err
