"""Runs compared, and their intervals, on the topics of each value of a field, or of each combination of several; and runs
compared within groups of runs, such as those of one language.

Every group is looked at on its own: p-values and intervals are adjusted for the pairs within it, and not for the number of
groups. A group that has too little to compare says so.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Unpack

from assay.analyses.comparison.compare import compare
from assay.analyses.comparison.result import Comparison
from assay.analyses.comparison.run_intervals import interval_of, run_intervals
from assay.errors import InputError, UsageError
from assay.figures.common import headline, median
from assay.figures.cost_frontier import with_usage
from assay.figures.run_groups import RunGroup, run_groups, without_value
from assay.figures.topic_groups import CROSS, TopicGroup, absent, fields_of, groups, took_part
from assay.measures.measure import Measure
from assay.parameters import ComparisonChoices, public
from assay.stats.bootstrap_intervals import Interval
from assay.table.results import Result
from assay.table.scores import Scores

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
    runs: tuple[str, ...] = ()
    """The runs of a group of runs; empty for a group of topics."""
    absent: tuple[str, ...] = ()
    """Runs that have no result in the group, and are not compared there."""

    @property
    def median(self) -> float | None:
        """The median of the values of the runs compared."""
        return median([run.value for run in self.comparison.runs]) if self.comparison else None


@dataclass(frozen=True, kw_only=True, repr=False)
class Comparisons(Result):
    """Runs compared by one measure within each group of topics, or within each group of runs."""

    fields: tuple[str, ...]
    measure: str
    noun: str
    groups: list[ComparedGroup]
    notes: list[str]
    of_runs: bool = False
    """Whether these are groups of runs, and the field is a characteristic of runs."""

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
        named = [
            (group, comparison)
            for result in results
            for group in result.groups
            if (comparison := group.comparison) is not None
        ]
        header, rows = Comparison.rows_of([comparison for _, comparison in named])
        firsts = [list(group.values) for group, comparison in named for _ in comparison.pairs]
        return [*results[0].fields, *header], [[*first, *row] for first, row in zip(firsts, rows, strict=True)]

    def to_dict(self) -> dict[str, Any]:
        """The documented JSON shape."""
        entries = [
            {
                "value": group.label, "values": dict(zip(self.fields, group.values, strict=True)), "topics": group.topics,
                "comparison": None if group.comparison is None else group.comparison.to_dict(), "why": group.why or None,
                **({"runs": list(group.runs), "median": group.median} if self.of_runs else {}),
            }
            for group in self.groups
        ]  # fmt: skip
        field = {"group_by": self.fields[0]} if self.of_runs else {"by": list(self.fields)}
        return {"measure": self.measure, **field, "groups": entries, "notes": self.notes}


@public
def compare_by(
    scores: Scores, by: str | Sequence[str] | None = None, measure: str | Measure | None = None, *,
    group_by: str | None = None, runs: Sequence[str] | None = None, **choices: Unpack[ComparisonChoices],
) -> Comparisons:  # fmt: skip
    """Compare runs within each group of topics, or within each group of runs, as `assay.compare` does with all of them.

    scores     a table whose gold has fields, or whose runs have characteristics
    by         a field of the gold, as `task`, or several, which are crossed
    measure    what is compared; the task's headline measure where left out
    group_by   instead of `by`, a characteristic of runs, as `language`: tiers and the family of a correction are those of
               each group; runs without it form a group of their own
    runs       names of the runs to compare, default all
    choices    those of `assay.compare`: baseline, pairs, test, correct …

    Returns
        Comparisons   a comparison of each group, or why it has none

    Raises
        UsageError    neither or both of `by` and `group_by`, an unknown field, or a pair across groups
        InputError    no group can be compared

    >>> from assay.scoring.score_files import scores
    >>> values = [[0.1 * i, 0.1 * i + 0.2, 0.3, 0.1 * i + 0.1] for i in range(6)]
    >>> table = scores(values, runs=["de1", "de2", "en1", "en2"]).described(lambda run: {"language": run[:2]})
    >>> found = compare_by(table, group_by="language")
    >>> [(group.label, [(pair.a, pair.b) for pair in group.comparison.pairs]) for group in found.groups]
    [('de', [('de2', 'de1')]), ('en', [('en2', 'en1')])]
    """
    if (by is None) == (group_by is None):
        raise UsageError("`compare_by`: give a field of the gold as `by=`, or a characteristic of runs as `group_by=`")
    options: dict[str, Any] = {"runs": runs, **choices}
    if by is None:
        return _compare_groups(scores, group_by or "", measure, options)
    fields = fields_of(by)
    named = scores.measure(measure) if measure is not None else None
    if options.get("cost"):
        # Parts of the table have no answers to read costs from, but keep its measures.
        named, scores = named or headline(scores), with_usage(scores)
    made = [_compared(scores, group, named, options) for group in groups(scores, fields)]
    first = next((group.comparison for group in made if group.comparison is not None), None)
    if first is None:
        raise InputError(f"no {CROSS.join(fields)} can be compared on its own: {made[0].label}: {made[0].why}")
    notice = (
        f"each {CROSS.join(fields)} on its own: p and intervals are adjusted for its pairs, not for {len(made)} groups"
    )
    lacking = [f"{group.label} is not compared: {group.why}" for group in made if group.comparison is None]
    notes = [notice, *lacking[:NAMED]]
    if len(lacking) > NAMED:
        notes.append(f"{len(lacking) - NAMED} more of {len(made)} groups are not compared, for reasons of that kind")
    return Comparisons(fields=fields, measure=first.measure, noun=first.noun, groups=made, notes=notes)


def count_pairs(
    scores: Scores, by: str | Sequence[str] | None = None, *, group_by: str | None = None, baseline: str | None = None,
    pairs: Sequence[tuple[str, str]] | None = None,
) -> int:  # fmt: skip
    """Return how many pairs `compare`, or `compare_by` over all its groups, compares by one measure.

    scores     the table
    by         the fields of `compare_by`, which compares the same pairs within each group of topics
    group_by   its characteristic of runs, which compares within groups of runs
    baseline   the run every other is compared with
    pairs      the pairs by name
    """
    if pairs is not None:
        count = len(pairs)
    elif group_by is not None:
        sizes = [
            len(group.runs) for group in run_groups(scores, group_by) if baseline is None or baseline in group.runs
        ]
        return sum(size - 1 if baseline is not None else size * (size - 1) // 2 for size in sizes)
    else:
        runs = len(scores.runs)
        count = runs - 1 if baseline is not None else runs * (runs - 1) // 2
    return count * (1 if by is None else len(groups(scores, fields_of(by))))


def _compare_groups(
    scores: Scores, group_by: str, measure: str | Measure | None, choices: Mapping[str, Any]
) -> Comparisons:
    """Compare the runs of each group with each other."""
    named = scores.measure(measure) if measure is not None else None
    groups = run_groups(scores, group_by)
    label_of = {run: group.label for group in groups for run in group.runs}
    if choices.get("baseline") is not None:
        scores.run(choices["baseline"])
    for pair in choices.get("pairs") or ():
        crossed = list(dict.fromkeys(label_of[scores.run(run).name] for run in pair))
        if len(crossed) > 1:
            raise UsageError(
                f"pair {':'.join(pair)} crosses groups ({' and '.join(crossed)}); `group_by={group_by!r}` compares within them"
            )
    made = [_compared_runs(scores, group, named, choices) for group in groups]
    first = next((group.comparison for group in made if group.comparison is not None), None)
    if first is None:
        raise InputError(f"no {group_by} has runs to compare with each other: {made[0].label}: {made[0].why}")
    adjusted = f"p and intervals are adjusted for the pairs of a group, not for the {len(made)} groups"
    family = f"runs are compared within each {group_by}: {adjusted}"
    lacking = [f"{group.label} is not compared: {group.why}" for group in made if group.comparison is None]
    notes = [family, *filter(None, [without_value(groups, group_by)]), *lacking[:NAMED]]
    if len(lacking) > NAMED:
        notes.append(f"{len(lacking) - NAMED} more of {len(made)} groups are not compared, for reasons of that kind")
    return Comparisons(
        fields=(group_by,), measure=first.measure, noun=first.noun, groups=made, notes=notes, of_runs=True
    )


def _compared_runs(
    scores: Scores, group: RunGroup, measure: Measure | None, choices: Mapping[str, Any]
) -> ComparedGroup:
    """The comparison of one group of runs, on all topics."""
    wanted, pairs, baseline = choices.get("runs"), choices.get("pairs"), choices.get("baseline")
    runs = [run for run in group.runs if wanted is None or run in wanted]
    own = None if pairs is None else [pair for pair in pairs if pair[0] in runs]
    why = ""
    if baseline is not None and baseline not in runs:
        why = f"the baseline {baseline} is not in this group"
    elif own == []:
        why = "none of the pairs is in this group"
    elif len(runs) < 2:
        why = "the group has one run"
    comparison = None
    if not why:
        try:
            arguments: dict[str, Any] = {**choices, "runs": runs, "pairs": own}
            comparison = compare(scores, measure, **arguments)
        except InputError as problem:
            why = str(problem)
    return ComparedGroup((group.value,), group.label, len(scores.topics), comparison, why, group.runs)


def _compared(scores: Scores, group: TopicGroup, measure: Measure | None, choices: Mapping[str, Any]) -> ComparedGroup:
    """One group, without the runs that have nothing of it."""
    wanted, pairs = choices.get("runs"), choices.get("pairs")
    runs = list(scores.runs if wanted is None else wanted)
    there = [run for run in runs if took_part(scores, run, group.topics)]
    absent_runs = [run for run in runs if run not in there]
    arguments = dict(choices)
    if absent_runs:
        arguments["runs"] = there
        arguments["pairs"] = None if pairs is None else [pair for pair in pairs if not {*pair} & {*absent_runs}]
    notice = f"{', '.join(absent_runs)} {'has' if len(absent_runs) == 1 else 'have'} no results for it"
    enough = (arguments["pairs"] if absent_runs else True) if pairs is not None else len(there) > 1
    if not enough or choices.get("baseline") in absent_runs:
        return ComparedGroup(
            group.values,
            group.label,
            len(group.topics),
            None,
            notice if absent_runs else "there is one run",
            absent=tuple(absent_runs),
        )
    try:
        comparison = compare(scores.restricted(group.topics), measure, **arguments)
    except InputError as problem:
        return ComparedGroup(group.values, group.label, len(group.topics), None, str(problem))
    if absent_runs:
        comparison = replace(
            comparison, notes=[*comparison.notes, f"{notice} and {'is' if len(absent_runs) == 1 else 'are'} left out"]
        )
    return ComparedGroup(group.values, group.label, len(group.topics), comparison, absent=tuple(absent_runs))


@public
def intervals_by(
    scores: Scores, by: str | Sequence[str], measure: str | Measure, *, confidence: float = 0.95,
    cluster: str | None = "auto",
) -> Groups:  # fmt: skip
    """Return the interval of every run's value in each group of topics, as `assay.run_intervals` makes it; () is all topics.

    scores       a table whose gold has fields
    by           one of them, or several, which are crossed
    measure      one of the table's
    confidence   how often such intervals hold what they are about
    cluster      the field of topics that are resampled together; auto is `cluster` where the gold has one; None

    Returns
        dict         by the values of a group, each run's `Interval`, None where it has too few topics

    Raises
        UsageError   an unknown field or measure

    >>> import assay
    >>> lines = [b"m,%d,%s,%s" % (i, b"correct" if i % 3 else b"incorrect", b"ab"[i % 2 : i % 2 + 1]) for i in range(20)]
    >>> table = assay.evaluate(None, b"\\n".join([b"run,id,outcome,task", *lines]), "accuracy")
    >>> {group: round(ends["m"].low, 2) for group, ends in intervals_by(table, "task", "accuracy").items()}
    {('a',): 0.29, ('b',): 0.38, (): 0.43}
    """
    wanted = scores.measure(measure)
    how: dict[str, Any] = {"confidence": confidence, "cluster": cluster}
    nothing = {run: absent(scores, run) for run in scores.runs}
    by_group: Groups = {}
    for group in groups(scores, by):
        whole = scores.restricted(group.topics)
        by_group[group.values] = ends = {}
        for run in scores.runs:
            topics = [topic for topic in group.topics if topic not in nothing[run]]
            table = whole if len(topics) == len(group.topics) else scores.restricted(topics)
            ends[run] = interval_of(table, run, wanted, **how) if topics else None
    by_group[()] = run_intervals(scores, wanted, **how)
    return by_group
