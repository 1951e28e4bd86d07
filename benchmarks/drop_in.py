"""Race `assay.pytrec_eval` against pytrec_eval on the same dicts, in one process.

    python benchmarks/drop_in.py
    python benchmarks/drop_in.py --seconds 0.2

For each size the two take turns, and the best time of each counts: to make an evaluator, to evaluate one run with it, and
both together, which is what BEIR and MTEB do. Every value must be the same to the last bit, or the race is void.

  one       1 topic × 10 documents, as in a training loop
  rerank    100 topics × 100 documents, 5 judged
  beir      300 topics × 1000 documents, 3 judged, at BEIR's cutoffs
  trec      50 topics × 1000 documents, 1,700 judged
  all       50 topics × 1000 documents, 100 judged, every measure there is
  ties      50 topics × 1000 documents with a hundred different scores
  numpy     50 topics × 1000 documents with scores of numpy's float64
  deep      5 topics × 20,000 documents, deeper than the core measures
"""

from __future__ import annotations

import argparse
import json
import random
import time
from collections.abc import Callable, Sequence
from functools import partial

import numpy
import pytrec_eval as theirs

import assay.pytrec_eval as ours

FEW = {"map", "ndcg_cut.10", "recip_rank"}
EIGHT = {"map", "ndcg", "ndcg_cut.10", "P.10", "Rprec", "recall.1000", "recip_rank", "bpref"}
BEIR = {f"{measure}.1,3,5,10,100,1000" for measure in ("map_cut", "ndcg_cut", "recall", "P")}
SIZES = {
    # topics, documents, judged, what a score is, measures
    "one": (1, 10, 5, random.Random.random, FEW),
    "rerank": (100, 100, 5, random.Random.random, FEW),
    "beir": (300, 1000, 3, random.Random.random, BEIR),
    "trec": (50, 1000, 1700, random.Random.random, EIGHT),
    "all": (50, 1000, 100, random.Random.random, theirs.supported_measures),
    "ties": (50, 1000, 100, lambda rng: float(rng.randrange(100)), EIGHT),
    "numpy": (50, 1000, 100, lambda rng: numpy.float64(rng.random()), EIGHT),
    "deep": (5, 20_000, 100, random.Random.random, EIGHT),
}


def generate(topics: int, documents: int, judged: int, score: Callable[[random.Random], float]) -> tuple[dict, dict]:
    """Judgments and a run, in no order: of what was judged, about a third was retrieved."""
    rng = random.Random(20011)
    qrels, run = {}, {}
    for topic in map(str, range(topics)):
        names = [f"D{number}" for number in rng.sample(range(3_000_000), documents + judged)]
        known = names[-judged - judged // 3 :][:judged]
        qrels[topic] = {name: rng.choices([0, 1, 2], [6, 3, 1])[0] for name in known}
        run[topic] = {name: score(rng) for name in names[:documents]}
    return qrels, run


def best(contestants: Sequence[Callable[[], object]], seconds: float) -> list[float]:
    """The best time of each, in turns, for so many seconds each."""
    fastest = [float("inf")] * len(contestants)
    spent = 0.0
    while spent < seconds * len(contestants):
        for i, work in enumerate(contestants):
            start = time.perf_counter()
            work()
            took = time.perf_counter() - start
            fastest[i] = min(fastest[i], took)
            spent += took
    return fastest


def race(size: str, seconds: float) -> str:
    """One line of the table."""
    topics, documents, judged, score, measures = SIZES[size]
    qrels, run = generate(topics, documents, judged, score)
    ready = {module: module.RelevanceEvaluator(qrels, measures) for module in (theirs, ours)}
    expected, found = (ready[module].evaluate(run) for module in ready)
    if json.dumps(expected) != json.dumps(found):
        raise SystemExit(f"{size}: the two DISAGREE: no race")
    a, b = best([partial(module.RelevanceEvaluator, qrels, measures) for module in ready], seconds)
    c, d = best([partial(evaluator.evaluate, run) for evaluator in ready.values()], seconds)
    values = len(next(iter(found.values())))
    return (
        f"{size:<8} {len(run):>4} × {values:<4} {a * 1e6:>12,.0f} {b * 1e6:>7,.0f} {a / b:>5.1f}  "
        f"{c * 1e6:>12,.0f} {d * 1e6:>7,.0f} {c / d:>5.1f}  {(a + c) / (b + d):>5.1f}"
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("sizes", nargs="*", default=list(SIZES), help=", ".join(SIZES))
    parser.add_argument("--seconds", type=float, default=1.0, help="for each contestant and column")
    arguments = parser.parse_args()
    print("µs       topics           make an evaluator              evaluate              both")
    print("size     × values   pytrec_eval   assay     ×   pytrec_eval   assay     ×      ×")
    for size in arguments.sizes:
        print(race(size, arguments.seconds))


if __name__ == "__main__":
    main()
