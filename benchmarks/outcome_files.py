"""Score runs of outcomes in JSONL, a process each: files read at once, beside the same files read line by line.

    python benchmarks/outcome_files.py                        40 runs × 14,000 questions, then 1,000 × 14,000 read at once
    python benchmarks/outcome_files.py --many 0               without the thousand

Both evaluate with all default measures and must print the same, or the race is void. The thousand are links to the forty, and
nobody but the file system knows. Seconds are of the wall and of the processor. Targets for the thousand: 15 s and 300 MB.
"""

from __future__ import annotations

import argparse
import json
import random
import resource
import subprocess
import sys
import tempfile
import time
from pathlib import Path

LINE_BY_LINE = """
from assay.formats.answers import jsonl_answers
jsonl_answers.plain_rows = lambda *_: None
"""
EVALUATE = """
import sys
from assay.cli import main
sys.exit(main())
"""


def made(folder: Path, runs: int, questions: int) -> list[Path]:
    """Runs that are right half of the time, and decline one question of ten."""
    paths: list[Path] = []
    for run in range(runs):
        rng = random.Random(run)
        lines: list[str] = []
        for question in range(questions):
            luck = rng.random()
            ended = "correct" if luck < 0.5 else "unanswered" if luck > 0.9 else "incorrect"
            line = {"id": f"q{question:05d}", "outcome": ended, "confidence": round(rng.random(), 3)}
            lines.append(json.dumps(line) + "\n")
        paths.append(folder / f"run{run:04d}.jsonl")
        paths[-1].write_text("".join(lines))
    return paths


def raced(name: str, before: str, paths: list[Path]) -> tuple[bytes, float]:
    """What the command prints, and the processor's seconds; told as it ends."""
    command = [sys.executable, "-c", before + EVALUATE, "evaluate", "--judged", "-f", "tsv", *map(str, paths)]
    start, used = time.perf_counter(), resource.getrusage(resource.RUSAGE_CHILDREN)
    done = subprocess.run(command, check=True, capture_output=True)
    wall, now = time.perf_counter() - start, resource.getrusage(resource.RUSAGE_CHILDREN)
    processor = now.ru_utime + now.ru_stime - used.ru_utime - used.ru_stime
    print(f"  {name:<22} {wall:7.2f} s ({processor:.2f})   peak so far {now.ru_maxrss / 1024:5.0f} MB", flush=True)
    return done.stdout, processor


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--runs", type=int, default=40)
    parser.add_argument("--questions", type=int, default=14_000)
    parser.add_argument("--many", type=int, default=1000, help="runs of the last race; 0 for none")
    args = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        paths = made(Path(folder), args.runs, args.questions)
        print(f"{args.runs} runs × {args.questions:,} questions; seconds by wall (processor)")
        at_once, quick = raced("at once", "", paths)
        if args.many:
            links = [Path(folder) / f"many{i:05d}.jsonl" for i in range(args.many)]
            for i, link in enumerate(links):
                link.symlink_to(paths[i % len(paths)])
            raced(f"at once, {args.many:,} runs", "", links)
        by_line, slow = raced("line by line", LINE_BY_LINE, paths)
        if at_once != by_line:
            raise SystemExit("the race is void: the two do not print the same")
        print(f"  {slow / quick:.1f} times by the processor, the start of Python included")


if __name__ == "__main__":
    main()
