"""Runs grouped by team, or by a characteristic such as language: leaderboards and medians."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from assay.errors import UsageError, shorten_list
from assay.figures.common import characteristics, headline, median, natural, tied_ranks
from assay.table.scores import Scores

MAX_LISTED_RUNS = 5
"""Limit on the runs without the characteristic that a note lists."""


@dataclass(frozen=True, slots=True)
class RunGroup:
    """The runs with one value of a characteristic; `value` is None for the runs without one."""

    value: str | None
    label: str
    runs: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Place:
    """A run in the leaderboard of its group: its rank by the headline measure, and all values."""

    run: str
    rank: str | None
    topics: int
    scores: dict[str, float | int | None]


@dataclass(frozen=True, slots=True)
class Leaderboard:
    """A group's runs from best to worst, and their median in each measure."""

    group: RunGroup
    measure: str
    places: tuple[Place, ...]
    median: dict[str, float | int | None]


def run_groups(scores: Scores, group_by: str) -> list[RunGroup]:
    """Return the runs of each value of a characteristic, in natural order; without it, last.

    >>> import assay
    >>> runs = {name: {"q1": {"d1": 1.0}} for name in ("a", "b", "c")}
    >>> scores = assay.evaluate({"q1": {"d1": 1}}, runs).described(lambda run: {} if run == "b" else {"language": "de"})
    >>> [(group.label, group.runs) for group in run_groups(scores, "language")]
    [('de', ('a', 'c')), ('without language', ('b',))]
    """
    from assay.formats.auxiliary.characteristics import in_words

    described = {run: characteristics(scores, run) for run in scores.runs}
    fields = dict.fromkeys(name for traits in described.values() for name in traits)
    if group_by not in fields:
        known = (
            f"characteristics are {', '.join(fields)}"
            if fields
            else "the runs have none: `characteristics=FILE.toml` describes them"
        )
        raise UsageError(f"`group_by={group_by!r}`: unknown characteristic; {known}")
    by_value: dict[str | None, list[str]] = {}
    for run, traits in described.items():
        value = in_words(traits[group_by]).strip() if group_by in traits else ""
        by_value.setdefault(value or None, []).append(run)
    groups = [
        RunGroup(value, f"without {group_by}" if value is None else value, tuple(runs))
        for value, runs in by_value.items()
    ]
    return sorted(groups, key=lambda group: (group.value is None, natural((group.value or "").casefold())))


def without_value(groups: list[RunGroup], group_by: str) -> str | None:
    """Return a note on runs without the characteristic; None where every run has it."""
    lacking = next((group for group in groups if group.value is None), None)
    if lacking is None:
        return None
    named = shorten_list(lacking.runs, MAX_LISTED_RUNS)
    count = f"{len(lacking.runs)} run{'s' if len(lacking.runs) > 1 else ''}"
    return f"{count} without {group_by} ({named}) form a group of their own, '{lacking.label}'"


def leaderboards(scores: Scores, group_by: str) -> list[Leaderboard]:
    """Return the leaderboard of every group of runs by the headline measure."""
    main, summary = headline(scores), scores.summary()
    direction = main.declaration.higher_is_better is not False
    boards: list[Leaderboard] = []
    for group in run_groups(scores, group_by):
        values = [summary[run][main.name].value for run in group.runs]
        ranks = dict(zip(group.runs, tied_ranks(values, direction), strict=True))
        known = {run: value for run, value in zip(group.runs, values, strict=True) if value is not None}
        best_first = sorted(known, key=lambda run: -known[run] if direction else known[run])
        order = [*best_first, *(run for run in group.runs if run not in known)]
        places = tuple(
            Place(
                run, ranks[run], max(value.topics for value in summary[run].values()),
                {name: value.value for name, value in summary[run].items()},
            )
            for run in order
        )  # fmt: skip
        medians = {m.name: median([place.scores[m.name] for place in places]) for m in scores.measures}
        boards.append(Leaderboard(group, main.name, places, medians))
    return boards


def rows(boards: list[Leaderboard], medians: bool) -> list[list[Any]]:
    """Return a row per run below its group; with `medians`, one per group for its median."""
    table_rows: list[list[Any]] = []
    for board in boards:
        table_rows += [
            [board.group.label, place.run, place.topics, place.rank, *place.scores.values()] for place in board.places
        ]
        if medians:
            table_rows.append([board.group.label, f"median of {len(board.places)}", "", "", *board.median.values()])
    return table_rows


TEAM = ("organisation", "organization", "team", "group")
"""Characteristics with the team of a run; the first that exists is used."""


def team_of(run: str, traits: Mapping[str, Any], pattern: str | None = None) -> str:
    """Return a run's team: by its characteristics, else by a pattern on its name, else the run.

    traits    the characteristics of the run
    pattern   a regular expression; its first group, where it has one, is the team

    >>> team_of("uogRun1", {"organisation": "Glasgow"}), team_of("uogRun1", {}, "[a-z]+"), team_of("uogRun1", {})
    ('Glasgow', 'uog', 'uogRun1')
    """
    from assay.formats.auxiliary.characteristics import in_words

    named = next((in_words(traits[name]) for name in TEAM if traits.get(name)), None)
    if named is not None or pattern is None:
        return named or run
    try:
        match = re.match(pattern, run)
    except re.error as problem:
        raise UsageError(f"`team_from={pattern!r}`: is no regular expression: {problem}") from None
    return (match[1 if match.re.groups else 0] or run) if match else run
