"""Risk control: the confidence above which at most a given share of answers is wrong, as a guarantee (Learn then Test).

A threshold at which the risk of these questions happens to be low enough promises nothing of the next ones, and one that was
looked for until it did promises less than nothing. Learn then Test (Angelopoulos, Bates, Candès, Jordan and Lei, Learn then
Test: Calibrating Predictive Algorithms to Achieve Risk Control, Annals of Applied Statistics 2025) turns the search into
tests: each threshold stands for the hypothesis that, of the answers with at least that confidence, more than the share `risk`
would be wrong, and thresholds whose hypothesis is refused are promised, all at once, with probability `confidence`.

    the thresholds   GRID, fixed before any data was seen: two decimals, and finer ones near 0 and 1
    the p-value      exact: with k such answers of which w are wrong, the chance of at most w wrong in k at a rate of `risk`.
                     Given k, the answers above a fixed threshold are independent draws where questions are.
    the order        from the surest down, the level of a refused hypothesis going on to the next one, so that a chain of them is
                     tested like one (fixed-sequence testing). The whole level on one chain would be lost by one confident error
                     at its top, so it begins at five fixed places with a fifth each, and chains that meet add up theirs (the
                     fallback procedure: Wiens and Dmitrienko, Journal of Biopharmaceutical Statistics 2005).

Nothing is assumed of how risk depends on confidence, nor of calibration. That questions are independent draws is: of questions
that come in clusters nothing is promised. `benchmarks/guarantee_coverage.py` measures how often the promise is kept.
"""

from __future__ import annotations

from dataclasses import asdict, dataclass
from math import ceil, log
from typing import Any

import numpy as np

from assay.analyses.abstention.cross_validated_threshold import declined_beside
from assay.errors import InputError
from assay.figures.outcomes import RiskPoint, risk_coverage
from assay.resampling.resamplers import cluster_codes
from assay.scoring.evaluate import scores_of
from assay.settings import BETWEEN, CONFIDENCE, checked
from assay.table.results import Result
from assay.table.scores import Scores

FINE = [round(step * 1e-4, 4) for step in range(1, 10)] + [round(step * 1e-3, 3) for step in range(1, 10)]
GRID = tuple(sorted({0.0, *FINE, *(round(step / 100, 2) for step in range(1, 101)), *(round(1 - x, 4) for x in FINE)}))[
    ::-1
]
"""Thresholds, the surest first. Which they are must not depend on the answers."""
STARTS = (0.99, 0.95, 0.9, 0.7, 0.4)
"""Where a chain of tests begins, each with an equal part of the level."""
MEASURE = "precision"
"""What the table is made of; nothing is chosen by it."""
TOLD = (
    "run", "file", "risk", "confidence", "threshold", "coverage", "answers", "wrong", "as_is", "promise", "fewest", "questions",
    "missing", "tested", "warnings", "settings", "judging", "risk_coverage",
)  # fmt: skip
"""The JSON of a guarantee."""


@dataclass(frozen=True, slots=True)
class TestedThreshold:
    """One tested threshold."""

    threshold: float
    answers: int
    """With at least that confidence."""
    wrong: int
    p: float
    level: float
    """At most which p refuses that more than the risk is wrong."""
    promised: bool


