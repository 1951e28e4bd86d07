"""Intervals of outcomes: they agree with their verdict, hold their estimate, and never reward a loss."""

from __future__ import annotations

import json

import numpy as np
import pytest
from scipy.stats import norm

import assay
from assay.stats.paired_proportions import tango_interval

Z = norm.ppf(0.975)


def pair_of(wins: int, losses: int, n: int, right: int = 0, **options):
    """Compare two runs right on `right` questions both, on `wins` the new one alone, on `losses` the old one."""
    values = np.zeros((n, 2))
    values[:right] = 1
    values[right : right + wins, 0] = 1
    values[right + wins : right + wins + losses, 1] = 1
    table = assay.scores(values, runs=["new", "old"])
    return assay.compare(table, pairs=[("new", "old")], **options).pairs[0]


@pytest.mark.parametrize(
    ("losses", "n", "verdict"),
    [(1, 100, "undecided"), (0, 100, "undecided"), (1, 1000, "non-inferior"), (0, 1000, "non-inferior")],
)
def test_one_loss_and_none_at_a_margin_of_three_percent(losses, n, verdict) -> None:
    """Without a disagreement the end is z²/(n + z²): .0370 of 100, .0038 of 1000."""
    pair = pair_of(0, losses, n, right=n - losses, margin=0.03)
    low, high = tango_interval(0, losses, n, Z)
    assert (pair.interval.low, pair.interval.high) == pytest.approx((float(low), float(high)))
    assert pair.gate == verdict
    if not losses:
        assert pair.interval.high == pytest.approx(Z**2 / (n + Z**2))


def test_fewer_losses_never_give_a_worse_verdict() -> None:
    worst_first = ("inferior", "undecided", "non-inferior")
    for wins in (0, 1, 3):
        verdicts = [worst_first.index(pair_of(wins, losses, 60, margin=0.1).gate) for losses in range(0, 30, 2)]
        assert verdicts == sorted(verdicts, reverse=True)
        assert len(set(verdicts)) > 1


def test_the_upper_bound_is_shared_by_all_verdicts_and_the_lower_one_is_not() -> None:
    alone, among = (pair_of(2, 9, 80, margin=0.02, verdicts=count) for count in (1, 12))
    assert among.gate_bounds[0] == alone.gate_bounds[0] == pytest.approx(float(tango_interval(2, 9, 80, Z)[0]))
    expected = float(tango_interval(2, 9, 80, norm.ppf(1 - 0.025 / 12))[1])
    assert among.gate_bounds[1] == pytest.approx(max(expected, 0.0))
    assert among.interval == alone.interval


@pytest.mark.slow
def test_a_hundred_thousand_pairs_agree_with_their_verdict_and_hold_their_estimate() -> None:
    rng = np.random.default_rng(7)
    for units in (8, 25, 60):
        shares = rng.beta(1, 1, 260)
        shared = rng.random((units, 1)) < 0.7
        values = np.where(shared, rng.random((units, 1)) < shares, rng.random((units, 260)) < shares).astype(float)
        for correct in ("none", "maxt"):
            result = assay.compare(assay.scores(values), correct=correct, resamples=999)
            for pair in result.pairs:
                assert pair.interval.low <= pair.difference <= pair.interval.high
                assert pair.significant == (not pair.interval.low <= 0 <= pair.interval.high), pair


@pytest.mark.parametrize("measure", ["c@1", "precision", "score"])
def test_ratios_and_partial_credit_agree_too(measure) -> None:
    rng = np.random.default_rng(3)
    names = ("correct", "incorrect", "unanswered")
    for _ in range(8):
        n = int(rng.integers(35, 90))
        if measure == "score":
            runs = {
                name: [{"id": f"q{i}", "score": round(float(x), 2)} for i, x in enumerate(rng.beta(0.3, 0.3, n))]
                for name in "ab"
            }
        else:
            runs = {
                name: [
                    {"id": f"q{i}", "outcome": names[k]} for i, k in enumerate(rng.choice(3, n, p=[0.6, 0.35, 0.05]))
                ]
                for name in "ab"
            }
        text = {name: "\n".join(json.dumps(row) for row in rows).encode() for name, rows in runs.items()}
        [pair] = assay.compare(assay.evaluate(None, text, measure), measure, resamples=999).pairs
        assert pair.interval.low <= pair.difference <= pair.interval.high
        assert pair.significant == (not pair.interval.low <= 0 <= pair.interval.high)


def test_equal_ratios_are_as_wide_as_what_could_have_differed() -> None:
    """12 questions on which two runs never differed: a share of 1 - .025^(1/12) of them could, and c@1 reaches from 0 to 1."""
    rows = [{"id": f"q{i}", "outcome": "unanswered" if i < 4 else "correct"} for i in range(12)]
    text = "\n".join(json.dumps(row) for row in rows).encode()
    [pair] = assay.compare(assay.evaluate(None, {"a": text, "b": text}, "c@1"), "c@1").pairs
    assert 0.3 > pair.interval.high == -pair.interval.low >= 1 - 0.025 ** (1 / 12)


def outcomes_of(losses: int, n: int) -> assay.Scores:
    lines = {
        name: "\n".join(json.dumps({"id": f"q{i}", "outcome": outcome(i)}) for i in range(n)).encode()
        for name, outcome in (("new", lambda i: "incorrect" if i < losses else "correct"), ("old", lambda i: "correct"))
    }
    return assay.evaluate(None, lines, "accuracy")


@pytest.mark.parametrize(("losses", "p"), [(1, 1.0), (6, 2.0**-5)])
def test_few_disagreements_of_a_thousand_answers_are_counted_exactly(losses, p) -> None:
    """Of m disagreements all one way p is 2/2^m. With one, no difference could have been significant, and none is named."""
    [pair] = assay.compare(outcomes_of(losses, 1000), pairs=[("new", "old")], margin=0.03).pairs
    assert (pair.exact, pair.p["randomisation"], pair.gate) == (True, p, "non-inferior")
    if losses == 1:
        assert "allow no p below 1, whichever run wins them" in pair.sentence
        assert pair.critical is None
