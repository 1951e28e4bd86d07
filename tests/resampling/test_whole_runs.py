"""A measure of whole runs: masks, clusters and exchanges by hand."""

from __future__ import annotations

import pickle

import numpy as np
import pytest

from assay.resampling.whole_runs import JointResampler, WholeRunResampler


def spread(values: list[float]) -> float | None:
    return max(values) - min(values) if values else None


def test_a_mask_leaves_each_run_topics_of_its_own() -> None:
    resampler = WholeRunResampler(spread, [[[1, 5, 9]], [[2, 2, 8]]], mask=[[True, True, False], [True, True, True]])
    assert resampler.values().tolist() == [4.0, 6.0]
    assert not resampler.can("pair")


def test_without_any_topic_there_is_no_value() -> None:
    resampler = WholeRunResampler(spread, [[[1, 5]], [[2, 2]]], mask=[[False, False], [True, True]])
    assert np.isnan(resampler.values()[0])
    assert resampler.values()[1] == 0


def test_a_jackknife_leaves_out_a_cluster_at_a_time() -> None:
    resampler = WholeRunResampler(spread, [[[1, 5, 9]], [[2, 2, 8]]], clusters=["p", "q", "p"])
    assert resampler.units == 2
    assert resampler.jackknife().tolist() == [[0.0, 0.0], [8.0, 6.0]]


def test_of_many_topics_groups_are_left_out(monkeypatch) -> None:
    """Four topics in two groups: each value is that of the two topics which are left."""
    monkeypatch.setattr("assay.resampling.whole_runs.MOST", 2)
    resampler = WholeRunResampler(sum, [[[1, 10, 100, 1000]]])
    first, second = (row[0] for row in resampler.jackknife().tolist())
    assert first + second == 1111
    assert sum(int(digit) for digit in str(int(first))) == 2


def test_subsets_are_rounded_once() -> None:
    resampler = WholeRunResampler(lambda values: sum(values) / 3, [[[1, 1]], [[2, 2]]])
    assert resampler.values() == pytest.approx([2 / 3, 4 / 3])


def test_a_worker_without_the_core_draws_the_same(monkeypatch) -> None:
    """Red before: what was prepared for the core travelled along, and failed where there is none."""
    from assay.measures.registry import find

    measure = find("CWS")
    columns = [
        [[1, 0, 1, 1], [1, 1, 1, 0], [0.5, 0.9, 0.1, None], [0, 1, 2, 3]],
        [[0, 1, 1, 0], [1, 1, 1, 1], [0.3, 0.2, 0.7, 0.7], [0, 1, 2, 3]],
    ]
    resampler = WholeRunResampler(measure.bound(), columns, kernel=("CWS", {"ties": "expected"}))
    here = resampler.bootstrap(9, seed=3).tolist()
    sent = pickle.dumps(resampler)
    monkeypatch.setattr("assay.core.binding.LIBRARY", None)
    there = pickle.loads(sent)
    assert "_answers" not in vars(there)
    assert there.bootstrap(9, seed=3).tolist() == here


def test_one_calculation_serves_all_runs() -> None:
    """Every call sees how often each topic was drawn; runs are told by name, and one that is not there has no value."""
    seen = []

    def fit(weights):
        seen.append(weights.tolist())
        return {"a": float(weights[0]), "b": float(weights[1])}

    resampler = JointResampler(fit, ["b", "nobody", "a"], [[None, None, None]])
    values = resampler.values()
    assert values[[0, 2]].tolist() == [1.0, 1.0]
    assert np.isnan(values[1])
    assert resampler.jackknife()[:, 2].tolist() == [0.0, 1.0, 1.0]
    drawn = resampler.bootstrap(5, seed=1)
    assert drawn.shape == (5, 3)
    assert all(sum(weights) == 3 for weights in seen[-5:])
