"""Test whether a pool can be reused: would a non-participating team be scored fairly?

Leaving a team out removes the judgments of the documents that it alone contributed. They become unjudged, and every run is
scored again (Zobel, "How Reliable are the Results of Large-Scale Information Retrieval Experiments?", SIGIR 1998).
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Unpack

from assay.analyses.brief_numbers import brief
from assay.collections.pools.finding import of_left_out
from assay.collections.pools.pool import contributing
from assay.collections.pools.pool_depth import DEFAULT_POOL_DEPTH
from assay.errors import UsageError
from assay.figures.common import characteristics as characteristics_in
from assay.figures.common import headline
from assay.figures.run_groups import team_of
from assay.formats.auxiliary.characteristics import characteristics_of
from assay.measures.measure import Measure
from assay.measures.views.ranked import Judgments, RankedView
from assay.parameters import ScoringWithoutDepth, public
from assay.scoring.evaluate import chosen, extended, scores_of
from assay.settings import POSITIVE, checked
from assay.stats.rank_correlation import agreement
from assay.table.results import Result
from assay.table.scores import Scores

UNPOOLED, SEVERAL = -1, -2
"""Owners of judged documents that no pooled run has down to the depth, or that runs of several teams have."""
MIN_WARNED_LOSS = 0.05
"""The best run's loss without its own team's judgments, as a share of its score, from which a report warns."""
Unique = dict[int, list[int]]
"""For one topic, by the number of a team, the numbers of the judged documents that only it contributed."""


@dataclass(frozen=True, kw_only=True)
class Team:
    """A team, and the scores of all runs without its unique documents."""

    name: str
    runs: list[str]
    pooled: list[str]
    """Its runs that contributed to the pool."""
    documents: int
    """The number of judged documents that only it contributed."""
    relevant: int
    """The relevant ones among these."""
    scores: Mapping[str, float | None]
    """Every run's score without them."""
    ranks: Mapping[str, int | None]
    """Every run's rank without them."""
    tau_b: float | None
    """Kendall's tau-b between the rankings of the runs with them and without."""


@dataclass(frozen=True, kw_only=True)
class Change:
    """One run's score and rank, with all judgments and without one team's unique documents."""

    run: str
    team: str
    """The team that is left out."""
    before: float
    after: float
    rank_before: int
    rank_after: int

    @property
    def difference(self) -> float:
        return self.after - self.before

    @property
    def relative(self) -> float | None:
        """The difference as a share of the score; None where the score is 0."""
        return self.difference / self.before if self.before else None

    @property
    def fall(self) -> int:
        """The number of ranks that the run drops."""
        return self.rank_after - self.rank_before


