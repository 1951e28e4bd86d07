"""The ranking of the runs under each judge, and how the rankings differ."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from assay.analyses.comparison.compare import compare
from assay.analyses.comparison.result import Comparison
from assay.analyses.judges.judgments import JudgeTable
from assay.errors import InputError, UsageError
from assay.parameters import RankedScoring
from assay.scoring.evaluate import evaluate
from assay.stats.rank_correlation import agreement


@dataclass(frozen=True, slots=True)
class Move:
    """A run and its rank under either judge; 1 is best, and tied runs share the better rank."""

    run: str
    before: int
    after: int


@dataclass(frozen=True, slots=True)
class TwoRankings:
    """The ranking of the runs under one judge compared with that under another."""

    first: str
    second: str
    runs: int
    tau_b: float | None
    tau_ap: float | None
    """With the first judge's ranking as its reference."""
    rbo: float | None
    rise: Move | None
    fall: Move | None
    """The largest moves from the first judge's ranking to the second's; None if no run moves that way."""
    compared: int
    """Pairs of runs."""
    significant: tuple[int, int]
    """Pairs of runs that differ significantly under the first judge, and under the second."""
    kept: int
    """Pairs that are significant under both, with the same winner."""
    undecided: int
    """Pairs that are significant under only one judge, with the same run ahead under the other."""
    turned: int
    """Pairs that are significant under only one judge, with the other run ahead under the other."""
    reversed: int
    """Pairs that are significant under both, with another winner."""


@dataclass(frozen=True, slots=True)
class Rankings:
    """The runs ranked under every judge, on the pairs that all judges judged."""

    measure: str
    judged: int
    topics: int
    scores: dict[str, dict[str, float | None]]
    """By judge and run."""
    pairs: tuple[TwoRankings, ...]
    correct: str
    """The correction of the tests for many pairs of runs."""


def ranked_by(
    judged: JudgeTable,
    pairs: Sequence[tuple[int, int]],
    runs: Any,
    measure: str | None,
    seed: int,
    progress: Callable[[int, int], None] | None = None,
    settings: RankedScoring | None = None,
) -> Rankings:
    """Score the runs under each judge and compare the rankings; `settings` are those of `assay.evaluate`."""
    values = judged.scale.values
    if values is None:
        raise UsageError(
            "`runs=`: scoring runs needs numbers or ordered words as grades; `scale=` gives the order, lowest first"
        )
    if any(value != int(value) for value in values):
        raise UsageError("`runs=`: scoring runs needs whole numbers as grades; `at=` makes them 0 and 1")
    rows = np.flatnonzero((judged.codes >= 0).all(axis=1))
    if not len(rows):
        raise InputError("`runs`: no pair of topic and document was judged by every judge; give fewer judges")
    compared: dict[int, Comparison] = {}
    choices: RankedScoring = settings or {}
    for judge in range(len(judged.judges)):
        grades = judged.grades(judge, rows)
        scores = evaluate(grades, runs, measure and [measure], task="ranked", keep=False, **choices)
        if len(scores.runs) < 2:
            raise UsageError(f"`runs=`: a ranking needs at least 2 runs; found {', '.join(scores.runs)}")
        compared[judge] = compare(scores, scores.measures[0], seed=seed)
        if progress is not None:
            progress(judge + 1, len(judged.judges))
    first = compared[0]
    scores_by_judge = {
        judged.judges[judge]: {run.run: run.value for run in comparison.runs} for judge, comparison in compared.items()
    }
    rankings = tuple(two_rankings(judged.judges[a], judged.judges[b], compared[a], compared[b]) for a, b in pairs)
    return Rankings(first.measure, len(rows), first.topics, scores_by_judge, rankings, first.settings["correct"])


def two_rankings(first: str, second: str, one: Comparison, two: Comparison) -> TwoRankings:
    """Compare two rankings, and count the pairs of runs whose winner is kept or changes."""
    alike = agreement(two.upwards, one.upwards) or {}
    before, after = places(one.upwards), places(two.upwards)
    moves = [Move(run, before[run], after[run]) for run in before if run in after]
    rise = max(moves, key=lambda move: move.before - move.after, default=None)
    fall = max(moves, key=lambda move: move.after - move.before, default=None)
    winners, others = _winners(one), _winners(two)
    counts = {"kept": 0, "undecided": 0, "turned": 0, "reversed": 0}
    for pair, (winner, sure) in winners.items():
        other, sure_too = others.get(pair, (None, False))
        same = winner == other or winner is None or other is None
        if sure and sure_too:
            counts["kept" if same else "reversed"] += 1
        elif sure or sure_too:
            counts["undecided" if same else "turned"] += 1
    return TwoRankings(
        first, second, int(alike.get("runs") or 0), alike.get("tau_b"), alike.get("tau_ap"), alike.get("rbo"),
        rise if rise is not None and rise.after < rise.before else None,
        fall if fall is not None and fall.after > fall.before else None,
        len(winners), (_sure(winners), _sure(others)), **counts,
    )  # fmt: skip


def places(upwards: Mapping[str, float | None]) -> dict[str, int]:
    """Return the rank of every run, 1 the best.

    >>> places({"a": 0.2, "b": 0.5, "c": 0.2, "d": None})
    {'a': 2, 'b': 1, 'c': 2}
    """
    known = {run: value for run, value in upwards.items() if value is not None}
    return {run: 1 + sum(other > value for other in known.values()) for run, value in known.items()}


def _winners(comparison: Comparison) -> dict[frozenset[str], tuple[str | None, bool]]:
    """Return the better run of every pair, and whether it is significantly better."""
    return {frozenset((pair.a, pair.b)): (pair.better, pair.significant) for pair in comparison.pairs}


def _sure(winners: Mapping[frozenset[str], tuple[str | None, bool]]) -> int:
    return sum(sure for _, sure in winners.values())
