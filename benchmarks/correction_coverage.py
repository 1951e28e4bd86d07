"""How often do the intervals of `assay correct` hold the truth?

    python benchmarks/correction_coverage.py                  the figures of docs/correction_methods.md
    python benchmarks/correction_coverage.py --draws 200 --kind ordinal

Questions, systems and judges are made, so that the truth is known; in each of 2,000 draws a random part of the questions is
labelled. Judges are told by how often they call right what is right, and wrong what is wrong:

    good       .95 and .90          lenient    .98 and .60, which calls too much right
    mediocre   .80 and .75          useless    .60 and .40, whatever the answer
    strict     .70 and .97

Differences are of two systems five points apart, labelled on the same questions; `alike` where they differ on one answer in nineteen,
`apart` where each is labelled on questions of its own.

Clustered questions have clusters of 10 and an intraclass correlation of .3 (of the judge's mistakes too): of `clustered` runs and
`clustered difference`s labels are drawn by question, of `whole` and `whole difference`s by cluster. `ordinal` scores are 0, .25, …, 1,
with four in five at the top.

`few` is how often there are too few labels of either verdict for PPI++'s normal interval, or too few that tell two systems apart, and
it is widened; `none` how often an
interval says nothing, as Rogan-Gladen's does where the judge may be no better than chance: left out of `held`.
"""

from __future__ import annotations

import argparse
from typing import NamedTuple

import numpy as np

from assay.stats.labelled_verdicts import FORMS, Labelled
from assay.stats.prediction_powered import (
    are_alike,
    difference,
    human_alone,
    is_few,
    of_measure,
    powered_difference,
    prediction_powered,
)
from assay.stats.rogan_gladen import rogan_gladen

JUDGES = {
    "good": (0.95, 0.90), "mediocre": (0.80, 0.75), "strict": (0.70, 0.97), "lenient": (0.98, 0.60), "useless": (0.60, 0.40),
}  # fmt: skip
CONFIDENCE = 0.95
SAYS_NOTHING = 0.9
"""A width from which an interval of shares of questions is as good as none."""


class Cell(NamedTuple):
    """What is simulated."""

    kind: str
    judge: str
    rate: float
    labels: int
    questions: int = 1000


CLUSTER_SIZE, INTRACLASS = 10, 0.3
KINDS_IN_CLUSTERS = ("clustered", "clustered difference", "whole", "whole difference")

CELLS = [
    *(Cell("accuracy", judge, rate, labels) for judge in JUDGES for rate in (0.2, 0.5, 0.9) for labels in (50, 100, 200)),
    *(Cell("c@1", judge, rate, labels) for judge in JUDGES for rate in (0.3, 0.8) for labels in (50, 100, 200)),
    *(Cell("score", judge, rate, labels) for judge in JUDGES for rate in (0.3, 0.7) for labels in (50, 100, 200)),
    *(Cell("difference", judge, rate, labels) for judge in JUDGES for rate in (0.3, 0.8) for labels in (50, 100, 200)),
    *(Cell("alike", judge, 0.9, labels) for judge in ("good", "lenient", "useless") for labels in (50, 100, 200)),
    *(Cell("apart", judge, rate, labels) for judge in ("good", "lenient", "useless") for rate in (0.3, 0.9) for labels in (50, 200)),
    *(Cell("topics", judge, 0.35, labels, 100) for judge in ("good", "mediocre", "useless") for labels in (15, 25, 50)),
    *(Cell(kind, judge, rate, labels) for kind in KINDS_IN_CLUSTERS for judge in ("good", "lenient") for rate in (0.5, 0.8)
      for labels in (100, 200, 400)),
    *(Cell(kind, judge, 0.8, 100, 300) for kind in KINDS_IN_CLUSTERS for judge in ("good", "lenient")),
    *(Cell("ordinal", judge, 0.8, labels) for judge in ("good", "lenient", "useless") for labels in (15, 30, 50, 100)),
]  # fmt: skip


def right(chance, shape, rate):
    """How hard every question is for a system of some skill, and whether it was right."""
    return chance.random(shape) < rate


