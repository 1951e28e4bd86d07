"""How often do the 95% intervals of Eρ² and Φ contain the truth? By this package, and by Feldt's F alone.

    python benchmarks/generalizability.py                     the figures of docs/reliability_methods.md, in about half a minute
    python benchmarks/generalizability.py --repetitions 2000

Normal scores have known components: those of run, topic and interaction are as stated, 1 and 1. A real collection, without
the worst quarter of its runs, is a population from which 50 topics are drawn again and again, with all its runs ("topics") or
with 20 runs drawn too ("both"). The public data is found through ASSAY_DATA, or in ../shared/data beside the repository.
"""

from __future__ import annotations

import argparse
import os
from pathlib import Path

import numpy as np
from scipy.stats import f

from assay.stats.topic_set_size import keep_best
from assay.stats.variance_components import Components, variance_components
from extrapolation import COLLECTIONS, topics

NORMAL = (
    (3, 50, 0.1),
    (5, 50, 0.1),
    (20, 50, 0.1),
    (60, 50, 0.1),
    (20, 20, 0.1),
    (20, 20, 0.02),
    (20, 50, 1.0),
    (5, 20, 1.0),
)
"""Runs, topics, the runs' variance."""


def feldt(found: Components) -> tuple[float, float]:
    runs, n = found.runs, found.topics
    seen = 1 + n * found.ratios[0].estimate
    low, high = (1 - f.ppf(p, runs - 1, (runs - 1) * (n - 1)) / seen for p in (0.975, 0.025))
    return max(0.0, low), max(0.0, high)


def rates(draw, run: float, topic: float, rest: float, repetitions: int) -> list[float]:
    """The share of matrices whose intervals contain the coefficients that these components have."""
    hits = np.zeros(3)
    for _ in range(repetitions):
        found = variance_components(draw())
        n = found.topics
        order, value = n * run / (n * run + rest), n * run / (n * run + topic + rest)
        ends = found.interval(n, 0.95), found.interval(n, 0.95, absolute=True), feldt(found)
        hits += [low <= truth <= high for (low, high), truth in zip(ends, (order, value, order), strict=True)]
    return list(hits / repetitions)


def report(name: str, found: list[float]) -> None:
    print(f"{name:<44}" + "".join(f"{rate:>10.3f}" for rate in found), flush=True)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--repetitions", type=int, default=500)
    repetitions = parser.parse_args().repetitions
    print(f"{'':<44}{'Eρ²':>10}{'Φ':>10}{'F alone':>10}")
    rng = np.random.default_rng(1)
    for runs, n, run in NORMAL:

        def normal(runs=runs, n=n, run=run):
            return rng.normal(0, run**0.5, runs) + rng.normal(0, 1, (n, 1)) + rng.normal(0, 1, (n, runs))

        report(f"normal, {runs} runs, {n} topics, σ²run {run:g}", rates(normal, run, 1.0, 1.0, repetitions))
    folder = Path(os.environ.get("ASSAY_DATA", Path(__file__).resolve().parents[2] / "shared" / "data"))
    for name, path in COLLECTIONS.items() if folder.exists() else ():
        matrix = topics(folder / path)
        matrix = matrix[:, keep_best(matrix, 0.25)]
        n, runs = matrix.shape
        by_topic, by_run = matrix.mean(axis=1), matrix.mean(axis=0)
        left = float(((matrix - by_topic[:, None] - by_run + matrix.mean()) ** 2).sum()) / n
        # With all runs kept they are what they are; drawn, they are a population of their own.
        rest = left / (runs - 1)
        report(
            f"{name}, topics",
            rates(
                lambda n=n, matrix=matrix: matrix[rng.integers(0, n, 50)],
                by_run.var(ddof=1), by_topic.var() - rest / runs, rest, repetitions,
            ),
        )  # fmt: skip
        report(
            f"{name}, both",
            rates(
                lambda n=n, runs=runs, matrix=matrix: matrix[rng.integers(0, n, 50)][:, rng.integers(0, runs, 20)],
                by_run.var(), by_topic.var(), left / runs, repetitions,
            ),
        )  # fmt: skip
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
