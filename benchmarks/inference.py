"""Do the claims hold? Rejection rates of tests where nothing differs, and coverages of intervals, by simulation.

    python benchmarks/inference.py                   the table, minutes on two cores
    python benchmarks/inference.py --repetitions 200 --only precision

Every cell goes through `assay.compare` or `assay.run_intervals` as a user would. A rate in brackets is outside its aim by
more than two standard errors of the simulation. `level` is the attainable level of the tests, below .05 where runs differ on
few topics; `refused` in how many cases the answer was that there are too few answers to test.

    rejects   how often two runs worth the same are told apart, first and second their coverages: 3% to 7%
    family    how often any of five runs of equal precision are, coverages from .1 to 1: at most 7%
    outlier   how often .40 and .15 on 25 topics are told apart beside an outlying run: most of the time
    gate      how often any of 20 runs no worse than a baseline is called inferior: at most 7%
    covers    how often the interval of a run's number holds the truth, first its coverage, second the share right: 90% at the least
"""

from __future__ import annotations

import argparse
import os
import sys
import time
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from pathlib import Path

os.environ.setdefault("OMP_NUM_THREADS", "1")

import numpy as np

import assay
from assay.scoring.evaluate import table
from assay.tasks import get

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "tests" / "support"))
from outcome_arrays import from_arrays

RESAMPLES = 999
COVERAGES = ((0.1, 1.0), (0.3, 1.0), (0.5, 1.0), (1.0, 1.0), (0.1, 0.1), (0.5, 0.5))
SIZES = (50, 200, 1000)
RIGHT = 0.7


@dataclass(frozen=True)
class Cell:
    """One simulation: what, of which kind, over how many topics, told by a few numbers."""

    table: str
    kind: str
    n: int
    first: float
    second: float
    clusters: int = 0


Found = tuple[float, bool, float]
"""What happened (1 or 0), whether the answer was that nobody can tell, and the attainable level of the test."""


def answers(rng, n: int, covered: float, right: float, shared=None) -> tuple[np.ndarray, np.ndarray]:
    """Outcomes and confidences of a run that answers `covered` of n questions, `right` of these correctly."""
    luck = rng.random(n) if shared is None else np.where(rng.random(n) < 0.5, shared, rng.random(n))
    correct = luck < right
    stated = np.clip(np.where(correct, rng.beta(4, 2, n), rng.beta(2.5, 2.5, n)), 0.01, 0.99).round(3)
    return np.where(rng.random(n) < covered, correct.astype(int), -1), stated


def scored(runs, measure: str, clusters=None) -> assay.Scores:
    """A table of runs as `answers` makes them; questions of one cluster share its number."""
    gold, views = from_arrays(np.array([run[0] for run in runs]), np.array([run[1] for run in runs]))
    if clusters is not None:
        gold.fields = {"cluster": list(clusters)}
    return table(get("outcomes"), gold, views, [assay.measure(measure, "outcomes")], get("outcomes").settings())


def precision_for(measure: str, value: float, covered: float) -> float | None:
    """What share of its answers a run must have right to be worth `value`; None where no share is enough."""
    found = {
        "accuracy": value / covered, "c@1": value / covered / (2 - covered), "UF": (value / covered + 1) / 2,
    }.get(measure, value)  # fmt: skip
    return found if 0 < found < 1 else None


def pair(rng, cell: Cell) -> Found:
    """Whether two runs worth the same are told apart."""
    if cell.kind in ("AP", "nDCG"):
        topic = rng.beta(1, 2, cell.n)
        return _decided(assay.scores([[rng.beta(4 * t + 0.1, 4.1 - 4 * t) for _ in range(2)] for t in topic]))
    shares = [RIGHT, RIGHT]
    if cell.kind in ("accuracy", "c@1", "UF"):
        worth = {"accuracy": RIGHT, "c@1": RIGHT * (2 - cell.first), "UF": 2 * RIGHT - 1}[cell.kind] * cell.first
        shares = [precision_for(cell.kind, worth, covered) for covered in (cell.first, cell.second)]
    shared = rng.random(cell.n)
    clusters = None
    if cell.clusters:
        # Half of what makes a question hard for a run belongs to its cluster.
        clusters = np.arange(cell.n) % cell.clusters
        luck = [
            np.where(rng.random(cell.n) < 0.5, rng.random(cell.clusters)[clusters], rng.random(cell.n)) for _ in "ab"
        ]
        runs = [(np.where(one < RIGHT, 1, 0), shared) for one in luck]
    else:
        both = zip((cell.first, cell.second), shares, strict=True)
        runs = [answers(rng, cell.n, covered, right, shared) for covered, right in both]
    return _decided(scored(runs, cell.kind, clusters))


