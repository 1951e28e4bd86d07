"""Do the claims hold? Tests where nothing differs, verdicts at the margin and coverages of intervals, with a known truth.

    python benchmarks/inference.py                       every cell, hours on two cores; writes benchmarks/inference.json
    python benchmarks/inference.py --only gate few       some tables; the others keep their results in the file
    python benchmarks/inference.py --draws 200 --no-save

Cells go through `assay.compare`, `assay.run_intervals` and `assay.correct`'s estimators as a user's data would. A cell is inside its aim if

    error      wrong verdicts are at most the aim plus .01
    coverage   at least .945 of intervals hold the truth
    exact      no simulation but a sum over all tables: coverages at least .945 on average over the true shares, nowhere below .91

A simulated cell that is not inside its aim by `--draws` is drawn anew ten times as often, and then fails above the aim plus .01, or below .94.
`python docs/generate.py` writes the tables of docs/coverage.md from the file.
"""

from __future__ import annotations

import argparse
import json
import os
import sys
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ProcessPoolExecutor
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

os.environ.setdefault("OMP_NUM_THREADS", "1")

import numpy as np
from scipy.stats import binom, multinomial

sys.path.insert(0, str(Path(__file__).resolve().parent))
sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "tests" / "support"))

from outcome_arrays import from_arrays

import assay
import correction_coverage
import peeking
import power
from assay.analyses.comparison.incomplete import MIN_SHARED
from assay.analyses.comparison.incomplete_pairs import IncompletePairs
from assay.analyses.comparison.options import ComparisonOptions
from assay.analyses.comparison.pair_statistics import PairStatistics
from assay.resampling.columns import compared as compared_columns
from assay.scoring.evaluate import table
from assay.stats.rank_intervals import rank_intervals
from assay.tasks import get

RESULTS = Path(__file__).resolve().with_suffix(".json")
RESAMPLES = 999
RIGHT = 0.7
MARGIN = 0.03
ANSWERS = ("accuracy", "c@1", "UF", "precision")


@dataclass(frozen=True)
class Cell:
    """One simulation.

    table    which claim; a key of TABLES
    kind     the measure, or what differs from cell to cell
    n        topics
    values   what else the table needs, such as the coverages of two runs
    """

    table: str
    kind: str
    n: int
    values: tuple[float, ...] = ()


@dataclass(frozen=True)
class Table:
    """One claim: how a draw is judged, and what its cells aim at.

    draw      from a generator and a cell: whether it happened, or None where assay refused to say
    aim       "error" or "coverage", with the rate aimed at; "range" has the lowest and the highest rate; "none" only reports
    exact     from a cell: (mean, worst) rates of an enumeration, in place of draws
    names     the names of a cell's values; "" where a value needs none, None where it is left out
    """

    what: str
    aim: str
    rate: float
    cells: list[Cell]
    draw: Callable[[np.random.Generator, Cell], bool | None] | None = None
    exact: Callable[[Cell], tuple[float, float]] | None = None
    highest: float = 1.0
    names: tuple[str | None, ...] = ()

    def label(self, cell: Cell) -> str:
        """A cell in words."""
        values = [f"{value:g}".removeprefix("0") or "0" for value in cell.values]
        named = [f"{name} {value}".strip() for name, value in zip(self.names, values, strict=False) if name is not None]
        return ", ".join([cell.kind, *named])


@dataclass(frozen=True)
class Rate:
    """A cell's result; `error` is the standard error of the simulation, 0 where all tables were summed."""

    rate: float | None
    error: float
    draws: int
    refused: float
    worst: float | None = None
    """Of an enumeration, the rate at the worst true share."""


# Data


def answers(rng, n: int, covered: float, right: float, shared=None) -> tuple[np.ndarray, np.ndarray]:
    """Outcomes and confidences of a run that answers `covered` of n questions, `right` of these correctly."""
    luck = rng.random(n) if shared is None else np.where(rng.random(n) < 0.5, shared, rng.random(n))
    correct = luck < right
    stated = np.clip(np.where(correct, rng.beta(4, 2, n), rng.beta(2.5, 2.5, n)), 0.01, 0.99).round(3)
    return np.where(rng.random(n) < covered, correct.astype(int), -1), stated


def right_or_wrong(rng, shares: np.ndarray, runs: int) -> list[tuple[np.ndarray, np.ndarray]]:
    """Runs that get each question right with its share, and agree on half of the questions by what makes these hard."""
    n = len(shares)
    shared = rng.random(n)
    luck = [np.where(rng.random(n) < 0.5, shared, rng.random(n)) for _ in range(runs)]
    return [((one < shares).astype(int), np.full(n, 0.5)) for one in luck]


def scored(runs, *measures: str, **fields: Any) -> assay.Scores:
    """A table of runs as `answers` makes them; `fields` of their questions, such as cluster or task."""
    gold, views = from_arrays(np.array([run[0] for run in runs]), np.array([run[1] for run in runs]))
    gold.fields = {name: list(values) for name, values in fields.items() if values is not None}
    task = get("outcomes")
    return table(task, gold, views, [assay.measure(name, "outcomes") for name in measures], task.settings())


