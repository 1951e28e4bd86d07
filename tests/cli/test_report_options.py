"""The options that `assay report` and `assay view` share."""

from __future__ import annotations

from assay.cli import main


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
    # The leaderboard has the interval of RR either way, the table of measures that of P@5 where it is asked for.
    rows = [
        next(line for line in text.partition("\nMeasures\n")[2].splitlines() if line.startswith("good "))
        for text in (both, plain)
    ]
    assert [row.count("[") for row in rows] == [1, 0]
    assert all("95% interval" in text.partition("\nMeasures\n")[0] for text in (both, plain))
    assert main([*asked, "--correct", "holm"]) == 0
    assert "Holm" in capsys.readouterr().out
