"""`assay report`: sections from other commands, and what it refuses before anything is read or written."""

from __future__ import annotations

import weakref

import pytest

import assay
from assay.cli import main
from assay.cli.commands import report
from assay.reports import pdf


def test_an_unknown_run_is_named_and_nothing_is_written(here, capsys):
    out = here / "r.html"
    assert main(["report", "qrels.txt", "runs", "--run", "nobody", "-o", str(out)]) == 2
    assert "nobody" in capsys.readouterr().err
    assert not out.exists()


def test_an_unknown_ending_is_refused_before_anything_is_read(tmp_path, capsys):
    assert main(["report", "absent", "absent", "-o", str(tmp_path / "r.docx")]) == 2
    assert ".html, .pdf or .txt" in capsys.readouterr().err


def test_a_negative_number_of_trials_is_refused_before_anything_is_read(capsys):
    assert main(["report", "absent", "absent", "--trials", "-5"]) == 2
    assert "--trials -5" in capsys.readouterr().err


def test_the_text_is_printed_and_a_file_is_named(here, capsys):
    assert main(["report", "qrels.txt", "runs", "-m", "RR", "--trials", "0"]) == 0
    shown = capsys.readouterr().out
    assert main(["report", "qrels.txt", "runs", "-m", "RR", "--trials", "0", "-o", "r.txt"]) == 0
    assert capsys.readouterr().out == ""
    written = (here / "r.txt").read_text(encoding="utf-8")
    for line in ("good", "poor"):
        assert line in shown
        assert line in written


def test_the_runs_are_let_go_of_before_a_book_is_set(here, monkeypatch):
    """The typesetter takes more memory than they do."""
    pytest.importorskip("typst", reason="typst is not installed")
    alive = []
    laid_out = report.make_report

    def watched(args, scores, **more):
        made = laid_out(args, scores, **more)
        alive[:] = [weakref.ref(one) for one in (scores, scores.run("good").views, made)]
        return made

    def typeset(pages):
        assert '"run": "good"' in pages
        return repr([one() for one in alive]).encode()

    monkeypatch.setattr(report, "make_report", watched)
    monkeypatch.setattr(pdf, "typeset", typeset)
    assert main(["report", "qrels.txt", "runs", "-m", "RR", "--trials", "0", "-o", "r.pdf"]) == 0
    assert (here / "r.pdf").read_text() == "[None, None, None]"


def test_averages_over_few_topics_are_refused(here, capsys):
    assert main(["report", "qrels.txt", "runs", "-m", "RR", "--trials", "0", "--aggregate"]) == 2
    assert "--aggregate: averages over" in capsys.readouterr().err


def test_a_table_of_scores_is_reported(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "ap.csv").write_text("topic,a,b\n1,0.5,0.25\n2,0.75,0.5\n3,1.0,0.5\n", encoding="utf-8")
    assert main(["report", "--scores", "ap.csv", "--trials", "0"]) == 0
    shown = capsys.readouterr().out
    assert "0.7500" in shown
    assert shown.splitlines()[0].strip() == tmp_path.name


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


def test_a_plan_is_a_section(here, capsys):
    assert main(["report", "qrels.txt", "runs", "-m", "AP", "--plan", "0.5", "--trials", "0"]) == 0
    shown = capsys.readouterr().out
    assert "How many topics are needed?" in shown
    assert "Power by number of topics" in shown
