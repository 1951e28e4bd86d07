"""Is "would be found 4 times in 5" so, and does the range of `assay plan` hold the topics that are needed?

python benchmarks/power.py                       the tables, by simulation, in half an hour on one core
python benchmarks/power.py --draws 200 --only plan

found   a pilot says which true difference it would find; runs that differ by as much are compared on other topics:
        how often the difference is significant, 75% to 88% of the time. Pilots without such a difference are not counted
plan    a pilot plans for a difference: how often the range of topics holds what the true variance asks for, 95% aimed at
"""

from __future__ import annotations

import argparse
import os
import sys
from dataclasses import dataclass
from pathlib import Path

os.environ.setdefault("OMP_NUM_THREADS", "1")

import numpy as np

import assay
from assay.analyses.comparison.result import PairResult
from assay.scoring.evaluate import table
from assay.tasks import get

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "tests" / "support"))
from outcome_arrays import from_arrays

RESAMPLES = 999
AIMS = {"found": (0.75, 0.88)}


@dataclass(frozen=True)
class Cell:
    """One simulation.

    kind        accuracy or continuous
    n           topics
    varies      accuracy: the share of questions on which two runs disagree; continuous: the deviation of a difference
    runs        how many are compared, by max-T where more than two
    """

    table: str
    kind: str
    n: int
    varies: float
    runs: int = 2


def cells() -> list[Cell]:
    """All simulations."""
    found = [Cell("found", "accuracy", n, share) for n in (50, 100, 200, 1000) for share in (0.1, 0.3, 0.5)]
    found += [Cell("found", "continuous", n, deviation) for n in (12, 25, 50, 200) for deviation in (0.05, 0.2)]
    return [*found, Cell("found", "accuracy", 200, 0.3, 5), Cell("found", "continuous", 50, 0.2, 5)]


def right_or_wrong(rng: np.random.Generator, n: int, share: float, difference: float, runs: int) -> np.ndarray:
    """Runs × questions: the second run is better than the others by `difference`, and disagrees with the first on `share`."""
    share = max(share, difference)
    right = rng.random(n) < 0.5
    values = []
    for run in range(runs):
        lead = difference if run == 1 else 0.0
        # Where the first run is right, run alone is wrong with probability share - lead, and the other way round.
        changed = rng.random(n) < np.where(right, share - lead, share + lead)
        values.append(right if run == 0 else right ^ changed)
    return np.array(values).astype(int)


def continuous(rng: np.random.Generator, n: int, deviation: float, difference: float, runs: int) -> np.ndarray:
    """Runs × topics: values about a topic's own, the second run's `difference` higher."""
    values = rng.beta(2, 2, n) + deviation / np.sqrt(2) * rng.standard_normal((runs, n))
    values[1] += difference
    return values


def compared(rng: np.random.Generator, cell: Cell, difference: float) -> PairResult:
    """Draw runs of which the second is better than the first by so much, and compare these two."""
    if cell.kind == "accuracy":
        values = right_or_wrong(rng, cell.n, cell.varies, difference, cell.runs)
        gold, views = from_arrays(values, np.full(values.shape, 0.5))
        task = get("outcomes")
        scores = table(task, gold, views, [assay.measure("accuracy", "outcomes")], task.settings())
    else:
        values = continuous(rng, cell.n, cell.varies, difference, cell.runs)
        scores = assay.scores(values.T)
    result = assay.compare(scores, resamples=RESAMPLES, seed=int(rng.integers(2**31)), threads=1)
    first_two = set(scores.runs[:2])
    return next(pair for pair in result.pairs if {pair.a, pair.b} == first_two)


def found(rng: np.random.Generator, cell: Cell) -> bool | None:
    """Whether the difference that a pilot would find is found on other topics; None where the pilot names none."""
    difference = compared(rng, cell, 0.0).detectable
    return None if difference is None else compared(rng, cell, difference).significant


SIMULATED = {"found": found}


def simulate(cell: Cell, draws: int, seed: int) -> tuple[int, int]:
    """Return how often what the cell counts happened, and in how many draws it was asked."""
    rng = np.random.default_rng([seed, cell.n, int(1000 * cell.varies), cell.runs, *map(ord, cell.table + cell.kind)])
    answers = [SIMULATED[cell.table](rng, cell) for _ in range(draws)]
    tested = [answer for answer in answers if answer is not None]
    return sum(tested), len(tested)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--draws", type=int, default=2000)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--only", help="a table or a kind of values, such as plan or accuracy")
    args = parser.parse_args()
    print(f"{'what':<6} {'values':<11} {'n':>5} {'varies':>7} {'runs':>5} {'share':>7} {'error':>6} {'draws':>6}")
    outside = 0
    for cell in cells():
        if args.only not in (None, cell.table, cell.kind):
            continue
        hits, tested = simulate(cell, args.draws, args.seed)
        share = hits / tested if tested else float("nan")
        low, high = AIMS[cell.table]
        out = tested > 0 and not low <= share <= high
        outside += out
        shown = f"[{share:.3f}]" if out else f"{share:.3f} "
        error = (share * (1 - share) / tested) ** 0.5 if tested else float("nan")
        numbers = f"{cell.n:>5} {cell.varies:>7g} {cell.runs:>5}"
        print(f"{cell.table:<6} {cell.kind:<11} {numbers} {shown:>8} {error:>6.3f} {tested:>6}", flush=True)
    print(f"{outside} outside their aims")
    return 0


if __name__ == "__main__":
    sys.exit(main())