def compared(scores: assay.Scores, measure: str | None = None, **options: Any):
    """What a user's comparison says, with fewer resamples."""
    return assay.compare(scores, measure, resamples=RESAMPLES, threads=1, **options)


def significant(scores: assay.Scores) -> bool | None:
    """Whether two runs are told apart; None where they are not tested."""
    [pair] = compared(scores).pairs
    if pair.decided_by is None:
        return None
    agrees(pair)
    return pair.significant


def agrees(pair) -> None:
    """The interval agrees with its verdict and holds its estimate."""
    assert pair.significant == (not pair.interval.low <= 0 <= pair.interval.high), pair
    assert pair.interval.low <= pair.difference <= pair.interval.high, pair


def holds(interval, truth: float) -> bool | None:
    return None if interval is None else bool(interval.low - 1e-12 <= truth <= interval.high + 1e-12)


# Two runs worth the same


def precision_for(measure: str, value: float, covered: float) -> float:
    """What share of its answers a run must have right to be worth `value`."""
    return {
        "accuracy": value / covered, "c@1": value / covered / (2 - covered), "UF": (value / covered + 1) / 2,
    }.get(measure, value)  # fmt: skip


def two_alike(rng, cell: Cell) -> bool | None:
    if cell.kind in ("AP", "nDCG"):
        topic = rng.beta(1, 2, cell.n)
        return significant(assay.scores([[rng.beta(4 * t + 0.1, 4.1 - 4 * t) for _ in range(2)] for t in topic]))
    first, second = cell.values
    shares = [RIGHT, RIGHT]
    if cell.kind in ("accuracy", "c@1", "UF"):
        worth = {"accuracy": RIGHT, "c@1": RIGHT * (2 - first), "UF": 2 * RIGHT - 1}[cell.kind] * first
        shares = [precision_for(cell.kind, worth, covered) for covered in (first, second)]
    shared = rng.random(cell.n)
    both = zip((first, second), shares, strict=True)
    return significant(scored([answers(rng, cell.n, covered, p, shared) for covered, p in both], cell.kind))


def rare_class_alike(rng, cell: Cell) -> bool | None:
    """Equal AUROC of .76, but different shares right."""
    runs = []
    for share in cell.values:
        right = rng.random(cell.n) < share
        runs.append((right.astype(int), 1 / (1 + np.exp(-(rng.normal(0, 1, cell.n) + right)))))
    return significant(scored(runs, "AUROC"))


def clusters_of(rng, cell: Cell) -> tuple[np.ndarray, np.ndarray]:
    """The cluster of each question, and a share right for each, beta with an intraclass correlation of .2 to .3."""
    count, unequal = int(cell.values[0]), cell.values[1]
    sizes = np.maximum(rng.lognormal(np.log(cell.n / count), unequal, count).round().astype(int), 1)
    clusters = np.repeat(np.arange(count), sizes)
    return clusters, rng.beta(3 * RIGHT, 3 * (1 - RIGHT), (2, count))[:, clusters]


def clusters_alike(rng, cell: Cell) -> bool | None:
    clusters, shares = clusters_of(rng, cell)
    return significant(scored([right_or_wrong(rng, row, 1)[0] for row in shares], cell.kind, cluster=clusters))


def skewed_alike(rng, cell: Cell) -> bool | None:
    """One topic in ten gains .5, the others lose as much together; or differences of two skewed costs."""
    if cell.kind == "AP":
        change = 0.5 * (rng.random(cell.n) < 0.1) - 0.05 + rng.normal(0, cell.values[0], cell.n)
        base = rng.uniform(0.3, 0.5, cell.n)
        return significant(assay.scores(np.stack([base + change, base], axis=1)))
    costs = np.stack([rng.lognormal(0, 1, cell.n), np.full(cell.n, np.exp(0.5))], axis=1)
    return significant(assay.scores(costs, measure="latency"))


# Families


def any_precision(rng, cell: Cell) -> bool | None:
    runs = [answers(rng, cell.n, covered, RIGHT) for covered in (0.1, 0.3, 0.5, 0.8, 1.0)]
    pairs = compared(scored(runs, "precision")).pairs
    return None if all(pair.decided_by is None for pair in pairs) else any(pair.significant for pair in pairs)


def any_of_ten(rng, cell: Cell) -> bool | None:
    if cell.kind == "accuracy":
        scores = scored(right_or_wrong(rng, rng.beta(2, 1, cell.n), 10), "accuracy")
    else:
        topic = rng.beta(1, 2, cell.n)
        scores = assay.scores(np.clip(topic[:, None] + rng.normal(0, 0.1, (cell.n, 10)), 0, 1))
    pairs = compared(scores).pairs
    for pair in pairs:
        agrees(pair)
    return any(pair.significant for pair in pairs)


def two_groups_missed(rng, cell: Cell) -> bool:
    """Whether any interval misses: five runs about .2 and five about .8, each group alike but for its own topics."""
    level = np.repeat([0.2, 0.8], 5)
    ease = rng.normal(0, 0.08, (cell.n, 2))[:, np.repeat([0, 1], 5)]
    result = compared(assay.scores(level + ease + rng.normal(0, 0.05, (cell.n, 10)), runs=list("abcdefghij")))
    truth = dict(zip("abcdefghij", level, strict=True))
    return not all(holds(pair.interval, truth[pair.a] - truth[pair.b]) for pair in result.pairs)


