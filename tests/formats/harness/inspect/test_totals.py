"""The header of an Inspect log against its samples; whole logs are in test_inspect_ai."""

from __future__ import annotations

import msgspec
import pytest
from inspect_logs import header

from assay.formats.harness.inspect.header import LogHeader
from assay.formats.harness.inspect.scores import ScoreKey
from assay.formats.harness.inspect.totals import Scored, compare_header
from assay.formats.harness.logs import Total

PART = ScoreKey("exact")


def of(samples: str, completed: int, accuracy: float | None, **config):
    """What is found of samples of one letter each (- is unscored) under such a header."""
    metrics = {"accuracy": {"name": "accuracy", "value": accuracy, "params": config.pop("params", {})}}
    row = {"name": "exact", "scorer": "exact", "metrics": metrics, "reducer": config.pop("reducer", None)}
    results = {"total_samples": completed, "completed_samples": completed, "scores": [row]}
    about = msgspec.convert(header(log_results=results, config=config), LogHeader)
    scored = [Scored(f"q{n}", None if letter == "-" else letter, False, False) for n, letter in enumerate(samples)]
    return compare_header(about, PART, scored)


def test_fewer_samples_and_another_mean() -> None:
    assert of("CI", 3, 0.5) == (Total(3, 0.5), Total(2, 0.5), "accuracy")
    assert of("CI", 2, 1.0) == (Total(2, 1.0), Total(2, 0.5), "accuracy")


@pytest.mark.parametrize(
    ("samples", "accuracy", "config"),
    [
        ("CI", 0.5, {}),
        ("CI", 0.50001, {}),
        ("C-", 1.0, {}),
        ("C-", 0.5, {}),
        ("CI", None, {}),
        ("CI", 1.0, {"epochs": 2, "reducer": "max"}),
        ("CI", 1.0, {"epochs": 2, "epochs_reducer": ["pass_at_2"]}),
        ("CI", 1.0, {"params": {"to_float": "custom"}}),
        (["C", "?"], 1.0, {}),
    ],
    ids=["same", "to four decimals", "unscored left out", "unscored as 0", "no metric", "reducer", "configured", "parameters", "no number"],
)  # fmt: skip
def test_agreement_and_what_cannot_be_compared(samples, accuracy, config) -> None:
    assert of(samples, 2, accuracy, **config) is None
