"""How many human labels does a wanted interval take, beside a judge: `assay.plan_labels`, and `assay plan --judge`."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from math import ceil, inf, isfinite, sqrt
from typing import Any, Unpack

import numpy as np

from assay.analyses.judges.resampled_coefficients import Draws, draws, ends
from assay.analyses.planning.finding import of_labels
from assay.analyses.planning.label_pilots import MEAN, Pilot, of_lists, of_table, of_topics, spread_of
from assay.analyses.planning.label_widths import printed_width
from assay.errors import InputError, UsageError
from assay.io.sources import path_of
from assay.parallel.memory_limits import afford
from assay.parameters import RankedScoring, public
from assay.resampling.arithmetic import Floats
from assay.settings import CONFIDENCE, COUNT, Kind, checked
from assay.stats.label_design import (
    MIN_LABELS,
    Spread,
    gladen_variance,
    human_variance,
    judge_variance,
    labels_alone,
    labels_beside_judge,
    labels_for_gladen,
    many_beside_judge,
    of_stated,
)  # fmt: skip
from assay.stats.labelled_verdicts import agreement_of
from assay.table.results import Result

METHODS = ("PPI++", "Rogan-Gladen", "human-only")
DIFFERENCE = "difference"
"""What a stated difference of two runs is called."""
FEW = 30
"""Labels below which an interval by the normal distribution is too narrow."""
WIDER = 1.03
"""How far an interval may be wider than planned before somebody is told."""
RESAMPLES = 2000


@dataclass(frozen=True, kw_only=True)
class LabelsNeeded:
    """The plan of one mean, or of the difference of two. n/a is None."""

    name: str
    noun: str
    pair: tuple[str, str] | None
    """The two runs of a difference."""
    questions: int | None
    """How many there are in all, labelled or not; None: as many as one likes."""
    labelled: int | None
    """How many people labelled in the pilot."""
    variance: float
    """σ²_y: of what people say of a question."""
    correlation: float | None
    """ρ of judge and people; None where either says the same of every question."""
    sensitivity: float | None
    specificity: float | None
    kappa: float | None
    """Of verdicts that are right or wrong."""
    width: float
    confidence: float
    needed: dict[str, int | None]
    """Labels by method; None where labelling every question would not do, or the method has nothing to say."""
    range: tuple[int | None, int | None] | None
    """Of PPI++, over other pilots of this size; an end of None is more than there are questions."""
    questions_needed: int
    """The fewest questions with which the width can be reached, every one being labelled."""
    narrowest: float | None
    """The width with every question labelled."""
    labels: int | None
    widths: dict[str, float | None] | None
    """By method what so many labels would give, where somebody asks."""
    printed: float | None
    """What `assay correct` will print by PPI++ with the labels it needs, which for few is more; None of scores that are no verdicts."""

    @property
    def saved(self) -> int | None:
        """The labels that the judge is worth."""
        beside, alone = self.needed["PPI++"], self.needed["human-only"]
        return None if beside is None or alone is None else alone - beside

    def to_dict(self) -> dict[str, Any]:
        """As JSON has it."""
        return {**vars(self), "saved": self.saved}


@dataclass(frozen=True, kw_only=True, repr=False)
class LabelPlan(Result):
    """How many labels every mean takes, and every difference of two runs."""

    plans: dict[str, LabelsNeeded]
    settings: dict[str, Any]
    notes: tuple[str, ...] = field(default=())

    @property
    def finding(self) -> str:
        """How many labels people must give beside the judge; of several runs, for the one that needs most."""
        return of_labels(self)

    def to_dict(self) -> dict[str, Any]:
        """The JSON of `assay plan --judge`."""
        return {
            "finding": self.finding,
            "plans": [plan.to_dict() for plan in self.plans.values()],
            "settings": self.settings,
            "notes": list(self.notes),
        }

    def rows(self) -> tuple[list[str], list[list[Any]]]:
        """A row per mean or difference, and method."""
        rows = [
            [name, method, plan.needed[method], None if plan.widths is None else plan.widths[method]]
            for name, plan in self.plans.items()
            for method in METHODS
        ]
        return ["of", "method", "labels needed", "width"], rows


@public
def plan_labels(
    judge: Any = None, human: Any = None, *, width: float, runs: Any = None, measure: str | None = None, questions: int | None = None,
    labels: int | None = None, sensitivity: float | None = None, specificity: float | None = None, rate: float | None = None,
    correlation: float | None = None, kappa: float | None = None, variance: float | None = None,
    variance_of_differences: float | None = None, confidence: float = 0.95, resamples: int = RESAMPLES, seed: int = 0,
    **settings: Unpack[RankedScoring],
) -> LabelPlan:  # fmt: skip
    """Plan how many questions people must label beside a judge for an interval of a given width.

    judge         what a judge said: a table with the columns judge and human, of several runs with id and run too; a verdict from 0
                  to 1 for each question; with `runs`, a judge's qrels. None where the agreement is stated
    human         what people said of the same questions, None where nobody looked; with `runs`, qrels of whole topics
    width         of the interval, from end to end
    runs          runs of ranked retrieval, whose topics are then what is labelled
    measure       what scores them, a mean over topics; the headline of ranked retrieval where left out
    questions     how many questions or topics there are in all; those of the pilot, or else as many as one likes, where left out
    labels        how wide an interval would so many labels give?
    sensitivity   of what people call right, the share the judge does too; stated, with `specificity` and `rate`
    specificity   of what people call wrong, the share the judge does too
    rate          the share people call right
    correlation   of judge and people; stated, with `rate` or a variance
    kappa         Cohen's, of judge and people, the judge calling as many right as people do; stated, with `rate`
    variance      of people's scores over questions
    variance_of_differences  of the differences of two runs' scores over questions: the plan is then of the difference
    confidence    of the interval
    resamples     of the pilot's labels, which tell how far to trust the plan; 0 for none
    seed          of the resamples
    settings      the choices of `assay.evaluate`, with `runs`

    Returns
        LabelPlan     labels needed by method, for each mean and each difference of two runs

    Raises
        UsageError    neither a pilot nor stated numbers, or both
        InputError    a pilot with fewer than 2 labels, or in which people say the same of everything

    >>> plan_labels(width=0.05, sensitivity=0.9, specificity=0.8, rate=0.6, questions=2000).plans["mean"].needed
    {'PPI++': 1170, 'Rogan-Gladen': 1477, 'human-only': 1476}
    """
    stated = {
        "sensitivity": sensitivity, "specificity": specificity, "rate": rate, "correlation": correlation, "kappa": kappa,
        "variance": variance, "variance_of_differences": variance_of_differences,
    }  # fmt: skip
    _check(width, confidence, questions, labels, resamples)
    if settings and runs is None:
        name, value = next(iter(settings.items()))
        raise UsageError(f"`{name}={value}`: scores runs, and there are none; `runs` gives them")
    common: dict[str, Any] = {"width": width, "confidence": confidence, "labels": labels}
    named = [name for name, value in stated.items() if value is not None]
    if judge is None:
        if human is not None or runs is not None:
            raise UsageError("`judge` is missing: the verdicts that people's labels, or runs, are held against")
        made, share = of_stated(**stated)
        name = MEAN if variance_of_differences is None else DIFFERENCE
        binary = correlation is None
        rates = None if rate is None or not binary else (rate, _judged(rate, share))
        plans = [_planned(name, "question", made, questions, share=share, binary=binary, rates=rates, **common)]
    else:
        if named:
            raise UsageError(
                f"`{named[0]}={stated[named[0]]}`: is learnt from the pilot; give the pilot, or state it, and not both"
            )
        pilots = _pilots(judge, human, runs, measure, settings)
        sampled = _draws(pilots, resamples, seed)
        plans = [_learnt(pilot, questions, sampled.get(len(pilot.human)), common) for pilot in pilots]
    return LabelPlan(
        plans={pilot.name: pilot for pilot in plans},
        settings={"width": width, "confidence": confidence, "questions": questions, "labels": labels, "resamples": resamples, "seed": seed},
        notes=tuple(_notes(plans)),
    )  # fmt: skip


def _check(width: float, confidence: float, questions: int | None, labels: int | None, resamples: int) -> None:
    checked("width", width, Kind(float, "a number above 0, the interval's from end to end", above=0, below=inf))
    checked("confidence", confidence, CONFIDENCE)
    for name, value in (("questions", questions), ("labels", labels)):
        if value is not None:
            checked(name, value, Kind(int, f"a whole number of at least {MIN_LABELS}", low=MIN_LABELS))
    if labels is not None and questions is not None and labels > questions:
        raise UsageError(f"`labels={labels}`: there are {questions} questions in all")
    checked("resamples", resamples, COUNT)


def _pilots(judge: Any, human: Any, runs: Any, measure: str | None, settings: RankedScoring) -> list[Pilot]:
    if runs is not None:
        if human is None:
            raise UsageError("`human` is missing: qrels of the topics that people judged wholly")
        return of_topics(judge, human, runs, measure, **settings)
    if measure is not None:
        raise UsageError(f"`measure={measure!r}`: scores runs, and there are none; `runs` gives them")
    if human is None:
        return of_table(judge)
    if path_of(judge) is not None or path_of(human) is not None:
        raise UsageError("two files of judgments score runs; `runs` gives them")
    return of_lists(judge, human)


def _draws(pilots: Sequence[Pilot], resamples: int, seed: int) -> dict[int, Draws]:
    """The resamples of pilots, by how many labels these have."""
    sizes = {len(pilot.human) for pilot in pilots if len(pilot.human) >= MIN_LABELS}
    for size in sizes if resamples else ():
        afford(
            "resamples", resamples, memory=2.0 * resamples * size + 64.0 * resamples, seconds=1e-6 * resamples * size
        )
    return {size: draws(size, resamples, seed) for size in sizes} if resamples else {}


def _learnt(pilot: Pilot, questions: int | None, drawn: Draws | None, common: dict[str, Any]) -> LabelsNeeded:
    """The plan that a pilot makes."""
    n, many = len(pilot.human), pilot.questions if questions is None else questions
    if n < MIN_LABELS:
        raise InputError(
            f"{pilot.name}: people labelled {n} of {pilot.questions} {pilot.noun}s; a pilot needs at least {MIN_LABELS}"
        )
    if many < n:
        raise UsageError(f"`questions={many}`: people labelled {n} already")
    spread = spread_of(np.ones((1, n)), pilot)
    spread_of_one = Spread(*(float(part[0]) for part in (spread.human, spread.judge, spread.together)))
    if spread_of_one.human <= 0:
        raise InputError(
            f"{pilot.name}: people say the same of all {n} {pilot.noun}s they looked at, so nobody can tell how far they vary; label more"
        )
    sensitivity, specificity, kappa = agreement_of(pilot.judge, pilot.human) if pilot.binary else (None, None, None)
    share = None if sensitivity is None or specificity is None else (sensitivity, specificity)
    many_spreads = None if drawn is None else spread_of(drawn.astype(np.float64, copy=False), pilot)
    return _planned(
        pilot.name, pilot.noun, spread_of_one, many, share=share, kappa=kappa, binary=pilot.binary, labelled=n, pair=pilot.pair,
        resampled=many_spreads, rates=(float(pilot.human.mean()), float(pilot.judge.mean())) if pilot.binary else None, **common,
    )  # fmt: skip


def _planned(
    name: str, noun: str, of: Spread, questions: int | None, *, width: float, confidence: float, labels: int | None, binary: bool,
    share: tuple[float, float] | None = None, kappa: float | None = None, labelled: int | None = None,
    pair: tuple[str, str] | None = None, resampled: Spread | None = None, rates: tuple[float, float] | None = None,
) -> LabelsNeeded:  # fmt: skip
    from scipy.special import ndtri

    z, many = float(ndtri((1 + confidence) / 2)), inf if questions is None else questions
    alone = labels_alone(width, of, z)
    needed = {
        "PPI++": labels_beside_judge(width, many, of, z),
        "Rogan-Gladen": labels_for_gladen(width, many, of, z) if binary else None,
        "human-only": alone if alone <= many else None,
    }
    widths: dict[str, float | None] | None = None
    if labels is not None:
        if labels > many:
            raise UsageError(f"`labels={labels}`: there are {questions} {noun}s in all")
        by_judge = (judge_variance(labels, many, of), gladen_variance(labels, many, of) if binary else inf)
        variances = dict(zip(METHODS, (*by_judge, human_variance(labels, of)), strict=True))
        widths = {
            method: 2 * z * sqrt(variance) if isfinite(variance) else None for method, variance in variances.items()
        }
    return LabelsNeeded(
        name=name, noun=noun, pair=pair, questions=questions, labelled=labelled, variance=of.human, correlation=of.correlation,
        sensitivity=share and share[0], specificity=share and share[1], kappa=kappa, width=width, confidence=confidence,
        needed=needed, range=None if resampled is None else _range(many_beside_judge(width, many, resampled, z), confidence),
        questions_needed=alone, narrowest=None if questions is None else 2 * z * sqrt(of.human / questions), labels=labels,
        widths=widths, printed=_printed(needed["PPI++"], many, rates, of, confidence),
    )  # fmt: skip


def _printed(
    labels: int | None, questions: float, rates: tuple[float, float] | None, of: Spread, confidence: float
) -> float | None:
    return None if labels is None or rates is None else printed_width(labels, questions, *rates, of, confidence)


def _judged(rate: float, share: tuple[float, float] | None) -> float:
    """What the judge calls right; of a stated kappa as much as people do."""
    return rate if share is None else rate * share[0] + (1 - rate) * (1 - share[1])


def _range(widths: Floats, confidence: float) -> tuple[int | None, int | None] | None:
    """The ends over resamples, rounded up; one beyond all questions is None, which more than half being so leaves without a range."""
    most = 2 * float(np.max(widths[np.isfinite(widths)], initial=1.0))
    span = ends(np.where(np.isfinite(widths), widths, most), confidence)
    return None if span is None else (_whole(span[0], most), _whole(span[1], most))


def _whole(value: float, beyond: float) -> int | None:
    return None if value >= beyond else ceil(value - 1e-6)


def _notes(plans: Sequence[LabelsNeeded]) -> list[str]:
    few = [plan for plan in plans if (plan.needed["PPI++"] or FEW) < FEW]
    text = (
        [f"an interval by the normal distribution is too narrow with fewer than {FEW} labels: take {FEW} at least"]
        if few
        else []
    )
    wider = max(plans, key=lambda plan: (plan.printed or 0) / plan.width)
    if (wider.printed or 0) > WIDER * wider.width:
        text.append(
            f"few of the {wider.needed['PPI++']} labels of {wider.name} would be of one verdict, for which assay correct allows: its "
            f"interval would be {wider.printed:.3f} wide, and not {wider.width:g}"
        )
    small = [plan.labelled for plan in plans if plan.labelled is not None and plan.labelled < FEW]
    if small:
        text.append(
            f"the pilot has {min(small)} labels, and from so few nobody can tell well how far judge and people agree"
        )
    return text
