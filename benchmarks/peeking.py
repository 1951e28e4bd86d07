"""How often does an interval exclude the truth, somewhere, for somebody who looks after every observation?

python benchmarks/peeking.py                     the figures of docs/sequential.md, in some minutes
python benchmarks/peeking.py --draws 2000

sequence   values between 0 and 1 with a known mean come in one by one, and so do differences of two equal runs; the
           confidence sequence promises at most 5% over all looks
Student    the same values, with Student's interval from the tenth observation on, which promises 5% at one look
pairs      ten equal runs: how often any of their 45 intervals of `--growing` excludes 0 at any look; at most 5%
ids        two equal runs, looked at through `assay.compare` after every 20 questions whose ids are random; at most 5%
drifting   a log sorted by difficulty, on which the difference depends: how often an interval beside the mean of the whole
           log is called valid; at most 5%
alarm      logs without drift: how often a pair is said to drift; at most 1%
"""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Callable
from dataclasses import dataclass

os.environ.setdefault("OMP_NUM_THREADS", "1")

import numpy as np
from scipy.stats import t as student

import assay
from assay.stats.confidence_sequences import compare_sequence, confidence_sequence, drift_p

FIRST_LOOK = 10
LOOK_EVERY = 20
RUNS = 10
Draw = Callable[[np.random.Generator, int], np.ndarray]
KINDS: dict[str, tuple[float, float, Draw]] = {
    "Bernoulli(.5)": (0.5, 0.0, lambda rng, n: rng.binomial(1, 0.5, n)),
    "Bernoulli(.9)": (0.9, 0.0, lambda rng, n: rng.binomial(1, 0.9, n)),
    "Bernoulli(.99)": (0.99, 0.0, lambda rng, n: rng.binomial(1, 0.99, n)),
    "Beta(2, 5)": (2 / 7, 0.0, lambda rng, n: rng.beta(2, 5, n)),
    "Beta(.3, .7), like AP": (0.3, 0.0, lambda rng, n: rng.beta(0.3, 0.7, n)),
    "uniform": (0.5, 0.0, lambda rng, n: rng.random(n)),
    "differences of Beta(2, 5)": (0.0, -1.0, lambda rng, n: rng.beta(2, 5, n) - rng.beta(2, 5, n)),
    "differences of Bernoulli(.9)": (0.0, -1.0, lambda rng, n: rng.binomial(1, 0.9, n) - rng.binomial(1, 0.9, n)),
}
"""Mean, lower bound, and how values are drawn."""
AIMS = {"sequence": 0.05, "pairs": 0.05, "ids": 0.05, "drifting": 0.05, "alarm": 0.01}
"""The most there should be."""


@dataclass(frozen=True)
class Cell:
    """One simulation: `n` observations, of a kind in `KINDS` where that is one."""

    table: str
    kind: str
    n: int


def cells() -> list[Cell]:
    """All simulations."""
    both = [Cell(table, kind, 1000) for kind in KINDS for table in ("sequence", "Student")]
    return [
        *both, Cell("pairs", "accuracy", 200), Cell("pairs", "accuracy", 1000), Cell("ids", "accuracy", 200),
        *(Cell("drifting", "accuracy", n) for n in (100, 300, 1000)), *(Cell("alarm", "accuracy", n) for n in (20, 100, 1000)),
    ]  # fmt: skip


def naive_errs(x: np.ndarray, truth: float) -> bool:
    """Whether mean ± t · standard error lies beside the truth at any look."""
    n = np.arange(1, len(x) + 1)
    mean = np.cumsum(x) / n
    variance = np.maximum(np.cumsum(x * x) / n - mean**2, 0) / np.maximum(n - 1, 1)
    beside = np.abs(mean - truth) > student.ppf(0.975, np.maximum(n - 1, 1)) * np.sqrt(variance)
    return bool(beside[FIRST_LOOK - 1 :].any())


def sequence_errs(rng: np.random.Generator, cell: Cell) -> bool:
    truth, low, draw = KINDS[cell.kind]
    result = confidence_sequence(draw(rng, cell.n).astype(float), low=low)
    return result.excludes(truth) is not None or result.empty is not None


