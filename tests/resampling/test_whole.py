"""A measure of whole runs: masks, clusters and exchanges by hand."""

from __future__ import annotations

import numpy as np
import pytest

from assay.resampling.whole import Whole


def spread(values: list[float]) -> float | None:
    return max(values) - min(values) if values else None


def test_a_mask_leaves_each_run_topics_of_its_own() -> None:
    sample = Whole(spread, [[[1, 5, 9]], [[2, 2, 8]]], mask=[[True, True, False], [True, True, True]])
    assert sample.values().tolist() == [4.0, 6.0]
    assert not sample.can("pair")


def test_without_any_topic_there_is_no_value() -> None:
    sample = Whole(spread, [[[1, 5]], [[2, 2]]], mask=[[False, False], [True, True]])
    assert np.isnan(sample.values()[0])
    assert sample.values()[1] == 0


def test_a_jackknife_leaves_out_a_cluster_at_a_time() -> None:
    sample = Whole(spread, [[[1, 5, 9]], [[2, 2, 8]]], clusters=["p", "q", "p"])
    assert sample.units == 2
    assert sample.jackknife().tolist() == [[0.0, 0.0], [8.0, 6.0]]


def test_all_exchanges_of_two_topics() -> None:
    """a is 1, 5 and b is 2, 9. Exchanging the first topic gives 2, 5 against 1, 9; the second 1, 9 against 2, 5."""
    sample = Whole(spread, [[[1, 5]], [[2, 9]]])
    [(here, seen, exchanged, exact)] = sample.flips(np.array([0]), np.array([1]), 100, 0)
    assert (list(here), list(seen), exact) == ([0], [-3.0], True)
    assert sorted(exchanged[:, 0].tolist()) == [-5.0, -3.0, 3.0, 5.0]


def test_subsets_are_rounded_once() -> None:
    sample = Whole(lambda values: sum(values) / 3, [[[1, 1]], [[2, 2]]])
    assert sample.values() == pytest.approx([2 / 3, 4 / 3])
