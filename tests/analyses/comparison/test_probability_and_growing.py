"""Probabilities and always-valid intervals beside a comparison."""

from __future__ import annotations

import numpy as np
import pytest

from assay.analyses.comparison.compare import compare
from assay.errors import UsageError
from assay.stats.confidence_sequences import compare_sequence
from assay.stats.hierarchical import hierarchical


@pytest.fixture
def values():
    rng = np.random.default_rng(4)
    topic = rng.random((40, 1)) * 0.5
    return (topic + rng.normal(0, 0.08, (40, 3)) + np.array([0.1, 0.15, 0.3])).clip(0, 1)


def test_the_probability_is_the_models(values, table) -> None:
    scores = table({f"r{i}": values[:, i].tolist() for i in range(3)})
    model = hierarchical(values, ["r0", "r1", "r2"])
    for pair in compare(scores, probabilities=True).pairs:
        assert pair.probability == pytest.approx(model.probability(pair.a, pair.b), abs=1e-9)


def test_where_lower_is_better_it_is_turned(values, table) -> None:
    scores = table({"a": values[:, 0].tolist(), "b": values[:, 2].tolist()}, measure="RBPResid")
    [pair] = compare(scores, probabilities=True).pairs
    assert (pair.a, pair.better) == ("b", "a")
    assert pair.probability < 0.01


def test_a_growing_log(values, table) -> None:
    scores = table({"a": values[:, 0].tolist(), "b": values[:, 2].tolist()})
    [pair] = compare(scores, growing=True).pairs
    expected = compare_sequence(values[:, 2].round(12), values[:, 0].round(12))
    assert pair.growing.first == expected.first
    assert [pair.growing.low, pair.growing.high] == pytest.approx(
        [float(expected.difference.low[-1]), float(expected.difference.high[-1])], abs=0.01
    )
    assert pair.growing.low < pair.interval.low < pair.interval.high < pair.growing.high


def test_accuracy_is_a_mean_too(outcomes) -> None:
    [pair] = compare(
        outcomes({"b": "+-" * 20, "a": "+++-" * 10}, measure="accuracy"), growing=True, probabilities=True
    ).pairs
    assert 0.5 < pair.probability < 1
    assert pair.growing.topics == 40


@pytest.mark.parametrize("asked", ["probabilities", "growing"])
def test_what_has_no_values_per_topic_is_refused(asked, outcomes) -> None:
    with pytest.raises(UsageError, match=f"`{asked}=True`: c@1 has no value per question"):
        compare(outcomes({"a": "+-+-", "b": "++--"}), **{asked: True})
    clustered = outcomes({"a": "+-+-", "b": "++--"}, measure="accuracy", fields={"cluster": [1, 1, 2, 2]})
    with pytest.raises(UsageError, match="come in clusters"):
        compare(clustered, **{asked: True})
