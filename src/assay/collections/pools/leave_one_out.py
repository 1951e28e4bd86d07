"""Test whether a pool can be reused: would a non-participating team be scored fairly?

Leaving a team out removes the judgments of the documents that it alone contributed. They become unjudged, and every run is
scored again (Zobel, "How Reliable are the Results of Large-Scale Information Retrieval Experiments?", SIGIR 1998).
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

from assay.collections.pools.leave_one_out_result import LeftOut, Team, places
from assay.collections.pools.pool import contributing
from assay.collections.pools.pool_depth import DEFAULT_POOL_DEPTH
from assay.errors import UsageError
from assay.figures.common import characteristics as told_of
from assay.figures.common import headline
from assay.figures.teams import team_of
from assay.formats.auxiliary.characteristics import characteristics_of
from assay.measures.measure import Measure
from assay.measures.views.ranked import Judgments, RankedView
from assay.scoring.evaluate import chosen, extended, scores_of
from assay.settings import POSITIVE, checked
from assay.stats.rank_correlation import agreement
from assay.table.scores import Scores

NOBODY, SEVERAL = -1, -2
"""Whose a judged document is, where it is not one team's alone: no pooled run has it down to the depth, or those of several teams."""
Unique = dict[int, list[int]]
"""Of one topic, by the number of a team, the numbers of the judged documents it alone brought."""


def left_out(
    scores: Any,
    runs: Any = None,
    measure: str | Measure | None = None,
    *,
    depth: int = DEFAULT_POOL_DEPTH,
    characteristics: Any = None,
    team_from: str | None = None,
    runs_per_team: int | None = None,
    progress: Callable[[int, int], None] | None = None,
    **settings: Any,
) -> LeftOut:
    """Score and rank every run as if each team in turn had not contributed to the pool.

    scores          a `Scores` of ranked retrieval, or the qrels
    runs            the runs, where `scores` is the qrels
    measure         by which runs are ranked; AP, or the table's first, where left out
    depth           how deep the runs were pooled (100)
    characteristics  as `assay.pool` takes them; those of the table where left out
    team_from       as `assay.pool` takes it
    runs_per_team   how many runs of each team were pooled; all where left out
    progress        called with the number of runs done and of all
    settings        the choices of `assay.evaluate`, as `name_by`, where `scores` is the qrels

    >>> qrels = {"q1": {"a": 1, "b": 1}}
    >>> runs = {"one": {"q1": {"a": 2, "b": 1}}, "two": {"q1": {"b": 1}}}
    >>> found = left_out(qrels, runs, "AP")
    >>> [(team.name, team.relevant, team.scores["one"]) for team in found.teams]  # without one, a is not judged: b at rank 2 of 1
    [('one', 1, 0.5), ('two', 0, 1.0)]
    """
    checked("depth", depth, POSITIVE)
    if runs_per_team is not None:
        checked("runs_per_team", runs_per_team, POSITIVE)
    table = scores_of(scores, runs, measure if measure is None else [measure], **settings)
    ranking_measure = headline(table) if measure is None else chosen(measure, table.task)[0]
    _check(table, ranking_measure, depth)
    table = extended(table, [ranking_measure])
    described = characteristics_of(characteristics)
    traits = described.of if characteristics is not None else lambda run: told_of(table, run)
    team = {run: team_of(run, traits(run), team_from) for run in table.runs}
    pooled = contributing(team, traits, runs_per_team, described.unmatched(table.runs))
    names = list(dict.fromkeys(team.values()))
    if len(names) < 2:
        raise UsageError(f"all runs are of one team ({names[0]}): leaving one out needs two teams or more")
    unique = _unique(table, {run: names.index(team[run]) for run in pooled}, depth)
    columns = _columns(table, ranking_measure, unique, len(names), progress)
    remarks = [*table.remarks(), *described.unmatched(table.runs)]
    return _result(table, ranking_measure, depth, team, pooled, names, unique, columns, remarks)


def _check(table: Scores, measure: Measure, depth: int) -> None:
    if table.task.name != "ranked":
        raise UsageError(f"leaving teams out needs ranked retrieval; this is {table.task.name}")
    if measure.level != "topic":
        raise UsageError(f"{measure.name} has no value per topic; use another, such as AP")
    if getattr(table.settings, "judged_only", False):
        raise UsageError(
            "`judged_only=True` removes the original ranks, so that the pool is unknown; use AP' or another primed measure"
        )
    looked_at = getattr(table.settings, "depth", None)
    if looked_at is not None and looked_at < depth:
        raise UsageError(
            f"`depth={depth}`: the table has only the first {looked_at} documents; evaluate without a depth"
        )
    for run in table.runs:
        if table.run(run).views is None:
            raise UsageError(f"{run}: the table has scores but no rankings; evaluate with `keep=True`")


def _unique(table: Scores, pooled: Mapping[str, int], depth: int) -> list[Unique]:
    """Return, for each topic, the documents that each team alone contributed."""
    views: Any = table.run(table.runs[0]).views
    owners = [[NOBODY] * len(views.gold.documents(topic)) for topic in range(len(table.topics))]
    for run, number in pooled.items():
        for topic, (ranks, numbers) in enumerate(_judged(table, run)):
            owner = owners[topic]
            for document in numbers[: bisect_right(ranks, depth)]:
                if owner[document] != number:
                    owner[document] = number if owner[document] == NOBODY else SEVERAL
    unique: list[Unique] = []
    for topic, owner in enumerate(owners):
        grades = views.gold.documents(topic)
        by_team: Unique = {}
        for document, number in enumerate(owner):
            if number >= 0 and grades[document][1] >= 0:
                by_team.setdefault(number, []).append(document)
        unique.append(by_team)
    return unique


