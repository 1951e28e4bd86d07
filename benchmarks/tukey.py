"""Race randomised Tukey HSD against the numpy loop one would write without this project.

    python benchmarks/tukey.py                       129 runs × 50 topics, 10,000 permutations, all cores
    python benchmarks/tukey.py --threads 1

The matrix is TREC-8's average precision where the public data is at hand (ASSAY_DATA, or ../shared/data beside the
repository), and made up in its shape otherwise. Both shuffle every topic's scores among the runs and take the range of
the means, 10,000 times; they take turns, the best time of each counts. The random numbers differ, so the quantiles of
the two null distributions must be equal up to their sampling error, or the race is void. Target: 10 times the loop.
"""

from __future__ import annotations

import argparse
import os
import sys
import time
from pathlib import Path

import numpy as np

from assay.core.binding import active
from assay.formats.score_tables import read_matrix
from assay.parallel.executors import cores
from assay.resampling.resamplers import MeanResampler
from assay.stats.multiple_comparisons import tukey_hsd

TARGET = 10.0
LEVELS = (0.5, 0.9, 0.95, 0.99)


def matrix() -> tuple[np.ndarray, str]:
    """Topics × runs, and where they come from."""
    folder = Path(os.environ.get("ASSAY_DATA", Path(__file__).resolve().parents[2] / "shared" / "data"))
    path = folder / "trec_matrices" / "adhoc8_ap.csv"
    if path.exists():
        return np.array(read_matrix(path).values), "TREC-8 ad hoc, AP"
    rng = np.random.default_rng(1)
    topic, run = rng.beta(0.8, 2.0, (50, 1)), rng.normal(0, 0.1, (1, 129))
    return np.clip(topic + run + rng.normal(0, 0.1, (50, 129)), 0, 1).round(4), "made up"


def loop(values: np.ndarray, trials: int, seed: int) -> np.ndarray:
    """The range of the means after each of many shuffles, one after the other."""
    rng = np.random.default_rng(seed)
    ranges = np.empty(trials)
    for trial in range(trials):
        means = rng.permuted(values, axis=1).mean(axis=0)
        ranges[trial] = means.max() - means.min()
    return np.sort(ranges)


def timed(function, *arguments):
    start = time.perf_counter()
    result = function(*arguments)
    return time.perf_counter() - start, result


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--trials", type=int, default=10_000)
    parser.add_argument("--threads", type=int, default=cores())
    parser.add_argument("--rounds", type=int, default=7)
    args = parser.parse_args()
    values, origin = matrix()
    resampler = MeanResampler(values)
    print(f"{values.shape[1]} runs x {values.shape[0]} topics ({origin}), {args.trials} permutations, {active()}")
    ours, theirs = [], []
    for turn in range(args.rounds):
        ours.append(
            timed(lambda turn=turn: tukey_hsd(resampler, resamples=args.trials, seed=turn, threads=args.threads).ranges)
        )
        theirs.append(timed(loop, values, args.trials, turn))
    best, plain = min(t for t, _ in ours), min(t for t, _ in theirs)
    ratio = plain / best
    print(f"assay, {args.threads} threads   {best:8.3f} s")
    print(f"numpy loop         {plain:8.3f} s")
    print(f"ratio              {ratio:8.1f} times (target {TARGET:g})")
    one, two = np.concatenate([r for _, r in ours]), np.concatenate([r for _, r in theirs])
    equal = True
    for level in LEVELS:
        a, b = np.quantile(one, level), np.quantile(two, level)
        # The error of a quantile, from the spread of the resampler just around it.
        width = np.sqrt(level * (1 - level) / len(one))
        error = np.diff(np.quantile(np.concatenate([one, two]), [max(level - width, 0), min(level + width, 1)]))[0]
        equal &= bool(abs(a - b) <= 3 * error)
        print(f"q {level:<5g}            {a:.4f} and {b:.4f}")
    print("quantiles equal up to sampling error" if equal else "quantiles DIFFER")
    return 0 if equal and ratio >= TARGET else 1


if __name__ == "__main__":
    sys.exit(main())
