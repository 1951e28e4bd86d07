"""Time and memory of comparing a board: every pair of many runs, with ranks and tiers, from one file of scores.

    python benchmarks/boards.py                              a table of sizes up to 1,000 runs × 12,000 questions
    python benchmarks/boards.py --runs 129 --questions 50
    python benchmarks/boards.py --format parquet --kind right

Each size is a process of its own: wall time, processor time of all threads, and the largest memory, with reading and without.
"""

from __future__ import annotations

import argparse
import subprocess
import sys
import tempfile
from pathlib import Path

import numpy as np

SIZES = ((129, 50), (50, 1000), (200, 1000), (400, 2000), (1000, 1000), (1000, 12000))
COMPARED = """
import resource, sys, time
import assay
start = time.perf_counter()
scores = assay.read_scores(sys.argv[1], higher_is_better=True)
read = time.perf_counter()
result = assay.compare(scores)
str(result)
end = time.perf_counter()
used = resource.getrusage(resource.RUSAGE_SELF)
first = len(result.ranks.may_be_first)
print(read - start, end - read, used.ru_utime + used.ru_stime, used.ru_maxrss / 1024, first, len(result.tiers))
"""


def board(runs: int, questions: int, kind: str) -> np.ndarray:
    """Questions × runs: right or wrong, or scores with four decimals; runs and questions differ in how good and how hard they are."""
    rng = np.random.default_rng([runs, questions])
    share = np.clip(rng.normal(0.6, 0.1, runs) + rng.normal(0, 0.25, (questions, 1)), 0.02, 0.98)
    if kind == "right":
        return (rng.random((questions, runs)) < share).astype(np.int64)
    return np.clip(share + rng.normal(0, 0.15, (questions, runs)), 0, 1).round(4)


def write(path: Path, values: np.ndarray) -> None:
    names = [f"run{i}" for i in range(values.shape[1])]
    topics = [f"q{i}" for i in range(len(values))]
    if path.suffix == ".parquet":
        import polars

        polars.DataFrame({"topic": topics, **dict(zip(names, values.T, strict=True))}).write_parquet(path)
        return
    with path.open("w", encoding="utf-8") as file:
        file.write(",".join(["topic", *names]) + "\n")
        file.writelines(
            f"{topic},{','.join(map(str, row))}\n" for topic, row in zip(topics, values.tolist(), strict=True)
        )


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--runs", type=int)
    parser.add_argument("--questions", type=int)
    parser.add_argument("--kind", choices=("score", "right"), default="score")
    parser.add_argument("--format", choices=("csv", "parquet"), default="csv")
    args = parser.parse_args()
    sizes = ((args.runs or 1000, args.questions or 12000),) if args.runs or args.questions else SIZES
    print(
        f"{'runs':>6} {'questions':>9} {'read s':>7} {'compare s':>9} {'processor s':>11} {'MB':>6} {'may be first':>12} {'tiers':>5}"
    )
    with tempfile.TemporaryDirectory() as folder:
        for runs, questions in sizes:
            path = Path(folder) / f"board.{args.format}"
            write(path, board(runs, questions, args.kind))
            done = subprocess.run(
                [sys.executable, "-c", COMPARED, str(path)], capture_output=True, text=True, check=True
            )
            read, compared, processor, memory, first, tiers = map(float, done.stdout.split())
            print(
                f"{runs:>6,} {questions:>9,} {read:>7.1f} {compared:>9.1f} {processor:>11.1f} {memory:>6.0f} {first:>12.0f} {tiers:>5.0f}",
                flush=True,
            )
    return 0


if __name__ == "__main__":
    sys.exit(main())