def student_errs(rng: np.random.Generator, cell: Cell) -> bool:
    truth, _, draw = KINDS[cell.kind]
    return naive_errs(draw(rng, cell.n).astype(float), truth)


def answers(rng: np.random.Generator, n: int, runs: int) -> np.ndarray:
    """Questions × runs, right or wrong: equal runs, and questions of any difficulty."""
    return (rng.random((n, runs)) < rng.beta(2, 1, n)[:, None]).astype(float)


def some_pair_errs(rng: np.random.Generator, cell: Cell) -> bool:
    """Whether 0 is excluded for any two of ten equal runs, each pair at 1 - .05/45."""
    values = answers(rng, cell.n, RUNS)
    pairs = [(a, b) for a in range(RUNS) for b in range(a)]
    level = 1 - 0.05 / len(pairs)
    return any(compare_sequence(values[:, a], values[:, b], confidence=level).first is not None for a, b in pairs)


def some_look_errs(rng: np.random.Generator, cell: Cell) -> bool:
    """Whether 0 is excluded at any look at questions in the order in which they came, with random ids."""
    values, ids = answers(rng, cell.n, 2), rng.permutation(10 * cell.n)[: cell.n].astype(str).tolist()
    for n in range(LOOK_EVERY, cell.n + 1, LOOK_EVERY):
        scores = assay.scores(values[:n], topics=ids[:n])
        [pair] = assay.compare(scores, growing=True, test="t", threads=1).pairs
        if pair.growing is not None and pair.growing.first is not None:
            return True
    return False


def drift_unseen(rng: np.random.Generator, cell: Cell) -> bool:
    """Whether an interval that excludes the mean of a log sorted by difficulty is called valid."""
    easy = np.sort(rng.random(cell.n))[::-1]
    # Run a is better on easy questions, run b on hard ones.
    values = np.stack([rng.random(cell.n) < easy**1.5, rng.random(cell.n) < 0.2 + 0.6 * easy**0.5], axis=1)
    scores = assay.scores(values.astype(float))
    [pair] = assay.compare(scores, growing=True, test="t", threads=1, seed=int(rng.integers(2**31))).pairs
    truth = float(np.mean(easy**1.5) - np.mean(0.2 + 0.6 * easy**0.5)) * (1 if pair.a == scores.runs[0] else -1)
    look = pair.growing
    if look is None or look.low is None or look.high is None:
        return False
    return not look.low <= truth <= look.high


def alarmed(rng: np.random.Generator, cell: Cell) -> bool:
    """Whether two runs on questions in random order are said to drift."""
    values = answers(rng, cell.n, 2)
    p = drift_p(values, np.array([0]), np.array([1]), seed=int(rng.integers(2**31)))
    return bool(p[0] <= 0.01)


SIMULATED = {
    "sequence": sequence_errs, "Student": student_errs, "pairs": some_pair_errs, "ids": some_look_errs,
    "drifting": drift_unseen, "alarm": alarmed,
}  # fmt: skip


def simulate(cell: Cell, draws: int, seed: int) -> tuple[int, int]:
    """Return in how many draws what the cell counts happened, and the draws."""
    # Student's interval looks at the values that the sequence looks at.
    table = "sequence" if cell.table == "Student" else cell.table
    rng = np.random.default_rng([seed, cell.n, *map(ord, table + cell.kind)])
    return sum(SIMULATED[cell.table](rng, cell) for _ in range(draws)), draws


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--draws", type=int, default=400)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--only", help="one of the simulations above")
    args = parser.parse_args()
    print(f"{args.draws} draws, a look after each observation; * above its aim by two standard errors")
    print(f"{'what':10} {'values':30} {'n':>5} {'share':>8} {'error':>6}")
    for cell in cells():
        if args.only not in (None, cell.table):
            continue
        hits, tested = simulate(cell, args.draws, args.seed)
        share, error = hits / tested, (hits * (tested - hits) / tested**3) ** 0.5
        aim = AIMS.get(cell.table, 1.0)
        flag = "*" if share > aim + 2 * (aim * (1 - aim) / tested) ** 0.5 else " "
        print(f"{cell.table:10} {cell.kind:30} {cell.n:>5} {share:8.4f}{flag} {error:6.4f}", flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
