"""PPI++ (prediction-powered inference) and its companions: what people would say of a run, from few of their labels.

    human         the mean of people's labels alone
    PPI++         λ · mean(judge, where nobody labelled) + mean(human - λ · judge, where somebody did)
    Rogan-Gladen  (q + specificity - 1)/(sensitivity + specificity - 1), q the judge's mean over all questions

Each is about p, the mean over the questions answered, and becomes a measure by its `Form`. An estimate comes with its *pulls*:
what every question adds to its error, so that the variance is the sum of their squares, and of a difference of two runs on the
same questions the sum of the squares of the differences, whoever labelled which of them (the delta method; van der Vaart,
Asymptotic Statistics, 1998, ch. 3).

Intervals are about questions of this kind, not these alone. Of people's labels: Wilson's for verdicts of 0 and 1, else Student's;
of PPI++ the normal one where labels are enough, and else Student's; of Rogan-Gladen that of Lang and Reiczigel. Of a difference, for
the first and the last: each run's distances from its own ends, put together with the correlation of the two (Zou and Donner 2008; for
labels alone on the same questions this is Newcombe's tenth method, 1998); for PPI++ Student's.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from math import hypot, sqrt

import numpy as np

from assay.resampling.arithmetic import Floats
from assay.stats.labelled_verdicts import Flags, Form, Labelled
from assay.stats.proportions import wilson


@dataclass(frozen=True)
class Estimate:
    """A value with its interval, and what every question adds to its error. Ends are as they come, outside of [0, 1] too."""

    value: float
    low: float
    high: float
    pulls: Floats
    weight: float | None = None
    """λ of PPI++."""


FEW = 25
"""Labels of either verdict below which the normal interval of PPI++ holds the truth too seldom."""
SCARCE = 0.25
"""The share of the labels below which one verdict leaves the normal interval askew, however many labels there are."""
APART = 10
"""Labels that tell two runs apart below which the interval of their difference is too short."""


def normal_point(confidence: float) -> float:
    """How many standard errors lie on either side.

    >>> round(normal_point(0.95), 3)
    1.96
    """
    from scipy.special import ndtri

    return float(ndtri((1 + confidence) / 2))


def centred(values: Floats, where: Flags, places: int) -> Floats:
    """What each of some questions adds to the error of their mean; their squares add up to its variance s²/n."""
    n = len(values)
    made = np.zeros(places)
    made[where] = (values - values.mean()) / n * sqrt(n / max(n - 1, 1))
    return made


def human_alone(run: Labelled, confidence: float) -> Estimate | None:
    """p of people's labels: Wilson's interval for verdicts of 0 and 1, Student's otherwise; None of fewer than 2 labels.

    >>> found = human_alone(Labelled.of([1, 1, 0, 1, 0], [1, 1, 0, 0, None]), 0.95)
    >>> round(found.value, 4), round(found.low, 4), round(found.high, 4)  # Wilson, 2 of 4
    (0.5, 0.15, 0.85)
    """
    labels = run.human[run.labelled]
    n = len(labels)
    if n < 2:
        return None
    value, pulls = float(labels.mean()), centred(labels, run.labelled, len(run.human))
    if run.binary:
        return Estimate(value, *wilson(value, n, normal_point(confidence)), pulls)
    from scipy.special import stdtrit

    half = float(stdtrit(n - 1, (1 + confidence) / 2)) * sqrt((pulls**2).sum())
    return Estimate(value, value - half, value + half, pulls)


def prediction_powered(run: Labelled, confidence: float) -> Estimate | None:
    """p by PPI++; None of fewer than 2 questions with labels, or without.

    The interval is the normal one. It is too short where few labels say right, or few say wrong: below `FEW` of either, or below the
    share of `SCARCE`, it is that of two labels more, one on which people say right and the judge wrong and one the other way round,
    and Student's, with a degree of freedom less for λ. So it is, without these two, of scores between 0 and 1.

    >>> found = prediction_powered(Labelled.of([1, 1, 0, 0, 1, 1, 0, 1], [1, 0, 0, 0, None, None, None, None]), 0.95)
    >>> round(found.weight, 4), round(found.value, 4)  # λ = .125/(2 · 15/56), p = λ · .75 + (.25 - λ · .5)
    (0.2333, 0.3083)
    """
    if min(run.labelled.sum(), run.others.sum()) < 2:
        return None
    few = is_few(run)
    point = _point(run, confidence) if few or not run.binary else normal_point(confidence)
    found = _at(run, _tuned_alone(run), point)
    if not few:
        return found
    more = _with_two(run, (0.0, 1.0), (1.0, 0.0))
    wider = _at(more, _tuned_alone(more), point)
    return replace(found, low=min(wider.low, found.value), high=max(wider.high, found.value))


def _tuned_alone(run: Labelled) -> float:
    return tuned([(run, 1.0, np.zeros(len(run.judge)))])


def _with_two(run: Labelled, judge: tuple[float, float], human: tuple[float, float]) -> Labelled:
    """Two questions more, labelled."""
    return Labelled(
        np.concatenate([run.judge, judge]),
        np.concatenate([run.human, human]),
        np.concatenate([run.unanswered, [False, False]]),
    )


def is_few(run: Labelled) -> bool:
    """Whether the normal interval of PPI++ is not to be trusted: verdicts of 0 and 1, and too few labels of either."""
    if not run.binary:
        return False
    labels = run.human[run.labelled]
    right = int((labels == 1).sum())
    return min(right, len(labels) - right) < max(FEW, SCARCE * len(labels))


def _at(run: Labelled, weight: float, point: float) -> Estimate:
    """PPI++ with a given λ, and an interval of so many standard errors to either side."""
    here, others = run.labelled, run.others
    rest = run.human[here] - weight * run.judge[here]
    value = float(weight * run.judge[others].mean() + rest.mean())
    pulls = centred(rest, here, len(run.judge)) + centred(weight * run.judge[others], others, len(run.judge))
    half = point * sqrt((pulls**2).sum())
    return Estimate(value, value - half, value + half, pulls, weight)


def _point(run: Labelled, confidence: float) -> float:
    return student_point(int(run.labelled.sum()), confidence)


def student_point(labels: int, confidence: float) -> float:
    """Standard errors to either side by Student, one degree of freedom being spent on the mean and one on λ.

    >>> round(student_point(12, 0.95), 3)
    2.228
    """
    from scipy.special import stdtrit

    return float(stdtrit(max(labels - 2, 1), (1 + confidence) / 2))


def tuned(runs: list[tuple[Labelled, float, Floats]]) -> float:
    """The λ from 0 to 1 with which Σ factor · PPI++(run, λ) varies least; with each run, its factor and its other pulls.

    The error of the sum is A + λB. Every question's part in A is known where it is labelled; B, of the judge's verdicts alone,
    has for its weights w = -1/n where a question is labelled and 1/N where not, and for their variance and covariance that over
    all questions, labelled or not. λ = -cov(A, B)/var(B), which for one run is Angelopoulos, Duchi and Zrnic's
    cov(human, judge)/((1 + n/N) var(judge)) (2023, example 6.1). Of scores between 0 and 1 the variance is that of the labelled
    questions: where a judge is nearly right, a covariance of few over a variance of many is mostly noise, which leans the way the
    few lean, and the interval held the truth 93 to 94 times of 100.
    """
    places = len(runs[0][0].judge)
    known, swung = np.zeros(places), np.zeros(places)
    weights: list[Floats] = []
    for run, factor, other in runs:
        here, others = run.labelled, run.others
        n, left = here.sum(), others.sum()
        known[here] += factor * (run.human[here] - run.human[here].mean()) / n
        known += other
        swung[here] -= factor * (run.judge[here] - run.judge[here].mean()) / n
        swung[others] += factor * (run.judge[others] - run.judge[others].mean()) / left
        weights.append(factor * (others / left - here / n))
    spread = 0.0
    for i, (one, _, _) in enumerate(runs):
        for k, (two, _, _) in enumerate(runs):
            spread += _covariance(one, two) * float(weights[i] @ weights[k])
    if spread <= 1e-15:
        return 0.0
    return float(np.clip(-float((known * swung).sum()) / spread, 0, 1))


def _covariance(one: Labelled, two: Labelled) -> float:
    """Of the judge's verdicts on two runs, or on one and itself."""
    few = not (one.binary and two.binary) and bool((one.labelled == two.labelled).all())
    where = one.labelled if few else one.answered & two.answered
    many = int(where.sum())
    if many < 2:
        return 0.0
    mine, theirs = one.judge[where], two.judge[where]
    return float((mine - mine.mean()) @ (theirs - theirs.mean())) / (many if few else many - 1)


