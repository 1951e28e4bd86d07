"""How often does an interval exclude the truth, somewhere, for somebody who looks after every observation?

    python benchmarks/peeking.py                     the figures of docs/models.md, in a minute or two
    python benchmarks/peeking.py --samples 2000

Values between 0 and 1 with a known mean come in one by one, and so do differences of two runs that are equally good. The
confidence sequence promises at most 5% over all looks; Student's interval (from the tenth observation on) promises 5% at one.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable

import numpy as np
from scipy.stats import binom
from scipy.stats import t as student

from assay.stats.confidence_sequences import confidence_sequence

FIRST_LOOK = 10
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


def naive_errs(x: np.ndarray, truth: float) -> bool:
    """Whether mean ± t · standard error lies beside the truth at any look."""
    n = np.arange(1, len(x) + 1)
    mean = np.cumsum(x) / n
    variance = np.maximum(np.cumsum(x * x) / n - mean**2, 0) / np.maximum(n - 1, 1)
    beside = np.abs(mean - truth) > student.ppf(0.975, np.maximum(n - 1, 1)) * np.sqrt(variance)
    return bool(beside[FIRST_LOOK - 1 :].any())


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--samples", type=int, default=400)
    parser.add_argument("--looks", type=int, default=1000)
    args = parser.parse_args()
    most = int(binom.ppf(0.999, args.samples, 0.05)) / args.samples
    print(f"{args.samples} samples, a look after each of {args.looks} observations; * more than {most:.1%}")
    print(f"{'':30} {'sequence':>9} {'Student':>8} {'half width at the end':>22} {'(Student)':>10}")
    for name, (truth, low, draw) in KINDS.items():
        rng = np.random.default_rng(args.looks)
        ours = naive = 0
        width, usual = [], []
        for _ in range(args.samples):
            x = draw(rng, args.looks).astype(float)
            found = confidence_sequence(x, low=low)
            ours += found.excludes(truth) is not None or found.empty is not None
            naive += naive_errs(x, truth)
            width.append((found.high[-1] - found.low[-1]) / 2)
            usual.append(1.962 * x.std(ddof=1) / np.sqrt(len(x)))
        rate = ours / args.samples
        flag = "*" if rate > most else " "
        print(
            f"{name:30} {rate:8.1%}{flag} {naive / args.samples:8.1%} {np.nanmean(width):22.4f} {np.mean(usual):10.4f}"
        )
    return 0


if __name__ == "__main__":
    sys.exit(main())
