"""The pages of a ranked run."""

from __future__ import annotations


def test_a_ranked_topic_as_the_source_works_it_out(text):
    """Relevant at 1, 2, 4 and 15 of 4: interpolated 1 to .5, .75 at .6 and .7, .27 from .8; R-precision 3/4."""
    lines = "\n".join(text("ranked", "--run", "best"))
    for shown in ("0.50 1.0000", "0.60 0.7500", "0.70 0.7500", "0.80 0.2667", "1.00 0.2667", "Exact 0.7500"):
        assert shown in lines


def test_a_run_that_found_nothing_and_a_missing_topic(text):
    lines = text("ranked", "--run", "none")
    assert "Rel_ret 0" in "\n".join(lines)
    assert "2 4 n/a 0.0000 0.0000 0.0000" in lines


def test_a_topic_that_enters_nobodys_average_has_no_value_in_anybodys_report(text):
    """Under `missing=common` topic 2, which two runs lack, counts for none: not for the run that has it either."""
    lines = text("ranked", "--missing", "common", "--run", "best")
    assert any(line.startswith("1 4 4 0.7542 ") for line in lines)
    assert "2 4 n/a n/a n/a n/a" in lines
    assert any(line.startswith("Number of topics 1") for line in lines)


CHARACTERISTICS = """task = "ad hoc"

[best]
organisation = "Cornell"
type = "automatic"

[some]
organisation = "Cornell"
type = "automatic"

[none]
organization = "NIST"
type = "manual"
"""


def test_the_header_has_task_and_organisation(text, tmp_path, monkeypatch):
    """The appendix of TREC 2001: a header contains the task and organization name; Table I describes the run."""
    monkeypatch.setenv("COLUMNS", "120")
    lines = text("ranked", "--run", "best")
    assert any("Task: Ranked retrieval" in line for line in lines), "the kind of evaluation, unless a task is named"
    (tmp_path / "runs.toml").write_text(CHARACTERISTICS)
    for run, organisation in (("best", "Cornell"), ("none", "NIST")):
        lines = text("ranked", "--run", run, "--characteristics", str(tmp_path / "runs.toml"))
        assert any(f"Task: ad hoc · Organisation: {organisation} · Type: " in line for line in lines)
    assert any(line.startswith("Run none, type: manual") for line in lines)


def test_the_histogram_of_corresponding_runs(text, tmp_path, monkeypatch):
    monkeypatch.setenv("COLUMNS", "120")
    (tmp_path / "runs.toml").write_text(CHARACTERISTICS)
    lines = text("ranked", "--run", "best", "--characteristics", str(tmp_path / "runs.toml"))
    # some has d10 ... d1: relevant at ranks 7, 9 and 10 of 4, so AP = (1/7 + 2/9 + 3/10)/4; best has 0.7542.
    some, best = (1 / 7 + 2 / 9 + 3 / 10) / 4, (1 + 1 + 3 / 4 + 4 / 15) / 4
    middle = (some + best) / 2
    row = f"1 4 4 {best:.4f} {some:.4f} {best - some:+.4f} {middle:.4f} {best - middle:+.4f}"
    assert row in lines
    assert {"Average precision histogram, all runs", "Average precision histogram, automatic runs"} <= {*lines}
    assert any(line.startswith("AP ") and f"{(best + some / 2) / 2:.3f}" in line for line in lines)
