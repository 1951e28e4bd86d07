"""docs/diversity.md: the example worked out by hand."""

from __future__ import annotations

from pages import write_files

from assay.cli import main


def test_the_example_worked_out_by_hand(tmp_path, monkeypatch, capfd):
    write_files("docs/diversity.md", tmp_path)
    monkeypatch.chdir(tmp_path)
    assert main(["evaluate", "qrels.txt", "animals.run", "-m", "alpha-nDCG@3", "--per-topic", "-f", "csv"]) == 0
    assert "animals,1,0.96519" in capfd.readouterr().out
