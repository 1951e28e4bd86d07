"""PPI++ (prediction-powered inference) and human labels alone: estimates of people's score of a run.

    human         the mean of people's labels alone
    PPI++         λ · mean(judge, unlabelled) + mean(human - λ · judge, labelled)
    Rogan-Gladen  (q + specificity - 1)/(sensitivity + specificity - 1), q the judge's mean over all questions

Each estimates p, the mean over answered questions, and becomes a measure by its `Form`. The *pulls* of an estimate are its
influence function: the contribution of every question to its error. The variance is the sum of their squares; for a difference of
two runs, of the squared differences (the delta method; van der Vaart, Asymptotic Statistics, 1998, ch. 3). Pulls are summed by
cluster before squaring.

Intervals are over questions of this kind. Human labels: mid-p for verdicts of 0 and 1, else Student's. PPI++: normal with
enough labels, else Student's. Rogan-Gladen: Lang and Reiczigel's. Differences of human labels and Rogan-Gladen: MOVER with the
correlation of the two runs (Zou and Donner 2008; for labels on the same questions Newcombe's tenth method, 1998); of PPI++:
Student's.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from math import hypot, sqrt

import numpy as np

from assay.resampling.arithmetic import Floats
from assay.stats.labelled_verdicts import Form, Labelled
from assay.stats.proportions import mid_p


@dataclass(frozen=True)
class Estimate:
    """A value with its interval, which may lie outside of [0, 1], and its pulls by question, or by cluster of questions."""

    value: float
    low: float
    high: float
    pulls: Floats
    weight: float | None = None
    """λ of PPI++."""


FEW = 25
"""With fewer labels of either verdict the normal interval of PPI++ covers too rarely."""
SCARCE = 0.25
"""With a smaller share of one verdict the normal interval is skewed, for any number of labels."""
APART = 10
"""With fewer labels that differ between two runs the interval of their difference is too short."""


def normal_point(confidence: float) -> float:
    """Return the half-width of a normal interval in standard errors.

    >>> round(normal_point(0.95), 3)
    1.96
    """
    from scipy.special import ndtri

    return float(ndtri((1 + confidence) / 2))


def human_alone(run: Labelled, confidence: float) -> Estimate | None:
    """Estimate p by people's labels alone; None of fewer than 2 labels, or of labels in a single cluster.

    The mid-p interval for verdicts of 0 and 1, with the design effect of clusters; else Student's. If most scores are equal,
    Student's interval adds two labels, one at either end of the range.

    >>> estimate = human_alone(Labelled.of([1, 1, 0, 1, 0], [1, 1, 0, 0, None]), 0.95)
    >>> round(estimate.value, 4), round(estimate.low, 4), round(estimate.high, 4)  # mid-p, 2 of 4
    (0.5, 0.0943, 0.9057)
    """
    if run.count_units(run.labelled) < 2:
        return None
    value, half, pulls = _mean_of_labels(run, confidence)
    if run.binary:
        labels = run.human[run.labelled]
        right, tails = int(labels.sum()), np.array([(1 - confidence) / 2, (1 + confidence) / 2])
        worth = run.worth(run.centred(labels, run.labelled), min(right, len(labels) - right), confidence)
        low, high = mid_p(worth * right, worth * (len(labels) - right), tails).tolist()
        return Estimate(value, low, high, pulls)
    if not is_few(run):
        return Estimate(value, value - half, value + half, pulls)
    low, high = _range(run)
    middle, half, _ = _mean_of_labels(_with_two(run, (low, high), (low, high)), confidence)
    return Estimate(value, min(middle - half, value), max(middle + half, value), pulls)


def _mean_of_labels(run: Labelled, confidence: float) -> tuple[float, float, Floats]:
    """Return the mean label, the half-width of Student's interval, and the pulls by unit."""
    from scipy.special import stdtrit

    labels = run.human[run.labelled]
    pulls = run.by_unit(run.centred(labels, run.labelled))
    point = float(stdtrit(run.count_units(run.labelled) - 1, (1 + confidence) / 2))
    return float(labels.mean()), point * sqrt((pulls**2).sum()), pulls