def of_measure(run: Labelled, found: Estimate, form: Form, confidence: float) -> Estimate:
    """An estimate of p as one of a measure: the share of unanswered questions is known, and varies as they would.

    The ends are at the distances of p's own and of z standard errors of u, put together: √((factor · (p - low))² + (z p slope s_u)²).
    """
    return _measured(run, found, form, normal_point(confidence))


def _measured(run: Labelled, found: Estimate, form: Form, z: float) -> Estimate:
    factor = form.factor(run.share)
    shares = _of_unanswered(run, found.value, form)
    beside = z * sqrt((shares**2).sum())
    value = factor * found.value
    low, high = (hypot(factor * (found.value - end), beside) for end in (found.low, found.high))
    return Estimate(value, value - low, value + high, factor * found.pulls + shares, found.weight)


def _of_unanswered(run: Labelled, p: float, form: Form) -> Floats:
    """What every question adds to the error of a measure by being answered or not."""
    asked = run.answered | run.unanswered
    slope = p * form.slope(run.share)
    return slope * centred(run.unanswered[asked].astype(np.float64), asked, len(run.judge))


def difference(one: Estimate, two: Estimate) -> Estimate:
    """The first less the second, on the same questions: the distances of both from their ends, less what they share.

    >>> pulls = np.zeros(0)
    >>> found = difference(Estimate(0.7, 0.6, 0.8, pulls), Estimate(0.5, 0.4, 0.6, pulls))
    >>> round(found.value, 4), round(found.low, 4), round(found.high, 4)  # independent: .2 ± .1 · √2
    (0.2, 0.0586, 0.3414)
    """
    sizes = sqrt((one.pulls**2).sum() * (two.pulls**2).sum())
    alike = float((one.pulls * two.pulls).sum()) / sizes if sizes > 0 else 0.0
    value = one.value - two.value

    def distance(a: float, b: float) -> float:
        return sqrt(max(a * a + b * b - 2 * alike * a * b, 0.0))

    low = distance(one.value - one.low, two.high - two.value)
    high = distance(one.high - one.value, two.value - two.low)
    return Estimate(value, value - low, value + high, one.pulls - two.pulls)


