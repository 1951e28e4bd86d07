"""Time `assay compare --baseline` on many runs, as a whole process: seconds and peak memory.

    python benchmarks/baseline.py                      10,000 runs × 50 topics; fails above 20 s or 500 MB
    python benchmarks/baseline.py --runs 2000 5000     other sizes, without limits

The runs are made: a topic's difficulty, a run's strength and noise. Reading the CSV matrix, comparing every run with the first
one and writing JSON all count. The limit holds for processor time, which other programs on the machine do not change.
"""

from __future__ import annotations

import argparse
import json
import resource
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import numpy as np

TOPICS = 50
MOST_RUNS, MOST_SECONDS, MOST_MEGABYTES = 10_000, 20.0, 500.0


def write_matrix(path: Path, runs: int) -> None:
    """Write a topic × run matrix of scores between 0 and 1."""
    rng = np.random.default_rng(20011)
    noise = rng.normal(0, 0.12, (TOPICS, runs))
    values = np.clip(0.4 + rng.normal(0, 0.2, (TOPICS, 1)) + rng.normal(0, 0.05, (1, runs)) + noise, 0, 1).round(4)
    lines = [",".join(["topic", *(f"run{number:05}" for number in range(runs))])]
    lines += [",".join([str(topic), *map(str, row)]) for topic, row in enumerate(values.tolist(), 1)]
    path.write_text("\n".join(lines) + "\n")


def measure(runs: int) -> tuple[float, float, float]:
    """Return wall seconds, processor seconds and peak megabytes of one comparison; only the first call's peak is its own."""
    with tempfile.TemporaryDirectory() as folder:
        matrix, output = Path(folder, "scores.csv"), Path(folder, "pairs.json")
        write_matrix(matrix, runs)
        command = [sys.executable, "-c", "import sys; from assay.cli import main; sys.exit(main(sys.argv[1:]))"]
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        start = time.perf_counter()
        options = ["compare", "--scores", f"AP={matrix}", "--baseline", "run00000", "-o", str(output)]
        subprocess.run([*command, *options], check=True)
        seconds = time.perf_counter() - start
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        pairs = len(json.loads(output.read_text())["pairs"])
    if pairs != runs - 1:
        raise SystemExit(f"expected {runs - 1} pairs, found {pairs}")
    processor = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    return seconds, processor, after.ru_maxrss / 1024


def main() -> None:
    """Measure each size in rising order, and check the limits of the default size."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--runs", type=int, nargs="+", default=[MOST_RUNS])
    for runs in sorted(parser.parse_args().runs):
        seconds, processor, megabytes = measure(runs)
        print(f"{runs:,} runs × {TOPICS} topics: {seconds:.1f} s, {processor:.1f} s of processor, {megabytes:.0f} MB")
        if runs == MOST_RUNS and (processor > MOST_SECONDS or megabytes > MOST_MEGABYTES):
            raise SystemExit(f"more than {MOST_SECONDS:g} s or {MOST_MEGABYTES:g} MB")


if __name__ == "__main__":
    main()
