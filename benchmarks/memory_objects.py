"""Race `assay.evaluate` against pytrec_eval on what a program holds in memory: dicts, and data frames.

    python benchmarks/memory_objects.py              S and L
    python benchmarks/memory_objects.py S --repeat 21

  S   50 topics × 1000 documents, 1,700 judged per topic
  L   6,980 topics × 1000 documents (7 million rows), one or two judged per topic

  dicts       qrels and run as {topic: {document: …}}: an evaluator made, and one run evaluated with it
  gold read   the same run against `assay.read_gold`, read before; pytrec_eval's evaluator was made before too
  shuffled    dicts once more, of documents in no order
  polars …    qrels and run as data frames; pytrec_eval's time has that of building its dicts from them

Eight measures per topic, in one process. The contestants take turns, and the median of each counts: wall time and processor
time (user and system, of all threads). Every mean must agree, or the race is void. Memory is what a process that does one of the
jobs, once, needs beside its data at its peak.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import statistics
import subprocess
import sys
import time
from collections.abc import Callable
from functools import partial
from itertools import groupby
from operator import itemgetter
from pathlib import Path
from typing import Any

import pandas
import polars
import pytrec_eval

import assay

MEASURES = {
    "AP": "map", "nDCG": "ndcg", "nDCG@10": "ndcg_cut_10", "P@10": "P_10", "Rprec": "Rprec", "R@1000": "recall_1000",
    "RR": "recip_rank", "Bpref": "bpref",
}  # fmt: skip
ASKED = {"map", "ndcg", "ndcg_cut.10", "P.10", "Rprec", "recall.1000", "recip_rank", "bpref"}
JOBS = ("dicts", "gold read", "shuffled", "polars", "pandas")
Nested = dict[str, dict[str, Any]]


def generate(size: str, shuffled: bool = False) -> tuple[Nested, Nested]:
    """Judgments and a run, its documents best first or in no order; about half of what was judged was retrieved."""
    rng = random.Random(20011)
    qrels: Nested = {}
    run: Nested = {}
    for topic in map(str, range(1, 51 if size == "S" else 6981)):
        known = rng.sample(range(2_000_000), 1700 if size == "S" else rng.choice([1, 1, 1, 2]))
        weights = [94, 4, 2] if size == "S" else [0, 1, 0]
        qrels[topic] = {f"D{number}": rng.choices([0, 1, 2], weights)[0] for number in known}
        found = rng.sample(known, min(len(known), rng.randint(len(known) // 3, 2 * len(known) // 3 + 1)))
        numbers = (found + rng.sample(range(3_000_000, 9_000_000), 1000))[:1000]
        rng.shuffle(numbers)
        millionths = sorted(rng.sample(range(5_000_000, 30_000_000), 1000), reverse=True)
        if shuffled:
            rng.shuffle(millionths)
        # Ids and scores are made in the order they stand in, as by whoever reads a file or asks an index.
        run[topic] = {f"D{number}": score / 1e6 for number, score in zip(numbers, millionths, strict=True)}
    return qrels, run


def columns(nested: Nested, value: str) -> dict[str, list[Any]]:
    """Rows of a frame: topic, document, value."""
    return {
        "query_id": [topic for topic, documents in nested.items() for _ in documents],
        "doc_id": [document for documents in nested.values() for document in documents],
        value: [held for documents in nested.values() for held in documents.values()],
    }


def dicts_of_polars(frame: Any) -> Nested:
    """Of several ways to write it the quickest that was found: columns as lists, and a dict for each stretch of a topic."""
    rows = zip(*(frame[name].to_list() for name in frame.columns), strict=True)
    return {topic: {row[1]: row[2] for row in of} for topic, of in groupby(rows, itemgetter(0))}


def dicts_of_pandas(frame: Any) -> Nested:
    """The same; a column's `tolist` is what is quickest there."""
    rows = zip(*(frame[name].tolist() for name in frame.columns), strict=True)
    return {topic: {row[1]: row[2] for row in of} for topic, of in groupby(rows, itemgetter(0))}


def by_assay(qrels: Any, run: Any) -> list[float]:
    """The means, as assay has them."""
    scores = assay.evaluate(qrels, run, list(MEASURES))
    return [scores.mean(measure)["run"] for measure in MEASURES]


def by_gold(gold: Any, run: Any) -> list[float]:
    """The same, against judgments that were read before."""
    scores = gold.evaluate(run, list(MEASURES))
    return [scores.mean(measure)["run"] for measure in MEASURES]


