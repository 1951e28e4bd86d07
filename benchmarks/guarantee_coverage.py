"""How often is the promise of `assay threshold --risk` kept, and how much does it let a system answer?

    python benchmarks/guarantee_coverage.py                   the figures of docs/threshold.md: some minutes
    python benchmarks/guarantee_coverage.py --draws 200

Every system is drawn 2,000 times; a promise is broken where the threshold found has a true risk above the one promised, which is
known since the system is made. It may be so in one draw of ten. Confidences are even from 0 to 1, in steps of 0.05 for `spoken`:

    knowing      right with the fourth root of what is stated
    spoken       the same, as people and models say it: 0.8, 0.85, 0.9
    hasty        right 19 times of 20 but where it is surest, above 0.95, where it is right half of the time
    at the edge  wrong with a probability just above the risk, whatever is stated: every promise is broken
    just below   wrong with a probability a little below the risk: every promise is kept, and all could be answered

`of oracle` is the coverage as a share of what could be answered by who knew the true risks.
"""

from __future__ import annotations

import argparse

import numpy as np

from assay.stats.risk_control import GRID, ladder

CONFIDENCE = 0.9
POINTS = 200_000


def spoken(uniform):
    return np.round(np.ceil(uniform * 20) / 20, 2)


def systems(risk: float):
    """By name: how confidences come from even numbers, and how often an answer of some confidence is right."""
    return {
        "knowing": (lambda u: u, lambda p: p**0.25),
        "spoken": (spoken, lambda p: p**0.25),
        "hasty": (lambda u: u, lambda p: np.where(p > 0.95, 0.5, 0.95)),
        "at the edge": (lambda u: u, lambda p: 0 * p + (1 - risk) - 1e-6),
        "just below": (lambda u: u, lambda p: 0 * p + 1 - 0.6 * risk),
    }


def truth(stated, right) -> dict[float, tuple[float, float]]:
    """By threshold: the share of answers above it, and how many of these are wrong in the long run."""
    everyone = stated((np.arange(POINTS) + 0.5) / POINTS)
    wrong = 1 - right(everyone)
    found = {}
    for threshold in GRID:
        above = everyone >= threshold
        if above.any():
            found[threshold] = float(above.mean()), float(wrong[above].mean())
    return found


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--draws", type=int, default=2000)
    draws = parser.parse_args().draws
    allowed = 3 * np.sqrt(CONFIDENCE * (1 - CONFIDENCE) / draws)
    print(f"{'system':<12} {'risk':>5} {'questions':>9} {'kept':>7} {'promised':>9} {'coverage':>9} {'of oracle':>9}")
    for risk in (0.05, 0.1):
        for name, (stated, right) in systems(risk).items():
            true = truth(stated, right)
            oracle = max((cover for cover, wrong in true.values() if wrong <= risk), default=0.0)
            for n in (200, 500, 2000):
                random = np.random.default_rng(n)
                covers, broken = [], 0
                for _ in range(draws):
                    said = stated(random.random(n))
                    correct = (random.random(n) < right(said)).astype(int)
                    promised = [step.threshold for step in ladder(correct, said, risk, 1 - CONFIDENCE) if step.promised]
                    cover, wrong = true[min(promised)] if promised else (0.0, 0.0)
                    covers.append(cover)
                    broken += wrong > risk
                kept, some = 1 - broken / draws, np.mean(np.array(covers) > 0)
                share = f"{np.mean(covers) / oracle:>9.1%}" if oracle else f"{'n/a':>9}"
                print(
                    f"{name:<12} {risk:>5} {n:>9} {kept:>7.1%} {some:>9.1%} {np.mean(covers):>9.1%} {share}", flush=True
                )
                assert kept >= CONFIDENCE - allowed, "the promise is not kept"


if __name__ == "__main__":
    main()
