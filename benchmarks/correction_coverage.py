"""How often do the intervals of `assay correct` hold the truth?

    python benchmarks/correction_coverage.py                  the figures of docs/correcting.md: five minutes of one core
    python benchmarks/correction_coverage.py --draws 200

Questions, systems and judges are made, so that the truth is known; in each of 2,000 draws a random part of the questions is
labelled. Judges are told by how often they call right what is right, and wrong what is wrong:

    good       .95 and .90          lenient    .98 and .60, which calls too much right
    mediocre   .80 and .75          useless    .60 and .40, whatever the answer
    strict     .70 and .97

Differences are of two systems five points apart, labelled on the same questions; `alike` where they differ on one answer in nineteen,
`apart` where each is labelled on questions of its own.

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


CELLS = [
    *(Cell("accuracy", judge, rate, labels) for judge in JUDGES for rate in (0.2, 0.5, 0.9) for labels in (50, 100, 200)),
    *(Cell("c@1", judge, rate, labels) for judge in JUDGES for rate in (0.3, 0.8) for labels in (50, 100, 200)),
    *(Cell("score", judge, rate, labels) for judge in JUDGES for rate in (0.3, 0.7) for labels in (50, 100, 200)),
    *(Cell("difference", judge, rate, labels) for judge in JUDGES for rate in (0.3, 0.8) for labels in (50, 100, 200)),
    *(Cell("alike", judge, 0.9, labels) for judge in ("good", "lenient", "useless") for labels in (50, 100, 200)),
    *(Cell("apart", judge, rate, labels) for judge in ("good", "lenient", "useless") for rate in (0.3, 0.9) for labels in (50, 200)),
    *(Cell("topics", judge, 0.35, labels, 100) for judge in ("good", "mediocre", "useless") for labels in (15, 25, 50)),
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


def one(chance, cell: Cell) -> tuple[list[Labelled], float, str]:
    """A run or two, the truth, and which form the measure has."""
    n = cell.questions
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
    print(f"{'':<40}" + "".join(f"{name:>22}" for name in names))
    print(
        f"{'what':<11} {'judge':<9} {'true':>5} {'labels':>7} {'few':>5} " + f"{'held':>8} {'width':>6} {'none':>6}" * 3
    )
    for cell in CELLS:
        if args.kind not in (None, cell.kind):
            continue
        found = simulate(cell, args.draws)
        cells = "".join(
            "{:>8.1%} {:>6.3f} {:>6.0%}".format(*found[name]) if name in found else f"{'–':>22}" for name in names
        )
        print(
            f"{cell.kind:<11} {cell.judge:<9} {cell.rate:>5} {cell.labels:>7} {found['warned'][0]:>5.0%} {cells}",
            flush=True,
        )


if __name__ == "__main__":
    main()
