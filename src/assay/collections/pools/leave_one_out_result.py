"""The result of leaving teams out of a pool."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from assay.table.results import Result


def places(values: Mapping[str, float | None]) -> dict[str, int | None]:
    """Return each run's rank, higher values first; ties share the best rank, None has no rank.

    >>> places({"a": 0.3, "b": 0.5, "c": 0.3, "d": None})
    {'a': 2, 'b': 1, 'c': 2, 'd': None}
    """
    known = [value for value in values.values() if value is not None]
    return {run: None if value is None else 1 + sum(other > value for other in known) for run, value in values.items()}


@dataclass(frozen=True, kw_only=True)
class Team:
    """A team, and the scores of all runs without its unique documents."""

    name: str
    runs: list[str]
    pooled: list[str]
    """Those of its runs that contributed."""
    documents: int
    """The judged documents that it alone brought."""
    relevant: int
    """How many of these are relevant."""
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
        """How many ranks the run drops."""
        return self.rank_after - self.rank_before


@dataclass(frozen=True, kw_only=True, repr=False)
class LeftOut(Result):
    """Every team left out of the pool in turn.

    teams             the teams, in the order of their runs
    team              of each run, its team
    scores, ranks     of each run, with all judgments
    judged, relevant  how many documents there are of either kind
    depth             how deep the pool was taken to be
    remarks           what a careful reader should know of the runs
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
                    "largest_drop": _told(self.largest_drop(changes)), "deepest_fall": _told(self.deepest_fall(changes)),
                }
            )  # fmt: skip
        changes_of_own = self.own
        return {
            "measure": self.measure, "depth": self.depth, "topics": self.topics, "judged": self.judged, "relevant": self.relevant,
            "scores": dict(self.scores), "ranks": dict(self.ranks), "teams": teams,
            "largest_drop": _told(self.largest_drop(changes_of_own)), "deepest_fall": _told(self.deepest_fall(changes_of_own)),
        }  # fmt: skip


def _told(change: Change | None) -> dict[str, Any] | None:
    if change is None:
        return None
    return {
        "run": change.run, "team": change.team, "before": change.before, "after": change.after, "relative": change.relative,
        "rank_before": change.rank_before, "rank_after": change.rank_after,
    }  # fmt: skip