def powered_difference(one: Labelled, two: Labelled, form: Form, confidence: float) -> Estimate | None:
    """The difference of a measure between two runs by PPI++, with one λ for both, tuned for the difference.

    Where both runs are labelled on the same questions this is PPI++ of the mean of the paired differences. The interval is
    Student's. Where fewer than `APART` labels tell the runs apart it is that of two questions more, on which people prefer one run
    and then the other, and the judge neither (as Bonett and Price do with labels alone, 2012).
    """
    if any(min(run.labelled.sum(), run.others.sum()) < 2 for run in (one, two)):
        return None
    point = max(_point(run, confidence) for run in (one, two))
    found = _difference_at(one, two, form, point)
    if not are_alike(one, two):
        return found
    wider = _difference_at(_with_two(one, (1.0, 0.0), (1.0, 0.0)), _with_two(two, (1.0, 0.0), (0.0, 1.0)), form, point)
    return replace(found, low=min(wider.low, found.value), high=max(wider.high, found.value))


def are_alike(one: Labelled, two: Labelled) -> bool:
    """Whether too few labels tell two runs of verdicts of 0 and 1 apart: those on which people differ, or that only one run has."""
    if not (one.binary and two.binary):
        return False
    either = one.labelled | two.labelled
    return int((one.human[either] != two.human[either]).sum()) < APART


def _difference_at(one: Labelled, two: Labelled, form: Form, point: float) -> Estimate:
    parts: list[tuple[Labelled, float, Floats]] = []
    for sign, run in ((1.0, one), (-1.0, two)):
        alone = _at(run, _tuned_alone(run), point)
        parts.append((run, sign * form.factor(run.share), sign * _of_unanswered(run, alone.value, form)))
    weight = tuned(parts)
    first, second = (_measured(run, _at(run, weight, point), form, point) for run, _, _ in parts)
    pulls, value = first.pulls - second.pulls, first.value - second.value
    half = point * sqrt((pulls**2).sum())
    return Estimate(value, value - half, value + half, pulls, weight)
