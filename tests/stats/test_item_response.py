"""1PL and 2PL by marginal maximum likelihood: against the likelihood itself, and where there is nothing to estimate."""

from __future__ import annotations

import numpy as np
import pytest

from assay.errors import InputError, UsageError
from assay.stats.item_response import fit, information


def made(items: int, runs: int, seed: int = 1) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Answers of runs whose abilities are normal, to items of known slopes and locations."""
    draw = np.random.default_rng(seed)
    slope, location, ability = draw.uniform(0.7, 2, items), draw.normal(0, 1, items), draw.normal(0, 1, runs)
    chance = 1 / (1 + np.exp(-slope[:, None] * (ability - location[:, None])))
    return (draw.random((items, runs)) < chance).astype(float), slope, location


def marginal(values: np.ndarray, slope: np.ndarray, location: np.ndarray) -> float:
    """The log-likelihood by Gauss and Hermite, which the module does not use."""
    points, weights = np.polynomial.hermite_e.hermegauss(80)
    chance = 1 / (1 + np.exp(-slope[:, None] * (points - location[:, None])))
    chance = np.clip(chance, 1e-300, 1 - 1e-16)
    there = np.isfinite(values)
    right = np.where(there, values, 0.0)
    logs = right.T @ np.log(chance) + (there - right).T @ np.log(1 - chance)
    return float(np.log(np.exp(logs) @ (weights / weights.sum())).sum())


@pytest.mark.parametrize("model", ["1PL", "2PL"])
def test_no_step_away_is_more_likely(model: str) -> None:
    values, _, _ = made(12, 200)
    found = fit(values, model)
    assert found.converged
    best = marginal(values, found.slope, found.location)
    assert best == pytest.approx(found.log_likelihood, abs=1e-6)
    for i in range(12):
        for d in (-0.01, 0.01):
            step = np.zeros(12)
            step[i] = d
            assert marginal(values, found.slope, found.location + step) < best
            slopes = found.slope + (step if model == "2PL" else d)
            assert marginal(values, slopes, found.location) < best
    assert (len(set(found.slope.tolist())) == 1) == (model == "1PL")


def test_what_was_put_in_comes_out() -> None:
    values, slope, location = made(30, 4000)
    found = fit(values)
    assert found.slope == pytest.approx(slope, abs=0.25)
    assert found.location == pytest.approx(location, abs=0.25)
    assert found.ability.mean() == pytest.approx(0, abs=1e-4)
    assert (found.ability**2 + found.error**2).mean() == pytest.approx(1, abs=1e-3)


def test_holes_are_no_answers() -> None:
    values, _, _ = made(12, 300)
    values[np.random.default_rng(0).random(values.shape) < 0.2] = np.nan
    found = fit(values)
    best = marginal(values, found.slope, found.location)
    assert best == pytest.approx(found.log_likelihood, abs=1e-6)
    assert marginal(values, found.slope * 1.02, found.location) < best


def test_items_all_or_none_get_are_undefined_and_change_nothing() -> None:
    values, _, _ = made(10, 150)
    more = np.vstack([values, np.ones(150), np.zeros(150)])
    plain, found = fit(values), fit(more)
    assert np.isnan(found.slope[10:]).all()
    assert np.isnan(found.location[10:]).all()
    assert not found.separated.any()
    assert found.slope[:10] == pytest.approx(plain.slope)


def test_an_item_that_separates_the_runs_has_the_steepest_slope() -> None:
    """Half of the runs get it right, so that its location is the median ability."""
    values, _, _ = made(40, 60)
    order = np.argsort(values.sum(axis=0) + 0.01 * np.arange(60))
    step = np.zeros(60)
    step[order[30:]] = 1.0
    found = fit(np.vstack([values, step]))
    assert found.converged
    assert found.separated[40]
    assert found.slope[40] == 5.0
    middle = np.sort(found.ability)[29:31]
    assert middle[0] - 0.1 < found.location[40] < middle[1] + 0.1
    assert np.isfinite(found.slope).all()


def test_slopes_and_locations_of_few_runs_stay_within_their_bounds() -> None:
    """Red before: locations beyond any ability, where the slope of an item was near 0."""
    values, _, _ = made(60, 25)
    values[0] = np.arange(25) % 12 > 0
    found = fit(values)
    assert np.abs(found.slope).max() <= 5.0
    assert np.abs(found.location).max() <= 6.0


def test_an_item_turned_round_has_a_negative_slope() -> None:
    values, _, _ = made(25, 400)
    values[3] = 1 - values[3]
    found = fit(values)
    assert found.slope[3] < -0.3
    assert np.delete(found.slope, 3).min() > 0


def test_a_long_test_knows_abilities_to_hundredths() -> None:
    """Where the points of Gauss and Hermite would be too far apart."""
    values, _, _ = made(1500, 30)
    found = fit(values, "1PL")
    assert found.converged
    assert found.error.max() < 0.12


def test_a_model_that_stops_too_early_says_so(monkeypatch) -> None:
    monkeypatch.setattr("assay.stats.item_response.MOST_STEPS", 2)
    assert not fit(made(12, 100)[0]).converged


def test_the_name_of_a_model_is_taken_in_either_case() -> None:
    values, _, _ = made(12, 200)
    lower, upper = fit(values, "2pl"), fit(values, "2PL")
    assert lower.model == upper.model == "2PL"
    assert lower.slope.tolist() == upper.slope.tolist()


def test_refusals() -> None:
    with pytest.raises(UsageError, match=r"`irt='3PL'`: expected one of 1PL, 2PL"):
        fit(np.eye(4), "3PL")
    with pytest.raises(UsageError, match="right and wrong"):
        fit(np.full((3, 4), 0.5))
    with pytest.raises(InputError, match="at least 2 items that some runs get right and some wrong, found 1"):
        fit(np.array([[1.0, 0.0], [1.0, 1.0]]))


def test_information_by_hand() -> None:
    """a²P(1 - P): at θ = b a quarter of a², and at a(θ - b) = ln 3, where P is 3/4, three sixteenths."""
    assert information(2.0, 0.5, 0.5) == 1.0
    assert information(1.0, 0.0, np.log(3)) == pytest.approx(3 / 16)
    assert information(np.array([1.0, 2.0]), np.array([0.0, 0.5]), 0.5).tolist()[1] == 1.0
