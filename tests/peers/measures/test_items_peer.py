"""1PL and 2PL against girth, which integrates by Gauss and Legendre and maximises item by item."""

from __future__ import annotations

import csv
import lzma
from collections import Counter

import numpy as np
import pytest

import assay
from assay.analyses.items import responses
from assay.stats.item_response import fit, information
from assay.stats.item_statistics import statistics
from peers import peer

girth = peer("girth")
pytestmark = pytest.mark.peer
OPTIONS = {"quadrature_n": 61, "quadrature_bounds": (-6, 6)}


def made(items: int, runs: int, seed: int) -> np.ndarray:
    draw = np.random.default_rng(seed)
    slope, location, ability = draw.uniform(0.6, 2, items), draw.normal(0, 1, items), draw.normal(0, 1, runs)
    return (draw.random((items, runs)) < 1 / (1 + np.exp(-slope[:, None] * (ability - location[:, None])))).astype(
        float
    )


def likelihood(values: np.ndarray, slope: np.ndarray, location: np.ndarray) -> float:
    points, weights = np.polynomial.hermite_e.hermegauss(80)
    logits = slope[:, None] * (points - location[:, None])
    logs = -values.T @ np.logaddexp(0, -logits) - (1 - values).T @ np.logaddexp(0, logits)
    return float(np.log(np.exp(logs) @ (weights / weights.sum())).sum())


@pytest.mark.parametrize(("items", "runs", "seed"), [(20, 500, 1), (30, 1000, 2), (12, 300, 3)])
def test_2pl(items: int, runs: int, seed: int) -> None:
    """Girth stops at a change of a thousandth: its numbers are near ours, and never more likely."""
    values = made(items, runs, seed)
    ours, theirs = fit(values, "2PL"), girth.twopl_mml(values.astype(int), options=OPTIONS)
    assert ours.converged
    assert ours.slope == pytest.approx(theirs["Discrimination"], abs=0.02)
    assert ours.location == pytest.approx(theirs["Difficulty"], abs=0.02)
    assert ours.log_likelihood >= likelihood(values, theirs["Discrimination"], theirs["Difficulty"]) - 1e-6


@pytest.mark.parametrize(("items", "runs", "seed"), [(20, 500, 1), (30, 1000, 2), (12, 300, 3)])
def test_1pl(items: int, runs: int, seed: int) -> None:
    values = made(items, runs, seed)
    ours, theirs = fit(values, "1PL"), girth.onepl_mml(values.astype(int), options=OPTIONS)
    slopes = np.full(items, theirs["Discrimination"])
    assert ours.slope == pytest.approx(slopes, abs=0.01)
    assert ours.location == pytest.approx(theirs["Difficulty"], abs=0.03)
    assert ours.log_likelihood >= likelihood(values, slopes, theirs["Difficulty"]) - 1e-6


def test_answers_that_are_missing() -> None:
    values = made(20, 600, 4)
    holes = np.random.default_rng(0).random(values.shape) < 0.15
    tagged = girth.tag_missing_data(np.where(holes, -1, values).astype(int), [0, 1])
    ours, theirs = fit(np.where(holes, np.nan, values), "2PL"), girth.twopl_mml(tagged, options=OPTIONS)
    assert ours.slope == pytest.approx(theirs["Discrimination"], abs=0.03)
    assert ours.location == pytest.approx(theirs["Difficulty"], abs=0.03)


def test_2pl_of_83_models_on_real_questions(shared_data) -> None:
    """Every 400th question of MMLU-Pro, those of moderate slopes: girth keeps slopes between .25 and 4."""
    scores = assay.evaluate(str(shared_data("llm_calibration_mmlu_pro", "answers.csv.xz")), columns="id=id,gold=gold")
    values = responses(scores).values[::400]
    share = values.mean(axis=1)
    values = values[(share > 0.2) & (share < 0.9) & (statistics(values).rest > 0.2)]
    assert len(values) >= 10
    ours, theirs = fit(values, "2PL"), girth.twopl_mml(values.astype(int), options=OPTIONS)
    assert ours.converged
    moderate = (ours.slope > 0.3) & (ours.slope < 3)
    assert ours.slope[moderate] == pytest.approx(theirs["Discrimination"][moderate], abs=0.1)
    assert ours.location[moderate] == pytest.approx(theirs["Difficulty"][moderate], abs=0.1)
    assert ours.log_likelihood >= likelihood(values, theirs["Discrimination"], theirs["Difficulty"]) - 1e-6


