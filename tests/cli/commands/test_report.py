"""`assay report`: what it refuses, before anything is read or written."""

from __future__ import annotations

import weakref

import pytest

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


def test_texts_of_topics_and_documents(here, capsys):
    (here / "docs.tsv").write_text("nobody\tNothing\n")
    words = ["report", "qrels.txt", "runs", "-m", "RR", "--trials", "0", "-o", "r.html"]
    assert main([*words, "--docs", "docs.tsv"]) == 3
    assert "docs.tsv: has none of the" in capsys.readouterr().err
    (here / "topics.tsv").write_text("broken\n")
    assert main([*words, "--topics", "topics.tsv"]) == 3
    assert "topics.tsv:1: found 'broken'; expected TREC topics" in capsys.readouterr().err
    assert main([*words[:-1], "topics.tsv", "--topics", "topics.tsv"]) == 2
    assert not (here / "r.html").exists()


def test_averages_over_few_topics_are_refused(here, capsys):
    assert main(["report", "qrels.txt", "runs", "-m", "RR", "--trials", "0", "--aggregate"]) == 2
    assert "--aggregate: averages over" in capsys.readouterr().err


def test_a_report_is_called_by_its_folder_its_title_or_its_run(here, capsys):
    def first(*more):
        assert main(["report", "qrels.txt", "runs", "-m", "RR", "--trials", "0", *more]) == 0
        return capsys.readouterr().out.splitlines()[:2]

    assert first()[0].strip() == here.name
    assert first("--title", "TREC 99")[0].strip() == "TREC 99"
    assert [line.strip() for line in first("--title", "TREC 99", "--run", "good")] == ["good", "TREC 99"]
    assert "qrels.txt" not in " ".join(first())


def test_intervals_stand_beside_every_measure_and_corrections_are_said(here, capsys):
    asked = ["report", "qrels.txt", "runs", "-m", "RR", "-m", "P@5", "--trials", "0"]
    assert main(asked) == 0
    plain = capsys.readouterr().out
    assert main([*asked, "--intervals"]) == 0
    both = capsys.readouterr().out
    row = next(line for line in both.splitlines() if " good" in line and "[" in line)
    assert row.count("[") == 2
    row = next(line for line in plain.splitlines() if " good" in line and "[" in line)
    assert row.count("[") == 1
    assert main([*asked, "--correct", "holm"]) == 0
    assert "Holm" in capsys.readouterr().out


def test_a_table_of_scores_is_reported(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "ap.csv").write_text("topic,a,b\n1,0.5,0.25\n2,0.75,0.5\n3,1.0,0.5\n", encoding="utf-8")
    assert main(["report", "--scores", "ap.csv", "--trials", "0"]) == 0
    shown = capsys.readouterr().out
    assert "0.7500" in shown
    assert shown.splitlines()[0].strip() == tmp_path.name
