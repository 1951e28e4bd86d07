"""More questions, or more samples of each? The variance of a run's number, split into between questions and within them.

Miller, "Adding Error Bars to Evals" (2024): the mean of a question answered m times varies because questions differ and because
its answers do, Var(mean) = between + within/m. With s² the unbiased variance over the samples of a question,

    within    the mean of s², over the questions with at least 2 samples
    noise     the mean of s²/m: what is within the questions of the variance of their means
    between   the variance of the questions' means less the noise, and never below 0

A measure of sums such as c@1 is split through its linearisation: a sample is worth the measure's derivative by the share of
samples that end as it does, so that the question's means have the spread of the measure. Questions that come in clusters
vary together; what is between them then is whatever the standard error over clusters has beside the noise.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import sqrt
from typing import Any

import numpy as np

from assay.errors import InputError, UsageError
from assay.measures.measure import Measure
from assay.parameters import public
from assay.resampling.arithmetic import Floats, closed
from assay.resampling.columns import OUTCOMES, Columns
from assay.table.results import Result
from assay.table.run_scores import each
from assay.table.scores import Scores

STEP = 1e-6
"""Of the shares, for derivatives: formulas of shares are smooth."""
ROUNDING = 1e-12
"""Variances that small beside their parts are what rounding leaves of none."""
NEARLY = 1.1
"""Up to so many times the standard error of twice the questions, twice the samples do nearly as much."""


@dataclass(frozen=True, kw_only=True)
class Split:
    """One run's number by one measure: where its variance comes from, and what more questions or samples would do."""

    run: str
    measure: str
    noun: str
    cluster: str | None
    """The field of questions that vary together, or None."""
    questions: int
    fewest: int
    most: int
    """Samples of a question."""
    value: float
    between: float
    """The variance between questions, of a question's expected value."""
    within: float
    """The variance between the samples of a question, on average."""
    noise: float
    """What is within the questions of the variance of a question's mean, over the samples there are."""
    floored: bool
    """Whether the noise alone explains more than all the variance there is, so that between is 0 for want of a negative one."""

    @property
    def share(self) -> float | None:
        """How much of the variance of a question's mean is between questions; None where nothing varies."""
        whole = self.between + self.noise
        return self.between / whole if whole else None

    def error(self, questions: float = 1.0, samples: float = 1.0) -> float:
        """The standard error with so many times the questions and so many times the samples of each.

        questions   times those there are
        samples     times those there are; `math.inf` for endless ones
        """
        return sqrt((self.between + self.noise / samples) / (questions * self.questions))

    @property
    def more_samples_nearly_do(self) -> bool:
        """Whether twice the samples bring the standard error down nearly as far as twice the questions."""
        return self.error(samples=2) <= NEARLY * self.error(questions=2)

    @property
    def sentence(self) -> str:
        """More questions or more samples, in words."""
        share = self.share
        if share is None:
            return f"{self.run}: {self.measure} does not vary, neither between {self.noun}s nor between samples."
        errors = (self.error(), self.error(questions=2), self.error(samples=2), self.error(samples=float("inf")))
        now, asked, drawn, floor = (f"{error:.3f}" for error in errors)
        text = f"{self.run}: {share:.0%} of the variance of a {self.noun}'s mean {self.measure} is between {self.noun}s"
        if self.floored:
            text += " (the samples differ by more than all there is)"
        text += f"; twice the {self.noun}s would bring its standard error from {now} to {asked}, twice the samples to {drawn}, "
        if not self.between:
            return text + f"so that more samples do as much as more {self.noun}s."
        text += f"and no number of samples below {floor}: "
        if self.more_samples_nearly_do:
            return text + f"where {self.noun}s are dear, more samples do nearly as much."
        return text + f"ask more {self.noun}s."

    def to_dict(self) -> dict[str, Any]:
        """As JSON has it."""
        fields = {name: value for name, value in vars(self).items() if name not in ("noun", "fewest", "most")}
        return {
            **fields,
            "samples": {"fewest": self.fewest, "most": self.most},
            "share_between": self.share,
            "standard_error": self.error(),
            "twice_the_questions": self.error(questions=2),
            "twice_the_samples": self.error(samples=2),
            "endless_samples": self.error(samples=float("inf")),
            "sentence": self.sentence,
        }