def test_point_biserial_is_girths_and_scipys() -> None:
    from scipy.stats import pointbiserialr

    values = made(15, 120, 6)
    found = statistics(values)
    for i in range(15):
        others = np.delete(values, i, axis=0).mean(axis=0)
        assert found.rest[i] == pytest.approx(pointbiserialr(values[i], others).statistic)
        assert found.total[i] == pytest.approx(pointbiserialr(values[i], values.mean(axis=0)).statistic)


def test_chance_is_scipys_exact_rank_sum() -> None:
    from scipy.stats import mannwhitneyu

    values = made(300, 25, 7)
    found = statistics(values)
    compared = 0
    for i in range(300):
        others = (values.sum(axis=0) - values[i]).round(9)
        right, wrong = others[values[i] == 1], others[values[i] == 0]
        if len(set(others.tolist())) == 25 and len(right) and len(wrong):
            assert found.p[i] == pytest.approx(mannwhitneyu(right, wrong, alternative="less", method="exact").pvalue)
            compared += 1
    assert compared > 20


def test_information_is_the_curvature_of_the_likelihood() -> None:
    """Fisher's information of θ: minus the second derivative of log P, averaged over right and wrong; for a logit of both the same."""
    a, b, theta, h = 1.7, -0.4, 0.3, 1e-4

    def log_right(t: float) -> float:
        return -float(np.log1p(np.exp(-a * (t - b))))

    curvature = -(log_right(theta + h) - 2 * log_right(theta) + log_right(theta - h)) / h**2
    assert information(a, b, theta) == pytest.approx(curvature, rel=1e-4)


@pytest.fixture(scope="module")
def models(shared_data):
    """The answers of 83 language models to MMLU-Pro: by question, and the columns that are models."""
    with lzma.open(shared_data("llm_calibration_mmlu_pro", "answers.csv.xz"), "rt", encoding="utf-8") as file:
        rows = list(csv.DictReader(file))
    return rows, [name for name in rows[0] if name not in ("id", "category", "gold") and any(row[name] for row in rows)]


def right(rows, runs, gold) -> np.ndarray:
    return np.array([[row[run] == letter for run in runs] for row, letter in zip(rows, gold, strict=True)], dtype=float)


def test_the_best_models_agree_on_another_letter_where_a_question_is_suspicious(models) -> None:
    """Models that are simply wrong do not: on the questions that survive, 7 or more of the ten best give one letter, not the gold's."""
    rows, runs = models
    gold = [row["gold"] for row in rows]
    values = right(rows, runs, gold)
    found = statistics(values)
    best = [runs[i] for i in np.argsort(-values.mean(axis=0))[:10]]
    suspicious = np.flatnonzero(found.adjusted <= 0.05)
    assert 5 <= len(suspicious) <= 30
    agreed = [Counter(rows[i][run] for run in best).most_common(1)[0] for i in suspicious]
    against = [count >= 7 and letter != gold[i] for i, (letter, count) in zip(suspicious, agreed, strict=True)]
    assert np.mean(against) >= 0.75


def test_mistaken_golds_that_were_planted_go_to_the_top(models) -> None:
    """A hundred questions get the most common wrong letter for their gold: nearly all turn negative, and most are near the top."""
    rows, runs = models
    gold = [row["gold"] for row in rows]
    share = right(rows, runs, gold).mean(axis=1)
    some = np.flatnonzero((share > 0.4) & (share < 0.95))
    planted = np.random.default_rng(0).choice(some, 100, replace=False)
    for i in planted:
        letters = Counter(rows[i][run] for run in runs)
        gold[i] = next(letter for letter, _ in letters.most_common() if letter and letter != gold[i])
    found = statistics(right(rows, runs, gold))
    assert (found.rest[planted] < 0).sum() >= 85
    first = np.argsort(np.where(np.isnan(found.p), 2.0, found.p))[:300]
    assert len({*first.tolist()} & {*planted.tolist()}) >= 60
