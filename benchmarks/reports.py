"""What a report of many runs costs: wall time, processor time and peak memory of whole processes.

    python benchmarks/reports.py                      all jobs
    python benchmarks/reports.py html-129 --repeat 3
    python benchmarks/reports.py --before ../older    the same jobs in the work tree of an older commit, in turns

  html-129, pdf-129   129 runs × 50 topics × 1000 documents, as many as TREC-8's ad hoc track had
  html-1000           1,000 runs × 50 topics × 100 documents

The runs are made here: documents of a pool, relevant ones nearer to the top the better the run is, so that runs share
documents as real ones do. Each job reads, scores, compares, resamples and writes its file with the defaults of
`assay report`. With `--before` both trees take turns, so that whatever else the machine does hits both. Modules are compiled
by a small report before: an installed assay has done so too.

A process that makes a PDF holds its typesetter: typst alone takes 290 MB for the 151 pages of `pdf-129`.
"""

from __future__ import annotations

import argparse
import os
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import numpy as np

ROOT = Path(__file__).resolve().parents[1]
JOBS = {"html-129": (129, 1000, "html"), "pdf-129": (129, 1000, "pdf"), "html-1000": (1000, 100, "html")}
TARGETS = {"html-129": (3, 400, "4 MB"), "pdf-129": (12, 400, "7 MB"), "html-1000": (30, 600, "")}
"""Seconds, megabytes of memory, and the size of the file."""
TOPICS, POOL, JUDGED, RELEVANT = 50, 4000, 1700, 95
"""A topic's documents, those of them that somebody judged, and the relevant ones on average: TREC-8's."""
START = "import sys; from assay.cli import main; sys.exit(main())"


def generate(folder: Path, runs: int, depth: int) -> tuple[Path, Path]:
    """Judgments and runs of one size, made once."""
    home = folder / f"reports-{runs}-{depth}"
    qrels, ranked = home / "qrels.txt", home / "runs"
    if qrels.exists():
        return qrels, ranked
    shutil.rmtree(home, ignore_errors=True)
    ranked.mkdir(parents=True)
    rng = np.random.default_rng(8)
    relevant = np.zeros((TOPICS, POOL), dtype=np.int64)
    for row in relevant:
        row[rng.choice(JUDGED, rng.integers(5, 2 * RELEVANT), replace=False)] = 1
    names = [[f"FT{topic + 401}-{i:05d}" for i in range(POOL)] for topic in range(TOPICS)]
    for number in range(runs):
        skill, lines = rng.uniform(0.3, 2.5), list[str]()
        for topic in range(TOPICS):
            score = rng.normal(size=POOL) + relevant[topic] * skill * rng.uniform(0.3, 1.5)
            best = np.argsort(-score)[:depth]
            told = zip(best.tolist(), score[best].tolist(), strict=True)
            lines += [
                f"{topic + 401} Q0 {names[topic][i]} {at} {s:.6f} run{number:04d}" for at, (i, s) in enumerate(told, 1)
            ]
        (ranked / f"run{number:04d}").write_text("\n".join(lines) + "\n")
    judged = (f"{t + 401} 0 {names[t][i]} {relevant[t, i]}\n" for t in range(TOPICS) for i in range(JUDGED))
    qrels.write_text("".join(judged))
    return qrels, ranked


def measured(tree: Path, folder: Path, qrels: Path, runs: Path, output: Path) -> tuple[float, float, float]:
    """Seconds, seconds of the processors, and peak megabytes of one process."""
    command = [sys.executable, "-c", START, "report", str(qrels), str(runs), "-o", str(output)]
    environment = {**os.environ, "PYTHONPATH": str(tree / "src"), "PYTHONPYCACHEPREFIX": str(folder / "compiled")}
    environment.pop("PYTHONDONTWRITEBYTECODE", None)
    start = time.perf_counter()
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, env=environment)
    assert process.stderr is not None
    said = process.stderr.read().decode()
    _, status, usage = os.wait4(process.pid, 0)
    seconds = time.perf_counter() - start
    if status:
        raise SystemExit(f"{tree}: {said}")
    return seconds, usage.ru_utime + usage.ru_stime, usage.ru_maxrss / 1024


def written(output: Path) -> float:
    """Megabytes of the file, and of the folder beside it."""
    beside = output.with_name(f"{output.stem}_data")
    files = [output, *(beside.iterdir() if beside.is_dir() else ())]
    return sum(file.stat().st_size for file in files) / 1e6


def race(job: str, folder: Path, trees: dict[str, Path], repeat: int) -> None:
    """Take turns; of each tree the least of every figure counts."""
    runs, depth, form = JOBS[job]
    qrels, ranked = generate(folder, runs, depth)
    few = generate(folder, 6, 10)
    found: dict[str, list[tuple[float, float, float]]] = {name: [] for name in trees}
    sizes: dict[str, float] = {}
    for turn in range(repeat):
        for name, tree in trees.items():
            with tempfile.TemporaryDirectory() as here:
                output = Path(here) / f"report.{form}"
                if not turn:
                    measured(tree, folder, *few, output)
                found[name].append(measured(tree, folder, qrels, ranked, output))
                sizes[name] = written(output)
    most, room, size = TARGETS[job]
    print(
        f"\n{job}: {runs} runs × {TOPICS} topics × {depth} documents; to reach: {most} s, {room} MB{', writes ' + size if size else ''}"
    )
    least = {name: [min(column) for column in zip(*rows, strict=True)] for name, rows in found.items()}
    for name, (wall, busy, peak) in least.items():
        ratio = f"   now is {wall / least['now'][0]:.1f}× as fast" if name != "now" else ""
        print(
            f"  {name:<7}{wall:8.2f} s {busy:8.2f} s of processors {peak:6.0f} MB   writes {sizes[name]:.1f} MB{ratio}"
        )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("jobs", nargs="*", default=[*JOBS], help=", ".join(JOBS))
    parser.add_argument("--before", type=Path, help="the work tree of an older commit")
    parser.add_argument("--repeat", type=int, default=1)
    parser.add_argument("--folder", type=Path, default=Path(tempfile.gettempdir()) / "assay-benchmark")
    arguments = parser.parse_args()
    trees = {"now": ROOT} | ({"before": arguments.before.resolve()} if arguments.before else {})
    for job in arguments.jobs:
        race(job, arguments.folder, trees, arguments.repeat)


if __name__ == "__main__":
    main()
