"""Do the claims hold? Rejection rates of tests where nothing differs, and coverages of intervals, by simulation.

    python benchmarks/inference.py                   the table, minutes on two cores
    python benchmarks/inference.py --repetitions 200 --only precision

Every cell goes through `assay.compare` or `assay.run_intervals` as a user would. A rate in brackets is outside its aim by
more than the simulation's own error; `refused` says in how many cases the answer is that there are too few answers to test.
"""

from __future__ import annotations

import argparse
import os
import time
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass

os.environ.setdefault("OMP_NUM_THREADS", "1")

import numpy as np

import assay

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
    more: float = 0.0


def answers(rng, n: int, covered: float, right: float, shared=None) -> dict:
    """A run of answers: covered of n questions answered, right of these correctly; confidences that tell."""
    answered = rng.random(n) < covered
    luck = rng.random(n) if shared is None else np.where(rng.random(n) < 0.5, shared, rng.random(n))
    correct = luck < right
    stated = np.clip(np.where(correct, rng.beta(4, 2, n), rng.beta(2.5, 2.5, n)), 0.01, 0.99).round(3)
    return {f"q{i}": ("a" if correct[i] else "b", float(stated[i])) if answered[i] else None for i in range(n)}


def precision_for(measure: str, value: float, covered: float) -> float | None:
    """What share of its answers a run must have right to be worth `value`; None where no share is enough."""
    found = {
        "accuracy": value / covered, "c@1": value / covered / (2 - covered), "UF": (value / covered + 1) / 2,
    }.get(measure, value)  # fmt: skip
    return found if 0 < found < 1 else None


def pair(rng, cell: Cell) -> tuple[float, bool]:
    """Whether two runs worth the same are told apart, and whether the test was refused."""
    if cell.kind in ("AP", "nDCG"):
        topic = rng.beta(1, 2, cell.n)
        scores = assay.scores([[rng.beta(4 * t + 0.1, 4.1 - 4 * t) for _ in range(2)] for t in topic])
        found = assay.compare(scores, resamples=RESAMPLES)
    else:
        shares = [RIGHT, RIGHT]
        if cell.kind in ("accuracy", "c@1", "UF"):
            worth = {"accuracy": RIGHT, "c@1": RIGHT * (2 - cell.first), "UF": 2 * RIGHT - 1}[cell.kind] * cell.first
            shares = [precision_for(cell.kind, worth, covered) for covered in (cell.first, cell.second)]
        shared = rng.random(cell.n)
        runs = {
            name: answers(rng, cell.n, covered, right, shared)
            for name, covered, right in zip("ab", (cell.first, cell.second), shares, strict=True)
        }
        gold = {f"q{i}": "a" for i in range(cell.n)}
        found = assay.compare(assay.evaluate(gold, runs, [cell.kind], keep=False), resamples=RESAMPLES)
    one = found.pairs[0]
    refused = one.decided_by is None
    agrees = refused or one.significant == (not one.interval.low <= 0 <= one.interval.high)
    assert agrees, one
    return float(one.significant), refused


def family(rng, cell: Cell) -> tuple[float, bool]:
    """Whether any two of five runs of equal precision are told apart, their coverages from .1 to 1."""
    runs = {f"r{i}": answers(rng, cell.n, covered, RIGHT) for i, covered in enumerate((0.1, 0.3, 0.5, 0.8, 1.0))}
    gold = {f"q{i}": "a" for i in range(cell.n)}
    found = assay.compare(assay.evaluate(gold, runs, [cell.kind], keep=False), resamples=RESAMPLES)
    return float(any(one.significant for one in found.pairs)), all(one.decided_by is None for one in found.pairs)


def outlier(rng, cell: Cell) -> tuple[float, bool]:
    """Whether .40 and .15 on 25 topics are told apart with an outlying run beside them: the aim is yes."""
    values = rng.normal(0, 0.08, (cell.n, 4)) + np.array([0.40, 0.15, 0.41, 0.95])
    found = assay.compare(assay.scores(np.clip(values, 0, 1), runs=["good", "bad", "same", "out"]), resamples=RESAMPLES)
    one = next(p for p in found.pairs if {p.a, p.b} == {"good", "bad"})
    return float(one.significant), False


def gate(rng, cell: Cell) -> tuple[float, bool]:
    """Whether any of 20 runs that are no worse than a baseline is called inferior with no margin."""
    topic = rng.beta(1, 2, cell.n)
    values = np.clip(topic[:, None] + rng.normal(0, 0.1, (cell.n, 21)), 0, 1)
    names = [f"r{i}" for i in range(21)]
    found = assay.compare(assay.scores(values, runs=names), baseline="r0", margin=0.0, resamples=RESAMPLES)
    return float(any(one.gate == "inferior" for one in found.pairs)), False