@dataclass(frozen=True, kw_only=True, repr=False)
class LeftOut(Result):
    """Every team left out of the pool in turn.

    teams             the teams, in the order of their runs
    team              the team of each run
    scores, ranks     those of each run with all judgments
    judged, relevant  numbers of documents
    depth             the assumed depth of the pool
    remarks           notes on the runs
    """

    measure: str
    higher_is_better: bool
    depth: int
    topics: int
    judged: int
    relevant: int
    team: Mapping[str, str]
    scores: Mapping[str, float | None]
    ranks: Mapping[str, int | None]
    teams: Sequence[Team]
    remarks: Sequence[str] = ()

    def changes(self, team: Team) -> list[Change]:
        """Return the change of every run that has a score both times, when one team is left out."""
        changes: list[Change] = []
        for run, before in self.scores.items():
            after, rank_before, rank_after = team.scores[run], self.ranks[run], team.ranks[run]
            if before is not None and after is not None and rank_before is not None and rank_after is not None:
                changes.append(
                    Change(
                        run=run,
                        team=team.name,
                        before=before,
                        after=after,
                        rank_before=rank_before,
                        rank_after=rank_after,
                    )
                )
        return changes

    @property
    def own(self) -> list[Change]:
        """The change of every run when its own team is left out."""
        by_name = {team.name: team for team in self.teams}
        named = {team: {change.run: change for change in self.changes(left_out)} for team, left_out in by_name.items()}
        return [named[team][run] for run, team in self.team.items() if run in named[team]]

    def largest_drop(self, changes: Sequence[Change]) -> Change | None:
        """Return the run that loses most of its score; None if none loses any."""
        sign = 1 if self.higher_is_better else -1
        worst = min(changes, key=lambda change: sign * change.difference, default=None)
        return worst if worst is not None and sign * worst.difference < 0 else None

    def deepest_fall(self, changes: Sequence[Change]) -> Change | None:
        """Return the run that drops most ranks; None if none drops."""
        worst = max(changes, key=lambda change: change.fall, default=None)
        return worst if worst is not None and worst.fall > 0 else None

    @property
    def warning(self) -> str:
        """What the best run owes to its own team's judgments; empty where it is little."""
        best = next((change for change in self.own if change.rank_before == 1), None)
        if best is None or best.relative is None:
            return ""
        loss = -best.relative if self.higher_is_better else best.relative
        if loss < MIN_WARNED_LOSS and best.fall <= 0:
            return ""
        rank = f" and rank {best.rank_after}" if best.fall > 0 else ""
        return (
            f"Without the judgments that only its own team contributed, {best.run} would have {self.measure} {brief(best.after, 3)}{rank}, "
            f"not {brief(best.before, 3)} ({'−' if self.higher_is_better else '+'}{loss:.1%})."
        )

    @property
    def finding(self) -> str:
        """How far the scores depend on any single team, in a few sentences."""
        return of_left_out(self)

    def rows(self) -> tuple[list[str], list[list[Any]]]:
        """Return a row per team and run: score and rank with all judgments, and without the team's."""
        header = ["team", "unique", "unique_relevant", "tau_b", "run", "of_the_team"]
        header += [self.measure, f"{self.measure}_without", "rank", "rank_without"]
        rows = [
            [team.name, team.documents, team.relevant, team.tau_b, run, self.team[run] == team.name,
             self.scores[run], team.scores[run], self.ranks[run], team.ranks[run]]
            for team in self.teams
            for run in self.scores
        ]  # fmt: skip
        return header, rows

    def to_dict(self) -> dict[str, Any]:
        """Return the documented JSON: every team's unique documents, and all scores without them."""
        teams: list[dict[str, Any]] = []
        for team in self.teams:
            changes = self.changes(team)
            teams.append(
                {
                    "team": team.name, "runs": team.runs, "pooled": team.pooled, "unique": team.documents,
                    "unique_relevant": team.relevant, "tau_b": team.tau_b, "scores": dict(team.scores), "ranks": dict(team.ranks),
                    "largest_drop": _change_record(self.largest_drop(changes)), "deepest_fall": _change_record(self.deepest_fall(changes)),
                }
            )  # fmt: skip
        changes = self.own
        return {
            "finding": self.finding, "measure": self.measure, "depth": self.depth, "topics": self.topics, "judged": self.judged,
            "relevant": self.relevant,
            "scores": dict(self.scores), "ranks": dict(self.ranks), "teams": teams,
            "largest_drop": _change_record(self.largest_drop(changes)), "deepest_fall": _change_record(self.deepest_fall(changes)),
        }  # fmt: skip


