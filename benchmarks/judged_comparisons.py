"""How often does a comparison corrected by people's labels (`assay compare --human`) call equal runs different?

    python benchmarks/judged_comparisons.py                    every cell; writes benchmarks/judged_comparisons.json
    python benchmarks/judged_comparisons.py --only whole --draws 200 --no-save
    python benchmarks/judged_comparisons.py --missing          cells that have no result yet

Questions, runs and judges are made, so that the truth is known: people would score all runs of a cell the same on average. A draw counts as
an error if any pair of the cell's runs is significant. Of `better` cells half of the runs are ten points better, and an error
is a significant pair of equal runs, or one in the wrong direction. A cell is inside its aim if errors are at most .06 of 2,000 draws; one
that is not is drawn anew ten times as often, and then counts.

Judges are described by how often they call right what is right, and wrong what is wrong:

    good       .95 and .90
    lenient    .98 and .60
    partial    lenient towards the first run, good to the others

Half of the luck of a verdict is the question's, so that runs share a judge's errors. `ordinal` scores are 0, .25, …, 1, of which most
are the highest. `topics` have scores such as AP, of which the judge's differ by noise and bias. Clusters have 10 questions and an intraclass correlation of .3, of
the judge's mistakes too; of `clustered` cells labels are drawn by question, of `whole` cells by cluster (of 5 questions). `unguarded` is binary, without the label more on which the
judge errs.

Of `reweighted` cells questions have four types, and labels are a random sample of each type, but .1, .2, .3 and .4 of all labels where the
types are .3, .3, .2 and .2 of all questions. The judge is lenient towards the first run on the first type alone. `chosen` cells have the
same labels, taken for a random sample of all.
"""

from __future__ import annotations

import argparse
import json
import os
import time
from itertools import combinations
from pathlib import Path
from typing import NamedTuple

os.environ.setdefault("OMP_NUM_THREADS", "1")

import numpy as np
from scipy.special import ndtr, ndtri

from assay.resampling.arithmetic import Floats
from assay.stats.judged_pairs import JudgedPairs, JudgedRuns
from assay.stats.labelled_verdicts import FORMS

RESULTS = Path(__file__).resolve().with_suffix(".json")
MOST = 0.06
DRAWS, FLIPS = 2000, 499
QUESTIONS, TOPICS = 1000, 50
INTRACLASS = 0.3
TYPES, LABELLED_TYPES = (0.3, 0.3, 0.2, 0.2), (0.1, 0.2, 0.3, 0.4)
SIZES = {"clustered": 10, "whole": 5}
GOOD, LENIENT = (0.95, 0.90), (0.98, 0.60)
LEVELS = np.linspace(0, 1, 5)
GAIN = 0.1


class Cell(NamedTuple):
    """What is simulated."""

    kind: str
    """binary, ordinal, topics; clustered and whole (binary, in clusters); declining (c@1); better."""
    judge: str
    rate: float
    runs: int
    labels: int


JUDGES = ("good", "lenient", "partial")
CASES = [*((judge, runs) for judge in ("good", "lenient") for runs in (2, 5, 10)), ("partial", 2), ("partial", 10)]
CELLS = [
    *(Cell("binary", judge, rate, runs, n) for judge, runs in CASES for rate in (0.5, 0.9) for n in (15, 50, 200)),
    *(Cell("ordinal", judge, 0.7, runs, n) for judge, runs in CASES for n in (15, 50, 200)),
    *(Cell("clustered", judge, 0.7, runs, n) for judge, runs in CASES for n in (15, 50, 200)),
    *(Cell("whole", judge, 0.7, runs, n) for judge, runs in CASES for n in (50, 200)),
    *(Cell("topics", judge, 0.35, runs, n) for judge, runs in CASES for n in (8, 11, 17, 25)),
    *(Cell("declining", judge, 0.7, runs, n) for judge in JUDGES for runs in (5,) for n in (50, 200)),
    *(Cell("better", judge, 0.7, 10, n) for judge in JUDGES for n in (50, 200)),
    *(Cell("reweighted", "partial", 0.7, runs, n) for runs in (2, 10) for n in (50, 200)),
    *(Cell("chosen", "partial", 0.7, runs, 200) for runs in (2, 10)),
    Cell("unguarded", "partial", 0.9, 10, 15),
]
WITHOUT_AIM = ("chosen", "unguarded")
"""Kinds that only show what happens."""


