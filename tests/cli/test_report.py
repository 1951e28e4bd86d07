"""`assay report`: what it refuses, before anything is read or written."""

from __future__ import annotations

from assay.cli import main


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
