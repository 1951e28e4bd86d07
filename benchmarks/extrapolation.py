"""Is the required difference that is extrapolated the one that would be measured? Asked of real collections.

    python benchmarks/extrapolation.py                     the figures of docs/reliability_methods.md, in about a minute
    python benchmarks/extrapolation.py --reach 4           from sizes up to a quarter of what is asked

Of n topics, two disjoint sets of up to n/2 can be drawn, so the required difference with n/2 topics can be measured. It is
extrapolated to twice the largest size measured, as `assay reliability` does it, in two ways:

    same topics    from sizes up to n/4, on all n topics
    other topics   from a random n/2 of the topics, as someone would who has no more: sizes up to n/4 are measured on them

Collections: score matrices of TREC, with n also halved where there are 100 topics or more; and answers to questions, of
which 50, 100 and 200 are taken and thousands measure. All runs, and without the worst quarter and half of them. "within"
counts measured values within the 95% interval. Beside it stands the line of Voorhees and Buckley (SIGIR 2002), log(swap
rate) fitted linearly in the size for each bin. The public data is found through ASSAY_DATA, or in ../shared/data beside the
repository; without it there is nothing to measure.
"""

from __future__ import annotations

import argparse
import csv
import lzma
import os
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np

from assay.formats.score_tables import read_matrix
from assay.resampling.resamplers import MeanResampler
from assay.resampling.subsets import Subsets, count
from assay.stats.extrapolation import INTERVAL_CONFIDENCE, REACH, extrapolate
from assay.stats.stability import Swap, believed, swap
from assay.stats.topic_set_size import keep_best
from assay.stats.variance_components import jackknife_margin

COLLECTIONS = {
    "TREC-8 AP": "trec_matrices/adhoc8_ap.csv",
    "TREC-8 P@10": "trec_matrices/adhoc8_p10.csv",
    "TREC-8 RR": "trec_matrices/adhoc8_rr.csv",
    "Enterprise 2006": "trec_matrices/irj2015/enterprise2006.csv",
    "Genomics 2004": "trec_matrices/irj2015/genomics2004.csv",
    "Robust 2003": "trec_matrices/irj2015/robust2003.csv",
    "Web 2004": "trec_matrices/irj2015/web2004.csv",
}
QUESTIONS = {
    "AlpacaEval 2": "alpaca_eval2/preference.csv.xz",
    "MMLU-Pro": "mmlu_pro/predictions.csv",
    "MMLU": "bplaut_abstain/mmlu_grades.csv.xz",
    "HellaSwag": "bplaut_abstain/hellaswag_grades.csv.xz",
}
DROPPED = (0.0, 0.25, 0.5)
NONE = 0.25
"""Where no difference up to .20 is enough, it counts as more than any that is."""


@dataclass
class Tally:
    """How extrapolated values compare with measured ones."""

    errors: list[float] = field(default_factory=list)
    within: int = 0

    def add(self, found: float | None, measured: float | None, interval=None) -> None:
        said, truth = (NONE if value is None else value for value in (found, measured))
        self.errors.append(round(said - truth, 2))
        if interval is not None:
            low, high = (NONE if end is None else end for end in interval)
            self.within += low <= truth <= high

    @property
    def below(self) -> int:
        return sum(error < 0 for error in self.errors)

    @property
    def above(self) -> int:
        return sum(error > 0 for error in self.errors)

    def merge(self, other: Tally) -> None:
        self.errors += other.errors
        self.within += other.within


def swaps(matrix: np.ndarray, size: int, trials: int) -> Swap:
    runs = [str(run) for run in range(matrix.shape[1])]
    return swap(count(Subsets(runs, {"score": MeanResampler(matrix)}), size, trials)["score"])


def line(measured: list[tuple[int, Swap]], size: int) -> float | None:
    """Voorhees and Buckley's extrapolation: a line of log(rate) per bin, over the sizes where the bin saw a swap."""
    edges = []
    for k in range(21):
        seen = [(at, found.decided[k].rate) for at, found in measured if found.decided[k].rate is not None]
        points = [(at, np.log(rate)) for at, rate in seen if rate > 0]
        if len(points) >= 3:
            slope, level = np.polyfit(*zip(*points, strict=True), 1)
            edges.append((k / 100, bool(level + slope * size <= np.log(0.05))))
        elif seen:
            edges.append((k / 100, seen[-1][1] <= 0.05))
    return believed(edges)[1]


