"""Runs compared, and their intervals, on the topics of each value of a field, or of each combination of several.

Every group is looked at on its own: p-values and intervals are adjusted for the pairs within it, and not for the number of
groups. A group that has too little to compare says so.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from assay.errors import InputError
from assay.figures.groups import CROSS, Group, absent, fields_of, groups, took_part
from assay.measures.value import Measure
from assay.results import Result
from assay.stats.comparing import compare
from assay.stats.intervals import Interval
from assay.stats.results import Comparison
from assay.stats.run_intervals import interval_of, run_intervals
from assay.table import Scores

NAMED = 5
"""Groups that cannot be compared and are named one by one."""
Groups = dict[tuple[str | None, ...], Mapping[str, Interval | None]]
"""By the values of a group, () for all topics: every run's interval."""


@dataclass(frozen=True)
class ComparedGroup:
    """One group: its comparison, or why there is none."""

    values: tuple[str | None, ...]
    label: str
    topics: int
    comparison: Comparison | None
    why: str = ""


@dataclass(frozen=True, kw_only=True, repr=False)
class Comparisons(Result):
    """Runs compared by one measure within each group of topics."""

    fields: tuple[str, ...]
    measure: str
    noun: str
    groups: list[ComparedGroup]
    notes: list[str]

    @property
    def found(self) -> list[Comparison]:
        """The comparisons there are."""
        return [group.comparison for group in self.groups if group.comparison is not None]

    def rows(self) -> tuple[list[str], list[list[Any]]]:
        """A row per group and pair, with every number."""
        return self.rows_of([self])

    @staticmethod
    def rows_of(results: Sequence[Comparisons]) -> tuple[list[str], list[list[Any]]]:
        """The rows of several measures under one header; a group without a comparison has none.

        results   the comparisons of one measure each
        """
        named = [(group, found) for one in results for group in one.groups if (found := group.comparison) is not None]
        header, rows = Comparison.rows_of([found for _, found in named])
        firsts = [list(group.values) for group, found in named for _ in found.pairs]
        return [*results[0].fields, *header], [[*first, *row] for first, row in zip(firsts, rows, strict=True)]

    def to_dict(self) -> dict[str, Any]:
        """The documented JSON shape."""
        told = [
            {
                "value": group.label, "values": dict(zip(self.fields, group.values, strict=True)), "topics": group.topics,
                "comparison": None if group.comparison is None else group.comparison.to_dict(), "why": group.why or None,
            }
            for group in self.groups
        ]  # fmt: skip
        return {"measure": self.measure, "by": list(self.fields), "groups": told, "notes": self.notes}


def compare_by(
    scores: Scores, by: str | Sequence[str], measure: str | Measure | None = None, **choices: Any
) -> Comparisons:
    """Compare runs within each group of topics, as `assay.compare` does with all of them.

    scores    a table whose gold has fields
    by        one of them, as `task`, or several, which are crossed
    measure   what is compared; the task's headline measure where left out
    choices   those of `assay.compare`: baseline, pairs, test, correct …
    """
    fields = fields_of(by)
    named = scores.measure(measure) if measure is not None else None
    made = [_compared(scores, group, named, choices) for group in groups(scores, fields)]
    first = next((group.comparison for group in made if group.comparison is not None), None)
    if first is None:
        raise InputError(f"no {CROSS.join(fields)} can be compared on its own: {made[0].label}: {made[0].why}")
    said = (
        f"each {CROSS.join(fields)} on its own: p and intervals are adjusted for its pairs, not for {len(made)} groups"
    )
    lacking = [f"{group.label} is not compared: {group.why}" for group in made if group.comparison is None]
    notes = [said, *lacking[:NAMED]]
    if len(lacking) > NAMED:
        notes.append(f"{len(lacking) - NAMED} more of {len(made)} groups are not compared, for reasons of that kind")
    return Comparisons(fields=fields, measure=first.measure, noun=first.noun, groups=made, notes=notes)


def _compared(scores: Scores, group: Group, measure: Measure | None, choices: Mapping[str, Any]) -> ComparedGroup:
    """One group, without the runs that have nothing of it."""
    wanted, pairs = choices.get("runs"), choices.get("pairs")
    runs = list(scores.runs if wanted is None else wanted)
    there = [run for run in runs if took_part(scores, run, group.topics)]
    gone = [run for run in runs if run not in there]
    told = dict(choices)
    if gone:
        told["runs"] = there
        told["pairs"] = None if pairs is None else [pair for pair in pairs if not {*pair} & {*gone}]
    said = f"{', '.join(gone)} {'has' if len(gone) == 1 else 'have'} no results for it"
    enough = (told["pairs"] if gone else True) if pairs is not None else len(there) > 1
    if not enough or choices.get("baseline") in gone:
        return ComparedGroup(group.values, group.label, len(group.topics), None, said if gone else "there is one run")
    try:
        found = compare(scores.restricted(group.topics), measure, **told)
    except InputError as problem:
        return ComparedGroup(group.values, group.label, len(group.topics), None, str(problem))
    if gone:
        found = replace(found, notes=[*found.notes, f"{said} and {'is' if len(gone) == 1 else 'are'} left out"])
    return ComparedGroup(group.values, group.label, len(group.topics), found)


def intervals_by(
    scores: Scores, by: str | Sequence[str], measure: str | Measure, *, confidence: float = 0.95,
    cluster: str | None = "auto",
) -> Groups:  # fmt: skip
    """The interval of every run's number in each group of topics, as `assay.run_intervals` makes them; () is all topics.

    scores       a table whose gold has fields
    by           one of them, or several, which are crossed
    measure      one of the table's
    confidence   how often such intervals hold what they are about
    cluster      the field of topics that are resampled together; auto is `cluster` where the gold has one; None
    """
    wanted = scores.measure(measure)
    how: dict[str, Any] = {"confidence": confidence, "cluster": cluster}
    nothing = {run: absent(scores, run) for run in scores.runs}
    found: Groups = {}
    for group in groups(scores, by):
        whole = scores.restricted(group.topics)
        found[group.values] = ends = {}
        for run in scores.runs:
            topics = [topic for topic in group.topics if topic not in nothing[run]]
            table = whole if len(topics) == len(group.topics) else scores.restricted(topics)
            ends[run] = interval_of(table, run, wanted, **how) if topics else None
    found[()] = run_intervals(scores, wanted, **how)
    return found