def said(chance, truth, judge):
    """The judge's verdicts."""
    se, sp = JUDGES[judge]
    return (chance.random(truth.shape) < np.where(truth, se, 1 - sp)).astype(float)


def drawn(chance, values, labels):
    """People's labels of a random part."""
    here = np.full(len(values), np.nan)
    places = chance.permutation(len(values))[:labels]
    here[places] = values[places]
    return here


def correlated(chance, clusters):
    """Normal values, one a question, with the intraclass correlation."""
    shared = chance.standard_normal(clusters.max() + 1)[clusters]
    return np.sqrt(INTRACLASS) * shared + np.sqrt(1 - INTRACLASS) * chance.standard_normal(len(clusters))


def in_clusters(chance, cell: Cell) -> tuple[list[Labelled], float, str]:
    """A run or two whose questions come in clusters: how hard they are, and where the judge is wrong."""
    n, rates = cell.questions, (cell.rate, cell.rate - 0.05)
    clusters = chance.permutation(n) // CLUSTER_SIZE
    if cell.kind.startswith("whole"):
        order = chance.permutation(clusters.max() + 1)
        here = np.isin(clusters, order[: cell.labels // CLUSTER_SIZE])
    else:
        here = np.isin(np.arange(n), chance.permutation(n)[: cell.labels])
    ease, runs = correlated(chance, clusters), []
    from scipy.special import ndtr

    for rate in rates[: 2 if "difference" in cell.kind else 1]:
        truth = np.sqrt(0.5) * ease + np.sqrt(0.5) * correlated(chance, clusters) < _cut(rate)
        se, sp = JUDGES[cell.judge]
        judge = ndtr(correlated(chance, clusters)) < np.where(truth, se, 1 - sp)
        runs.append(Labelled(judge.astype(float), np.where(here, truth, np.nan), np.zeros(n, bool), clusters))
    return runs, rates[0] - rates[1] if len(runs) == 2 else rates[0], "accuracy"


def ordinal(chance, cell: Cell) -> tuple[list[Labelled], float, str]:
    """Scores of 0, .25, .5, .75 and 1, of which `rate` are 1; the judge repeats people's, or is off."""
    n, levels = cell.questions, np.linspace(0, 1, 5)
    shares = [(1 - cell.rate) / 4] * 4 + [cell.rate]
    truth, other = chance.choice(levels, n, p=shares), chance.choice(levels, n)
    repeats = chance.random(n) < {"good": 0.9, "lenient": 0.6, "useless": 0.0}[cell.judge]
    judge = np.where(repeats, truth, np.maximum(truth, other) if cell.judge == "lenient" else other)
    return [Labelled(judge, drawn(chance, truth, cell.labels), np.zeros(n, bool))], float(levels @ shares), "accuracy"


def one(chance, cell: Cell) -> tuple[list[Labelled], float, str]:
    """A run or two, the truth, and which form the measure has."""
    n = cell.questions
    if cell.kind in KINDS_IN_CLUSTERS:
        return in_clusters(chance, cell)
    if cell.kind == "ordinal":
        return ordinal(chance, cell)
    if cell.kind in ("score", "topics"):
        # A score between 0 and 1 by question, and a judge's that is near to it, or not.
        noise, bias = {"good": (0.08, 0.0), "mediocre": (0.25, 0.05), "strict": (0.15, -0.15), "lenient": (0.15, 0.15),
                       "useless": (9.0, 0.0)}[cell.judge]  # fmt: skip
        truth = chance.beta(2 * cell.rate, 2 * (1 - cell.rate), n)
        judge = chance.random(n) if noise > 1 else np.clip(truth + bias + noise * chance.standard_normal(n), 0, 1)
        return [Labelled(judge, drawn(chance, truth, cell.labels), np.zeros(n, bool))], cell.rate, "accuracy"
    ease = chance.standard_normal(n)
    if cell.kind in ("difference", "alike", "apart"):
        better = cell.rate + 0.05
        alike = cell.kind == "alike"
        shared, own = (0.98, 0.199) if alike else (0.7, 0.714)
        truths = [ease * shared + chance.standard_normal(n) * own < _cut(p) for p in (better, cell.rate)]
        order = chance.permutation(n)
        places = [order[: cell.labels], order[-cell.labels :] if cell.kind == "apart" else order[: cell.labels]]
        runs = [labelled_at(chance, t, cell.judge, here) for t, here in zip(truths, places, strict=True)]
        return runs, better - cell.rate, "accuracy"
    truth = ease < _cut(cell.rate)
    gone = chance.random(n) < 0.25 if cell.kind == "c@1" else np.zeros(n, bool)
    run = Labelled.of(said(chance, truth, cell.judge), drawn(chance, truth.astype(float), cell.labels), gone)
    return [run], FORMS[cell.kind].factor(0.25 if cell.kind == "c@1" else 0.0) * cell.rate, cell.kind


def labelled_at(chance, truth, judge, places) -> Labelled:
    """A run whose labels are at some places."""
    labels = np.full(len(truth), np.nan)
    labels[places] = truth[places]
    return Labelled(said(chance, truth, judge), labels, np.zeros(len(truth), bool))


def _cut(rate: float) -> float:
    from scipy.special import ndtri

    return float(ndtri(rate))


def intervals(runs: list[Labelled], form: str):
    """By estimator, its interval; None where it has none."""
    made = {}
    for name, estimate in (("human", human_alone), ("PPI++", prediction_powered), ("Rogan-Gladen", rogan_gladen)):
        if name == "PPI++" and len(runs) == 2:
            made[name] = powered_difference(*runs, FORMS[form], CONFIDENCE)
            continue
        found = [estimate(run, CONFIDENCE) for run in runs]
        if any(isinstance(f, str) or f is None for f in found):
            continue
        of = [of_measure(run, f, FORMS[form], CONFIDENCE) for run, f in zip(runs, found, strict=True)]
        made[name] = of[0] if len(of) == 1 else difference(*of)
    return made


def simulate(cell: Cell, draws: int, seed: int = 0) -> dict[str, tuple[float, float, float]]:
    """By estimator: how often the interval holds the truth, its mean width, and how often there is none that says anything."""
    chance = np.random.default_rng([seed, *map(ord, "".join(map(str, cell)))])
    held: dict[str, list[bool]] = {}
    widths: dict[str, list[float]] = {}
    warned = 0
    for _ in range(draws):
        runs, truth, form = one(chance, cell)
        warned += is_few(runs[0]) if len(runs) == 1 else are_alike(*runs)
        for name, found in intervals(runs, form).items():
            if name == "Rogan-Gladen" and found.high - found.low >= SAYS_NOTHING:
                continue
            held.setdefault(name, []).append(found.low <= truth <= found.high)
            widths.setdefault(name, []).append(found.high - found.low)
    told = {name: (float(np.mean(h)), float(np.mean(widths[name])), 1 - len(h) / draws) for name, h in held.items()}
    return {**told, "warned": (warned / draws, 0.0, 0.0)}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--draws", type=int, default=2000)
    parser.add_argument("--kind")
    args = parser.parse_args()
    names = ("human", "PPI++", "Rogan-Gladen")
    print(f"{'':<49}" + "".join(f"{name:>22}" for name in names))
    print(
        f"{'what':<20} {'judge':<9} {'true':>5} {'labels':>7} {'few':>5} " + f"{'held':>8} {'width':>6} {'none':>6}" * 3
    )
    for cell in CELLS:
        if args.kind not in (None, cell.kind):
            continue
        found = simulate(cell, args.draws)
        cells = "".join(
            "{:>8.1%} {:>6.3f} {:>6.0%}".format(*found[name]) if name in found else f"{'–':>22}" for name in names
        )
        print(
            f"{cell.kind:<20} {cell.judge:<9} {cell.rate:>5} {cell.labels:>7} {found['warned'][0]:>5.0%} {cells}",
            flush=True,
        )


if __name__ == "__main__":
    main()
