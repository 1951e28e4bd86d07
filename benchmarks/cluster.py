"""Score 2,000 runs on a Dask cluster of one and of two worker processes, and by way of a store.

    python benchmarks/cluster.py                        2,000 runs of 50 topics × 100 documents
    python benchmarks/cluster.py --documents 1000       runs as long as TREC's: 3 GB of them
    python benchmarks/cluster.py --runs 200

The cluster is a real one, of this machine: a scheduler, workers that are processes of their own, tables that travel. It is there
before the clock starts. Every table must be the one that this process makes alone, or the race is void. Seconds are of the wall, and
processor time beside them, which says more where others use the machine: two workers can at best be as fast as the busier of them.
"""

from __future__ import annotations

import argparse
import random
import resource
import tempfile
import time
from pathlib import Path

import assay
from assay.parallel.executors import workers

MEASURES = ["AP", "nDCG@10", "P@10", "RR", "R@1000", "Rprec", "Bpref", "nDCG"]
SHAPES = 20
"""Different rankings among the runs; all differ in their tags, and so in their bytes."""


def make(folder: Path, runs: int, topics: int, documents: int) -> None:
    """Judgments and runs."""
    draw = random.Random(1)
    pool = [f"doc{number:05}" for number in range(4 * documents)]
    gold = "".join(f"{t} 0 {d} {draw.randint(0, 2)}\n" for t in range(topics) for d in draw.sample(pool, documents))
    (folder / "qrels").write_text(gold)
    (folder / "runs").mkdir()
    for shape in range(SHAPES):
        lines = [
            f"{t} Q0 {d} {rank} {documents - rank} TAG\n"
            for t in range(topics)
            for rank, d in enumerate(draw.sample(pool, documents))
        ]
        text = "".join(lines)
        for number in range(shape, runs, SHAPES):
            (folder / "runs" / f"{number:05}.run").write_text(text.replace("TAG", f"run{number:05}"))


def timed(what: str, function, expected=None):
    """The result, with its seconds printed; void where it is not what was expected."""
    wall, own = time.perf_counter(), time.process_time()
    found = function()
    seconds = time.perf_counter() - wall
    print(f"{what:44} {seconds:8.2f} s   {time.process_time() - own:8.2f} s of this process", flush=True)
    assert expected is None or found.to_dict() == expected.to_dict(), f"{what}: another table"
    return found, seconds


def spent(executor) -> dict[str, float]:
    """Processor seconds of each worker so far."""
    return executor._client.run(time.process_time)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--runs", type=int, default=2000)
    parser.add_argument("--topics", type=int, default=50)
    parser.add_argument("--documents", type=int, default=100)
    args = parser.parse_args()
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        make(folder, args.runs, args.topics, args.documents)
        gold, runs = str(folder / "qrels"), str(folder / "runs")
        size = sum(path.stat().st_size for path in (folder / "runs").iterdir()) / args.runs
        print(f"{args.runs} runs of {args.topics} topics × {args.documents} documents, {size / 1024:.0f} KiB each")
        alone, _ = timed("this process", lambda: assay.evaluate(gold, runs, MEASURES, keep=False))
        taken = {}
        for count in (1, 2):
            with workers("dask", count=count) as executor:
                few = str(folder / "runs" / "0000?.run")
                assay.evaluate(gold, few, MEASURES, executor=executor)  # workers have imported what they need
                told = f"Dask, {count} worker process{'es' if count > 1 else ''}"
                before = spent(executor)
                _, wall = timed(told, lambda: assay.evaluate(gold, runs, MEASURES, executor=executor), alone)
                taken[count] = wall, max(after - before[worker] for worker, after in spent(executor).items())
                print(f"{'  processor time of the busiest worker':44} {taken[count][1]:8.2f} s")
        for place, what in enumerate(("by the wall", "by the busiest worker's processor time")):
            print(f"{f'two workers against one, {what}':64} {taken[1][place] / taken[2][place]:.2f} ×")
        store = str(folder / "store")
        timed("a store, empty", lambda: assay.evaluate(gold, runs, MEASURES, store=store), alone)
        timed("a store that has seen every run", lambda: assay.evaluate(gold, runs, MEASURES, store=store), alone)
        timed("its scores read back, all measures", lambda: assay.read_scores(store))
        timed("its scores read back, one measure", lambda: assay.read_scores(store, "AP"))
        parts = [path.stat().st_size for path in Path(store).rglob("*.parquet")]
        print(f"{'bytes of a partition':44} {sum(parts) / len(parts):8.0f}")
        print(f"{'peak memory of this process':44} {resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024:8.0f} MB")


if __name__ == "__main__":
    main()
