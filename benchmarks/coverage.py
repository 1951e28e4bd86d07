"""How often does a 95% interval contain the truth? Measured on real scores taken as a finite population.

    python benchmarks/coverage.py                    the figures of docs/comparing.md
    python benchmarks/coverage.py --repetitions 500

Each repetition picks two runs, draws topics with replacement, and asks every method for the interval of the difference;
the truth is the difference over the whole population. Populations: average precision of TREC-8 (129 runs × 50 topics)
and the outcomes of PAN 2020 (13 systems × 14,311 questions). The public data is found through ASSAY_DATA, or in
../shared/data beside the repository; without it there is nothing to measure.
"""

from __future__ import annotations

import argparse
import json
import os
import sys
from pathlib import Path

import numpy as np
from scipy.stats import binom

from assay.formats.score_tables import read_matrix
from assay.resampling.samples import Mean, Sums
from assay.resampling.whole import Whole
from assay.stats.intervals import bootstrap

METHODS = ("studentised", "bca", "percentile")


def c_at_1(n, correct, unanswered):
    return correct * (n + unanswered), n * n


def trec8(folder: Path) -> np.ndarray:
    return np.array(read_matrix(folder / "trec_matrices" / "adhoc8_ap.csv").values)


def pan(folder: Path) -> np.ndarray:
    """Questions × systems × (correct, unanswered, confidence)."""
    truth = {row["id"]: row["same"] for row in map(json.loads, (folder / "truth.jsonl").read_text().splitlines())}
    columns = []
    for path in sorted((folder / "submissions").glob("*/answers.jsonl")):
        values = {row["id"]: np.ravel(row["value"])[0] for row in map(json.loads, path.read_text().splitlines())}
        given = np.array([values.get(question, 0.5) for question in truth])
        right = ((given > 0.5) == np.array(list(truth.values()))) & (given != 0.5)
        columns.append(np.stack([right, given == 0.5, np.maximum(given, 1 - given)], axis=1))
    return np.stack(columns, axis=1).astype(float)


def coverage(make, truth, methods, repetitions: int, trials: int) -> dict[str, float]:
    """The share of repetitions whose interval contains the truth, for each method."""
    hits = dict.fromkeys(methods, 0)
    for repetition in range(repetitions):
        sample, pair = make()
        draws = sample.bootstrap(trials, repetition, 1)
        for method in methods:
            found = bootstrap(
                sample, [0], [1], method=method, resamples=trials, seed=repetition, threads=1, draws=draws
            ).intervals[0]
            hits[method] += found is not None and found.low - 1e-12 <= truth(pair) <= found.high + 1e-12
    return {method: count / repetitions for method, count in hits.items()}


def report(name: str, rates: dict[str, float], repetitions: int) -> None:
    low, high = (x / repetitions for x in binom.interval(0.999, repetitions, 0.95))
    cells = [f"{method} {rate:.4f}{'' if low <= rate <= high else ' *'}" for method, rate in rates.items()]
    print(f"{name:<28} {'   '.join(cells)}")


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--repetitions", type=int, default=2000)
    parser.add_argument("--resamples", type=int, default=1000)
    args = parser.parse_args()
    folder = Path(os.environ.get("ASSAY_DATA", Path(__file__).resolve().parents[2] / "shared" / "data"))
    if not folder.exists():
        print("the public data is not here (set ASSAY_DATA to its folder); nothing to measure")
        return 0
    low, high = (x / args.repetitions for x in binom.interval(0.999, args.repetitions, 0.95))
    print(f"{args.repetitions} samples, {args.resamples} resamples each; * lies outside {low:.4f} to {high:.4f}")
    ap = trec8(folder)
    mean = ap.mean(axis=0)
    for n in (25, 50, 100):
        rng = np.random.default_rng(n)

        def means(rng=rng, n=n):
            pair = rng.choice(ap.shape[1], 2, replace=False)
            return Mean(ap[rng.integers(0, len(ap), n)][:, pair]), pair

        rates = coverage(means, lambda p: float(mean[p[0]] - mean[p[1]]), METHODS, args.repetitions, args.resamples)
        report(f"mean AP, {n} topics", rates, args.repetitions)
    outcomes = pan(folder / "pan20_av")
    questions, systems, _ = outcomes.shape
    value = np.divide(*c_at_1(questions, *outcomes[:, :, :2].sum(axis=0).T))
    for n in (50, 100, 200, 500):
        rng = np.random.default_rng(n)

        def ratios(rng=rng, n=n):
            pair = rng.choice(systems, 2, replace=False)
            return Sums(outcomes[rng.integers(0, questions, n)][:, pair, :2], c_at_1), pair

        rates = coverage(ratios, lambda p: float(value[p[0]] - value[p[1]]), METHODS, args.repetitions, args.resamples)
        report(f"c@1, {n} questions", rates, args.repetitions)
    whole(outcomes, args)
    return 0


def whole(outcomes: np.ndarray, args: argparse.Namespace) -> None:
    """CWS, a measure of a whole run: fewer repetitions, since every resample is computed anew."""
    from assay.measures.declare import find

    cws = find("CWS", "outcomes").bound()

    def columns(rows: np.ndarray) -> list[list]:
        correct, unanswered, confidence = rows.T
        return [
            correct.astype(int).tolist(),
            (1 - unanswered).astype(int).tolist(),
            confidence.tolist(),
            list(range(len(rows))),
        ]

    questions, systems, _ = outcomes.shape
    value = [cws(*columns(outcomes[:, s])) for s in range(systems)]
    repetitions, n = max(args.repetitions // 4, 100), 200
    rng = np.random.default_rng(n)

    def make():
        pair = rng.choice(systems, 2, replace=False)
        rows = outcomes[rng.integers(0, questions, n)]
        return Whole(cws, [columns(rows[:, s]) for s in pair]), pair

    rates = coverage(make, lambda p: value[p[0]] - value[p[1]], METHODS[1:], repetitions, min(args.resamples, 500))
    report(f"CWS, {n} questions ({repetitions})", rates, repetitions)


if __name__ == "__main__":
    sys.exit(main())
