"""Always-valid intervals of a comparison."""

from __future__ import annotations

import numpy as np
import pytest

from assay.analyses.comparison.compare import compare
from assay.errors import UsageError
from assay.stats.confidence_sequences import compare_sequence


@pytest.fixture
def values():
    rng = np.random.default_rng(4)
    topic = rng.random((40, 1)) * 0.5
    return (topic + rng.normal(0, 0.08, (40, 3)) + np.array([0.1, 0.15, 0.3])).clip(0, 1)


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
    [pair] = compare(outcomes({"b": "+-" * 20, "a": "+++-" * 10}, measure="accuracy"), growing=True).pairs
    assert pair.growing.topics == 40


def test_pairs_share_the_error_rate(values, table) -> None:
    """Three pairs, each at 1 - .05/3: wider than alone."""
    scores = table({f"r{i}": values[:, i].tolist() for i in range(3)})
    pair = next(pair for pair in compare(scores, growing=True).pairs if {pair.a, pair.b} == {"r2", "r0"})
    expected = compare_sequence(values[:, 2].round(12), values[:, 0].round(12), confidence=1 - 0.05 / 3)
    assert pair.growing.low == pytest.approx(float(expected.difference.low[-1]), abs=0.01)


def test_what_has_no_values_per_topic_is_refused(outcomes) -> None:
    with pytest.raises(UsageError, match="`growing=True`: c@1 has no value per question"):
        compare(outcomes({"a": "+-+-", "b": "++--"}), growing=True)
    clustered = outcomes({"a": "+-+-", "b": "++--"}, measure="accuracy", fields={"cluster": [1, 1, 2, 2]})
    with pytest.raises(UsageError, match="come in clusters"):
        compare(clustered, growing=True)