def check(matrix: np.ndarray, size: int, repetitions: int, trials: int, seed: int, reach: int = 2) -> dict[str, Tally]:
    """Extrapolations to `size` topics, `reach` times the largest measured, against what all topics of the matrix measure."""
    rng = np.random.default_rng(seed)
    truth = swaps(matrix, size, trials).required_difference_stays
    tallies = {name: Tally() for name in ("same", "same, line", "other", "other, line")}
    pools = [("same", matrix)] + [("other", matrix[rng.permutation(len(matrix))[:size]]) for _ in range(repetitions)]
    for kind, pool in pools:
        largest = max(size // reach, -(-size // REACH))
        sizes = sorted({max(2, largest * step // 5) for step in range(1, 6)})
        measured = [(at, swaps(pool, at, trials)) for at in sizes]
        found = extrapolate(measured, size, jackknife_margin(pool, size, INTERVAL_CONFIDENCE))
        if found is not None:
            tallies[kind].add(found.required_difference, truth, found.interval)
            tallies[f"{kind}, line"].add(line(measured, size), truth)
    return tallies


def answers(path: Path) -> np.ndarray:
    """Questions × systems: how far an answer is preferred, or whether it is right; what a system lacks is left out."""
    with lzma.open(path, "rt") if path.suffix == ".xz" else path.open() as file:
        header, *rows = csv.reader(file)
    if path.name == "preference.csv.xz":
        table = np.array([[float(cell or "nan") - 1 for cell in row[1:]] for row in rows])
        return table[:, np.isfinite(table).all(axis=0)]
    if path.name == "predictions.csv":
        return np.array([[cell == row[1] for cell in row[4:]] for row in rows if "ABSENT" not in row], float)
    first = [i for i, name in enumerate(header) if name.endswith("first|forced")]
    return np.array([[row[i] == "C" for i in first] for row in rows], float)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--repetitions", type=int, default=12, help="random halves of the topics for each case")
    parser.add_argument("--trials", type=int, default=1000)
    parser.add_argument("--reach", type=int, default=2, help="how many times the largest size measured, up to 4")
    args = parser.parse_args()
    folder = Path(os.environ.get("ASSAY_DATA", Path(__file__).resolve().parents[2] / "shared" / "data"))
    if not folder.exists():
        print("the public data is not here (set ASSAY_DATA to its folder); nothing to measure")
        return 0
    kinds = ("same", "same, line", "other", "other, line")
    print(f"{'':<17}" + "".join(f"{kind + ': below above within of':>36}" for kind in kinds))
    for paths, read in ((COLLECTIONS, topics), (QUESTIONS, answers)):
        total, halves = ({kind: Tally() for kind in kinds} for _ in range(2))
        for name, path in paths.items():
            matrix = read(folder / path)
            row = {kind: Tally() for kind in kinds}
            for drop in DROPPED:
                kept = matrix[:, keep_best(matrix, drop)]
                for size in sizes_of(kept):
                    found = check(kept, size, args.repetitions, args.trials, size, args.reach)
                    for sums in (row, total, *([halves] if size == len(kept) // 2 else [])):
                        for kind, tally in found.items():
                            sums[kind].merge(tally)
            report(name, row)
        if halves["same"].errors:
            report("all, n/2 only", halves)
        report("all", total)
    return 0


def topics(path: Path) -> np.ndarray:
    return np.array(read_matrix(path).values)


def sizes_of(matrix: np.ndarray) -> list[int]:
    if len(matrix) > 400:
        return [50, 100, 200]
    return [len(matrix) // 2, len(matrix) // 4] if len(matrix) >= 100 else [len(matrix) // 2]


def report(name: str, row: dict[str, Tally]) -> None:
    cells = []
    for kind, tally in row.items():
        within = "" if kind.endswith("line") else tally.within
        cells.append(f"{tally.below:>16}{tally.above:>6}{within:>7}{len(tally.errors):>7}")
    print(f"{name:<17}" + "".join(cells), flush=True)


if __name__ == "__main__":
    raise SystemExit(main())
