"""The result of `assay.correct`: scores by the machine, and estimates of people's, per run and pair."""

from __future__ import annotations

import os
from dataclasses import dataclass, field
from typing import Any

from assay.table.results import Result

ESTIMATORS = {"human": "human alone", "ppi": "PPI++", "rogan_gladen": "Rogan-Gladen"}


@dataclass(frozen=True, slots=True)
class CorrectedValue:
    """An estimate with its interval."""

    value: float
    low: float
    high: float


@dataclass(frozen=True, slots=True)
class CorrectedRun:
    """A run by one measure: what the machine says of it, and what people would, estimated in three ways. None is undefined."""

    run: str
    measure: str
    machine: float | None
    estimates: dict[str, CorrectedValue | None]
    """By `human`, `ppi`, `rogan_gladen`."""
    questions: int
    labels: int
    weight: float | None
    """λ: how far PPI++ listens to the machine."""
    sensitivity: float | None
    specificity: float | None
    kappa: float | None


@dataclass(frozen=True, slots=True)
class CorrectedPair:
    """The first run less the second, on the same questions."""

    first: str
    second: str
    measure: str
    machine: float | None
    estimates: dict[str, CorrectedValue | None]
    weight: float | None

    @property
    def verdict(self) -> str:
        """What becomes of the machine's order: it holds, is open, or turns; by PPI++, or else by people's labels alone."""
        told = self.estimates["ppi"] or self.estimates["human"]
        if told is None or not self.machine or told.low <= 0 <= told.high:
            return "open"
        return "holds" if (told.value > 0) == (self.machine > 0) else "turns"


@dataclass(frozen=True, kw_only=True, repr=False)
class Correction(Result):
    """Scores as a machine gives them, and as people would."""

    noun: str
    """What is labelled: question, or topic."""
    runs: tuple[CorrectedRun, ...]
    pairs: tuple[CorrectedPair, ...]
    settings: dict[str, Any]
    notes: tuple[str, ...] = field(default=())

    def to_dict(self) -> dict[str, Any]:
        """The documented JSON shape."""
        return {
            "runs": [
                {
                    "run": one.run, "measure": one.measure, "machine": one.machine, **_told(one.estimates), f"{self.noun}s": one.questions,
                    "labels": one.labels, "weight": one.weight, "sensitivity": one.sensitivity, "specificity": one.specificity,
                    "kappa": one.kappa,
                }
                for one in self.runs
            ],
            "pairs": [
                {
                    "first": one.first, "second": one.second, "measure": one.measure, "machine": one.machine, **_told(one.estimates),
                    "weight": one.weight, "order": one.verdict,
                }
                for one in self.pairs
            ],
            "settings": self.settings, "notes": list(self.notes),
        }  # fmt: skip

    def rows(self) -> tuple[list[str], list[list[Any]]]:
        """A row for each run, then each two runs, and each estimate."""
        header = ["run", "against", "measure", "estimate", "value", "low", "high", "labels", "weight"]
        made: list[list[Any]] = []
        for one in self.runs:
            made.append([one.run, None, one.measure, "machine", one.machine, None, None, None, None])
            for name, told in one.estimates.items():
                weight = one.weight if name == "ppi" else None
                made.append([one.run, None, one.measure, name, *_ends(told), one.labels, weight])
        for pair in self.pairs:
            made.append([pair.first, pair.second, pair.measure, "machine", pair.machine, None, None, None, None])
            for name, told in pair.estimates.items():
                weight = pair.weight if name == "ppi" else None
                made.append([pair.first, pair.second, pair.measure, name, *_ends(told), None, weight])
        return header, made

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write the tables and charts as a page: written whole or not at all.

        path   .html, .pdf or .txt
        """
        names = list(dict.fromkeys(one.run for one in self.runs))
        said = ", ".join(names) if len(names) < 6 else f"{len(names)} runs"
        self.save_as(path, "Corrected for the judge", said)


def _ends(told: CorrectedValue | None) -> list[float | None]:
    return [None, None, None] if told is None else [told.value, told.low, told.high]


def _told(estimates: dict[str, CorrectedValue | None]) -> dict[str, Any]:
    return {
        name: None if one is None else {"value": one.value, "interval": [one.low, one.high]}
        for name, one in estimates.items()
    }