def _decided(scores: assay.Scores) -> Found:
    one = assay.compare(scores, resamples=RESAMPLES, threads=1).pairs[0]
    if one.decided_by is None:
        return 0.0, True, 0.0
    assert one.significant == (not one.interval.low <= 0 <= one.interval.high), one
    return float(one.significant), False, one.size or 0.0


def family(rng, cell: Cell) -> Found:
    """Whether any two of five runs of equal precision are told apart, their coverages from .1 to 1."""
    runs = [answers(rng, cell.n, covered, RIGHT) for covered in (0.1, 0.3, 0.5, 0.8, 1.0)]
    found = assay.compare(scored(runs, cell.kind), resamples=RESAMPLES, threads=1)
    refused = all(one.decided_by is None for one in found.pairs)
    return float(any(one.significant for one in found.pairs)), refused, 0.05


def outlier(rng, cell: Cell) -> Found:
    """Whether .40 and .15 on 25 topics are told apart with an outlying run beside them: the aim is yes."""
    values = rng.normal(0, 0.08, (cell.n, 4)) + np.array([0.40, 0.15, 0.41, 0.95])
    found = assay.compare(assay.scores(np.clip(values, 0, 1), runs=["good", "bad", "same", "out"]), resamples=RESAMPLES)
    one = next(p for p in found.pairs if {p.a, p.b} == {"good", "bad"})
    return float(one.significant), False, 0.05


def gate(rng, cell: Cell) -> Found:
    """Whether any of 20 runs that are no worse than a baseline is called inferior with no margin."""
    topic = rng.beta(1, 2, cell.n)
    values = np.clip(topic[:, None] + rng.normal(0, 0.1, (cell.n, 21)), 0, 1)
    names = [f"r{i}" for i in range(21)]
    found = assay.compare(assay.scores(values, runs=names), baseline="r0", margin=0.0, resamples=RESAMPLES)
    return float(any(one.gate == "inferior" for one in found.pairs)), False, 0.05


def covered(rng, cell: Cell) -> Found:
    """Whether the interval of a run's own number holds the truth; `first` is coverage, `second` the share right."""
    c, p, clusters = cell.first, cell.second, None
    run = answers(rng, cell.n, c, p)
    if cell.clusters:
        clusters = np.arange(cell.n) % cell.clusters
        # Right with a share of its own in each cluster; a beta of this spread has a correlation of .2 within clusters.
        own = rng.beta(p * 4, (1 - p) * 4, cell.clusters)[clusters]
        run = ((rng.random(cell.n) < own).astype(int), run[1])
    scores = scored([run], cell.kind, clusters)
    truth = {"accuracy": c * p, "precision": p, "c@1": c * p * (2 - c), "UF": c * (2 * p - 1)}[cell.kind]
    end = assay.run_intervals(scores, cell.kind)[scores.runs[0]]
    if end is None:
        return 0.0, True, 0.0
    assert end.low <= scores[cell.kind][scores.runs[0]] <= end.high, end
    assert end.low < end.high, end
    return float(end.low - 1e-12 <= truth <= end.high + 1e-12), False, 0.05


SIMULATED = {"rejects": pair, "family": family, "outlier": outlier, "gate": gate, "covers": covered}
AIMS = {
    "rejects": (0.03, 0.07),
    "family": (0.0, 0.07),
    "outlier": (0.8, 1.0),
    "gate": (0.0, 0.07),
    "covers": (0.90, 1.0),
}