def outlier_hides(rng, cell: Cell) -> bool:
    """Whether .40 and .15 are told apart beside a run at .95."""
    values = rng.normal(0, 0.08, (cell.n, 4)) + np.array([0.40, 0.15, 0.41, 0.95])
    result = compared(assay.scores(np.clip(values, 0, 1), runs=["good", "bad", "same", "out"]))
    return next(pair.significant for pair in result.pairs if {pair.a, pair.b} == {"good", "bad"})


# The gate


def pair_of(wins: int, losses: int, n: int, **options: Any):
    """Two runs: right on `wins` questions the new one alone, on `losses` the old one, on the others both."""
    values = np.ones((n, 2))
    values[:wins, 1] = values[wins : wins + losses, 0] = 0
    return compared(assay.scores(values, runs=["new", "old"]), pairs=[("new", "old")], **options).pairs[0]


def tables(n: int, gain: float, loss: float) -> Iterator[tuple[int, int, float]]:
    """Wins and losses of n questions, and their probability."""
    if not gain:
        losses = np.arange(n + 1)
        for k, p in zip(losses.tolist(), binom.pmf(losses, n, loss).tolist(), strict=True):
            if p > 1e-9:
                yield 0, k, p
        return
    for wins in range(n + 1):
        for losses in range(n + 1 - wins):
            p = float(multinomial.pmf([wins, losses, n - wins - losses], n, [gain, loss, 1 - gain - loss]))
            if p > 1e-8:
                yield wins, losses, p


def verdicts_at_margin(cell: Cell) -> tuple[float, float]:
    """How often a true loss of the margin, `values` of it disagreement, is called what it is not."""
    disagreement = cell.values[0]
    gain, loss = (disagreement - MARGIN) / 2, (disagreement + MARGIN) / 2
    errs = {
        "non-inferior": lambda wins, losses: pair_of(wins, losses, cell.n, margin=MARGIN).gate == "non-inferior",
        "inferior": lambda wins, losses: pair_of(wins, losses, cell.n, margin=MARGIN).gate == "inferior",
        "same within": lambda wins, losses: pair_of(wins, losses, cell.n, equivalence=MARGIN).equivalence.equivalent,
    }[cell.kind]
    rate = sum(p for wins, losses, p in tables(cell.n, gain, loss) if errs(wins, losses))
    return rate, rate


def partial_credit(rng, n: int, share: float, runs: int, chance: float) -> list[list[float]]:
    """Scores of 0, .25, …, 1 of runs with the same mean, four in five of them 1; a question's ease is shared."""
    levels = np.linspace(0, 1, 5)
    shares = np.array([(1 - share) / 4] * 4 + [share])
    own = rng.choice(levels, (runs, n), p=shares)
    return np.where(rng.random((runs, n)) < chance, rng.choice(levels, n, p=shares), own).tolist()


def bounded_gate(rng, cell: Cell) -> bool | None:
    """Whether a run that is worse by the margin is called non-inferior: partial credit, pass@k, c@1, precision, clusters."""
    n = cell.n
    if cell.kind == "score":
        old, new = partial_credit(rng, n, 0.9, 2, 0.8)
        # Of the questions that score 1, so many lose half a point that the mean falls by the margin.
        new = np.where((np.array(new) == 1) & (rng.random(n) < MARGIN / 0.45), 0.5, new).tolist()
        runs = {
            name: [{"id": f"q{i}", "score": s} for i, s in enumerate(row)] for name, row in (("new", new), ("old", old))
        }
        return gated(assay.evaluate(None, as_lines(runs), "score"), "score")
    if cell.kind == "pass@1":
        ease = rng.beta(9, 1, n)
        worse = ease - MARGIN / 0.9 * ease
        runs = {
            name: [{"id": f"q{i}", "sample": sample, "outcome": "correct" if right else "incorrect"}
                   for i, p in enumerate(shares) for sample, right in enumerate(rng.random(4) < p, 1)]
            for name, shares in (("new", worse), ("old", ease))
        }  # fmt: skip
        return gated(assay.evaluate(None, as_lines(runs), "pass@1"), "pass@1")
    if cell.kind.endswith("clusters of 10"):
        clusters, _ = clusters_of(rng, cell)
        # Losses alone, which come in clusters: a tenth of the clusters loses three questions in ten.
        bad = rng.random(int(cell.values[0])) < 0.1
        lost = rng.random(len(clusters)) < np.where(bad[clusters], 10 * MARGIN, 0.0)
        rows = [(np.where(lost, 0, 1), np.full(len(lost), 0.5)), (np.ones(len(lost), int), np.full(len(lost), 0.5))]
        return gated(scored(rows, "accuracy", cluster=clusters), "accuracy")
    covered = cell.values[0]
    worth = 0.9 * covered * ((2 - covered) if cell.kind == "c@1" else 1 / covered)
    share = (worth - MARGIN) / (covered * (2 - covered) if cell.kind == "c@1" else 1)
    runs = [answers(rng, n, covered, share, shared := rng.random(n)), answers(rng, n, covered, 0.9, shared)]
    return gated(scored(runs, cell.kind), cell.kind)


