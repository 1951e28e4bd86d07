"""The result of `assay.agree`: coefficients with intervals, disagreements, rankings."""

from __future__ import annotations

import os
from dataclasses import dataclass, field
from typing import Any

from assay.analyses.judges.adjudication import Adjudicated, settled, sheet
from assay.analyses.judges.judgments import JudgeTable
from assay.analyses.judges.rankings import Rankings
from assay.table.results import Result


@dataclass(frozen=True, slots=True)
class Coefficient:
    """A coefficient with its interval; None is undefined."""

    value: float | None
    low: float | None
    high: float | None


@dataclass(frozen=True, slots=True)
class TwoJudges:
    """Two judges on the pairs that both judged."""

    first: str
    second: str
    shared: int
    topics: int
    coefficients: dict[str, Coefficient]
    confusion: tuple[tuple[int, ...], ...]
    """Rows are the first judge's grades, columns the second's."""


@dataclass(frozen=True, slots=True)
class TopicAgreement:
    """One topic: pairs that two judges or more judged, on how many of them they differ, and the coefficients."""

    topic: str
    shared: int
    differing: int
    coefficients: dict[str, float | None]


@dataclass(frozen=True, slots=True)
class Disagreement:
    """A document on whose grade judges differ; `apart` is by how much, None of words without an order."""

    topic: str
    document: str
    grades: dict[str, str]
    apart: float | None


@dataclass(frozen=True, kw_only=True, repr=False)
class JudgeAgreement(Result):
    """How far judges agree."""

    judges: dict[str, int]
    """How many pairs each judged."""
    labels: tuple[str, ...]
    topics: int
    judged: int
    """Pairs of topic and document that anybody judged."""
    shared: int
    """Those that two judges or more did."""
    by_all: int
    """Those that every judge did."""
    coefficients: dict[str, Coefficient]
    """Of all judges together; kappas are means over the pairs of judges."""
    pairs: tuple[TwoJudges, ...]
    per_topic: tuple[TopicAgreement, ...]
    disagreements: tuple[Disagreement, ...]
    rankings: Rankings | None
    settings: dict[str, Any]
    notes: tuple[str, ...]
    source: JudgeTable = field(repr=False)
    """The judgments themselves."""

    def to_dict(self) -> dict[str, Any]:
        """The documented JSON shape."""
        return {
            "judges": [{"judge": name, "judged": count} for name, count in self.judges.items()],
            "topics": self.topics, "judged": self.judged, "shared": self.shared, "by_all": self.by_all,
            "coefficients": _told(self.coefficients),
            "pairs": [
                {
                    "first": one.first, "second": one.second, "shared": one.shared, "topics": one.topics,
                    "coefficients": _told(one.coefficients), "confusion": [list(row) for row in one.confusion],
                }
                for one in self.pairs
            ],
            "per_topic": [
                {"topic": one.topic, "shared": one.shared, "differing": one.differing, **one.coefficients} for one in self.per_topic
            ],
            "disagreements": [
                {"topic": one.topic, "document": one.document, "apart": one.apart, "grades": one.grades}
                for one in self.disagreements
            ],
            "rankings": None if self.rankings is None else _rankings(self.rankings),
            "settings": self.settings, "notes": list(self.notes),
        }  # fmt: skip

    def rows(self) -> tuple[list[str], list[list[Any]]]:
        """A row for each two judges and each coefficient, then all judges together where there are more than two."""
        rows = [
            [one.first, one.second, one.shared, name, found.value, found.low, found.high]
            for one in self.pairs
            for name, found in one.coefficients.items()
        ]
        if len(self.judges) > 2:
            every = self.coefficients.items()
            rows += [["all", None, self.shared, name, found.value, found.low, found.high] for name, found in every]
        return ["first", "second", "shared", "coefficient", "value", "low", "high"], rows

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write the tables and charts as a page: written whole or not at all.

        path   .html, .pdf or .txt
        """
        judges = list(self.judges)
        names = ", ".join(judges) if len(judges) < 6 else f"{len(judges)} judges"
        self.save_as(path, "Do the judges agree?", names)

    def write_adjudication(self, path: str | os.PathLike[str]) -> None:
        """Write the disagreements as a table with an empty column `decision`, for somebody to fill in; never over a file.

        path   a CSV file that is not there yet
        """
        sheet(self.source, self.disagreements, path)

    def settle(self, path: str | os.PathLike[str]) -> Adjudicated:
        """The judgments that all agree on, and those decided in a table that `write_adjudication` wrote.

        path   that table, filled in
        """
        return settled(self.source, self.disagreements, path)


def _told(found: dict[str, Coefficient]) -> dict[str, Any]:
    return {
        name: {"value": one.value, "interval": None if one.low is None else [one.low, one.high]}
        for name, one in found.items()
    }


def _move(move: Any) -> dict[str, Any] | None:
    return None if move is None else {"run": move.run, "from": move.before, "to": move.after}


def _rankings(found: Rankings) -> dict[str, Any]:
    return {
        "measure": found.measure, "judged": found.judged, "topics": found.topics, "correct": found.correct,
        "scores": [{"judge": judge, "runs": runs} for judge, runs in found.scores.items()],
        "pairs": [
            {
                "first": one.first, "second": one.second, "runs": one.runs, "tau_b": one.tau_b, "tau_ap": one.tau_ap,
                "rbo": one.rbo, "rise": _move(one.rise), "fall": _move(one.fall), "compared": one.compared,
                "significant": list(one.significant), "kept": one.kept, "undecided": one.undecided, "turned": one.turned,
                "reversed": one.reversed,
            }
            for one in found.pairs
        ],
    }  # fmt: skip
