"""Whose a run is."""

from __future__ import annotations

import pytest

from assay.errors import UsageError
from assay.figures.teams import team_of


@pytest.mark.parametrize(
    ("told", "pattern", "team"),
    [
        ({"organisation": "Glasgow", "team": "IR"}, "x", "Glasgow"),
        ({"group": ["A", "B"]}, None, "A, B"),
        ({"organisation": ""}, "[a-z]+", "uog"),
        ({}, "([a-z])og", "u"),
        ({}, "[0-9]+", "uogRun1"),
        ({}, "[0-9]*", "uogRun1"),
        ({}, "(x)?uog", "uogRun1"),
        ({}, None, "uogRun1"),
    ],
)
def test_said_found_or_alone(told, pattern, team):
    assert team_of("uogRun1", told, pattern) == team


def test_no_pattern():
    with pytest.raises(UsageError, match="is no regular expression"):
        team_of("a", {}, "(")