def as_lines(runs: dict[str, list[dict[str, Any]]]) -> dict[str, bytes]:
    return {name: "\n".join(map(json.dumps, rows)).encode() for name, rows in runs.items()}


def gated(scores: assay.Scores, measure: str) -> bool | None:
    new, old = sorted(scores.runs)
    [pair] = compared(scores, measure, pairs=[(new, old)], margin=MARGIN).pairs
    agrees(pair)
    return None if pair.gate_bounds is None else pair.gate == "non-inferior"


def any_inferior(rng, cell: Cell) -> bool:
    """Whether any verdict on runs that are no worse is "inferior" with no margin: twelve tasks, three measures, twenty runs."""
    if cell.kind == "tasks":
        tasks = np.arange(12 * cell.n) % 12
        scores = scored(right_or_wrong(rng, rng.beta(2, 1, len(tasks)), 2), "accuracy", task=tasks)
        groups = assay.compare_by(
            scores,
            "task",
            "accuracy",
            pairs=[("run1", "run2")],
            margin=0.0,
            verdicts=12,
            resamples=RESAMPLES,
            threads=1,
        ).groups
        return any(pair.gate == "inferior" for group in groups for pair in group.comparison.pairs)
    if cell.kind == "measures":
        shared, names = rng.random(cell.n), ("accuracy", "c@1", "UF")
        scores = scored([answers(rng, cell.n, 0.8, RIGHT, shared) for _ in "ab"], *names)
        verdicts = [compared(scores, m, pairs=[("run1", "run2")], margin=0.0, verdicts=3).pairs[0] for m in names]
        return any(pair.gate == "inferior" for pair in verdicts)
    topic = rng.beta(1, 2, cell.n)
    values = np.clip(topic[:, None] + rng.normal(0, 0.1, (cell.n, 21)), 0, 1)
    scores = assay.scores(values, runs=[f"r{i}" for i in range(21)])
    return any(pair.gate == "inferior" for pair in compared(scores, baseline="r0", margin=0.0).pairs)


# Coverage


def pair_coverage(cell: Cell) -> tuple[float, float]:
    """Enumerated: how often the interval of two runs' difference holds the truth, on average and at the worst true shares."""
    n = cell.n
    ends: dict[tuple[int, int], tuple[float, float]] = {}
    rates = []
    for disagreement in (0.02, 0.05, 0.09, 0.2, 0.4, 0.6):
        for one_way in (0.5, 0.75, 0.95, 1.0):
            loss, gain = disagreement * one_way, disagreement * (1 - one_way)
            rate = 0.0
            for wins, losses, p in tables(n, gain, loss):
                if (wins, losses) not in ends:
                    interval = pair_of(wins, losses, n).interval
                    ends[wins, losses] = interval.low, interval.high
                low, high = ends[wins, losses]
                rate += p * (low - 1e-12 <= gain - loss <= high + 1e-12)
            rates.append(rate)
    return float(np.mean(rates)), min(rates)


def share_coverage(cell: Cell) -> tuple[float, float]:
    """Enumerated: how often the interval of a share right holds it, on average and at the worst true share."""
    n = cell.n
    rows = [(np.arange(n) < right, np.full(n, 0.5)) for right in range(n + 1)]
    intervals = assay.run_intervals(scored(rows, "accuracy"), "accuracy")
    ends = np.array([[intervals[f"run{i}"].low, intervals[f"run{i}"].high] for i in range(1, n + 2)])
    grid = np.unique(np.concatenate([np.linspace(0.001, 0.999, 999), ends.ravel().clip(1e-6, 1 - 1e-6)]))
    shares = np.unique(np.concatenate([grid - 1e-9, grid + 1e-9]))
    held = (ends[:, :1] <= shares) & (shares <= ends[:, 1:])
    rates = (binom.pmf(np.arange(n + 1)[:, None], n, shares) * held).sum(axis=0)
    even = np.isin(shares, np.concatenate([np.linspace(0.001, 0.999, 999) + 1e-9]))
    return float(rates[even].mean()), float(rates.min())


def run_covered(rng, cell: Cell) -> bool | None:
    """Whether the interval of a run's own number holds the truth: its coverage, its share right, its clusters."""
    covered, right, clusters = cell.values[0], cell.values[1], None
    run = answers(rng, cell.n, covered, right)
    if len(cell.values) > 2:
        count = int(cell.values[2])
        clusters = np.arange(cell.n) % count
        # A beta of this spread has a correlation of .2 within clusters.
        own = rng.beta(right * 4, (1 - right) * 4, count)[clusters]
        run = ((rng.random(cell.n) < own).astype(int), run[1])
    scores = scored([run], cell.kind, cluster=clusters)
    worth = {
        "accuracy": covered * right,
        "precision": right,
        "c@1": covered * right * (2 - covered),
        "UF": covered * (2 * right - 1),
    }
    interval = assay.run_intervals(scores, cell.kind)[scores.runs[0]]
    return holds(interval, worth[cell.kind])