@dataclass(frozen=True, kw_only=True, repr=False)
class Guarantee(Result):
    """Above which confidence a system may answer so that a risk is kept, with what probability, and what that covers."""

    run: str
    file: str | None
    risk: float
    """The share of answers that may be wrong."""
    confidence: float
    """With which probability, over draws of the questions, the promise holds."""
    threshold: float | None
    """Answer at this confidence or above; None where nothing can be promised."""
    coverage: float | None
    """The share of all questions that is so answered here."""
    answers: int | None
    wrong: int | None
    coverage_as_is: float
    risk_as_is: float
    fewest: int
    """Answers that it takes at the least, none of them wrong, for any promise."""
    questions: int
    missing: int
    noun: str
    tested: tuple[TestedThreshold, ...]
    """Every threshold that has answers, the surest first."""
    risk_coverage: list[RiskPoint]
    judging: str | None
    settings: dict[str, Any]
    warnings: tuple[str, ...]

    @property
    def promise(self) -> str:
        """What is promised, in words."""
        kept, sure = percent(self.risk), percent(self.confidence)
        if self.threshold is None:
            return self._nothing(f"that at most {kept} of its answers are wrong, with {sure} probability")
        assert self.answers
        assert self.wrong is not None
        which = f"stated with a confidence of {self.threshold:g} or more" if self.threshold else "it gives"
        return (
            f"With {sure} probability, at most {kept} of the answers {which} are wrong, on {self.noun}s drawn as these were. Here "
            f"that is {self.answers} of {self.questions} {self.noun}s ({self.answers / self.questions:.1%}), {self.wrong} of them "
            f"wrong ({self.wrong / self.answers:.1%})."
        )

    def _nothing(self, promise: str) -> str:
        given = max((step.answers for step in self.tested), default=0)
        begun = max((step.answers for step in self.tested if step.threshold >= STARTS[-1]), default=0)
        was = "was" if given == 1 else "were"
        takes = f"{promise}, takes at least {self.fewest} answers without an error"
        if given < self.fewest:
            return f"No threshold can be promised with this many {self.noun}s: {takes}, and {given} {was} given."
        if begun < self.fewest:
            return (
                f"No threshold can be promised: {takes} and with a confidence of {STARTS[-1]:g} or more, where the last of the "
                f"tests begins; there are {begun}, and {given - begun} with less. State confidences that use the range from 0 to 1."
            )
        return f"No threshold can be promised: {promise}, is borne out at no confidence; too many of the surest answers are wrong."

    def to_dict(self) -> dict[str, Any]:
        """Everything that was found."""
        told: dict[str, Any] = {
            **asdict(self),
            "promise": self.promise,
            "as_is": {"coverage": self.coverage_as_is, "risk": self.risk_as_is},
        }
        return {name: list(told[name]) if isinstance(told[name], tuple) else told[name] for name in TOLD}

    def rows(self) -> tuple[list[str], list[list[Any]]]:
        """The thresholds as they were tested."""
        names = ["threshold", "answers", "wrong", "p", "level", "promised"]
        return names, [[getattr(step, name) for name in names] for step in self.tested]


def percent(share: float) -> str:
    """A share as a person says it.

    >>> percent(0.05), percent(0.999)
    ('5%', '99.9%')
    """
    return f"{100 * share:.6g}%"


def ladder(correct: Any, confidence: Any, risk: float, level: float) -> list[TestedThreshold]:
    """Every threshold of GRID that has answers, tested in order.

    correct      of each answer given, 1 or 0
    confidence   of each answer given
    risk         the share of wrong answers that is refused
    level        the probability with which any refusal may be mistaken

    Fifty right answers at 0.95 and fifty wrong ones at 0.2. At the two starts above 0.9 the p-value is 0.9⁵⁰ = 0.005, which a
    fifth of 0.1 refuses; at 0.2, with 50 wrong of 100, nothing does:

    >>> steps = ladder([1] * 50 + [0] * 50, [0.95] * 50 + [0.2] * 50, 0.1, 0.1)
    >>> [(one.threshold, one.answers, round(one.p, 3), round(one.level, 2)) for one in steps if one.threshold in (0.95, 0.9)]
    [(0.95, 50, 0.005, 0.02), (0.9, 50, 0.005, 0.04)]
    >>> min(one.threshold for one in steps if one.promised)
    0.21
    """
    from scipy.special import bdtr

    stated = np.sort(np.asarray(confidence, dtype=np.float64))
    errors = np.sort(np.asarray(confidence, dtype=np.float64)[np.asarray(correct) == 0])
    above, wrong = (len(column) - np.searchsorted(column, GRID, side="left") for column in (stated, errors))
    steps: list[TestedThreshold] = []
    carried = 0.0
    for threshold, k, w in zip(GRID, above.tolist(), wrong.tolist(), strict=True):
        own = carried + (level / len(STARTS) if threshold in STARTS else 0.0)
        p = float(bdtr(w, k, risk)) if k else 1.0
        promised = 0 < own >= p  # without a level nothing is refused, not even by a p-value too small to be written
        carried = own if promised else 0.0
        if k:
            steps.append(TestedThreshold(threshold, k, w, p, own, promised))
    return steps


