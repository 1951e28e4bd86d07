"""Measures of series of questions, by hand."""

from __future__ import annotations

from assay.measures.context import series_alive


def test_series_die_at_their_first_failure():
    series = ["1", "1", "1", "2", "2", "3"]
    position = [1, 2, 3, 1, 2, 1]
    found = [1, 0, 1, 1, 1, 0]
    alive = [series_alive(series, position, found, cut) for cut in (1, 2, 3, 4)]
    assert alive == [2 / 3, 1 / 2, 0.0, None]  # series 3 has one question, so after question 2 there are two series
