"""How a simulation of answers that turn right is drawn: the finding first, then a row per share and measure."""

from __future__ import annotations

from assay.analyses.reliability.newly_correct_answers import NewlyJudged, ShareResult, Shift, TrialMean


def test_the_finding_and_a_row_per_share_and_measure():
    ranked = Shift(
        change=TrialMean(value=0.0125, error=0.0004), runs={"a": 0.0, "b": 0.025}, tau_b=TrialMean(value=0.9, error=0.01), lowest_tau_b=0.5,
        reversed=TrialMean(value=0.05, error=0.01), best_stays=0.97,
    )  # fmt: skip
    tied = Shift(
        change=TrialMean(value=-0.01, error=0.0), runs={"a": -0.01, "b": -0.01}, tau_b=None, lowest_tau_b=None, reversed=None,
        best_stays=1.0,
    )  # fmt: skip
    found = NewlyJudged(
        headline="RR", runs=["a", "b"], noun="question", questions=40, wrong=120, trials=200, seed=3,
        shares=[ShareResult(share=0.05, answers=6, measures={"RR": ranked, "Q": tied})], settings={},
    )  # fmt: skip
    text = repr(found)
    assert text.startswith(
        "If 5% of the answers judged wrong were right, the ranking of the 2 runs by RR would keep a tau of 0.90: 5.0% of the pairs "
        "change their order, and scores change by +0.0125."
    )
    rows = [line.split() for line in text.splitlines() if line.startswith("5% (6)")]
    assert rows[0][2:] == ["RR", "+0.0125", "±", "0.0004", "0.900", "±", "0.010", "0.500", "5.0%", "97.0%"]
    assert rows[1][2:] == ["Q", "-0.0100", "±", "0.0000", "n/a", "n/a", "n/a", "100.0%"]
    assert "2 runs on 40 questions; 120 distinct answers judged incorrect." in " ".join(text.split())