def prediction_powered(run: Labelled, confidence: float) -> Estimate | None:
    """Estimate p by PPI++; None of fewer than 2 questions (or clusters) with labels, or without.

    The interval is normal with enough labels. With fewer than `FEW` labels of either verdict, or a share below `SCARCE`, it is
    Student's, with a degree of freedom less for λ, after adding two labels, one for each kind of disagreement of people and
    judge. Scores between 0 and 1, and clusters, also use Student's; they add the two labels only if most scores are equal.

    >>> estimate = prediction_powered(Labelled.of([1, 1, 0, 0, 1, 1, 0, 1], [1, 0, 0, 0, None, None, None, None]), 0.95)
    >>> round(estimate.weight, 4), round(estimate.value, 4)  # λ = .125/(2 · 15/56), p = λ · .75 + (.25 - λ · .5)
    (0.2333, 0.3083)
    """
    if _too_few_units(run):
        return None
    few = is_few(run)
    normal = run.binary and not few and run.clusters is None
    point = normal_point(confidence) if normal else _student_point_of(run, confidence)
    estimate = _at(run, _tuned_alone(run), point)
    if not few:
        return estimate
    low, high = _range(run)
    more = _with_two(run, (low, high), (high, low))
    wider = _at(more, _tuned_alone(more), point)
    return replace(estimate, low=min(wider.low, estimate.value), high=max(wider.high, estimate.value))


def _too_few_units(run: Labelled) -> bool:
    return min(run.count_units(run.labelled), run.count_units(run.others)) < 2


def _tuned_alone(run: Labelled) -> float:
    return tuned([(run, 1.0, np.zeros(len(run.judge)))])


def _range(run: Labelled) -> tuple[float, float]:
    """Return the least and the largest possible score: 0 and 1, or beyond these what the judge and people gave."""
    scores = np.concatenate([run.judge[run.answered], run.human[run.labelled]])
    return min(0.0, float(scores.min())), max(1.0, float(scores.max()))


def _with_two(
    run: Labelled, judge: tuple[float, float], human: tuple[float, float], worth: float | None = None
) -> Labelled:
    """Add two labelled questions; in clusters, two clusters of as many questions as are worth one label."""
    copies = 1 if run.clusters is None else max(round(1 / (run.label_worth if worth is None else worth)), 1)
    clusters = None
    if run.clusters is not None:
        next_cluster = int(run.clusters.max()) + 1
        clusters = np.concatenate([run.clusters, np.repeat([next_cluster, next_cluster + 1], copies)])
    return Labelled(
        np.concatenate([run.judge, np.repeat(judge, copies)]),
        np.concatenate([run.human, np.repeat(human, copies)]),
        np.concatenate([run.unanswered, np.zeros(2 * copies, bool)]),
        clusters,
    )


def is_few(run: Labelled) -> bool:
    """Return whether too few labels say right or wrong, or differ from the most frequent score, for an interval without more."""
    labels = run.human[run.labelled]
    if not len(labels):
        return True
    if run.binary:
        rarer = min((labels == 1).sum(), (labels == 0).sum())
    else:
        rarer = len(labels) - np.unique(labels, return_counts=True)[1].max()
        if 2 * rarer >= len(labels):
            return False
    return bool(rarer * run.label_worth < max(FEW, SCARCE * len(labels) * run.label_worth))


def _at(run: Labelled, weight: float, point: float) -> Estimate:
    """Return PPI++ with a given λ, and an interval of `point` standard errors to either side."""
    here, others = run.labelled, run.others
    rest = run.human[here] - weight * run.judge[here]
    value = float(weight * run.judge[others].mean() + rest.mean())
    pulls = run.by_unit(run.centred(rest, here) + run.centred(weight * run.judge[others], others))
    half = point * sqrt((pulls**2).sum())
    return Estimate(value, value - half, value + half, pulls, weight)


def _student_point_of(run: Labelled, confidence: float) -> float:
    return student_point(run.count_units(run.labelled), confidence)


def student_point(labels: int, confidence: float) -> float:
    """Return Student's point with n - 2 degrees of freedom: one is spent on the mean and one on λ.

    >>> round(student_point(12, 0.95), 3)
    2.228
    """
    from scipy.special import stdtrit

    return float(stdtrit(max(labels - 2, 1), (1 + confidence) / 2))


def tuned(runs: list[tuple[Labelled, float, Floats]]) -> float:
    """Return the λ from 0 to 1 that minimises the variance of Σ factor · PPI++(run, λ); each run has a factor and other pulls.

    The error of the sum is A + λB. A depends on labelled questions; B, on the judge's verdicts, has weights -1/n for labelled
    and 1/N for other questions, with variances over all of them. λ = -cov(A, B)/var(B), which for one run is cov(human, judge)
    /((1 + n/N) var(judge)) (Angelopoulos, Duchi and Zrnic 2023, example 6.1). For scores between 0 and 1 the variance is over
    labelled questions only: a covariance of few over a variance of many covered 93 to 94 times of 100.
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
    for i, (first, _, _) in enumerate(runs):
        for k, (second, _, _) in enumerate(runs):
            spread += _covariance(first, second) * float(weights[i] @ weights[k])
    if spread <= 1e-15:
        return 0.0
    return float(np.clip(-float((known * swung).sum()) / spread, 0, 1))


def _covariance(a: Labelled, b: Labelled) -> float:
    """Return the covariance of the judge's verdicts on two runs."""
    few = not (a.binary and b.binary) and bool((a.labelled == b.labelled).all())
    where = a.labelled if few else a.answered & b.answered
    many = int(where.sum())
    if many < 2:
        return 0.0
    mine, theirs = a.judge[where], b.judge[where]
    return float((mine - mine.mean()) @ (theirs - theirs.mean())) / (many if few else many - 1)