def cells() -> list[Cell]:
    """The whole table."""
    found = [Cell("rejects", kind, n, 1, 1) for kind in ("AP", "nDCG") for n in SIZES]
    for kind in ("accuracy", "c@1", "UF", "precision", "AUROC", "CWS", "Brier"):
        for n in SIZES:
            for first, second in COVERAGES:
                if kind != "CWS" or first == second:
                    found.append(Cell("rejects", kind, n, first, second))
    found += [Cell("rejects", kind, 20 * c, 1, 1, c) for kind in ("accuracy", "c@1") for c in (10, 20, 50)]
    found += [Cell("family", "precision", n, 0.1, 1) for n in SIZES]
    found += [Cell("outlier", "AP", 25, 0, 0), Cell("gate", "AP", 50, 0, 0)]
    for kind in ("accuracy", "precision", "c@1", "UF"):
        for n in (20, 50, 200, 1000):
            for share in (0.5, 0.8, 0.95, 0.99, 0.999):
                found += [Cell("covers", kind, n, c, share) for c in ((1.0,) if kind == "accuracy" else (0.5, 0.9))]
    for count in (10, 20, 50):
        found += [
            Cell("covers", kind, count * 20, 1.0, p, count) for kind in ("accuracy", "c@1") for p in (0.5, 0.8, 0.95)
        ]
    return found


@dataclass(frozen=True)
class Rate:
    """The share of a cell's cases in which what it counts happened, among those that were tested."""

    rate: float
    refused: float
    level: float
    tested: int

    def outside(self, low: float, high: float) -> bool:
        """Beyond the aim by more than two standard errors; too low only where the attainable level is not."""
        if self.tested < 20:
            return False
        room = 2 * np.sqrt(0.05 * 0.95 / self.tested)
        return self.rate > high + room or self.rate < min(low, self.level * 0.6 if self.level < 0.05 else low) - room


def simulate(cell: Cell, repetitions: int) -> tuple[Cell, Rate]:
    seed = [
        cell.n,
        int(1000 * cell.first),
        int(1000 * cell.second),
        cell.clusters,
        sum(map(ord, cell.table + cell.kind)),
    ]
    rng = np.random.default_rng(seed)
    slow = cell.n >= 1000 and cell.kind in ("AUROC", "CWS", "Brier")
    found = [SIMULATED[cell.table](rng, cell) for _ in range(max(repetitions // 4, 1) if slow else repetitions)]
    tested = [(value, level) for value, refused, level in found if not refused]
    rate, level = np.mean(tested, axis=0).tolist() if tested else (float("nan"), float("nan"))
    return cell, Rate(rate, 1 - len(tested) / len(found), level, len(tested))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--repetitions", type=int, default=400)
    parser.add_argument("--only", help="tables or kinds of measure, such as precision or covers")
    args = parser.parse_args()
    wanted = [cell for cell in cells() if args.only is None or args.only in (cell.table, cell.kind)]
    head = f"{'what':<8} {'measure':<10} {'n':>5} {'first':>6} {'second':>6} {'clusters':>8} {'rate':>8} {'level':>6} {'refused':>8}"
    print(head)
    outside = 0
    with ProcessPoolExecutor(2) as pool:
        for cell, found in pool.map(simulate, wanted, [args.repetitions] * len(wanted)):
            out = found.outside(*AIMS[cell.table])
            outside += out
            shown = "refused" if found.tested < 20 else f"[{found.rate:.3f}]" if out else f"{found.rate:.3f} "
            level = f"{found.level:.3f}" if cell.table == "rejects" and found.tested >= 20 else ""
            numbers = f"{cell.n:>5} {cell.first:>6g} {cell.second:>6g} {cell.clusters or '':>8}"
            print(f"{cell.table:<8} {cell.kind:<10} {numbers} {shown:>8} {level:>6} {found.refused:>8.0%}", flush=True)
    print(f"{outside} cells outside their aims, {args.repetitions} repetitions, {time.strftime('%Y-%m-%d')}")


if __name__ == "__main__":
    main()
