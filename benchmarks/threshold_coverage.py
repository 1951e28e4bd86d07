"""How often does the interval of a threshold's gain contain the truth? Measured on systems whose truth is known.

    python benchmarks/threshold_coverage.py                   the figures of docs/threshold.md: some minutes
    python benchmarks/threshold_coverage.py --repetitions 100

The truth is what the interval is about: the expected gain, on new questions, of choosing a threshold on a set of this size. It
is the mean, over thousands of sets, of the gain that the threshold chosen on a set has over all questions there are. Four
systems, confidences even from 0 to 1:

    informed    right with the probability stated
    somewhat    right with a probability from .35 to .65
    tossed      right half of the time, whatever was stated: declining gains UF nothing, with any threshold
    mostly      right six times of ten, whatever was stated: declining can only lose
"""

from __future__ import annotations

import argparse
import json
from time import perf_counter

import numpy as np

import assay

SYSTEMS = {
    "informed": lambda p: p,
    "somewhat": lambda p: 0.35 + 0.3 * p,
    "tossed": lambda p: 0 * p + 0.5,
    "mostly": lambda p: 0 * p + 0.6,
}
MEASURES = {
    "c@1": lambda n, correct, unanswered: correct * (n + unanswered) / (n * n),
    "UF": lambda n, correct, unanswered: (2 * correct - (n - unanswered)) / n,
}
SETS = 4000
GRID = (np.arange(1_000_000) + 0.5) / 1_000_000


def drawn(right, n: int, random):
    stated = random.random(n)
    return stated, (random.random(n) < right(stated)).astype(int)


def expected_gain(right, formula, n: int, random) -> float:
    """The mean gain, over all questions, of thresholds chosen on sets of n."""
    below = np.concatenate([[0.0], np.cumsum(right(GRID))]) / len(GRID)
    gains = []
    for _ in range(SETS):
        stated, correct = drawn(right, n, random)
        order = np.argsort(stated)
        kept = correct.sum() - np.concatenate([[0], np.cumsum(correct[order])[:-1]])
        best = int(np.argmax(formula(n, kept, np.arange(n)).round(12)))
        share = stated[order][best] if best else 0.0
        at = below[int(share * len(GRID))]
        gains.append(formula(1.0, below[-1] - at, share) - formula(1.0, below[-1], 0.0))
    return float(np.mean(gains))


def run_of(stated, correct) -> bytes:
    words = ("incorrect", "correct")
    rows = enumerate(zip(stated.tolist(), correct.tolist(), strict=True))
    return "\n".join(json.dumps({"id": str(i), "outcome": words[c], "confidence": p}) for i, (p, c) in rows).encode()


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--repetitions", type=int, default=200)
    parser.add_argument("--resamples", type=int, default=200)
    args = parser.parse_args()
    print(f"{args.repetitions} repetitions of {args.resamples} resamples each; nominal .95")
    print(f"{'system':10} {'measure':8} {'n':>5} {'truth':>8} {'gain':>8} {'length':>7} {'coverage':>8} {'seconds':>8}")
    for system, right in SYSTEMS.items():
        for name, formula in MEASURES.items():
            for n in (30, 100, 300, 1000):
                began = perf_counter()
                random = np.random.default_rng(n)
                truth = expected_gain(right, formula, n, random)
                found = [
                    assay.threshold(None, run_of(*drawn(right, n, random)), name, seed=trial, resamples=args.resamples)
                    for trial in range(args.repetitions)
                ]
                ends = np.array([one.interval for one in found])
                inside = float(np.mean((ends[:, 0] <= truth) & (truth <= ends[:, 1])))
                gain, length = float(np.mean([one.gain for one in found])), float(np.mean(ends[:, 1] - ends[:, 0]))
                print(
                    f"{system:10} {name:8} {n:5} {truth:8.4f} {gain:8.4f} {length:7.4f} {inside:8.3f} "
                    f"{perf_counter() - began:8.0f}",
                    flush=True,
                )
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