def by_evaluator(evaluator: Any, run: Nested, topics: int) -> list[float]:
    """The means, as pytrec_eval has them; a topic that the run lacks is worth 0, as in assay."""
    values = evaluator.evaluate(run).values()
    return [sum(value[name] for value in values) / topics for name in MEASURES.values()]


def by_pytrec_eval(qrels: Nested, run: Nested) -> list[float]:
    """The same, with an evaluator made for it."""
    return by_evaluator(pytrec_eval.RelevanceEvaluator(qrels, ASKED), run, len(qrels))


def contestants(job: str, size: str) -> tuple[Callable[[], list[float]], Callable[[], list[float]]]:
    """What is raced: pytrec_eval, and assay."""
    qrels, run = generate(size, job == "shuffled")
    if job == "gold read":
        evaluator, gold = pytrec_eval.RelevanceEvaluator(qrels, ASKED), assay.read_gold(qrels)
        return partial(by_evaluator, evaluator, run, len(qrels)), partial(by_gold, gold, run)
    if job in ("dicts", "shuffled"):
        return partial(by_pytrec_eval, qrels, run), partial(by_assay, qrels, run)
    library, dicts_of = (polars, dicts_of_polars) if job == "polars" else (pandas, dicts_of_pandas)
    frames = library.DataFrame(columns(qrels, "relevance")), library.DataFrame(columns(run, "score"))
    return lambda: by_pytrec_eval(*map(dicts_of, frames)), partial(by_assay, *frames)


def taken(work: Callable[[], object]) -> tuple[float, float]:
    """Wall and processor seconds."""
    wall, spent = time.perf_counter(), time.process_time()
    work()
    return time.perf_counter() - wall, time.process_time() - spent


def race(job: str, size: str, repeat: int) -> str:
    """One line of the table."""
    theirs, ours = contestants(job, size)
    worst = max(abs(a - b) for a, b in zip(theirs(), ours(), strict=True))
    if worst > 1e-9:
        raise SystemExit(f"{job} {size}: the two DISAGREE by {worst}: no race")
    times = [(taken(theirs), taken(ours)) for _ in range(repeat)]
    (wall, spent), (our_wall, our_spent) = (
        [statistics.median(pair[who][i] for pair in times) for i in (0, 1)] for who in (0, 1)
    )
    memory = [peak(job, size, who) for who in (0, 1)]
    return (
        f"{size} {job:<10} {wall * 1000:>11,.1f} {our_wall * 1000:>8,.1f} {wall / our_wall:>6.1f}  "
        f"{spent * 1000:>11,.1f} {our_spent * 1000:>8,.1f} {spent / our_spent:>6.1f}  {memory[0]:>11,.0f} {memory[1]:>7,.0f}"
    )


def peak(job: str, size: str, who: int) -> float:
    """Megabytes that one contestant needs beside its data, in a process of its own."""
    command = [sys.executable, __file__, "--peak", json.dumps([job, size, who])]
    return float(subprocess.run(command, capture_output=True, text=True, check=True, env=os.environ).stdout)


def print_peak(job: str, size: str, who: int) -> None:
    """The same, within that process: Linux forgets, if asked to, how much making the data took."""
    work = contestants(job, size)[who]
    Path("/proc/self/clear_refs").write_text("5")
    before = resident()["VmRSS"]
    work()
    print((resident()["VmHWM"] - before) / 1024)


def resident() -> dict[str, int]:
    """Kilobytes in memory, now (VmRSS) and at most (VmHWM)."""
    lines = (line.split() for line in Path("/proc/self/status").read_text().splitlines())
    return {words[0].removesuffix(":"): int(words[1]) for words in lines if words[0].startswith("Vm")}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("sizes", nargs="*", default=["S", "L"], help="S, L")
    parser.add_argument("--jobs", default=",".join(JOBS), help=", ".join(JOBS))
    parser.add_argument("--repeat", type=int, default=0, help="turns of each; 21 on S and 3 on L where left out")
    parser.add_argument("--peak", help=argparse.SUPPRESS)
    arguments = parser.parse_args()
    if arguments.peak:
        print_peak(*json.loads(arguments.peak))
        return
    print("ms                    wall                         processor                      megabytes")
    print("             pytrec_eval    assay      ×  pytrec_eval    assay      ×  pytrec_eval   assay")
    for size in arguments.sizes:
        for job in arguments.jobs.split(","):
            print(race(job, size, arguments.repeat or (21 if size == "S" else 3)), flush=True)


if __name__ == "__main__":
    main()
