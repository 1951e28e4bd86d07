"""Always-valid intervals of a comparison."""

from __future__ import annotations

from typing import ClassVar

import numpy as np
import pytest

import assay
from assay.analyses.comparison.compare import compare
from assay.errors import UsageError
from assay.stats.confidence_sequences import compare_sequence, drift_p


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
    assert pair.growing.valid


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


def log(path, rows) -> assay.Scores:
    """A table of right and wrong, by question, run a, run b and day, in this order of the lines."""
    lines = [f"{name},{run},{right},{day}" for name, a, b, day in rows for run, right in (("a", a), ("b", b))]
    path.write_text("\n".join(["id,run,correct,day", *lines]) + "\n")
    return assay.evaluate(path, measures=["accuracy"])


class TestOrder:
    ROWS: ClassVar = [(f"q{(7 * i) % 24:02}", 1, int(i % 4 == 1), f"2024-01-{24 - i:02}") for i in range(24)]
    """Ids that do not sort in the order of the lines, and days that run backwards."""

    def expected(self, rows) -> tuple[float, float]:
        found = compare_sequence([float(b) for _, _, b, _ in rows], [float(a) for _, a, _, _ in rows]).difference
        return float(found.low[-1]), float(found.high[-1])

    def test_that_of_the_file(self, tmp_path) -> None:
        [pair] = compare(log(tmp_path / "log.csv", self.ROWS), growing=True).pairs
        assert (pair.growing.low, pair.growing.high) == pytest.approx(self.expected(self.ROWS))
        assert self.expected(self.ROWS) != pytest.approx(self.expected(sorted(self.ROWS)))

    def test_that_of_a_field(self, tmp_path) -> None:
        result = compare(log(tmp_path / "log.csv", self.ROWS), growing="day")
        look = result.pairs[0].growing
        assert (look.low, look.high) == pytest.approx(self.expected(self.ROWS[::-1]))
        assert result.settings["growing"] == "day"

    def test_numbers_sort_as_numbers_and_equal_ones_as_the_file(self, tmp_path) -> None:
        rows = [(name, a, b, (i * 5) % 12) for i, (name, a, b, _) in enumerate(self.ROWS)]
        [pair] = compare(log(tmp_path / "log.csv", rows), growing="day").pairs
        in_order = sorted(rows, key=lambda row: row[3])
        assert (pair.growing.low, pair.growing.high) == pytest.approx(self.expected(in_order))

    def test_never_that_of_the_ids(self, tmp_path) -> None:
        (tmp_path / "qrels").write_text("".join(f"q{i} 0 d1 1\n" for i in range(4)))
        for run in "ab":
            (tmp_path / run).write_text("".join(f"q{i} Q0 d1 1 3 {run}\n" for i in range(4)))
        scores = assay.evaluate(tmp_path / "qrels", [tmp_path / "a", tmp_path / "b"], ["AP"])
        with pytest.raises(UsageError, match="in the order of their ids, not of their arrival"):
            compare(scores, growing=True)

    def test_an_unknown_field_and_one_with_gaps_are_refused(self, tmp_path) -> None:
        scores = log(tmp_path / "log.csv", [*self.ROWS[:-1], (*self.ROWS[-1][:3], "")])
        with pytest.raises(UsageError, match="`growing='week'`: unknown field; known: day"):
            compare(scores, growing="week")
        with pytest.raises(UsageError, match="`growing='day'`: 1 of 24 questions have no day"):
            compare(scores, growing="day")


class TestDrift:
    def test_sorted_by_difficulty(self) -> None:
        """Thirty questions that a wins and thirty that b wins: no interval, but the two halves."""
        values = [[1.0, 0.0]] * 30 + [[0.0, 1.0]] * 30
        result = compare(assay.scores(values, runs=["a", "b"]), growing=True)
        [pair] = result.pairs
        sign = 1 if pair.a == "a" else -1
        assert (pair.growing.low, pair.growing.high, pair.growing.first, pair.growing.valid) == (
            None,
            None,
            None,
            False,
        )
        assert pair.growing.halves == (sign, -sign)
        assert pair.growing.drift_p == 0.001
        text = str(result)
        assert "always valid" not in text
        assert "drifts" in text
        assert "differences are those of the first and the second half" in " ".join(text.split())

    def test_an_estimate_outside_its_interval(self) -> None:
        """Sixty ties after six wins: the interval once excluded what the mean has become, whatever CUSUM says."""
        values = [[1.0, 0.0]] * 12 + [[0.5, 0.5]] * 2
        steady = compare(assay.scores(values[:12], runs=["a", "b"]), growing=True).pairs[0].growing
        assert steady.valid
        late = compare(assay.scores([*values, *[[0.0, 1.0]] * 12], runs=["a", "b"]), growing=True).pairs[0].growing
        assert not late.valid

    def test_a_log_in_random_order(self, values, table) -> None:
        scores = table({f"r{i}": values[:, i].tolist() for i in range(3)})
        result = compare(scores, growing=True)
        assert all(pair.growing.valid and pair.growing.drift_p > 0.01 for pair in result.pairs)
        text = " ".join(str(result).split())
        assert (
            "An interval is valid at every look, at 98.33% over 3 pairs, if every topic's difference has the same"
            in text
        )

    def test_the_seed_decides(self, values) -> None:
        a, b = np.array([0]), np.array([2])
        assert drift_p(values, a, b, seed=3) == drift_p(values, a, b, seed=3)
