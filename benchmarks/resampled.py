"""Race two versions of assay on what is resampled most: studentised intervals of all pairs, and a study of c@1.

    python benchmarks/resampled.py --before ../old/src                 all three jobs
    python benchmarks/resampled.py AP50 c@1 --before ../old/src --rounds 5

  AP50     assay compare --interval studentised --correct none, 129 runs × 50 topics: 8,256 pairs, 10,000 resamples
  AP1000   the same over 1,000 topics
  c@1      assay reliability -m c@1 --trials 1000000, 44 runs × 500 questions: subsets of 250, and the four smaller sizes
           that the extrapolation is made from

Each contestant is the whole command in a process of its own. They take turns, and the best time of each counts: seconds of the
wall, and of the processor. What they print must agree to the last digit, or the race is void. Aims: 3.6, 4 and 3 times.
`benchmarks/reliability.py` has what the kernel of the last does in a second.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import resource
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

import numpy as np

NOW = str(Path(__file__).resolve().parents[1] / "src")
COMMAND = "import sys\nfrom assay.cli import main\nsys.exit(main())"
AIMS = {"AP50": 3.6, "AP1000": 4.0, "c@1": 3.0}
RUNS = {"AP50": 129, "AP1000": 129, "c@1": 44}
TOPICS = {"AP50": 50, "AP1000": 1000, "c@1": 500}


def made(job: str, folder: Path) -> list[str]:
    """The command over files made for it: scores of four digits, or outcomes."""
    runs, topics = RUNS[job], TOPICS[job]
    if job == "c@1":
        for run in range(runs):
            rng, lines = random.Random(run), []
            for question in range(topics):
                right = rng.random() < 0.2 + 0.4 * run / (runs - 1)
                ended = "correct" if right else "unanswered" if rng.random() < 0.25 else "incorrect"
                lines.append(json.dumps({"id": f"q{question:03d}", "outcome": ended}) + "\n")
            (folder / f"run{run:02d}.jsonl").write_text("".join(lines))
        files = sorted(map(str, folder.glob("run*.jsonl")))
        return ["reliability", "--judged", "-m", "c@1", "--trials", "1000000", "-f", "json", *files]
    skill = np.linspace(0.2, 0.6, runs)
    values = np.round(np.random.default_rng(1).beta(1, 2, size=(topics, runs)) * (0.5 + skill), 4)
    rows = [["topic", *(f"run{run:03d}" for run in range(runs))]]
    rows += [[f"t{topic:04d}", *map(str, row)] for topic, row in enumerate(values.tolist())]
    scores = folder / f"{job}.csv"
    scores.write_text("".join(",".join(row) + "\n" for row in rows))
    return ["compare", "--scores", f"AP={scores}", "--interval", "studentised", "--correct", "none", "-f", "json"]


def numbers(printed: bytes) -> Any:
    """What was found, without versions and settings, which have more to say in one version than in another."""
    found = json.loads(printed)
    return [found.get(name) for name in ("measures", "runs", "pairs", "tiers", "significant")]


def run(source: str, words: list[str]) -> tuple[Any, np.ndarray]:
    """What the command found, and the seconds of the wall and of the processor."""
    start, used = time.perf_counter(), resource.getrusage(resource.RUSAGE_CHILDREN)
    environment = {**os.environ, "PYTHONPATH": source}
    done = subprocess.run([sys.executable, "-c", COMMAND, *words], check=True, capture_output=True, env=environment)
    wall, now = time.perf_counter() - start, resource.getrusage(resource.RUSAGE_CHILDREN)
    seconds = np.array([wall, now.ru_utime + now.ru_stime - used.ru_utime - used.ru_stime])
    return numbers(done.stdout), seconds


def race(job: str, before: str, rounds: int) -> bool:
    with tempfile.TemporaryDirectory() as folder:
        words = made(job, Path(folder))
        best = np.full((2, 2), np.inf)
        for _ in range(rounds):
            both = [run(source, words) for source in (before, NOW)]
            if both[0][0] != both[1][0]:
                raise SystemExit(f"the race is void: {job} is not the same")
            best = np.minimum(best, [seconds for _, seconds in both])
    (wall, processor), (now, now_processor) = best.tolist()
    print(
        f"{job:<7} before {wall:6.2f} s ({processor:6.2f})   now {now:6.2f} s ({now_processor:6.2f})   "
        f"{wall / now:.1f} times ({processor / now_processor:.1f}); aim {AIMS[job]:g}",
        flush=True,
    )
    return processor / now_processor >= AIMS[job]


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("jobs", nargs="*", metavar="JOB", help="AP50, AP1000, c@1; all by default")
    parser.add_argument("--before", required=True, metavar="SRC", help="the package's folder of the version to race")
    parser.add_argument("--rounds", type=int, default=3)
    args = parser.parse_args()
    print("the whole command; seconds by wall (processor)")
    reached = [race(job, args.before, args.rounds) for job in args.jobs or AIMS]
    return 0 if all(reached) else 1


if __name__ == "__main__":
    sys.exit(main())