@public
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
    task: str | None = None,
    **settings: Unpack[ScoringWithoutDepth],
) -> LeftOut:
    """Score and rank every run as if each team in turn had not contributed to the pool.

    scores          a `Scores` of ranked retrieval, or the qrels
    runs            the runs, where `scores` is the qrels
    measure         measure that ranks the runs; by default AP, or the first of the table
    depth           depth to which the runs were pooled (100)
    characteristics  as `assay.pool` takes them; by default those of the table
    team_from       as `assay.pool` takes it
    runs_per_team   how many runs of each team were pooled; by default all
    progress        called with the number of runs done and of all
    task            with qrels: the kind of evaluation, by default detected
    settings        the choices of `assay.evaluate`, as `name_by`, where `scores` is the qrels

    >>> qrels = {"q1": {"a": 1, "b": 1}}
    >>> runs = {"one": {"q1": {"a": 2, "b": 1}}, "two": {"q1": {"b": 1}}}
    >>> result = left_out(qrels, runs, "AP")
    >>> [(team.name, team.relevant, team.scores["one"]) for team in result.teams]  # without one, a is not judged: b at rank 2 of 1
    [('one', 1, 0.5), ('two', 0, 1.0)]
    """
    checked("depth", depth, POSITIVE)
    if runs_per_team is not None:
        checked("runs_per_team", runs_per_team, POSITIVE)
    table = scores_of(scores, runs, measure if measure is None else [measure], task=task, **settings)
    ranking_measure = headline(table) if measure is None else chosen(measure, table.task)[0]
    _check(table, ranking_measure, depth)
    table = extended(table, [ranking_measure])
    described = characteristics_of(characteristics)
    traits = described.of if characteristics is not None else lambda run: characteristics_in(table, run)
    team = {run: team_of(run, traits(run), team_from) for run in table.runs}
    pooled = contributing(team, traits, runs_per_team, described.unmatched(table.runs))
    names = list(dict.fromkeys(team.values()))
    if len(names) < 2:
        raise UsageError(f"all runs are of one team ({names[0]}); expected two teams or more")
    unique = _unique(table, {run: names.index(team[run]) for run in pooled}, depth)
    columns = _columns(table, ranking_measure, unique, len(names), progress)
    remarks = [*table.remarks(), *described.unmatched(table.runs)]
    return _result(table, ranking_measure, depth, team, pooled, names, unique, columns, remarks)


def _check(table: Scores, measure: Measure, depth: int) -> None:
    if table.task.name != "ranked":
        raise UsageError(f"teams can be left out only in ranked retrieval; this is {table.task.name}")
    if measure.level != "topic":
        raise UsageError(f"{measure.name} has no value per topic. Fix: use another measure, such as AP")
    if getattr(table.settings, "judged_only", False):
        raise UsageError(
            "`judged_only=True` removes the original ranks, so that the pool is unknown. Fix: use AP' or another primed measure"
        )
    table_depth = getattr(table.settings, "depth", None)
    if table_depth is not None and table_depth < depth:
        raise UsageError(
            f"`depth={depth}`: the table has only the first {table_depth} documents. Fix: evaluate without a depth"
        )
    for run in table.runs:
        if table.run(run).views is None:
            raise UsageError(f"{run}: the table has scores but no rankings. Fix: evaluate with `keep=True`")


def _unique(table: Scores, pooled: Mapping[str, int], depth: int) -> list[Unique]:
    """Return, for each topic, the documents that each team alone contributed."""
    views: Any = table.run(table.runs[0]).views
    owners = [[UNPOOLED] * len(views.gold.documents(topic)) for topic in range(len(table.topics))]
    for run, number in pooled.items():
        for topic, (ranks, numbers) in enumerate(_judged(table, run)):
            owner = owners[topic]
            for document in numbers[: bisect_right(ranks, depth)]:
                if owner[document] != number:
                    owner[document] = number if owner[document] == UNPOOLED else SEVERAL
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
            # Teams with equal judgments share the value of a run that retrieved none of their documents.
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


def places(values: Mapping[str, float | None]) -> dict[str, int | None]:
    """Return each run's rank, higher values first; ties share the best rank, None has no rank.

    >>> places({"a": 0.3, "b": 0.5, "c": 0.3, "d": None})
    {'a': 2, 'b': 1, 'c': 2, 'd': None}
    """
    known = [value for value in values.values() if value is not None]
    return {run: None if value is None else 1 + sum(other > value for other in known) for run, value in values.items()}


def _change_record(change: Change | None) -> dict[str, Any] | None:
    if change is None:
        return None
    return {
        "run": change.run, "team": change.team, "before": change.before, "after": change.after, "relative": change.relative,
        "rank_before": change.rank_before, "rank_after": change.rank_after,
    }  # fmt: skip
