"""Whether answers are calibrated: p against all outcomes there are, intervals against systems whose ECE is known."""

from __future__ import annotations

import re
from itertools import product
from math import prod

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import norm

from assay.errors import InputError, UsageError
from assay.measures.registry import find
from assay.stats import calibration as calibrating
from assay.stats.calibration import calibration

confidence = st.one_of(st.sampled_from([0.0, 0.1, 0.5, 0.9, 0.99, 1.0]), st.floats(0, 1))
answers = st.lists(st.tuples(st.integers(0, 1), confidence, st.integers(0, 4)), min_size=1, max_size=40)


@given(answers, st.integers(1, 15), st.sampled_from(["right", "left"]), st.sampled_from([0.8, 0.95]), st.booleans())
def test_the_interval_contains_both_estimates_and_0_where_nothing_is_found(drawn, bins, rule, level, together) -> None:
    correct, stated, cluster = map(list, zip(*drawn, strict=True))
    found = calibration(
        correct, stated, bins, rule, level, resamples=99, seed=3, clusters=cluster if together else None
    )
    everything = [1] * len(drawn)
    for name, ours in (("ECE", found.ece), ("ECEd", found.debiased)):
        measure = find(f"{name}(bins={bins},closed={rule})", "outcomes")
        assert ours == pytest.approx(measure(correct, everything, stated), abs=1e-12)
    low, high = found.interval
    assert 0 <= low <= found.debiased <= found.ece <= high <= 1
    assert found.calibrated == (found.p > 1 - level + 1e-9)
    if found.calibrated:
        assert low == 0
    else:
        assert low > 0 or found.debiased == 0, "the interval has to contain an estimate of 0 all the same"
    assert found.sentence.startswith("consistent" if found.calibrated else "not calibrated: ")


def exact_p(correct, stated, place) -> float:
    """The chance that answers right with the probabilities stated are as far off, over all outcomes there are."""

    def error(hits) -> float:
        gaps = {b: sum(h - p for h, p, at in zip(hits, stated, place, strict=True) if at == b) for b in set(place)}
        return sum(map(abs, gaps.values()))

    seen = error(correct)
    outcomes = product((0, 1), repeat=len(stated))
    return sum(
        prod(p if h else 1 - p for h, p in zip(hits, stated, strict=True))
        for hits in outcomes
        if error(hits) >= seen - 1e-12
    )


@pytest.mark.parametrize(
    ("correct", "stated"),
    [
        ([1, 0, 0, 0, 1], [0.9, 0.8, 0.85, 0.2, 0.15]),
        ([0, 0, 0], [0.55, 0.6, 0.9]),
        ([1, 1, 1, 1, 0, 1], [0.3, 0.35, 0.5, 0.45, 0.95, 1.0]),
        ([1, 1, 0, 1, 0, 0, 1, 1], [0.72, 0.74, 0.71, 0.78, 0.31, 0.38, 0.33, 0.36]),
    ],
)
def test_p_against_all_outcomes(correct, stated) -> None:
    place = [int(np.ceil(10 * p - 1e-9)) for p in stated]
    found = calibration(correct, stated, resamples=20_000, seed=2)
    assert found.p == pytest.approx(exact_p(correct, stated, place), abs=0.012)


def drawn(n: int, trial: int, right) -> tuple[np.ndarray, np.ndarray]:
    """Confidences from 0 to 1, right with a probability of their own."""
    random = np.random.default_rng([n, trial])
    stated = random.random(n)
    return (random.random(n) < right(stated)).astype(int), stated


def true_ece(right) -> float:
    """Over ten bins, where every confidence is as likely as another."""
    stated = (np.arange(100_000) + 0.5) / 100_000
    return float(np.abs((right(stated) - stated).reshape(10, -1).mean(axis=1)).mean())


@pytest.mark.slow
@pytest.mark.parametrize("n", [50, 200, 1000])
def test_a_calibrated_system_is_refused_one_time_in_twenty(n) -> None:
    """250 runs: between 3% and 7%, as counted with these seeds."""
    found = [calibration(*drawn(n, t, lambda p: p), resamples=199, seed=t) for t in range(250)]
    assert 7 <= sum(not one.calibrated for one in found) <= 18
    assert all(one.interval[0] == 0 for one in found if one.calibrated)


@pytest.mark.slow
@pytest.mark.parametrize("n", [50, 200])
@pytest.mark.parametrize(
    "right",
    [
        lambda p: np.clip(p - 0.15, 0, 1),
        lambda p: p + 0.2 * (1 - p),
        lambda p: np.where((p > 0.8) & (p <= 0.9), p - 0.5, p),
    ],
    ids=["overconfident", "underconfident", "one bin"],
)
def test_the_interval_contains_the_truth(n, right) -> None:
    """Of 150 intervals, 138 (92%) or more; those at which gaps shrink alike miss a single wrong bin one time in four."""
    true = true_ece(right)
    found = [calibration(*drawn(n, t, right), resamples=199, seed=t) for t in range(150)]
    assert sum(one.interval[0] <= true <= one.interval[1] for one in found) >= 138
    width = sum(one.interval[1] - one.interval[0] for one in found) / 150
    assert width < 4 / n**0.5 * 0.65, "and says something"