def suite_of(rng, cell: Cell, runs: int) -> tuple[assay.Scores, float]:
    """A suite of tasks with these sizes and shares right, and its true macro mean."""
    sizes, shares = (np.array(part) for part in np.array(cell.values).reshape(-1, 2).T)
    tasks = np.repeat(np.arange(len(sizes)), sizes.astype(int))
    return scored(right_or_wrong(rng, shares[tasks], runs), "accuracy", task=tasks), float(shares.mean())


def suite_covered(rng, cell: Cell) -> bool | None:
    scores, truth = suite_of(rng, cell, 1)
    return holds(assay.suite(scores, "accuracy", resamples=RESAMPLES, threads=1).run("run1").interval, truth)


def suite_alike(rng, cell: Cell) -> bool | None:
    return significant(suite_of(rng, cell, 2)[0])


def paired_covered(rng, cell: Cell) -> bool | None:
    """Whether the interval of the difference of two runs holds it: partial credit, samples, c@1, precision."""
    if cell.kind == "score":
        rows = partial_credit(rng, cell.n, cell.values[0], 2, 0.5)
        runs = {
            name: [{"id": f"q{i}", "score": s} for i, s in enumerate(row)] for name, row in zip("ab", rows, strict=True)
        }
        return holds(compared(assay.evaluate(None, as_lines(runs), "score"), "score").pairs[0].interval, 0.0)
    covered, first, second = cell.values
    shared = rng.random(cell.n)
    runs = [answers(rng, cell.n, covered, share, shared) for share in (first, second)]
    worth = [share * (covered * (2 - covered) if cell.kind == "c@1" else 1) for share in (first, second)]
    pair = compared(scored(runs, cell.kind)).pairs[0]
    truth = worth[0] - worth[1] if pair.a == "run1" else worth[1] - worth[0]
    return None if pair.decided_by is None else holds(pair.interval, truth)


# Ranks


