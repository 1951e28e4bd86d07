"""A few questions instead of all, and what is said of them: on runs that had no part in the choice."""

from __future__ import annotations

import numpy as np
import pytest

from assay.errors import InputError, UsageError
from assay.stats import anchor_items as module
from assay.stats.anchor_items import anchors, medoids


def abilities(items: int, runs: int, seed: int = 0) -> np.ndarray:
    draw = np.random.default_rng(seed)
    chance = 1 / (1 + np.exp(-2 * (np.linspace(-1.5, 1.5, runs) - draw.normal(0, 1, items)[:, None])))
    return (draw.random((items, runs)) < chance).astype(float)


def test_groups_by_hand() -> None:
    """Three kinds of items, of 5, 3 and 2: one of each is kept, with weights of a half, .3 and .2, which are all there is to know."""
    values = np.array([[1.0, 1, 1, 0]] * 5 + [[1, 0, 0, 0]] * 3 + [[0, 1, 1, 1]] * 2)
    kept, weights = medoids(values, 3)
    assert kept == [0, 5, 8]
    assert weights == pytest.approx([0.5, 0.3, 0.2])
    assert np.array(weights) @ values[kept] == pytest.approx(values.mean(axis=0))


def test_more_than_there_are_kinds_of_items() -> None:
    kept, weights = medoids(np.array([[1.0, 1]] * 6 + [[0, 1]] * 2), 4)
    assert len(set(kept)) == 4
    assert sum(weights) == pytest.approx(1)
    assert np.array(weights) @ np.array([[1.0, 1]] * 6 + [[0, 1]] * 2)[kept] == pytest.approx([0.75, 1])


def test_what_chooses_is_never_what_is_told(monkeypatch) -> None:
    values = abilities(60, 12)
    values[0] = np.arange(12) / 100  # so that every column is known by its first cell
    chosen_by: list[set[float]] = []
    told_of: list[set[float]] = []
    choose, tell = module.medoids, module._Test.__init__

    def choosing(part, size):
        chosen_by.append(set(part[0].tolist()))
        return choose(part, size)

    def telling(self, part):
        told_of.append(set(part[0].tolist()))
        tell(self, part)

    monkeypatch.setattr(module, "medoids", choosing)
    monkeypatch.setattr(module._Test, "__init__", telling)
    anchors(values, 5)
    assert len(told_of) == 2 * module.HALVES
    for number, test in enumerate(told_of):
        assert not chosen_by[number] & test
        assert len(chosen_by[number] | test) == 12
    assert len(chosen_by[-1]) == 12  # the list that is handed out is of all runs, and nothing is told of it


def test_a_choice_that_fits_its_runs_alone_is_found_out() -> None:
    """Noise: no item says anything of another, so no ranking is kept of runs held out against the others."""
    noise = np.random.default_rng(1).integers(0, 2, (200, 20)).astype(float)
    found = anchors(noise, 10)
    assert abs(found.chosen.others_tau) < 0.15
    assert found.chosen.tau < 0.4


def test_anchors_are_nearer_than_as_many_at_random() -> None:
    found = anchors(abilities(600, 40), 20)
    assert found.chosen.error < found.random.error
    assert found.chosen.tau > 0.7
    assert len(found.items) == 20
    assert sum(found.weights) == pytest.approx(1)


def test_the_fewest_that_keep_the_ranking() -> None:
    values = abilities(300, 24)
    easy, strict = (anchors(values, "auto", target=target) for target in (0.5, 0.85))
    assert len(easy.items) < len(strict.items)
    assert easy.target == 0.5
    assert len(easy.sizes) == easy.halves == 2 * module.INNER
    unreachable = anchors(values[:40], "auto", target=1.0)
    assert len(unreachable.items) == 20
    assert (unreachable.reached, easy.reached) == (False, True)


def test_holes_count_in_no_score() -> None:
    values = abilities(100, 12)
    values[np.random.default_rng(2).random(values.shape) < 0.1] = np.nan
    assert anchors(values, 15).chosen.error < 0.3


def test_the_same_seed_gives_the_same(monkeypatch) -> None:
    values = abilities(80, 10)
    assert anchors(values, 8, seed=3) == anchors(values, 8, seed=3)
    assert anchors(values, 8, seed=3).chosen != anchors(values, 8, seed=4).chosen
    assert anchors(values, 8, seed=3).items == anchors(values, 8, seed=4).items


def test_progress_reaches_its_end() -> None:
    heard: list[tuple[int, int]] = []
    anchors(abilities(50, 8), 5, progress=lambda done, of: heard.append((done, of)))
    assert heard[-1] == (21, 21)


@pytest.mark.parametrize("keep", [0, 50, -1])
def test_sizes_that_cannot_be(keep: int) -> None:
    with pytest.raises(UsageError, match=rf"`keep={keep}`: expected a number from 1 to 49, or auto"):
        anchors(abilities(50, 8), keep)


def test_too_few_runs() -> None:
    with pytest.raises(InputError, match="expected at least 6 runs, found 4"):
        anchors(abilities(50, 4), 5)
    with pytest.raises(InputError, match="expected at least 12 runs, found 8"):
        anchors(abilities(50, 8), "auto")
    with pytest.raises(UsageError, match="`tau=0`"):
        anchors(abilities(50, 12), "auto", target=0)
