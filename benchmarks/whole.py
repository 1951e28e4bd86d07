"""Resample measures of whole runs by the core's kernels, beside the Python functions that define them, in one process.

    python benchmarks/whole.py                       44 runs × 500 questions, 1,000 resamples
    python benchmarks/whole.py --resamples 200

The two take turns on slices of the resamples, so that a busy machine slows both; the bits must agree, or the race is void.
Seconds are of the wall and of the processor. Target: 40 times the functions by the processor, for CWS, AUROC and ECE together.
"""

from __future__ import annotations

import argparse
import sys
import time

import numpy as np

from assay.measures.registry import find
from assay.resampling.whole_runs import WholeRunResampler

MEASURES = ("CWS", "AUROC", "ECE")
SLICES = 5


def made(runs: int, questions: int) -> list[list[list[float]]]:
    """Runs that answer most questions, the more confidently the more often they are right."""
    rng = np.random.default_rng(1)
    columns: list[list[list[float]]] = []
    for skill in np.linspace(0.2, 0.6, runs):
        correct = rng.random(questions) < skill
        said = np.where(correct, rng.beta(4, 2, questions), rng.beta(2.5, 2.5, questions)).round(3)
        answered = rng.random(questions) < 0.85
        columns.append([(correct & answered).astype(int).tolist(), answered.astype(int).tolist(), said.tolist()])
    return columns


def timed(resampler: WholeRunResampler, resamples: int, seed: int) -> tuple[np.ndarray, np.ndarray]:
    """The resampled values, and the seconds of the wall and of the processor."""
    wall, processor = time.perf_counter(), time.process_time()
    values = resampler.bootstrap(resamples, seed)
    return values, np.array([time.perf_counter() - wall, time.process_time() - processor])


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--runs", type=int, default=44)
    parser.add_argument("--questions", type=int, default=500)
    parser.add_argument("--resamples", type=int, default=1000)
    args = parser.parse_args()
    columns = made(args.runs, args.questions)
    print(f"{args.runs} runs × {args.questions} questions, {args.resamples:,} resamples; seconds by wall (processor)")
    whole = np.zeros((2, 2))
    for name in MEASURES:
        measure = find(name, "outcomes")
        given = [[*run, list(range(args.questions))] if name == "CWS" else run for run in columns]
        kernel = measure.declaration.kernel, measure.declaration.defaults
        contestants = (
            WholeRunResampler(measure.bound(), given, kernel=kernel),
            WholeRunResampler(measure.bound(), given),
        )
        seconds = np.zeros((2, 2))
        for part in range(SLICES):
            (ours, first), (theirs, second) = (timed(one, args.resamples // SLICES, part) for one in contestants)
            seconds += first, second
            if ours.tobytes() != theirs.tobytes():
                raise SystemExit(f"the race is void: {name} is not the same")
        told(name, seconds)
        whole += seconds
    told("all", whole)
    return 0 if whole[1, 1] / whole[0, 1] >= 40 else 1


def told(name: str, seconds: np.ndarray) -> None:
    (wall, processor), (slow, slow_processor) = seconds.tolist()
    print(
        f"  {name:<6} kernel {wall:7.3f} ({processor:.3f})   function {slow:7.2f} ({slow_processor:.2f})   "
        f"{slow / wall:.0f} times ({slow_processor / processor:.0f})"
    )


if __name__ == "__main__":
    sys.exit(main())
