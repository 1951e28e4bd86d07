"""Race the resampling core against vectorised numpy: stability and swap of every pair of runs on random subsets.

    python benchmarks/reliability.py                 both sizes, all cores
    python benchmarks/reliability.py --workers 1

  outcomes   44 runs × 500 questions, c@1, subsets of 250 (the data of Peñas and Rodrigo 2011)
  matrix     129 runs × 50 topics of average precision, subsets of 25 (the data of TREC-8)

A pair-trial is one pair of runs on one trial: ten fuzziness values on the first subset, the bin and the sign on both.
Each contestant is a process of its own, so that its peak memory is its own; they take turns and the best time counts.
The numpy version does the same work on floating-point arrays, as one would write it without this project, on one core
(its only parallel part is the matrix product). Targets, on 2 cores: 1e9 pair-trials a second and a million trials in
1 s for outcomes, with the draws, 1e8 for the matrix, 200 MB. `swaps` is the kernel alone, on one thread: 2e9 for outcomes.
"""

from __future__ import annotations

import argparse
import json
import resource
import subprocess
import sys
import time

import numpy as np

SIZES = {"outcomes": (44, 500, 250), "matrix": (129, 50, 25)}
TRIALS = {"native": {"outcomes": 1_000_000, "matrix": 100_000}, "numpy": {"outcomes": 2_000, "matrix": 500}}
BLOCK = {"outcomes": 50, "matrix": 10}
TARGET = {"outcomes": 1e9, "matrix": 1e8}


def made(name: str) -> dict[str, np.ndarray]:
    """The same made-up data for every contestant."""
    runs, topics, _ = SIZES[name]
    rng = np.random.default_rng(1)
    skill = np.linspace(0.2, 0.6, runs)[:, None]
    if name == "matrix":
        return {"AP": np.round(rng.beta(1, 2, size=(runs, topics)) * (0.5 + skill), 4)}
    correct = rng.random((runs, topics)) < skill
    unanswered = ~correct & (rng.random((runs, topics)) < 0.25)
    return {"correct": correct.astype(np.int64), "unanswered": unanswered.astype(np.int64)}


def c_at_1(n, correct, unanswered):
    return correct * (n + unanswered), n * n


def native(name: str, workers: int) -> dict[str, float]:
    from assay.parallel import executors
    from assay.resampling.resamplers import MeanResampler, SumsResampler
    from assay.resampling.subsets import Subsets, count

    runs, _, size = SIZES[name]
    columns = made(name)
    if name == "matrix":
        resampler = MeanResampler(columns["AP"].T)
    else:
        resampler = SumsResampler(np.stack([column.T for column in columns.values()], axis=2), c_at_1)
    problem = Subsets([str(i) for i in range(runs)], {name: resampler})
    trials = TRIALS["native"][name]
    with executors.workers("local", count=workers) as executor:
        start = time.perf_counter()
        count(problem, size, trials, executor=executor, workers=4 * workers)
        seconds = time.perf_counter() - start
    return {"seconds": seconds, "trials": trials, "pairs": problem.pairs}


def vectorised(name: str, workers: int) -> dict[str, float]:
    del workers
    runs, topics, size = SIZES[name]
    columns = made(name)
    first, second = np.triu_indices(runs, 1)
    rng = np.random.default_rng(2)
    wins = np.zeros((10, 2, len(first)), np.int64)
    bins, swaps = np.zeros(21, np.int64), np.zeros(21, np.int64)
    trials = TRIALS["numpy"][name]
    start = time.perf_counter()
    for _ in range(trials // BLOCK[name]):
        order = rng.permuted(np.tile(np.arange(topics), (BLOCK[name], 1)), axis=1)
        differences: list[np.ndarray] = []
        for half in (order[:, :size], order[:, size : 2 * size]):
            mask = np.zeros((BLOCK[name], topics))
            np.put_along_axis(mask, half, 1.0, axis=1)
            sums = {key: mask @ column.T.astype(float) for key, column in columns.items()}
            value = sums["AP"] / size if name == "matrix" else c_at_1(size, *sums.values())[0] / size**2
            x, y = value[:, first], value[:, second]
            differences.append(x - y)
            if len(differences) == 1:
                largest = np.maximum(x, y)
                for level in range(10):
                    clear = abs(x - y) >= (level + 1) / 100 * largest
                    wins[level, 0] += (clear & (x > y)).sum(axis=0)
                    wins[level, 1] += (clear & (x < y)).sum(axis=0)
        d, e = differences
        index = np.minimum((abs(d) * 100).astype(int), 20)
        bins += np.bincount(index.ravel(), minlength=21)
        swaps += np.bincount(index[d * e < 0].ravel(), minlength=21)
    seconds = time.perf_counter() - start
    return {"seconds": seconds, "trials": trials, "pairs": len(first)}


CONTESTANTS = {"native": native, "numpy": vectorised}


def swaps() -> float:
    """Pair-trials that the kernel of swaps does in a second of the processor, on one thread."""
    from assay.core.resample import pairs, tally

    runs, _, size = SIZES["outcomes"]
    middle = np.linspace(0.3, 0.6, runs)[:, None] * size**2
    top = np.clip(middle + np.random.default_rng(3).normal(0, 2000, (2, runs, 512)), 0, size**2).astype(np.int32)
    best = np.inf
    for _ in range(50):
        start = time.process_time()
        pairs(top, size**2, tally(runs, pairwise=False))
        best = min(best, time.process_time() - start)
    return top[0].size * (runs - 1) / 2 / best


def race(name: str, workers: int, rounds: int) -> bool:
    best: dict[str, dict[str, float]] = {}
    for _ in range(rounds):
        for contestant in CONTESTANTS:
            command = [sys.executable, __file__, "--one", contestant, name, "--workers", str(workers)]
            result = json.loads(subprocess.run(command, check=True, capture_output=True, text=True).stdout)
            if contestant not in best or result["seconds"] < best[contestant]["seconds"]:
                best[contestant] = result
    runs, topics, size = SIZES[name]
    print(f"{name}: {runs} runs × {topics} topics, subsets of {size}, {workers} workers")
    rates = {}
    for contestant, result in best.items():
        rates[contestant] = result["trials"] * result["pairs"] / result["seconds"]
        print(
            f"  {contestant:<7} {result['trials']:>9,} trials in {result['seconds']:7.3f} s   "
            f"{rates[contestant]:9.2e} pair-trials/s   peak {result['megabytes']:5.0f} MB"
        )
    ratio = rates["native"] / rates["numpy"]
    if name == "outcomes":
        print(f"  swaps   {swaps():.2e} pair-trials/s of one thread")
    good = rates["native"] >= TARGET[name] and best["native"]["megabytes"] < 200
    print(f"  {ratio:.0f} times numpy; target {TARGET[name]:.0e}: {'reached' if good else 'MISSED'}")
    return good


def main() -> int:
    from assay.parallel.executors import cores

    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("sizes", nargs="*", metavar="SIZE", help="outcomes, matrix; both by default")
    parser.add_argument("--workers", type=int, default=cores())
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--one", nargs=2, metavar=("CONTESTANT", "SIZE"), help=argparse.SUPPRESS)
    args = parser.parse_args()
    if args.one:
        result = CONTESTANTS[args.one[0]](args.one[1], args.workers)
        result["megabytes"] = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
        print(json.dumps(result))
        return 0
    reached = [race(name, args.workers, args.rounds) for name in args.sizes or SIZES]
    return 0 if all(reached) else 1


if __name__ == "__main__":
    sys.exit(main())