def _judged(table: Scores, run: str) -> Iterator[tuple[list[int], list[int]]]:
    """Yield per topic the ascending ranks and the numbers of the judged documents retrieved."""
    views: Any = table.run(run).views
    for topic, gone in enumerate(views.missing):
        yield ([], []) if gone else views.pooled_numbers(topic)


def _columns(
    table: Scores, measure: Measure, unique: Sequence[Unique], teams: int, progress: Callable[[int, int], None] | None
) -> list[dict[str, list[Any]]]:
    """Return, by team and run, the values per topic without that team's unique documents."""
    function = measure.bound()
    first: Any = table.run(table.runs[0]).views
    grades = [[grade for _, grade in first.gold.documents(topic)] for topic in range(len(table.topics))]
    reduced = [_judgments(grades[topic], owners) for topic, owners in enumerate(unique)]
    whose = [{document: team for team, documents in owners.items() for document in documents} for owners in unique]
    columns_by_team: list[dict[str, list[Any]]] = [{} for _ in range(teams)]
    for done, run in enumerate(table.runs, 1):
        scored = table.run(run)
        columns = [list(scored.columns[measure.name]) for _ in range(teams)]
        views: Any = scored.views
        for topic, view in enumerate(views):
            if scored.missing[topic] or not unique[topic]:
                continue
            ranks, numbers = views.pooled_numbers(topic)
            lost: dict[int, list[tuple[int, int]]] = {}
            owners, grade = whose[topic], grades[topic]
            for rank, number in zip(ranks, numbers, strict=True):
                if number in owners:
                    lost.setdefault(owners[number], []).append((rank, grade[number]))
            # A run that has nothing of what a team alone brought is told by the judgments that are left, whose they were.
            computed: dict[Judgments, Any] = {}
            for team, judgments in reduced[topic].items():
                if team in lost:
                    columns[team][topic] = function(_reduced(view, judgments, lost[team]))
                    continue
                if judgments not in computed:
                    computed[judgments] = function(_reduced(view, judgments, ()))
                columns[team][topic] = computed[judgments]
        for team in range(teams):
            columns_by_team[team][run] = columns[team]
        if progress is not None:
            progress(done, len(table.runs))
    return columns_by_team


def _judgments(grades: Sequence[int], unique: Unique) -> dict[int, Judgments]:
    """Return each team's reduced judgments; teams that remove equal grades share one object."""
    every = Counter(grades)
    shared: dict[tuple[tuple[int, int], ...], Judgments] = {}
    reduced: dict[int, Judgments] = {}
    for team, documents in unique.items():
        removed = Counter(grades[number] for number in documents)
        key = tuple(sorted(removed.items()))
        if key not in shared:
            shared[key] = Judgments([g for g in sorted(every, reverse=True) for _ in range(every[g] - removed[g])])
        reduced[team] = shared[key]
    return reduced


def _reduced(view: RankedView, judgments: Judgments, lost: Sequence[tuple[int, int]]) -> RankedView:
    """Return the ranking without the judgments of some documents, given as (rank, grade)."""
    positive = view.positive()
    if lost:
        lost_relevant = {rank for rank, grade in lost if grade > 0}
        zeros = [rank for rank, grade in lost if grade == 0]
        retained = [judged for judged in zip(*positive, strict=True) if judged[0] not in lost_relevant]
        positive = (
            [rank for rank, _, _ in retained],
            [grade for _, grade, _ in retained],
            [above - bisect_left(zeros, rank) for rank, _, above in retained]
            if zeros
            else [above for _, _, above in retained],
        )
    lost_ranks = {rank for rank, _ in lost}
    return RankedView(
        judgments,
        view.num_ret,
        positive,
        lambda: [judged for judged in view.pooled() if judged[0] not in lost_ranks],
        view.level,
    )


def _result(
    table: Scores, measure: Measure, depth: int, team: Mapping[str, str], pooled: Sequence[str], names: Sequence[str],
    unique: Sequence[Unique], columns: Sequence[Mapping[str, list[Any]]], remarks: Sequence[str],
) -> LeftOut:  # fmt: skip
    views: Any = table.run(table.runs[0]).views
    level, documents = views.level, [views.gold.documents(topic) for topic in range(len(table.topics))]
    before = table.upwards(measure)
    teams: list[Team] = []
    for number, name in enumerate(names):
        runs = [table.run(run) for run in table.runs]
        without = table.with_runs(
            run.but(columns={**run.columns, measure.name: tuple(columns[number][run.name])}) for run in runs
        )
        after = without.upwards(measure)
        team_grades = [
            documents[topic][document][1]
            for topic, unique_of in enumerate(unique)
            for document in unique_of.get(number, ())
        ]
        alike = agreement(before, after)
        teams.append(
            Team(
                name=name, runs=[run for run in table.runs if team[run] == name], pooled=[r for r in pooled if team[r] == name],
                documents=len(team_grades), relevant=sum(grade >= level for grade in team_grades),
                scores=without.mean(measure), ranks=places(after), tau_b=alike["tau_b"] if alike else None,
            )
        )  # fmt: skip
    grades = [grade for unique_of in documents for _, grade in unique_of]
    return LeftOut(
        measure=measure.name, higher_is_better=measure.declaration.higher_is_better is not False, depth=depth,
        topics=len(table.topics), judged=sum(grade >= 0 for grade in grades),
        relevant=sum(grade >= max(level, 0) for grade in grades), team=dict(team), scores=table.mean(measure),
        ranks=places(before), teams=teams, remarks=remarks,
    )  # fmt: skip