@dataclass(frozen=True, kw_only=True, repr=False)
class Sampling(Result):
    """The splits of every run that answers questions several times, by every measure."""

    splits: list[Split]
    settings: dict[str, Any]

    def split(self, run: str, measure: str) -> Split:
        """Of one run by one measure.

        run       its name
        measure   as it was named
        """
        match = next((row for row in self.splits if (row.run, row.measure) == (run, measure)), None)
        if match is None:
            raise UsageError(f"there is no split of {run!r} by {measure!r}")
        return match

    @property
    def finding(self) -> str:
        """More questions or more samples, for the first run by the first measure."""
        from assay.analyses.planning.finding import of_samples

        return of_samples(self.splits[0])

    def to_dict(self) -> dict[str, Any]:
        """The splits, and the settings of the table they are of."""
        return {"finding": self.finding, "sampling": [one.to_dict() for one in self.splits], "settings": self.settings}

    def rows(self) -> tuple[list[str], list[list[Any]]]:
        """A row per run and measure."""
        return sampling_rows(self.splits)


HEADER = [
    "run", "measure", "between", "within", "share_between", "standard_error", "twice_the_questions", "twice_the_samples",
    "endless_samples",
]  # fmt: skip


def sampling_rows(splits: Sequence[Split]) -> tuple[list[str], list[list[Any]]]:
    """Header, and a row per split."""
    return HEADER, [[row.to_dict()[name] for name in HEADER] for row in splits]


@public
def sampling(
    scores: Scores, measures: str | Measure | Sequence[str | Measure] | None = None, *, cluster: str | None = "auto"
) -> Sampling:
    """Split the variance of each run's value between and within questions: would more questions or more samples help?

    scores     a table with runs that answer questions several times
    measures   one or several of its measures; all that have a value on every sample, where left out
    cluster    the field of questions that vary together; auto is `cluster` where the gold has one; None

    Returns
        Sampling     the variance of each run and measure, split, with the standard errors of more questions and more samples

    Raises
        UsageError   no measure has a value on every sample
        InputError   no run answers a question more than once

    >>> import assay
    >>> ends = ("correct", "correct"), ("incorrect", "correct")
    >>> lines = [f"m,{i},{k + 1},{end}" for i in range(4) for k, end in enumerate(ends[i % 2])]
    >>> columns = "run=run,id=id,sample=sample,outcome=outcome"
    >>> table = assay.evaluate(None, "\\n".join(["run,id,sample,outcome", *lines]).encode(), "accuracy", columns=columns)
    >>> split = sampling(table, "accuracy").splits[0]
    >>> split.questions, split.value, round(split.within, 6)  # samples of two questions differ, with variance 1/2
    (4, 0.75, 0.25)
    """
    if measures is None:
        wanted = [m for m in scores.measures if refusal(m) is None and m.declaration.higher_is_better is not None]
        if not wanted:
            names = ", ".join(m.name for m in scores.measures)
            raise UsageError(f"none of {names} has a value on every sample; evaluate with accuracy or score, say")
    else:
        single = isinstance(measures, str | Measure)
        wanted = [scores.measure(name) for name in ([measures] if single else measures)]  # type: ignore[list-item]
    runs = repeated(scores)
    if not runs:
        noun = scores.task.noun
        raise InputError(
            f"no run answers a {noun} more than once, so its variance cannot be split into between and within {noun}s"
        )
    splits = [split(scores, measure, run, cluster) for measure in wanted for run in runs]
    return Sampling(splits=splits, settings=scores.settings.as_dict())


def repeated(scores: Scores) -> list[str]:
    """The runs that answer some question several times."""
    return [run for run in scores.runs if scores.run(run).repeated]


def refusal(measure: Measure) -> str | None:
    """Why the variance of a measure cannot be split over samples; None where it can."""
    if measure.average != "mean":
        return "is no mean over questions"
    if measure.level == "whole":
        return "is computed from all answers of a run at once"
    if measure.level == "topic":
        return "looks at all samples of a question at once" if measure.declaration.of_samples else None
    if not measure.of or not set(measure.of) <= set(OUTCOMES):
        return f"is made from more than whether answers are {', '.join(OUTCOMES)}"
    return None