def covered(rng, cell: Cell) -> tuple[float, bool]:
    """Whether the interval of a run's own number holds the truth; `first` is coverage, `second` the share right."""
    clusters = int(cell.more)
    if clusters:
        size = cell.n // clusters
        # Right with a share of its own in each cluster; a beta of this spread has a correlation of .2 within clusters.
        own = np.repeat(rng.beta(cell.second * 4, (1 - cell.second) * 4, clusters), size)
        n = clusters * size
        run = {f"q{i}": "a" if rng.random() < own[i] else "b" for i in range(n)}
        gold = [{"id": f"q{i}", "answers": ["a"], "cluster": f"c{i // size}"} for i in range(n)]
        import json

        scores = assay.evaluate("\n".join(map(json.dumps, gold)).encode(), {"r": run}, [cell.kind], keep=False)
    else:
        run = {q: a and a[0] for q, a in answers(rng, cell.n, cell.first, cell.second).items()}
        scores = assay.evaluate({f"q{i}": "a" for i in range(cell.n)}, {"r": run}, [cell.kind], keep=False)
    c, p = cell.first, cell.second
    truth = {"accuracy": c * p, "precision": p, "c@1": c * p * (2 - c), "UF": c * (2 * p - 1)}[cell.kind]
    end = assay.run_intervals(scores, cell.kind)["r"]
    if end is None:
        return 0.0, True
    assert end.low <= scores[cell.kind]["r"] <= end.high, end
    assert end.low < end.high, end
    return float(end.low - 1e-12 <= truth <= end.high + 1e-12), False


SIMULATED = {
    "rejects": pair,
    "family": family,
    "outlier": outlier,
    "gate": gate,
    "covers": covered,
    "clusters": covered,
}
AIMS = {"rejects": (0.0, 0.07), "family": (0.0, 0.07), "outlier": (0.8, 1.0), "gate": (0.0, 0.07), "covers": (0.90, 1.0),
        "clusters": (0.90, 1.0)}  # fmt: skip


def cells() -> list[Cell]:
    """The whole table."""
    found = [Cell("rejects", kind, n, 1, 1) for kind in ("AP", "nDCG") for n in SIZES]
    for kind in ("accuracy", "c@1", "UF", "precision", "AUROC", "CWS", "Brier"):
        for n in SIZES:
            for first, second in COVERAGES:
                if kind != "CWS" or first == second:
                    found.append(Cell("rejects", kind, n, first, second))
    found += [Cell("family", "precision", n, 0.1, 1) for n in SIZES]
    found += [Cell("outlier", "AP", 25, 0, 0), Cell("gate", "AP", 50, 0, 0)]
    for kind in ("accuracy", "precision", "c@1", "UF"):
        for n in (20, 50, 200, 1000):
            for share in (0.5, 0.8, 0.95, 0.99, 0.999):
                found += [Cell("covers", kind, n, c, share) for c in ((1.0,) if kind == "accuracy" else (0.5, 0.9))]
    for count in (10, 20, 50):
        found += [
            Cell("clusters", kind, count * 20, 1.0, p, count) for kind in ("accuracy", "c@1") for p in (0.5, 0.8, 0.95)
        ]
    return found


def simulate(cell: Cell, repetitions: int) -> tuple[Cell, float, float, float]:
    start = time.perf_counter()
    rng = np.random.default_rng(abs(hash((cell.n, cell.first, cell.second, cell.more))) % 2**32)
    slow = cell.n >= 1000 and cell.kind in ("AUROC", "CWS", "Brier")
    found = [SIMULATED[cell.table](rng, cell) for _ in range(repetitions // 4 if slow else repetitions)]
    tested = [value for value, refused in found if not refused]
    return (
        cell,
        float(np.mean(tested)) if tested else float("nan"),
        1 - len(tested) / len(found),
        time.perf_counter() - start,
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--repetitions", type=int, default=1000)
    parser.add_argument("--only", help="tables or kinds of measure, such as precision or covers")
    args = parser.parse_args()
    wanted = [cell for cell in cells() if args.only is None or args.only in (cell.table, cell.kind)]
    print(f"{'what':<9} {'measure':<10} {'n':>5} {'first':>6} {'second':>6} {'clusters':>8} {'rate':>8} {'refused':>8}")
    outside = 0
    with ProcessPoolExecutor(2) as pool:
        for cell, rate, refused, _ in pool.map(simulate, wanted, [args.repetitions] * len(wanted)):
            low, high = AIMS[cell.table]
            room = 2 * np.sqrt(0.05 * 0.95 / args.repetitions)
            out = not np.isnan(rate) and not low - room <= rate <= high + room
            outside += out
            shown = "refused" if np.isnan(rate) else f"[{rate:.3f}]" if out else f"{rate:.3f} "
            numbers = f"{cell.n:>5} {cell.first:>6g} {cell.second:>6g} {int(cell.more) or '':>8}"
            print(f"{cell.table:<9} {cell.kind:<10} {numbers} {shown:>8} {refused:>8.0%}", flush=True)
    print(f"{outside} cells outside their aims, {args.repetitions} repetitions, {time.strftime('%Y-%m-%d')}")


if __name__ == "__main__":
    main()
