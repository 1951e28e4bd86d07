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
