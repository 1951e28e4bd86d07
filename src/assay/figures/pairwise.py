"""Plain data behind the pages of pairwise preferences: who met whom, and what was won."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from assay.table.scores import Scores

MEASURES = ("WinRate",)
COLUMNS = ("battles",)


@dataclass(frozen=True, slots=True)
class HeadToHead:
    """What a system won of another: battles, of which so many were tied, and the share won, ties as half."""

    other: str
    battles: int
    tied: int
    share: float


@dataclass(frozen=True, slots=True)
class PairwiseRunFigures:
    """One system, and whom it met."""

    run: str
    met: tuple[HeadToHead, ...]


@dataclass(frozen=True, slots=True)
class PairwiseFigures:
    """Everybody against everybody, as far as they met."""

    runs: tuple[PairwiseRunFigures, ...]
    battles: int


def figures(scores: Scores) -> PairwiseFigures:
    """What every two systems won of each other."""
    sums: dict[tuple[str, str], list[float]] = {}
    battles: Any = scores.run(scores.runs[0]).columns["battles"]
    for battle in (battle for several in battles for battle in several):
        for one, other, won in ((battle.a, battle.b, battle.won), (battle.b, battle.a, 1 - battle.won)):
            cell = sums.setdefault((one, other), [0, 0, 0.0])
            cell[0] += 1
            cell[1] += won == 0.5
            cell[2] += won
    met: dict[str, list[HeadToHead]] = {run: [] for run in scores.runs}
    for (one, other), (count, tied, won) in sums.items():
        if one in met and other in met:
            met[one].append(HeadToHead(other, int(count), int(tied), won / count))
    return PairwiseFigures(
        tuple(PairwiseRunFigures(run, tuple(met[run])) for run in scores.runs), sum(map(len, battles))
    )
