"""docs/nonresponse.md and docs/threshold.md: what the sentences say of standard error."""

from __future__ import annotations

import tutorial_logs
from pages import write_files

from assay.cli import main


def test_remarks_of_the_pages(tmp_path, monkeypatch, capfd) -> None:
    tutorial_logs.write(tmp_path, "logs")
    write_files("docs/nonresponse.md", tmp_path)
    monkeypatch.chdir(tmp_path)
    assert main(["evaluate", "logs/"]) == 0
    assert "(japan: APIError: 503)" in capfd.readouterr().err
    assert main(["evaluate", "gold.jsonl", "runs/"]) == 0
    said = capfd.readouterr().err
    assert "careful: 2 of 10 questions missing, counted as unanswered" in said
    assert "judged by" not in said
    assert main(["threshold", "gold.jsonl", "runs/polite.jsonl", "-m", "c@1", "--seed", "1"]) == 0
    assert "the 95% interval of the gain includes 0" in capfd.readouterr().err
