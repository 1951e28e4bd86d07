"""Figures of pairwise preferences: which systems met, and who won."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from assay.figures.common import TaskFigures
from assay.table.scores import Scores


@dataclass(frozen=True, slots=True)
class HeadToHead:
    """One system against another: battles, ties, and the share won (a tie is half)."""

    other: str
    battles: int
    tied: int
    share: float


@dataclass(frozen=True, slots=True)
class PairwiseRunFigures:
    """One system and its opponents."""

    run: str
    met: tuple[HeadToHead, ...]


@dataclass(frozen=True, slots=True)
class PairwiseFigures:
    """All pairs of systems that met."""

    runs: tuple[PairwiseRunFigures, ...]
    battles: int


def figures(scores: Scores) -> PairwiseFigures:
    """Return the results of every pair of systems."""
    sums: dict[tuple[str, str], list[float]] = {}
    battles: Any = scores.run(scores.runs[0]).columns["battles"]
    for battle in (battle for several in battles for battle in several):
        for system, opponent, won in ((battle.a, battle.b, battle.won), (battle.b, battle.a, 1 - battle.won)):
            cell = sums.setdefault((system, opponent), [0, 0, 0.0])
            cell[0] += 1
            cell[1] += won == 0.5
            cell[2] += won
    met: dict[str, list[HeadToHead]] = {run: [] for run in scores.runs}
    for (system, opponent), (count, tied, won) in sums.items():
        if system in met and opponent in met:
            met[system].append(HeadToHead(opponent, int(count), int(tied), won / count))
    return PairwiseFigures(
        tuple(PairwiseRunFigures(run, tuple(met[run])) for run in scores.runs), sum(map(len, battles))
    )


FIGURES = TaskFigures(figures, ("WinRate",), ("battles",))
