"""What `assay trec_eval` reads: qrels, preferences, and runs as either version keeps them."""

from __future__ import annotations

import pytest

TWO = "1 0 a 1\n1 0 b 0\n2 0 a 1\n"


ONE = "1 Q0 a 1 2 t\n1 Q0 b 2 1 t\n"


def test_compat_9_keeps_scores_as_float32(trec_eval, capfd, printed) -> None:
    run = "1 Q0 a 1 0.500000001 t\n1 Q0 b 2 0.5 t\n"
    trec_eval("1 0 a 1\n1 0 b 0\n", run, "-m", "recip_rank")
    assert printed()["recip_rank", "all"] == "1.0000"
    trec_eval("1 0 a 1\n1 0 b 0\n", run, "--compat", "9", "-m", "recip_rank")
    assert printed()["recip_rank", "all"] == "0.5000"


@pytest.mark.parametrize(
    ("format", "measure"),
    [
        ("prefs", "map"),
        ("qrels_jg", "prefs_simp"),
        ("qrels_prefs", "num_rel"),
        ("qrels", "prefs_simp"),
        ("qrels_jg", "P"),
    ],
)
def test_measures_that_the_judgments_cannot_serve(trec_eval, capfd, format, measure) -> None:
    assert trec_eval(TWO, ONE, "-R", format, "-m", measure) == 2
    assert f"cannot be calculated from judgments in the format {format}" in capfd.readouterr().err


def test_preferences_have_measures_of_their_own_by_default(trec_eval, capfd, printed) -> None:
    assert trec_eval(TWO, ONE, "-c", "-R", "qrels_prefs") == 0
    assert ("prefs_simp", "all") in printed()
