"""Seconds between the ISO dates that harnesses write."""

from __future__ import annotations

import pytest

from assay.formats.harness.trial_times import seconds_between


@pytest.mark.parametrize(
    ("start", "end", "seconds"),
    [
        ("2026-01-02T03:04:05Z", "2026-01-02T03:05:05.500000+00:00", 60.5),
        ("2026-01-02T03:04:05", "2026-01-02T03:04:05", 0.0),
        ("2026-01-02T03:04:05", "2026-01-02T03:04:05Z", None),
        ("2026-01-02T04:04:05+01:00", "2026-01-02T03:04:06Z", 1.0),
        (None, "2026-01-02T03:04:05Z", None),
        ("noon", "2026-01-02T03:04:05Z", None),
    ],
)
def test_seconds(start, end, seconds) -> None:
    assert seconds_between(start, end) == seconds