def ranks_held(rng, cell: Cell) -> bool:
    """Whether the intervals of all ranks hold the whole range of true ranks, which equal runs share."""
    runs = int(cell.values[0])
    effects, noise = np.zeros(runs), np.full(runs, 0.15)
    if cell.kind == "graded":
        effects = np.linspace(0, 0.3, runs)
    elif cell.kind == "two clusters":
        effects = np.repeat([0.0, 0.2], runs // 2)
    elif cell.kind == "an outlier":
        effects[0] = 0.5
    elif cell.kind == "unequal variances":
        noise = np.linspace(0.02, 0.3, runs)
    if cell.kind == "right .95":
        values = np.array([run[0] for run in right_or_wrong(rng, np.full(cell.n, 0.95), runs)], dtype=np.float64).T
    else:
        values = rng.normal(0, 0.2, (cell.n, 1)) + effects + rng.normal(0, 1, (cell.n, runs)) * noise
    scores = assay.scores(values, runs=[f"r{i}" for i in range(runs)], higher_is_better=True)
    columns = compared_columns(scores, scores.measures[0], scores.runs)
    a, b = np.triu_indices(runs, 1)
    statistics = PairStatistics(
        columns, a, b, True, ComparisonOptions(seed=0, resamples=RESAMPLES, threads=1), brief=True
    )
    winners, losers = statistics.significant_pairs()
    return holds_all_ranks(effects, *rank_intervals(winners, losers, runs))


def holds_all_ranks(effects, low, high) -> bool:
    """Whether these intervals hold the true ranks of all runs."""
    first = 1 + (effects[None, :] > effects[:, None]).sum(axis=1)
    last = len(effects) - (effects[None, :] < effects[:, None]).sum(axis=1)
    return bool(((low <= first) & (last <= high)).all())


def ranks_held_with_gaps(rng, cell: Cell) -> bool:
    """The same where a fifth of the cells is missing: of all runs alike, or of the weaker runs where they score low."""
    runs = int(cell.values[0])
    effects = np.zeros(runs) if cell.kind.startswith("equal") else np.linspace(0, 0.3, runs)
    values = rng.normal(0, 0.2, (cell.n, 1)) + effects + rng.normal(0, 0.15, (cell.n, runs))
    if cell.kind.endswith("at random"):
        values[rng.random(values.shape) < 0.2] = np.nan
    else:
        # The first run loses 8 in 10 of the cells in which it is below its own median, the last one none.
        low = values < np.median(values, axis=0)
        values[low & (rng.random(values.shape) < np.linspace(0.8, 0.0, runs))] = np.nan
    a, b = np.triu_indices(runs, 1)
    present = np.isfinite(values).astype(np.int64)
    enough = (present.T @ present)[a, b] >= MIN_SHARED
    pairs = IncompletePairs(values, a[enough], b[enough], ComparisonOptions(seed=0, resamples=RESAMPLES, threads=1))
    ahead = pairs.means > 0
    winners, losers = (
        np.where(ahead, pairs.a, pairs.b)[pairs.significant],
        np.where(ahead, pairs.b, pairs.a)[pairs.significant],
    )
    return holds_all_ranks(effects, *rank_intervals(winners, losers, runs))


# Simulations with a file of their own


def peeked(rng, cell: Cell) -> bool | None:
    table = cell.table.partition(",")[0]
    return peeking.SIMULATED[table](rng, peeking.Cell(table, cell.kind, cell.n))


def found_again(rng, cell: Cell) -> bool | None:
    return power.found(rng, power.Cell("found", cell.kind, cell.n, cell.values[0], int(cell.values[1])))


def correction_held(rng, cell: Cell) -> bool | None:
    """Whether the interval of PPI++ holds the truth."""
    judge, kind = cell.kind.split(" ", 1)
    rate, labels = cell.values
    runs, truth, form = correction_coverage.one(rng, correction_coverage.Cell(kind, judge, rate, int(labels), cell.n))
    return holds(correction_coverage.intervals(runs, form)["PPI++"], truth)


# The tables

SIZES = (50, 200, 1000)
COVERAGES = ((0.1, 1.0), (0.5, 1.0), (1.0, 1.0), (0.5, 0.5))
SLOW = ("AUROC", "CWS", "Brier")
"""Measures of a whole run, which are simulated over up to 200 topics: a draw takes a tenth of a second."""
SUITES = {
    "20 and 500": (20, 0.95, 500, 0.6), "30 and 2000": (30, 0.97, 2000, 0.6),
    **{f"{tasks} of 20 at {share:g}": (20, share) * tasks for tasks in (10, 40) for share in (0.9, 0.97, 0.99)},
}  # fmt: skip


def possible(cell: Cell) -> bool:
    """Whether two runs of these coverages can be worth the same."""
    if cell.kind not in ("accuracy", "c@1", "UF"):
        return cell.kind != "CWS" or cell.values[0] == cell.values[1]
    first, second = cell.values
    worth = {"accuracy": RIGHT, "c@1": RIGHT * (2 - first), "UF": 2 * RIGHT - 1}[cell.kind] * first
    return 0 < precision_for(cell.kind, worth, second) < 1


ALIKE = [
    Cell("alike", kind, n, pair)
    for kind in (*ANSWERS, *SLOW) for n in SIZES for pair in COVERAGES
    if possible(Cell("alike", kind, n, pair)) and not (kind in SLOW and n >= 1000)
]  # fmt: skip
TABLES = {
    "alike": Table("two equally good runs differ significantly", "error", 0.05,
                   [*(Cell("alike", kind, n) for kind in ("AP", "nDCG") for n in SIZES), *ALIKE], two_alike, names=("coverages", "")),
    "rare": Table("two runs of equal AUROC and these shares right differ significantly", "error", 0.05,
                  [Cell("rare", "AUROC", 50, (0.95, 0.6)), Cell("rare", "AUROC", 200, (0.97, 0.6)), Cell("rare", "AUROC", 1000, (0.97, 0.6))],
                  rare_class_alike, names=("right", "")),
    "clusters": Table("two equal runs differ significantly on clustered questions", "error", 0.05,
                      [Cell("clusters", kind, 20 * count, (count, spread)) for kind in ("accuracy", "c@1") for count in (8, 15, 30, 50)
                       for spread in (0.0, 1.0)], clusters_alike, names=("clusters", "spread of sizes")),
    "skewed": Table("two runs with equal means and skewed differences differ significantly", "error", 0.05,
                    [Cell("skewed", "AP", n, (noise,)) for n in (50, 100, 200) for noise in (0.0, 0.02, 0.05, 0.1)]
                    + [Cell("skewed", "latency", n) for n in SIZES], skewed_alike, names=("noise",)),
    "family": Table("any two of five runs of equal precision differ significantly", "error", 0.05,
                    [Cell("family", "precision", n) for n in SIZES], any_precision),
    "ten": Table("any two of ten equal runs differ significantly", "error", 0.05,
                 [Cell("ten", kind, n) for kind in ("AP", "accuracy") for n in (5, 6, 8, 11, 25, 50, 200)], any_of_ten),
    "groups": Table("any interval of two groups of runs far apart misses", "error", 0.05,
                    [Cell("groups", "AP", n) for n in (15, 25, 50, 200)], two_groups_missed),
    "outlier": Table(".40 and .15 differ significantly beside an outlying run", "range", 0.8, [Cell("outlier", "AP", 25)], outlier_hides),
    "non-inferior": Table("a run worse by the margin of .03 is called non-inferior", "error", 0.025,
                          [Cell("non-inferior", "non-inferior", n, (ways,)) for n in (50, 100, 200, 500, 1000) for ways in (0.03,)]
                          + [Cell("non-inferior", "non-inferior", n, (ways,)) for n in (50, 100) for ways in (0.06, 0.2)],
                          exact=verdicts_at_margin, names=("disagreement",)),
    "inferior": Table("a run worse by just the margin of .03 is called inferior", "error", 0.035,
                      [Cell("inferior", "inferior", n, (ways,)) for n in (50, 100, 200, 500, 1000) for ways in (0.03,)]
                      + [Cell("inferior", "inferior", n, (ways,)) for n in (50, 100) for ways in (0.06, 0.2)],
                      exact=verdicts_at_margin, names=("disagreement",)),
    "same": Table("two runs that differ by .03 are shown to differ by less than .03", "error", 0.05,
                  [Cell("same", "same within", n, (0.03,)) for n in (50, 100, 200, 500, 1000)], exact=verdicts_at_margin, names=("disagreement",)),
    "gate": Table("a run worse by the margin of .03 is called non-inferior (c@1 and precision at a coverage of .9)", "error", 0.025,
                  [Cell("gate", kind, n) for kind in ("score", "pass@1") for n in SIZES]
                  + [Cell("gate", kind, n, (0.9,)) for kind in ("c@1", "precision") for n in SIZES]
                  + [Cell("gate", "accuracy in clusters of 10", 10 * count, (count, 0.0)) for count in (20, 50)], bounded_gate),
    "any": Table("any verdict on runs that are no worse is inferior", "error", 0.05,
                 [Cell("any", "tasks", 30), Cell("any", "tasks", 100), Cell("any", "measures", 100), Cell("any", "runs", 50)], any_inferior),
    "share": Table("95% intervals of a share right", "coverage", 0.95,
                   [Cell("share", "accuracy", n) for n in (5, 10, 20, 50, 100, 200, 1000)], exact=share_coverage),
    "pair": Table("95% intervals of the difference of two shares right", "coverage", 0.95,
                  [Cell("pair", "accuracy", n) for n in (20, 50, 100)], exact=pair_coverage),
    "paired": Table("95% intervals of other differences", "coverage", 0.95,
                    [Cell("paired", "score", n, (0.8,)) for n in (20, 50, 200)]
                    + [Cell("paired", kind, n, (0.9, *shares)) for kind in ("c@1", "precision") for n in SIZES
                       for shares in ((0.7, 0.6), (0.98, 0.9))], paired_covered, names=(None, "right", "")),
    "run": Table("95% intervals of a run's own number", "coverage", 0.95,
                 [Cell("run", kind, n, (covered, share)) for kind in ("precision", "c@1", "UF") for n in (20, 50, 200)
                  for share in (0.5, 0.8, 0.95, 0.99) for covered in (0.5, 0.9)]
                 + [Cell("run", kind, 20 * count, (1.0, share, count)) for kind in ("accuracy", "c@1") for count in (10, 20, 50)
                    for share in (0.5, 0.8, 0.95)], run_covered, names=("coverage", "right", "clusters")),
    "macro": Table("95% intervals of a suite's macro mean", "coverage", 0.95,
                   [Cell("macro", name, 0, tasks) for name, tasks in SUITES.items()], suite_covered),
    "macro pair": Table("two runs with equal macro means differ significantly", "error", 0.05,
                        [Cell("macro pair", name, 0, tasks) for name, tasks in SUITES.items()], suite_alike),
    "ranks": Table("95% intervals of all ranks at once", "coverage", 0.95,
                   [Cell("ranks", kind, n, (runs,)) for runs, n in ((20, 50), (100, 100))
                    for kind in ("equal", "graded", "two clusters", "an outlier", "unequal variances")]
                   + [Cell("ranks", "right .95", 200, (runs,)) for runs in (20, 100)], ranks_held, names=("runs",)),
    "gaps": Table("95% intervals of all ranks at once hold, where a fifth of the cells is missing", "coverage", 0.95,
                  [Cell("gaps", kind, n, (runs,)) for runs, n in ((20, 50), (100, 100)) for kind in ("equal, at random", "graded, at random")],
                  ranks_held_with_gaps, names=("runs",)),
    "gaps where weak": Table("95% intervals of all ranks at once hold, where the weaker a run, the more of its low cells are missing",
                             "none", 0.0,
                             [Cell("gaps where weak", kind, n, (runs,)) for runs, n in ((20, 50), (100, 100)) for kind in ("graded", "equal")],
                             ranks_held_with_gaps, names=("runs",)),
    "correct": Table("95% intervals of PPI++ in `assay correct`", "coverage", 0.95,
                     [Cell("correct", f"{judge} {kind}", 1000, (rate, labels)) for judge in ("good", "lenient")
                      for kind, rate, labels in (("accuracy", 0.9, 50), ("accuracy", 0.5, 200), ("clustered", 0.5, 200),
                      ("whole", 0.8, 400), ("clustered difference", 0.8, 200), ("ordinal", 0.8, 15), ("ordinal", 0.8, 30))], correction_held, names=("right", "labels")),
    "found": Table("the true difference that a pilot would find 4 times in 5 is found", "range", 0.75,
                   [Cell("found", cell.kind, cell.n, (cell.varies, cell.runs)) for cell in power.cells() if cell.table == "found"],
                   found_again, highest=0.88, names=("varying by", "runs")),
    **{
        name: Table(what, "error", aim, [Cell(name, "accuracy", n) for n in sizes], peeked)
        for name, what, aim, sizes in (
            ("pairs", "any pair of ten equal runs of a growing log differs significantly at any look", 0.05, (200, 1000)),
            ("ids", "two equal runs differ significantly at any look at a growing log with random ids", 0.05, (200,)),
            ("drifting", "an interval of a log sorted by difficulty misses, and is called valid", 0.05, (300, 1000)),
            ("alarm", "a pair that does not drift is said to", 0.01, (20, 100, 1000)),
        )
    },
    "drifting, few": Table("an interval of a log of 100 questions sorted by difficulty, too few to show that they are, misses", "none", 0.0,
                           [Cell("drifting, few", "accuracy", 100)], peeked),
}  # fmt: skip
"""Claims, in the order of docs/coverage.md."""


def inside(aim: Table, rate: Rate, again: bool) -> bool:
    """Whether a cell is inside its aim; one that was drawn ten times as often may cover .94."""
    if rate.rate is None:
        return True
    if aim.aim == "none":
        return True
    if aim.aim == "error":
        return rate.rate <= aim.rate + 0.01
    if aim.aim == "range":
        return aim.rate <= rate.rate <= aim.highest
    worst = rate.rate if rate.worst is None else rate.worst
    return worst >= 0.91 and rate.rate >= (0.94 if again else 0.945)


def drawn(cell: Cell, draws: int) -> Rate:
    """A cell's rate, from a stream of its own."""
    rng = np.random.default_rng([cell.n, draws, *map(ord, f"{cell.table} {cell.kind} {cell.values}")])
    simulated = [TABLES[cell.table].draw(rng, cell) for _ in range(draws)]
    said = [outcome for outcome in simulated if outcome is not None]
    refused = 1 - len(said) / draws
    if len(said) < draws / 20:
        return Rate(None, 0.0, draws, refused)
    rate = sum(said) / len(said)
    return Rate(rate, (rate * (1 - rate) / len(said)) ** 0.5, draws, refused)


def simulate(cell: Cell, draws: int) -> tuple[Cell, Rate, bool]:
    """Return the cell, its rate and whether it is inside its aim."""
    aim = TABLES[cell.table]
    if aim.exact is not None:
        mean, worst = aim.exact(cell)
        rate = Rate(mean, 0.0, 0, 0.0, worst)
        return cell, rate, inside(aim, rate, False)
    rate = drawn(cell, draws)
    if inside(aim, rate, False):
        return cell, rate, True
    rate = drawn(cell, 10 * draws)
    return cell, rate, inside(aim, rate, True)


def read_results() -> dict[str, Any]:
    """The results so far, by cell."""
    return {row["cell"]: row for row in json.loads(RESULTS.read_text("utf-8"))["cells"]} if RESULTS.exists() else {}


def save(results: dict[str, Any]) -> None:
    """Write the results, a line a cell, so that a change shows which cells moved."""
    tables = {
        name: {"what": t.what, "aim": t.aim, "rate": t.rate, "highest": t.highest, "cells": len(t.cells)}
        for name, t in TABLES.items()
    }
    rows = [results[key] for key in (key_of(cell) for t in TABLES.values() for cell in t.cells) if key in results]
    parts = [f"{json.dumps(name)}: {json.dumps(t)}" for name, t in tables.items()], map(json.dumps, rows)
    first, second = (",\n".join(part) for part in parts)
    RESULTS.write_text(f'{{"tables": {{\n{first}\n}},\n"cells": [\n{second}\n]}}\n', "utf-8")


def key_of(cell: Cell) -> str:
    """The name of a cell, which no other has."""
    return " ".join([cell.table, cell.kind, str(cell.n), *(f"{value:g}" for value in cell.values[:6])])


def row_of(cell: Cell, rate: Rate, good: bool) -> dict[str, Any]:
    """A cell's line of the file."""
    shown = {name: value if value is None else round(value, 5) for name, value in asdict(rate).items()}
    case = {"cell": key_of(cell), "table": cell.table, "case": TABLES[cell.table].label(cell), "n": cell.n}
    return {**case, **shown, "inside": good, "date": time.strftime("%Y-%m-%d")}


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--draws", type=int, default=2000)
    parser.add_argument("--only", nargs="+", choices=list(TABLES), metavar="TABLE", help=", ".join(TABLES))
    parser.add_argument("--missing", action="store_true", help="only cells without a result in the file")
    parser.add_argument("--no-save", action="store_true")
    parser.add_argument("--workers", type=int, default=2)
    args = parser.parse_args()
    results = {} if args.no_save else read_results()
    cells = [cell for name, aim in TABLES.items() if args.only is None or name in args.only for cell in aim.cells]
    if args.missing:
        cells = [cell for cell in cells if key_of(cell) not in results]
    outside = 0
    with ProcessPoolExecutor(args.workers) as pool:
        for cell, rate, good in pool.map(simulate, cells, [args.draws] * len(cells)):
            outside += not good
            shown = "refused" if rate.rate is None else f"{rate.rate:.4f} ± {rate.error:.4f}"
            worst = "" if rate.worst in (None, rate.rate) else f", at the worst {rate.worst:.4f}"
            print(
                f"{'' if good else 'OUTSIDE '}{key_of(cell)}: {shown}{worst}, refused {rate.refused:.0%}, {rate.draws} draws",
                flush=True,
            )
            results[key_of(cell)] = row_of(cell, rate, good)
            if not args.no_save:
                save(results)
    print(f"{outside} of {len(cells)} cells outside their aims")
    return int(outside > 0)


if __name__ == "__main__":
    sys.exit(main())
