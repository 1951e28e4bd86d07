"""Groups of runs by a characteristic: leaderboards and medians within each, by hand."""

from __future__ import annotations

import pytest

import assay
from assay.errors import UsageError
from assay.figures import by_group
from assay.figures.run_groups import team_of

LANGUAGES = {"de1": "de", "de2": "de", "de3": "de", "en1": "en", "en2": "en"}


@pytest.fixture
def scores() -> assay.Scores:
    """Reciprocal ranks 1, 1/2 and 1/4 in German, 1/5 and 1 in English, and 1/2 of a run that says no language."""
    ranks = {"de1": 4, "de2": 1, "de3": 2, "en1": 5, "en2": 1, "plain": 2}
    runs = {
        run: {"q": {("d" if i == rank else f"x{i}"): -float(i) for i in range(1, 6)}} for run, rank in ranks.items()
    }
    table = assay.evaluate({"q": {"d": 1}}, runs, ["RR", "P@1"])
    return table.described(lambda run: {"language": LANGUAGES[run]} if run in LANGUAGES else {"team": "x"})


def test_leaderboard_and_median_within_a_group(scores) -> None:
    listing = by_group(scores, "language")
    header, rows = listing.rows()
    assert header == ["language", "run", "topics", "rank", "RR", "P@1"]
    assert [row[:2] + row[3:5] for row in rows] == [
        ["de", "de2", "1", 1.0], ["de", "de3", "2", 0.5], ["de", "de1", "3", 0.25],
        ["en", "en2", "1", 1.0], ["en", "en1", "2", 0.2], ["without language", "plain", "1", 0.5],
    ]  # fmt: skip
    medians = [one["median"] for one in listing.to_dict()["groups"]]
    assert medians == [{"RR": 0.5, "P@1": 0.0}, {"RR": 0.6, "P@1": 0.5}, {"RR": 0.5, "P@1": 0.0}]
    assert [row[1] for row in listing.shown if row[1].startswith("median")] == [
        "median of 3",
        "median of 2",
        "median of 1",
    ]


def test_an_unknown_characteristic_lists_those_there_are(scores) -> None:
    with pytest.raises(assay.UsageError, match="unknown characteristic; characteristics are language, team"):
        by_group(scores, "lang")
    with pytest.raises(assay.UsageError, match="unknown characteristic; the runs have none"):
        by_group(scores.described(lambda run: {}), "language")


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