def test_one_bin_by_hand() -> None:
    """2,500 answers at 0.75 of which 1,750 are right: a gap of 0.05, nearly 6 standard errors of what was stated."""
    found = calibration([1] * 1750 + [0] * 750, [0.75] * 2500, resamples=4000)
    assert found.ece == pytest.approx(0.05)
    assert found.p == 1 / 4001
    low = found.interval[0]
    # At the low end, 0.05 is where its own tail begins: of 5% at a gap of 0, of 2.5% at 0.05, and of so much between.
    tail = norm.sf((0.05 - low) / ((0.75 - low) * (0.25 + low) / 2500) ** 0.5)
    assert tail == pytest.approx(0.05 * (1 - low / 0.05 / 2), abs=0.005)
    share = (1750 + 1.959964**2 / 2) / (2500 + 1.959964**2)
    assert found.interval[1] == pytest.approx(0.05 + 1.959964 * (share * (1 - share) / 2500) ** 0.5)


def test_how_many_answers_a_bin_gets_is_chance_too() -> None:
    """50 answers at 1 and 50 at 0, all wrong: another hundred would be at 1 more often, or less, than 50 times."""
    found = calibration([0] * 100, [1.0] * 50 + [0.0] * 50, resamples=4000)
    share = (0 + 1.959964**2 / 2) / (50 + 1.959964**2)
    variance = 2 * 50 * share * (1 - share) + 50 * 0.5**2 + 50 * 0.5**2
    assert found.interval[1] == pytest.approx(0.5 + 1.959964 * variance**0.5 / 100)
    assert found.interval[0] < 0.43, "the share of answers at 1, 1.96 standard errors of 0.05 below"
    random = np.random.default_rng(4)
    ones = [random.binomial(100, 0.5) for _ in range(200)]
    ends = [calibration([0] * 100, [1.0] * k + [0.0] * (100 - k), resamples=199).interval for k in ones]
    assert sum(low <= 0.5 <= high for low, high in ends) >= 184


def test_the_high_end_of_clusters_by_hand() -> None:
    """Four passages of 25 answers at 0.5, three of them all right: 25 · (0.5 - 0.25) thrice, 25 · (-0.5 - 0.25) once."""
    correct, names = [1] * 75 + [0] * 25, [i // 25 for i in range(100)]
    found = calibration(correct, [0.5] * 100, clusters=names)
    variance = (3 * 6.25**2 + 18.75**2) * 4 / 3
    assert found.interval[1] == pytest.approx(0.25 + 1.959964 * variance**0.5 / 100)


def test_clusters_are_no_more_evidence_than_they_have_answers() -> None:
    """Every answer given five times over: alone they refuse a calibrated system often, together they do not."""
    alone = together = 0
    for trial in range(100):
        correct, stated = (np.repeat(column, 5) for column in drawn(60, trial, lambda p: p))
        names = [f"passage {i // 5}" for i in range(300)]
        alone += not calibration(correct, stated, resamples=99, seed=trial).calibrated
        together += not calibration(correct, stated, resamples=99, seed=trial, clusters=names).calibrated
    assert alone > 60
    assert together <= 12


def test_clusters_of_one_are_no_clusters() -> None:
    correct, stated = drawn(40, 1, lambda p: p)
    assert calibration(correct, stated, clusters=range(40)) == calibration(correct, stated)


def test_the_same_seed_gives_the_same_result_however_many_are_held(monkeypatch) -> None:
    correct, stated = drawn(80, 2, lambda p: 0.5 * p)
    clusters = [i // 3 for i in range(80)]
    first = [calibration(correct, stated, resamples=200, seed=5, clusters=names) for names in (None, clusters)]
    monkeypatch.setattr(calibrating, "BATCH", 1)
    assert [calibration(correct, stated, resamples=200, seed=5, clusters=names) for names in (None, clusters)] == first
    other = calibration(correct, stated, resamples=200, seed=6)
    assert other.interval[0] != first[0].interval[0]


def test_the_sentence() -> None:
    assert calibration([1, 0] * 50, [0.5] * 100).sentence.startswith("consistent with being calibrated, p = 1.0000")
    found = calibration([0] * 100, [1.0] * 100, resamples=999).sentence
    assert re.fullmatch(
        r"not calibrated: ECE is 1\.0000 without what chance adds, 0\.\d{4} to 1\.0000, p = 0\.0010", found
    )


@pytest.mark.parametrize(
    ("options", "error", "problem"),
    [
        ({"correct": [1, 0, 1]}, InputError, "one confidence for each answer, found 2 for 3"),
        ({"correct": [], "confidence": []}, InputError, "no answer was given"),
        ({"correct": [1, 2]}, InputError, r"expected 1 \(correct\) or 0"),
        ({"confidence": [0.5, 1.5]}, InputError, "expected confidences from 0 to 1"),
        ({"confidence": [0.5, None]}, InputError, "expected confidences from 0 to 1"),
        ({"bins": 0}, UsageError, "`bins=0`: expected a whole number of at least 1"),
        ({"rule": "middle"}, UsageError, "`rule='middle'`: expected one of right, left"),
        ({"confidence_level": 1}, UsageError, "`confidence_level=1`"),
        ({"resamples": 0}, UsageError, "`resamples=0`: expected a whole number of at least 1"),
        ({"clusters": ["a"]}, InputError, "a cluster for each of 2 answers, found 1"),
    ],
)
def test_what_cannot_be_asked(options, error, problem) -> None:
    with pytest.raises(error, match=problem):
        calibration(**{"correct": [1, 0], "confidence": [0.5, 0.6], **options})
