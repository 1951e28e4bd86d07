"""How often does the test of calibration refuse a calibrated system, and the interval of ECE contain the truth?

    python benchmarks/calibration_coverage.py                    about two minutes
    python benchmarks/calibration_coverage.py --repetitions 2000

The truth is the ECE over ten bins that endlessly many answers would have. Confidences are even from 0 to 1, high, as those
of language models, or 0.5 or 0.9; right is an answer with the probability that the name of the system says.
"""

from __future__ import annotations

import argparse

import numpy as np

from assay.stats.calibration import calibration

STATED = {
    "even": lambda random, n: random.random(n),
    "high": lambda random, n: 1 - 0.8 * random.beta(1, 6, n),
    "two": lambda random, n: random.choice([0.5, 0.9], n),
}
SYSTEMS = {
    "calibrated": lambda p: p,
    "15 points over": lambda p: np.clip(p - 0.15, 0, 1),
    "2 points over": lambda p: np.clip(p - 0.02, 0, 1),
    "under": lambda p: p + 0.2 * (1 - p),
    "towards a half": lambda p: 0.25 + 0.5 * p,
    "one bin wrong": lambda p: np.where((p > 0.8) & (p <= 0.9), p - 0.3, p),
}


def true_ece(draw, right) -> float:
    stated = draw(np.random.default_rng(5), 2_000_000)
    place = np.searchsorted(np.linspace(0, 1, 11)[1:-1], stated)
    return float(np.abs(np.bincount(place, right(stated) - stated)).sum()) / len(stated)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--repetitions", type=int, default=500)
    parser.add_argument("--resamples", type=int, default=399)
    args = parser.parse_args()
    print(f"{args.repetitions} repetitions of {args.resamples} draws each; nominal .95")
    print(
        f"{'stated':6} {'system':15} {'n':>5} {'truth':>7} {'ECE':>7} {'ECEd':>7} {'refused':>8} {'length':>7} {'coverage':>8}"
    )
    for kind, draw in STATED.items():
        for name, right in SYSTEMS.items():
            truth = true_ece(draw, right)
            for n in (50, 200, 1000):
                random = np.random.default_rng(n)
                found = []
                for trial in range(args.repetitions):
                    stated = draw(random, n)
                    correct = random.random(n) < right(stated)
                    found.append(calibration(correct, stated, resamples=args.resamples, seed=trial))
                ends = np.array([one.interval for one in found])
                inside = float(np.mean((ends[:, 0] <= truth + 1e-12) & (truth <= ends[:, 1])))
                ece, debiased, refused = (
                    float(np.mean([getattr(one, what) for one in found])) for what in ("ece", "debiased", "calibrated")
                )
                length = float(np.mean(ends[:, 1] - ends[:, 0]))
                print(
                    f"{kind:6} {name:15} {n:5} {truth:7.4f} {ece:7.4f} {debiased:7.4f} {1 - refused:8.3f} {length:7.4f} "
                    f"{inside:8.3f}",
                    flush=True,
                )
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
