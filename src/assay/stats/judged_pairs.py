"""Differences of runs that a machine judged, corrected by people's labels of some questions: all pairs at once.

Each run's value is PPI++ with one λ for the whole family (`stats/prediction_powered.py` has one run, or one pair, by itself):

    p = λ · mean(judge, unlabelled) + mean(human - λ · judge, labelled),    value = factor(u) · p

λ minimises the estimated variances of all differences, summed over the pairs. A λ for each pair would follow each pair's own noise:
among 45 pairs some then seem certain by luck.

The null distribution flips the sign of each *unit* (a question, or a cluster of questions): what the unit adds to the error of every
run's value, labelled and unlabelled questions together. A question adds its deviation from the mean of its part, over the part's size.
Under every flip both parts are centred again and the error of each difference is computed anew, so that few labels give the heavy tails
that they should. The largest |t| over all pairs under a flip corrects for the number of pairs (max-T).

Three guards, for what labels too few cannot show:

    unseen errors   where the judge errs about the difference of two runs on few labels, one label more on which it errs enters the
                    error of the difference, not that of flips: none of 15 labels may show a judge that is wrong about one question in ten
    few units       with fewer than `SMALL_UNITS` labelled units, the median of all pairs' variances is added to each
                    (`resampling/sign_flips.py` says why)
    no spread       runs that never differ get the rule-of-three bound
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from math import floor
from typing import Any

import numpy as np

from assay.core import resample as kernels
from assay.resampling.arithmetic import Floats, Integers, added_reals
from assay.resampling.resamplers import AT_ONCE, slices
from assay.resampling.sign_flips import CLOSE, SMALL_UNITS
from assay.stats.labelled_verdicts import Flags, Form
from assay.stats.prediction_powered import student_point

PURPOSE = "judged pairs"
MIN_UNITS = 6
"""Labelled questions (or clusters) that a comparison needs: two of the 2^5 flips of five are a p above .05."""
FEW = 10
"""With fewer labels on which the judge errs about two runs the error of their difference is too small."""
ROUND = 512
"""Flips at once."""


@dataclass(frozen=True)
class JudgedRuns:
    """Runs on the same questions, judged by a machine on all and by people on some: questions × runs.

    A question's score is the sum of its verdicts over the number of its samples, so that an unanswered sample counts 0.
    """

    judge: Floats
    """NaN where a run was not asked."""
    human: Floats
    """NaN without a label."""
    checked: Floats
    """The judge's score on the samples that people labelled; as `judge` where people labelled all, or there is one."""
    answered: Floats
    """The share of the samples that were answered; NaN where a run was not asked."""
    form: Form
    clusters: Integers | None = None
    """The number of each question's cluster, counted from 0; None where questions are independent."""
    strata: Integers | None = None
    """The number of each question's stratum, counted from 0, where labels are a random sample of each only; None of one for all."""

    @cached_property
    def within(self) -> list[Any]:
        """Per stratum, which questions are in it, as a column."""
        if self.strata is None:
            return [np.ones((len(self.judge), 1), dtype=bool)]
        return [(self.strata == stratum)[:, None] for stratum in range(int(self.strata.max()) + 1)]

    @cached_property
    def weights(self) -> list[Floats]:
        """Per stratum, its share of every run's answers."""
        return [(self.share * inside).sum(axis=0) / _positive(self.share.sum(axis=0)) for inside in self.within]

    @cached_property
    def asked(self) -> Flags:
        return np.isfinite(self.judge) & np.isfinite(self.answered)

    @cached_property
    def share(self) -> Floats:
        """Per run and question, the share answered; 0 where a run was not asked."""
        return np.where(self.asked, self.answered, 0.0)

    @cached_property
    def labelled(self) -> Flags:
        """Answered, with a label."""
        return np.isfinite(self.human) & (self.share > 0)

    @cached_property
    def others(self) -> Flags:
        """Answered, without a label."""
        return ~np.isfinite(self.human) & (self.share > 0)

    @cached_property
    def unanswered(self) -> Floats:
        """u of every run."""
        return 1 - self.share.sum(axis=0) / self.asked.sum(axis=0)

    def count_units(self, where: Flags) -> Integers:
        """Return, for each run, on how many questions, or clusters of them, something holds."""
        return where.sum(axis=0) if self.clusters is None else (self.by_unit(where.astype(np.float64)) > 0).sum(axis=0)

    def by_unit(self, columns: Floats) -> Floats:
        """Return sums over the questions of each cluster; the columns where questions are independent."""
        if self.clusters is None:
            return columns
        sums = np.zeros((int(self.clusters.max()) + 1, columns.shape[1]))
        np.add.at(sums, self.clusters, columns)
        return sums