class DrawnPairs(JudgedPairs):
    """The same statistics, with signs by numpy's generator: matrix products are five times as fast as the kernel of single sums."""

    rng: np.random.Generator

    def flip_sums(self, columns: Floats, first: int, trials: int) -> Floats:
        bits = np.unpackbits(np.frombuffer(self.rng.bytes(-(-trials * len(columns) // 8)), np.uint8))
        signs = bits[: trials * len(columns)].reshape(trials, len(columns)).astype(np.float32)
        signs *= 2
        signs -= 1
        return (signs @ columns.astype(np.float32)).astype(np.float64)


def shared(rng, shape: tuple[int, int], weight: float, clusters=None) -> Floats:
    """Normal values of questions × runs: a part of the variance is the question's, and of that a part its cluster's."""
    questions, runs = shape
    common, own = rng.standard_normal((questions, 1)), rng.standard_normal((questions, runs))
    if clusters is not None:
        count = clusters.max() + 1
        common = _in_clusters(common, rng.standard_normal((count, 1))[clusters])
        own = _in_clusters(own, rng.standard_normal((count, runs))[clusters])
    return np.sqrt(weight) * common + np.sqrt(1 - weight) * own


def _in_clusters(values: Floats, of_cluster: Floats) -> Floats:
    return np.sqrt(INTRACLASS) * of_cluster + np.sqrt(1 - INTRACLASS) * values


def made(rng, cell: Cell) -> tuple[JudgedRuns, Floats]:
    """Runs with a judge's verdicts on all and people's on some, and the true score of each run."""
    n = TOPICS if cell.kind == "topics" else QUESTIONS
    shape, clusters = (n, cell.runs), None
    if cell.kind in SIZES:
        clusters = rng.permutation(n) // SIZES[cell.kind]
    here = np.isin(np.arange(n), rng.permutation(n)[: cell.labels])
    if cell.kind == "whole":
        here = np.isin(clusters, rng.permutation(n // SIZES["whole"])[: cell.labels // SIZES["whole"]])
    types = None
    if cell.kind in ("reweighted", "chosen"):
        types = rng.permutation(np.repeat(np.arange(4), np.multiply(TYPES, n).astype(int)))
        some = [
            rng.permutation(np.flatnonzero(types == i))[: round(cell.labels * share)]
            for i, share in enumerate(LABELLED_TYPES)
        ]
        here = np.isin(np.arange(n), np.concatenate(some))
    true = np.full(cell.runs, cell.rate)
    if cell.kind == "better":
        true[: cell.runs // 2] += GAIN
    ease, luck = ndtr(shared(rng, shape, 0.5, clusters)), ndtr(shared(rng, shape, 0.5, clusters))
    lenient = np.array([cell.judge == "lenient" or (cell.judge == "partial" and run == 0) for run in range(cell.runs)])
    if cell.kind == "topics":
        # Scores with a mean of .35; a lenient judge adds .1 and more noise.
        human = ease ** (1 / cell.rate - 1)
        judge = human + np.where(lenient, 0.1, 0.02) + np.where(lenient, 0.15, 0.08) * ndtri(luck)
    elif cell.kind == "ordinal":
        cuts = np.cumsum([(1 - cell.rate) / 4] * 4)
        human = LEVELS[np.searchsorted(cuts, ease)]
        true = np.full(cell.runs, LEVELS @ [*[(1 - cell.rate) / 4] * 4, cell.rate])
        other = LEVELS[np.minimum((rng.random(shape) * 5).astype(int), 4)]
        judge = np.where(luck < np.where(lenient, 0.6, 0.9), human, np.where(lenient, np.maximum(human, other), other))
    else:
        human = (ease < true).astype(float)
        lenient = lenient if types is None else lenient & (types == 0)[:, None]
        se, sp = (np.where(lenient, LENIENT[i], GOOD[i]) for i in (0, 1))
        judge = (luck < np.where(human == 1, se, 1 - sp)).astype(float)
    answered = np.ones(shape)
    form = "accuracy"
    if cell.kind == "declining":
        answered, form = (rng.random(shape) < 0.8).astype(float), "c@1"
        human, judge, true = human * answered, judge * answered, true * (1 - 0.2**2)
    labels = np.where(here[:, None] & (answered > 0), human, np.nan)
    strata = types if cell.kind == "reweighted" else None
    return JudgedRuns(judge, labels, judge, answered, FORMS[form], clusters, strata), true


class Draw(NamedTuple):
    wrong: bool
    weight: float
    width: float
    found: float
    held: float


def drawn(rng, cell: Cell) -> Draw:
    """Whether any pair is called different that is not, λ, the mean width of the differences' intervals, the share of different pairs that
    are found, and that of the runs' own intervals that hold the truth."""
    runs, true = made(rng, cell)
    a, b = np.array(list(combinations(range(cell.runs), 2))).T
    pairs = DrawnPairs(runs, a, b, resamples=FLIPS, threads=1)
    pairs.rng = rng
    if cell.kind == "unguarded":
        pairs._unseen = np.zeros(len(a))
    apart = true[a] - true[b]
    wrong = pairs.significant & (np.sign(pairs.differences) != np.sign(apart))
    low, high = pairs.ends
    found = float((pairs.significant & ~wrong)[apart != 0].mean()) if apart.any() else 0.0
    first, last = pairs.run_ends(0.95)
    held = float(((first <= true) & (true <= last)).mean())
    return Draw(bool(wrong.any()), pairs.weight, float((high - low).mean()), found, held)


def simulate(cell: Cell, draws: int, seed: int = 0) -> dict[str, float]:
    """The share of draws with an error, with its Monte-Carlo standard error, mean λ, mean width, how many runs' intervals hold the truth,
    and the share found in `better` cells."""
    rng = np.random.default_rng([seed, *key_of(cell).encode()])
    results = [drawn(rng, cell) for _ in range(draws)]
    error = float(np.mean([one.wrong for one in results]))
    row = {"error": error, "se": (error * (1 - error) / draws) ** 0.5, "draws": draws}
    row |= {name: float(np.mean([getattr(one, name) for one in results])) for name in ("weight", "width", "held")}
    return row | ({"found": float(np.mean([one.found for one in results]))} if cell.kind == "better" else {})


def key_of(cell: Cell) -> str:
    return " ".join(map(str, cell))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--draws", type=int, default=DRAWS)
    parser.add_argument("--only", nargs="+", metavar="KIND")
    parser.add_argument("--missing", action="store_true")
    parser.add_argument("--no-save", action="store_true")
    args = parser.parse_args()
    rows = json.loads(RESULTS.read_text("utf-8"))["cells"] if RESULTS.exists() else {}
    for cell in CELLS:
        if (args.only and cell.kind not in args.only) or (args.missing and key_of(cell) in rows):
            continue
        start = time.perf_counter()
        row = simulate(cell, args.draws)
        if row["error"] > MOST and cell.kind not in WITHOUT_AIM:
            row = simulate(cell, 10 * args.draws, seed=1)
        rows[key_of(cell)] = row
        flag = "" if row["error"] <= MOST else "   above"
        print(
            f"{key_of(cell):<32} error {row['error']:.4f} ± {row['se']:.4f}  λ {row['weight']:.2f}  width {row['width']:.3f}  held {row['held']:.3f}"
            f"{'  found {:.2f}'.format(row['found']) if 'found' in row else ''}  {time.perf_counter() - start:.0f} s{flag}",
            flush=True,
        )
        if not args.no_save:
            ordered = {key_of(one): rows[key_of(one)] for one in CELLS if key_of(one) in rows}
            body = ",\n".join(
                f"{json.dumps(key)}: {json.dumps({k: round(v, 5) for k, v in one.items()})}"
                for key, one in ordered.items()
            )
            RESULTS.write_text(f'{{"most": {MOST}, "flips": {FLIPS}, "cells": {{\n{body}\n}}}}\n', "utf-8")


if __name__ == "__main__":
    main()