def fewest_answers(risk: float, level: float) -> int:
    """So many answers without an error are needed for a first promise: (1 - risk)^k is at most a start's part of the level.

    >>> fewest_answers(0.05, 0.1)  # 0.95⁷⁶ = 0.0203 and 0.95⁷⁷ = 0.0193
    77
    """
    return ceil(log(level / len(STARTS)) / log(1 - risk) - 1e-9)


def guarantee(
    gold: Any, run: Any = None, *, risk: float, confidence: float = 0.95, name: str | None = None, **settings: Any
) -> Guarantee:
    """The lowest confidence from which a system may answer so that at most `risk` of its answers are wrong, as a promise.

    gold         as `assay.evaluate` takes it; None for a run that carries its own outcomes; or a score table of answers
    run          one run, as `assay.evaluate` takes it
    risk         the share of answers that may be wrong
    confidence   with which probability the promise holds, over draws of the questions
    name         which run, where there are several
    settings     choices of the task, as `missing`
    """
    checked("risk", risk, BETWEEN)
    checked("confidence", confidence, CONFIDENCE)
    task = {} if isinstance(gold, Scores) else {"task": "outcomes"}
    both = declined_beside(scores_of(gold, run, [MEASURE], **{**task, **settings}), MEASURE, name)
    one, places = both.run(both.runs[0]), both.entering(both.runs[0])
    answered, correct, stated = (
        np.array([one.columns[column][place] for place in places], dtype=np.float64)
        for column in ("answered", "correct", "confidence")
    )
    given = answered == 1
    if not given.any() or np.isnan(stated[given]).any():
        raise InputError(f"{one.file or one.name}: choosing a threshold needs answers, each with a confidence")
    noun = both.task.noun
    _refuse_clusters(both, places, noun)
    steps = ladder(correct[given], stated[given], risk, 1 - confidence)
    best = next((step for step in reversed(steps) if step.promised), None)
    return Guarantee(
        run=one.name, file=one.file, risk=risk, confidence=confidence,
        threshold=None if best is None else best.threshold,
        coverage=None if best is None else best.answers / len(places),
        answers=None if best is None else best.answers, wrong=None if best is None else best.wrong,
        coverage_as_is=float(given.mean()), risk_as_is=float(1 - correct[given].mean()),
        fewest=fewest_answers(risk, 1 - confidence), questions=len(places), missing=sum(one.missing), noun=noun,
        tested=tuple(steps), risk_coverage=risk_coverage(both, one.name) or [], judging=one.notes.judging,
        settings=both.settings.as_dict(),
        warnings=(*one.notes.remarks_of_failures(one.name, noun), *one.notes.warnings),
    )  # fmt: skip


def _refuse_clusters(scores: Scores, places: Any, noun: str) -> None:
    """Questions of one cluster are right or wrong together, and an exact test that counts them one by one is not exact."""
    field = scores.fields.get("cluster")
    if field is None:
        return
    codes = cluster_codes([field[place] or (place,) for place in places], len(places))
    if codes.max() + 1 < len(codes):
        raise InputError(
            f"the gold's {len(codes)} {noun}s come in {codes.max() + 1} clusters, and of {noun}s that are no independent draws "
            f"nothing can be promised; keep one {noun} of each cluster, or leave out `risk=` for a threshold with an interval"
        )