@dataclass(frozen=True)
class _Part:
    """What questions of one part (labelled, unlabelled, all asked) add to the errors of the runs: units × runs."""

    pulls: Floats
    shares: Floats
    """Each unit's share of the part: what it adds to the part's mean per unit of the mean."""
    scale: Floats
    """√(n/(n - 1)) of each run's n units."""


class JudgedPairs:
    """The statistics of pairs of judged runs: pair i compares run a[i] with run b[i].

    alpha       the family-wise error rate
    span        the largest score less the smallest: by how much a judge can err about a question
    weight      λ, in place of the tuned one
    """

    def __init__(
        self, runs: JudgedRuns, a: Integers, b: Integers, *, alpha: float = 0.05, resamples: int = 10_000, seed: int = 0,
        threads: int | None = None, span: float = 1.0, weight: float | None = None,
    ) -> None:  # fmt: skip
        self.runs, self.a, self.b, self.alpha, self.span = runs, a, b, alpha, span
        self.resamples, self.seed, self.threads = resamples, seed, threads
        self.weight = self._tuned() if weight is None else weight

    # Values

    def _tuned(self) -> float:
        """Return the λ from 0 to 1 that minimises the sum over pairs of the variances of their differences.

        The error of a difference is A + λB, with A from people's labels and B from the judge's verdicts; λ = -ΣAB/ΣB².
        """
        runs = self.runs
        human = _deviations(runs, np.nan_to_num(runs.human), runs.labelled)
        judge = _deviations(runs, runs.judge, runs.others) - _deviations(runs, runs.checked, runs.labelled)
        human, judge = human * self._factors, judge * self._factors
        squares = self._sum_of_products(judge, judge)
        return float(np.clip(-self._sum_of_products(human, judge) / squares, 0.0, 1.0)) if squares > 1e-15 else 0.0

    def _sum_of_products(self, x: Floats, y: Floats) -> float:
        """Return Σ over pairs and questions of (x_a - x_b)(y_a - y_b)."""
        product = x.T @ y
        squares = np.diag(product)
        a, b = self.a, self.b
        return float((squares[a] + squares[b] - product[a, b] - product[b, a]).sum())

    @cached_property
    def p(self) -> Floats:
        """PPI++ of the mean verdict of every run."""
        return np.sum([weight * p for weight, p in zip(self.runs.weights, self._p_within, strict=True)], axis=0)

    @cached_property
    def _p_within(self) -> list[Floats]:
        """The same of each stratum."""
        runs = self.runs
        return [
            self.weight * _mean(runs.judge, runs.share, runs.others & inside)
            + _mean(runs.human - self.weight * runs.checked, runs.share, runs.labelled & inside)
            for inside in runs.within
        ]

    @cached_property
    def values(self) -> Floats:
        """The measure of every run as people would give it."""
        return self.p * self._factors

    @cached_property
    def differences(self) -> Floats:
        return self.values[self.a] - self.values[self.b]

    # Errors

    @cached_property
    def _parts(self) -> list[_Part]:
        runs = self.runs
        factors, slopes = self._factors, np.array([runs.form.slope(u) for u in runs.unanswered.tolist()])
        rest = factors * _deviations(
            runs, np.nan_to_num(runs.human) - self.weight * np.nan_to_num(runs.checked), runs.labelled
        )
        judge = factors * self.weight * _deviations(runs, runs.judge, runs.others)
        parts: list[_Part] = []
        for inside in runs.within:
            for pulls, where in ((rest, runs.labelled & inside), (judge, runs.others & inside)):
                parts.append(self._part(np.where(where, pulls, 0.0), where))
        # The shares of unanswered questions, and of strata, vary too.
        left = self.p * slopes * (1 - runs.share - runs.unanswered) / runs.asked.sum(axis=0)
        for inside, p in zip(runs.within, self._p_within, strict=True):
            left = left + inside * factors * (p - self.p) * runs.share / _positive(runs.share.sum(axis=0))
        if runs.unanswered.any() or len(runs.within) > 1:
            parts.append(self._part(np.where(runs.asked, left, 0.0), runs.asked, np.ones_like(runs.share)))
        return parts

    def _part(self, pulls: Floats, where: Flags, share: Floats | None = None) -> _Part:
        runs = self.runs
        units = runs.count_units(where)
        weights = np.where(where, runs.share if share is None else share, 0.0)
        scale = np.sqrt(units / np.maximum(units - 1, 1))
        return _Part(runs.by_unit(pulls), runs.by_unit(weights / _positive(weights.sum(axis=0))), scale)

    @cached_property
    def _pulls(self) -> Floats:
        """What every unit adds to the error of every run, scaled as variances are."""
        return np.sum([part.pulls * part.scale for part in self._parts], axis=0)

    @cached_property
    def variances(self) -> Floats:
        """The variance of each difference."""
        variances = np.empty(len(self.a))
        for here in slices(len(self.a), len(self._pulls)):
            variances[here] = ((self._pulls[:, self.a[here]] - self._pulls[:, self.b[here]]) ** 2).sum(axis=0)
        return variances

    @cached_property
    def labelled_units(self) -> int:
        """The labelled questions, or clusters of them, of the run that has fewest."""
        return int(self.runs.count_units(self.runs.labelled).min())

    @cached_property
    def constant(self) -> float:
        """The variance added to that of every pair of a family with few labelled units."""
        several = len(self.a) > 1 and self.labelled_units < SMALL_UNITS
        return float(np.median(self.variances)) if several else 0.0

    @cached_property
    def errors(self) -> Floats:
        """The standard error of each difference, with what labels too few cannot show."""
        return np.sqrt(self._spent * self.variances + self._unseen + self.constant)

    @property
    def _spent(self) -> float:
        """By what a variance grows for λ, unless it is 0: n labelled units lose a degree of freedom, and λ has an error of its own.

        (n - 1)/(n - 2) · (1 + 1/(n - 3)) is that of a regression estimate (Cochran, Sampling Techniques, 1977, chapter 7).
        """
        units = self.labelled_units - len(self.runs.within) + 1
        return (units - 1) / (units - 3) if self.weight and units > 3 else 1.0

    @cached_property
    def _errors_of_judge(self) -> Floats:
        """People's scores less the judge's: labelled questions × runs, 0 where a run has no label."""
        runs = self.runs
        return np.where(runs.labelled, np.nan_to_num(runs.human - runs.checked), 0.0)[self._rows]

    @cached_property
    def _labelled_pulls(self) -> Floats:
        """What each labelled question adds to the errors of the runs: labelled questions × runs."""
        runs = self.runs
        rest = np.nan_to_num(runs.human) - self.weight * np.nan_to_num(runs.checked)
        return _deviations(runs, rest, runs.labelled)[self._rows]

    @cached_property
    def _label_weights(self) -> Floats:
        """The largest weight that a label of each run has in its mean: 1/n, but for strata with few labels."""
        runs = self.runs
        of_strata = [
            weight / _positive((runs.labelled & inside).sum(axis=0))
            for weight, inside in zip(runs.weights, runs.within, strict=True)
        ]
        return np.max(of_strata, axis=0)

    @cached_property
    def _rows(self) -> Any:
        """Questions that are labelled for some run."""
        return self.runs.labelled.any(axis=1)

    @cached_property
    def _unseen(self) -> Floats:
        """The variance that one more label adds on which the judge errs about the difference."""
        unseen, labels = np.empty(len(self.a)), self.runs.labelled.sum(axis=0)
        for here in slices(len(self.a), max(len(self._labelled_pulls), 1)):
            a, b = self.a[here], self.b[here]
            unseen[here] = self._one_more_label(
                self._errors_of_judge[:, a] - self._errors_of_judge[:, b],
                self._labelled_pulls[:, a] - self._labelled_pulls[:, b],
                np.minimum(labels[a], labels[b]),
                np.maximum((self._factors * self._label_weights)[a], (self._factors * self._label_weights)[b]),
            )
        return unseen

    def _one_more_label(self, errors: Floats, pulls: Floats, labels: Integers, weights: Floats) -> Floats:
        """Return, by column, the variance that one more label adds on which the judge errs, where it errs on few labels.

        Few are fewer than `FEW`, and less than half: errors of scores such as AP, of which no two are equal, are all seen. In clusters
        a label is worth less, by the design effect.
        """
        effects = np.ones(len(labels))
        if self.runs.clusters is not None:
            clusters = np.unique(self.runs.clusters[self._rows], return_inverse=True)[1]
            sums = np.zeros((int(clusters.max()) + 1, pulls.shape[1]))
            np.add.at(sums, clusters, pulls)
            together, single = (sums**2).sum(axis=0), (pulls**2).sum(axis=0)
            effects = np.maximum(np.divide(together, single, out=effects.copy(), where=single > 0), 1.0)
        wrong = (np.abs(errors) > CLOSE).sum(axis=0)
        few = (wrong / effects < FEW) & (2 * wrong < labels)
        return np.where(few, (self.span * weights * effects) ** 2, 0.0)

    @cached_property
    def _factors(self) -> Floats:
        return np.array([self.runs.form.factor(u) for u in self.runs.unanswered.tolist()])

    @property
    def widened(self) -> Any:
        """Per pair: whether the judge errs on so few labels that the error has one more."""
        return np.greater(self._unseen, 0)

    def judge_gaps(self) -> tuple[Floats, Floats, Floats]:
        """Return, for each run, the judge's mean on labelled and on other questions, and the p-value of their difference.

        Within strata, if there are any: labels that are a random sample leave no gap.
        """
        from scipy.special import stdtr

        runs = self.runs
        here, others = (
            np.sum(
                [
                    w * _mean(runs.judge, runs.share, where & inside)
                    for w, inside in zip(runs.weights, runs.within, strict=True)
                ],
                axis=0,
            )
            for where in (runs.labelled, runs.others)
        )
        pulls = runs.by_unit(_deviations(runs, runs.judge, runs.labelled) - _deviations(runs, runs.judge, runs.others))
        errors = np.sqrt((pulls**2).sum(axis=0))
        z = np.divide(np.abs(here - others), errors, out=np.zeros(len(errors)), where=errors > 0)
        return here, others, 2 * stdtr(np.maximum(runs.count_units(runs.labelled) - 1, 1), -z)

    def run_ends(self, confidence: float) -> tuple[Floats, Floats]:
        """Return each run's own interval, by Student's t."""
        runs = self.runs
        labels = runs.labelled.sum(axis=0)
        weights = self._factors * self._label_weights
        unseen = self._one_more_label(self._errors_of_judge, self._labelled_pulls, labels, weights)
        points = np.array([student_point(units, confidence) for units in runs.count_units(runs.labelled).tolist()])
        half = points * np.sqrt((self._pulls**2).sum(axis=0) + unseen)
        return self.values - half, self.values + half

    # Flips

    def flip_sums(self, columns: Floats, first: int, trials: int) -> Floats:
        """Return the sums of the columns over units, whose signs are random: trials × columns."""
        halves = added_reals(
            kernels.half_sums,
            columns,
            trials=trials,
            seed=self.seed,
            purpose=PURPOSE,
            first=first,
            threads=self.threads,
        )
        return columns.sum(axis=0) - 2 * halves

    @cached_property
    def _alike(self) -> bool:
        """Whether all runs have the same questions labelled, answered and asked."""
        return all(bool((part.shares == part.shares[:, :1]).all()) for part in self._parts)

    @cached_property
    def _even(self) -> bool:
        """Whether all questions of a part have the same share of it, in all runs, and are in no other part and no cluster."""
        shares = [part.shares[part.shares > 0] for part in self._parts]
        alike = self._alike and all(not len(of) or bool((of == of[0]).all()) for of in shares)
        return alike and self.runs.clusters is None and len(shares) == 2

    def _rounds(self) -> Iterator[tuple[slice, Floats]]:
        """Yield t² of a slice of the pairs under some flips, flips × pairs; every flip is yielded for each slice."""
        runs, parts = self.runs.judge.shape[1], self._parts
        pulls = np.hstack([part.pulls for part in parts])
        shares = [part.shares[:, :1] if self._alike else part.shares for part in parts]
        scales = [part.scale[:1] if self._alike else part.scale for part in parts]
        # Pulls times the shares by which a part is centred again: of every run with every run's shares, unless all have the same.
        hats = [share[:, :, None] * scale[:, None] for share, scale in zip(shares, scales, strict=True)]
        crossed = np.hstack([(hat * self._pulls[:, None, :]).reshape(len(pulls), -1) for hat in hats])
        grams = _grams(np.concatenate([hat[:, :, 0] for hat in hats], axis=1))
        columns = pulls if self._even else np.hstack([pulls, crossed])
        wide = 1 if self._alike else runs
        at_once = max(16, min(ROUND, AT_ONCE * 4 // max(columns.shape[1], 1)))
        for first in range(0, self.resamples, at_once):
            trials = min(at_once, self.resamples - first)
            sums = self.flip_sums(columns, first, trials)
            moved = sums[:, : pulls.shape[1]].reshape(trials, len(parts), runs)
            crosses = None if self._even else sums[:, pulls.shape[1] :].reshape(trials, len(parts), wide, runs)
            for here in slices(len(self.a), trials * 2 * len(parts)):
                yield here, self._squares(here, moved, crosses, grams)

    def _squares(self, here: slice, moved: Floats, crosses: Floats | None, grams: Floats) -> Floats:
        """Return t² of some pairs under some flips: the error is that of pulls that are centred again within each part.

        With s a flip, ψ the pulls and h a part's shares, the flipped and centred pulls of a difference are sψ - Σ h Σsψ over the parts.
        Their squares follow from `moved`, Σsψ by part and run, and `crosses`, Σsψh. Without clusters, and where all questions of a part
        weigh the same, Σ(sψ - hΣsψ)² is Σψ² - Σh²(Σsψ)², and no crosses are needed.
        """
        a, b = self.a[here], self.b[here]
        parts = moved.shape[1]
        shifts = moved[:, :, a] - moved[:, :, b]
        numerators = shifts.sum(axis=1)
        if crosses is None:
            shifts *= shifts
            shifts *= np.diag(grams)[:, None]
            variances = self.variances[here] - shifts.sum(axis=1)
        elif self._alike:
            variances = self.variances[here] + np.zeros_like(numerators)
            for i in range(parts):
                variances -= 2 * shifts[:, i] * (crosses[:, i, 0, :][:, a] - crosses[:, i, 0, :][:, b])
                for k in range(parts):
                    variances += shifts[:, i] * shifts[:, k] * grams[i, k]
        else:
            variances = self.variances[here] + np.zeros_like(numerators)
            runs = moved.shape[2]
            sides = [(sign, run, i) for sign, run in ((1, a), (-1, b)) for i in range(parts)]
            for sign, run, i in sides:
                shift = sign * moved[:, i, run]
                variances -= 2 * shift * (crosses[:, i, run, a] - crosses[:, i, run, b])
                for other_sign, other, k in sides:
                    variances += shift * other_sign * moved[:, k, other] * grams[i * runs + run, k * runs + other]
        np.maximum(variances, 1e-12 * self.variances[here], out=variances)
        variances += self.constant
        numerators *= numerators
        return np.divide(numerators, variances, out=np.zeros_like(numerators), where=variances > 0)

    @cached_property
    def _observed(self) -> Floats:
        """t² of each difference."""
        squares = self.errors**2
        return np.divide(self.differences**2, squares, out=np.zeros(len(self.a)), where=squares > 0)

    @cached_property
    def _flipped(self) -> tuple[Integers, Floats]:
        """How many flips reach each pair's t², and the largest t² of any pair under each flip."""
        reached, largest = np.zeros(len(self.a), dtype=np.int64), []
        bounds = self._observed * (1 - CLOSE)
        for here, squares in self._rounds():
            reached[here] += (squares >= bounds[here]).sum(axis=0)
            high = squares.max(axis=1)
            if here.start == 0:
                largest.append(high)
            else:
                np.maximum(largest[-1], high, out=largest[-1])
        return reached, np.concatenate(largest)

    @cached_property
    def own_p(self) -> Floats:
        """The p-value of each pair by itself."""
        return (self._flipped[0] + 1) / (self.resamples + 1)

    @cached_property
    def adjusted_p(self) -> Floats:
        """The p-value of each pair over all pairs."""
        largest = np.sort(self._flipped[1])
        reached = len(largest) - np.searchsorted(largest, self._observed * (1 - CLOSE), side="left")
        return np.maximum((reached + 1) / (self.resamples + 1), self.own_p)

    @cached_property
    def significant(self) -> Flags:
        return self.adjusted_p <= self.alpha

    @cached_property
    def critical(self) -> float:
        """What |t| must exceed to be significant."""
        largest = self._flipped[1]
        place = min(max(floor(self.alpha * (self.resamples + 1) + CLOSE), 1), len(largest))
        return float(np.sqrt(np.partition(largest, len(largest) - place)[len(largest) - place]))

    @cached_property
    def ends(self) -> tuple[Floats, Floats]:
        """The simultaneous intervals of the differences, which exclude 0 exactly where a pair is significant."""
        half = self.critical * self.errors
        never = self.span * (1 - (self.alpha / 2) ** (1 / self.labelled_units))
        half = np.where(half == 0, never, half)
        low, high = self.differences - half, self.differences + half
        # Rounding apart, these are no-ops.
        edge = np.abs(self.differences) * CLOSE
        low = np.where(self.significant & (self.differences > 0), np.maximum(low, edge), low)
        high = np.where(self.significant & (self.differences < 0), np.minimum(high, -edge), high)
        return (
            np.where(self.significant, low, np.minimum(low, 0.0)),
            np.where(self.significant, high, np.maximum(high, 0.0)),
        )


def _deviations(runs: JudgedRuns, scores: Floats, where: Flags) -> Floats:
    """Return what every question adds to the error of a part's mean verdict: (score - mean · share answered)/Σ share, by stratum."""
    deviations = np.zeros(scores.shape)
    for inside, weight in zip(runs.within, runs.weights, strict=True):
        here = where & inside
        total = _positive(np.where(here, runs.share, 0.0).sum(axis=0))
        mean = _mean(scores, runs.share, here)
        deviations += weight * np.where(here, (scores - mean * runs.share) / total, 0.0)
    return deviations


def _mean(scores: Floats, share: Floats, where: Flags) -> Floats:
    """Return the mean verdict of some questions of every run; 0 of none."""
    return np.where(where, scores, 0.0).sum(axis=0) / _positive(np.where(where, share, 0.0).sum(axis=0))


def _positive(totals: Floats) -> Floats:
    """Return divisors, 1 in place of 0."""
    return np.where(totals > 0, totals, 1.0)


def _grams(shares: Floats) -> Floats:
    return shares.T @ shares
