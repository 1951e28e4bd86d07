"""The Rogan-Gladen correction of a judge's rate q, by its sensitivity and specificity.

    p = (q + specificity - 1)/(sensitivity + specificity - 1)

(Rogan and Gladen, Estimating prevalence from the results of a screening test, American Journal of Epidemiology 107, 1978).
Sensitivity and specificity are estimated on the labelled questions.
"""

from __future__ import annotations

from math import sqrt

import numpy as np

from assay.stats.labelled_verdicts import Labelled, agreement_of
from assay.stats.prediction_powered import Estimate, normal_point


def rogan_gladen(run: Labelled, confidence: float) -> Estimate | str:
    """Estimate p by Rogan and Gladen with Lang and Reiczigel's interval, or return why there is no estimate.

    q includes the labelled questions, so the variance of Lang and Reiczigel, for separate samples, is reduced by the shared
    part. In clusters every count is multiplied by the worth of a question. If the judge may be no better than chance, the interval
    is [0, 1].

    >>> run = Labelled.of([1] * 4 + [0] + [0] * 4 + [1] + [1] * 6 + [0] * 4, [1] * 5 + [0] * 5 + [None] * 10)
    >>> round(rogan_gladen(run, 0.95).value, 4)  # q = 11/20, both .8: (.55 - .2)/.6
    0.5833
    """
    if not run.binary:
        return "verdicts are not all 0 or 1"
    here = run.labelled
    judge, human = run.judge[here], run.human[here]
    right, wrong = int((human == 1).sum()), int((human == 0).sum())
    agreement = agreement_of(judge, human) if len(human) else None
    if agreement is None or agreement.sensitivity is None or agreement.specificity is None:
        return f"no label says {'right' if not right else 'wrong'}"
    se, sp = agreement.sensitivity, agreement.specificity
    youden = se + sp - 1
    if youden <= 0:
        return f"sensitivity + specificity - 1 = {youden:.3f} is not above 0: the judge is no better than chance"
    verdicts = run.judge[run.answered]
    q = float(verdicts.mean())
    value = (q + sp - 1) / youden
    pulls = np.zeros(len(run.judge))
    pulls[run.answered] += (verdicts - q) / len(verdicts) / youden
    pulls[here] -= np.clip(value, 0, 1) * human * (judge - se) / right / youden
    pulls[here] -= (1 - np.clip(value, 0, 1)) * (1 - human) * (judge - (1 - sp)) / wrong / youden
    worth = run.worth(pulls, min(right, wrong), confidence)
    low, high = limits(q, worth * len(verdicts), se, worth * right, sp, worth * wrong, confidence, shared=True)
    return Estimate(value, min(low, value), max(high, value), run.by_unit(pulls))


def limits(
    q: float, questions: float, se: float, right: float, sp: float, wrong: float, confidence: float, *, shared: bool
) -> tuple[float, float]:
    """Return Lang and Reiczigel's interval (Preventive Veterinary Medicine 113, 2014, eq. 14 to 17), not clipped to [0, 1].

    The judge calls a share q of the questions right, and agrees on a share se of `right` labels and sp of `wrong` ones.
    `shared`: the labelled questions are among the questions. (0, 1) if sensitivity + specificity - 1 may be 0.

    >>> low, high = limits(0.25, 100, 0.9, 50, 0.8, 50, 0.95, shared=False)
    >>> round(low, 4), round(high, 4)
    (-0.149, 0.2472)
    """
    z = normal_point(confidence)
    q_, n = (questions * q + z * z / 2) / (questions + z * z), questions + z * z
    se_, n_se = (right * se + 1) / (right + 2), right + 2
    sp_, n_sp = (wrong * sp + 1) / (wrong + 2), wrong + 2
    of_se, of_sp, youden = se_ * (1 - se_), sp_ * (1 - sp_), se_ + sp_ - 1
    if youden <= z * sqrt(of_se / n_se + of_sp / n_sp):
        return 0.0, 1.0
    p = (q_ + sp_ - 1) / youden
    moved = 2 * z * z * (p * of_se / n_se - (1 - p) * of_sp / n_sp)
    variance = q_ * (1 - q_) / n + p * p * of_se / n_se + (1 - p) ** 2 * of_sp / n_sp
    if shared:
        variance -= 2 * (p * of_se + (1 - p) * of_sp) / n
    half = z * sqrt(max(variance, 0.0)) / youden
    return p + moved - half, p + moved + half