def split(scores: Scores, measure: str | Measure, run: str, cluster: str | None = "auto") -> Split:
    """The split of one run by one measure."""
    wanted = scores.measure(measure)
    why = refusal(wanted)
    if why is not None:
        raise UsageError(
            f"{wanted.name} {why}, so its variance cannot be split into between and within {scores.task.noun}s; "
            "split that of accuracy, c@1 or score, say"
        )
    columns = Columns.of(scores, wanted, [run]).shared().by(cluster)
    noun, questions = columns.noun, len(columns.places)
    if questions < 2:
        raise InputError(f"{run}: a variance between {noun}s needs at least 2 of them, found {questions}")
    counts, means, variances = _of_answers(columns) if wanted.level == "topic" else _of_outcomes(columns)
    several = counts > 1
    if not several.any():
        raise InputError(
            f"{run}: no {noun} has 2 samples with a value of {wanted.name}, so its variance cannot be split into between and "
            f"within {noun}s"
        )
    within = float(variances[several].mean())
    # A question that stands once has the variance of the others.
    noise = float((np.where(several, variances, within) / counts).mean())
    whole = questions * _square_of_error(means, columns)
    rounding = ROUNDING * float((means**2).max(initial=0.0) + within)
    whole, noise, within = (0.0 if part <= rounding else part for part in (whole, noise, within))
    between = whole - noise if whole - noise > rounding else 0.0
    return Split(
        run=run, measure=wanted.name, noun=noun, cluster=columns.cluster, questions=questions, fewest=int(counts.min()),
        most=int(counts.max()), value=float(columns.resampler.values()[0]), between=between, within=within,
        noise=whole - between, floored=whole + rounding < noise,
    )  # fmt: skip


def _square_of_error(means: Floats, columns: Columns) -> float:
    """The square of the standard error of the mean of the questions' means; of whole clusters where there are any."""
    codes, units = columns.resampler.codes, columns.resampler.units
    off = np.bincount(codes, means - means.mean(), minlength=units)
    return float((off**2).sum()) * units / (units - 1) / len(means) ** 2


def _of_answers(columns: Columns) -> tuple[Any, Floats, Floats]:
    """Of a measure with a value per answer: samples, mean and variance of every question; 0 for the variance of one."""
    cells = columns.cells(0, each(columns.measure.name))
    if any(len(cell) == 0 for cell in cells):  # undefined, and counted as 0 under the table's policy
        cells = [cell or (0.0,) for cell in cells]
    counts = np.array([len(cell) for cell in cells])
    means = np.array([np.mean(cell) for cell in cells], dtype=np.float64)
    variances = np.array([np.var(cell, ddof=1) if len(cell) > 1 else 0.0 for cell in cells], dtype=np.float64)
    return counts, means, variances


def _of_outcomes(columns: Columns) -> tuple[Any, Floats, Floats]:
    """The same of a measure of sums, through what a sample is worth that ends in each of the ways."""
    measure = columns.measure
    ended = np.array([columns.cells(0, name) for name in measure.of], dtype=np.float64)
    samples = columns.scores.run(columns.runs[0]).samples
    counts = np.ones(len(columns.places)) if samples is None else np.array(samples)[columns.places]
    shares = (ended / counts).mean(axis=1)
    worth = _slopes(measure, shares)
    if not np.isfinite([*worth, *columns.resampler.values()]).all():
        raise InputError(
            f"{columns.runs[0]}: {measure.name} is undefined here, or next to it, so its variance cannot be split"
        )
    sums, squares = worth @ ended, (worth**2) @ ended
    spread = np.maximum(squares - sums**2 / counts, 0.0)
    return counts, sums / counts, spread / np.maximum(counts - 1, 1)


def _slopes(measure: Measure, shares: Floats) -> Floats:
    """Derivatives of a measure of sums by the share of samples that end in each way.

    At 3/4 right of all, c@1 moves by 1 for every right answer more, and by 3/4 for every unanswered one.

    >>> from assay.measures.registry import find
    >>> _slopes(find("c@1"), np.array([0.75, 0.0])).round(6).tolist()
    [1.0, 0.75]
    """
    unit = np.float64(1.0)
    steps = STEP * np.eye(len(shares))
    values = [[float(closed(measure.bound(), unit, list(shares + sign * step))) for sign in (1, -1)] for step in steps]
    return np.array([(up - down) / (2 * STEP) for up, down in values])