def of_measure(run: Labelled, estimate: Estimate, form: Form, confidence: float) -> Estimate:
    """Turn an estimate of p into one of a measure; the share u of unanswered questions varies too.

    The ends combine the distances of p's ends and of z standard errors of u: √((factor · (p - low))² + (z p slope s_u)²).
    """
    point = normal_point(confidence) if run.clusters is None else _student_point_of(run, confidence)
    return _measured(run, estimate, form, point)


def _measured(run: Labelled, estimate: Estimate, form: Form, point: float) -> Estimate:
    factor = form.factor(run.share)
    shares = run.by_unit(_of_unanswered(run, estimate.value, form))
    of_shares = point * sqrt((shares**2).sum())
    value = factor * estimate.value
    low, high = (hypot(factor * (estimate.value - end), of_shares) for end in (estimate.low, estimate.high))
    return Estimate(value, value - low, value + high, factor * estimate.pulls + shares, estimate.weight)


def _of_unanswered(run: Labelled, p: float, form: Form) -> Floats:
    """Return what every question adds to the error of a measure by being answered or not."""
    asked = run.answered | run.unanswered
    slope = p * form.slope(run.share)
    return slope * run.centred(run.unanswered[asked].astype(np.float64), asked)


def difference(a: Estimate, b: Estimate) -> Estimate:
    """Return the difference of two estimates on the same questions, with MOVER's interval.

    >>> pulls = np.zeros(0)
    >>> estimate = difference(Estimate(0.7, 0.6, 0.8, pulls), Estimate(0.5, 0.4, 0.6, pulls))
    >>> round(estimate.value, 4), round(estimate.low, 4), round(estimate.high, 4)  # independent: .2 ± .1 · √2
    (0.2, 0.0586, 0.3414)
    """
    sizes = sqrt((a.pulls**2).sum() * (b.pulls**2).sum())
    alike = float((a.pulls * b.pulls).sum()) / sizes if sizes > 0 else 0.0
    value = a.value - b.value

    def distance(x: float, y: float) -> float:
        return sqrt(max(x * x + y * y - 2 * alike * x * y, 0.0))

    low = distance(a.value - a.low, b.high - b.value)
    high = distance(a.high - a.value, b.value - b.low)
    return Estimate(value, value - low, value + high, a.pulls - b.pulls)


def powered_difference(a: Labelled, b: Labelled, form: Form, confidence: float) -> Estimate | None:
    """Estimate the difference of a measure between two runs by PPI++, with one λ for both, tuned for the difference.

    For labels on the same questions this is PPI++ of the mean paired difference. The interval is Student's. If fewer than
    `APART` labels differ between the runs, it adds two questions, on which people prefer one run each and the judge neither (as
    Bonett and Price do with labels alone, 2012).
    """
    if _too_few_units(a) or _too_few_units(b):
        return None
    point = max(_student_point_of(run, confidence) for run in (a, b))
    estimate = _difference_at(a, b, form, point)
    if not are_alike(a, b):
        return estimate
    worth = min(a.label_worth, b.label_worth)
    preferred, other = _with_two(a, (1.0, 0.0), (1.0, 0.0), worth), _with_two(b, (1.0, 0.0), (0.0, 1.0), worth)
    wider = _difference_at(preferred, other, form, point)
    return replace(estimate, low=min(wider.low, estimate.value), high=max(wider.high, estimate.value))


def are_alike(a: Labelled, b: Labelled) -> bool:
    """Return whether too few labels tell two runs of verdicts of 0 and 1 apart: people differ on them, or only one run has them."""
    if not (a.binary and b.binary):
        return False
    either = a.labelled | b.labelled
    return bool((a.human[either] != b.human[either]).sum() * min(a.label_worth, b.label_worth) < APART)


def _difference_at(a: Labelled, b: Labelled, form: Form, point: float) -> Estimate:
    parts: list[tuple[Labelled, float, Floats]] = []
    for sign, run in ((1.0, a), (-1.0, b)):
        alone = _at(run, _tuned_alone(run), point)
        parts.append((run, sign * form.factor(run.share), sign * _of_unanswered(run, alone.value, form)))
    weight = tuned(parts)
    first, second = (_measured(run, _at(run, weight, point), form, point) for run, _, _ in parts)
    pulls, value = first.pulls - second.pulls, first.value - second.value
    half = point * sqrt((pulls**2).sum())
    return Estimate(value, value - half, value + half, pulls, weight)
