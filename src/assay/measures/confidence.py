"""Measures of confidence: does the system know when it is right?

Each needs all questions of a run at once. The columns, one cell per question:

    correct      1 where the question is answered correctly, else 0
    answered     1 where the run gave an answer, else 0
    confidence   from 0 to 1, or None where the run states none

An answer without a confidence makes these measures undefined, rather than quietly leave the answer out.
"""

from __future__ import annotations

import numpy as np

from assay.measures.declare import number, one_of, positive, share, whole

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any

    from numpy.typing import NDArray

    Column = Sequence[float | None]
    Reals = NDArray[np.float64]
    Integers = NDArray[np.int64]

TASK = "outcomes"
COLUMNS = ("correct", "answered", "confidence")
NO_CONFIDENCE = "where nothing is answered or an answer has no confidence"
HERRERA = "Herrera, Peñas and Verdejo, Question Answering Pilot Task at CLEF 2004"
GEIFMAN = "Geifman, Uziel and El-Yaniv, Bias-Reduced Uncertainty Estimation for Deep Neural Classifiers, ICLR 2019"


def vector(column: Sequence[Any]) -> Reals:
    """A column as numbers, None as NaN.

    >>> vector([1, None]).tolist()
    [1.0, nan]
    >>> vector(bytes([0, 1])).tolist()
    [0.0, 1.0]
    """
    if isinstance(column, bytes):
        return np.frombuffer(column, np.uint8).astype(np.float64)
    return np.asarray(column, np.float64)


def given(correct: Column, answered: Column, confidence: Column) -> tuple[Reals, Reals] | None:
    """Correctness and confidence of the answers given; None where there is none or one lacks its confidence."""
    chosen = vector(answered) != 0
    stated = vector(confidence)[chosen]
    if not len(stated) or np.isnan(stated).any():
        return None
    return vector(correct)[chosen], stated


def tie_groups(correct: Reals, confidence: Reals) -> tuple[Integers, Integers]:
    """Per group of equal confidences, from the highest down: how many of its answers are right, and how many it has.

    >>> [counts.tolist() for counts in tie_groups(np.array([1, 0, 1]), np.array([0.5, 0.5, 0.9]))]
    [[1, 1], [1, 2]]
    """
    order = np.argsort(-confidence)
    ranked = confidence[order]
    starts = np.flatnonzero(np.concatenate(([True], ranked[1:] != ranked[:-1])))
    sizes = np.diff(np.append(starts, len(ranked)))
    return np.add.reduceat(correct[order], starts).astype(np.int64), sizes


def expected_hits(right: Integers, sizes: Integers) -> tuple[Integers, Integers]:
    """The expected number of right answers among the first i, for every rank i, as numerators and denominators.

    In a group of g tied answers with k right, each position holds a right answer with probability k/g; after j
    positions of the group, c right ones standing before it, c + k·j/g = (c·g + k·j)/g are expected.

    >>> numerators, denominators = expected_hits(np.array([1, 1]), np.array([1, 2]))
    >>> [f"{a}/{b}" for a, b in zip(numerators.tolist(), denominators.tolist())]
    ['1/1', '3/2', '4/2']
    """
    before = np.cumsum(right) - right
    inside = np.arange(1, int(sizes.sum()) + 1) - np.repeat(np.cumsum(sizes) - sizes, sizes)
    denominators = np.repeat(sizes, sizes)
    return np.repeat(before, sizes) * denominators + np.repeat(right, sizes) * inside, denominators


def _share_right_by_rank(right: Integers, sizes: Integers) -> Reals:
    """C(i)/i for every rank i, expected over the orders of tied answers."""
    numerators, denominators = expected_hits(right, sizes)
    return numerators / (denominators * np.arange(1, len(numerators) + 1))


@whole(
    "CWS",
    task=TASK,
    parameters={"ties": one_of("expected", "file")},
    of=(*COLUMNS, "position"),
    undefined="where no confidence exceeds 0 or an answer has no confidence",
    cite="Voorhees, Overview of the TREC 2002 Question Answering Track; formula (9) of Peñas and Rodrigo, ACL 2011",
)
def confidence_weighted_score(
    correct: Column, answered: Column, confidence: Column, position: Column, ties: str = "expected"
) -> float | None:
    """CWS = (1/n) Σ_i C(i)/i, C(i) the right ones among the i answers with the highest confidence.

    Unanswered questions rank last and are not correct. Of tied answers, the expected value over all their orders is
    taken; `ties=file` takes them in the order of the run's file instead.

    Right at ranks 1 and 3 of 3: (1/1 + 1/2 + 2/3) / 3 = 13/18.

    >>> round(confidence_weighted_score([1, 0, 1], [1, 1, 1], [0.9, 0.8, 0.1], [0, 1, 2]) * 18, 9)
    13.0

    Equal confidences say nothing, and give the accuracy:

    >>> round(confidence_weighted_score([1, 0, 1], [1, 1, 1], [0.5, 0.5, 0.5], [0, 1, 2]) * 3, 9)
    2.0
    """
    answers = given(correct, answered, confidence)
    if answers is None or not (answers[1] > 0).any():
        return None
    hits, stated = answers
    if ties == "file":
        order = np.lexsort((vector(position)[vector(answered) != 0], -stated))
        shares = np.cumsum(hits[order]) / np.arange(1, len(hits) + 1)
    else:
        shares = _share_right_by_rank(*tie_groups(hits, stated))
    after = hits.sum() / np.arange(len(hits) + 1, len(correct) + 1)
    return float((shares.sum() + after.sum()) / len(correct))


@whole(
    "K1",
    task=TASK,
    low=-1.0,
    of=COLUMNS,
    undefined="where there are no questions or an answer has no confidence",
    cite=HERRERA + ", formula (2)",
)
def k1(correct: Column, answered: Column, confidence: Column) -> float | None:
    """K1 = Σ confidence · (+1 if correct, else -1) / number of questions, summed over the answers given.

    For one answer a question; of several, the final one is taken. Confidence 0 is as good as no answer.

    (0.9 - 0.5) / 4 with one question unanswered and one answered with confidence 0:

    >>> round(k1([1, 0, 0, 0], [1, 1, 0, 1], [0.9, 0.5, 0.7, 0.0]), 9)
    0.1
    """
    if not len(correct):
        return None
    chosen = vector(answered) != 0
    total = float((vector(confidence) * (2 * vector(correct) - 1))[chosen].sum())
    return None if np.isnan(total) else total / len(correct)


@whole(
    "Pearson",
    task=TASK,
    aliases=("r",),
    low=-1.0,
    of=("answer_correct", "answer_confidence"),
    undefined="where confidence or correctness is constant, fewer than 2 answers are given or one has no confidence",
    cite=HERRERA + ", formula (3)",
)
def pearson(answer_correct: Sequence[Any], answer_confidence: Sequence[Any]) -> float | None:
    """r = cov(confidence, correctness) / (σ σ), over all answers given: does confidence follow correctness?

    A cell is one answer's value, a tuple of them where a question has several answers, or () where it has none.

    Confidence 1 for what is right and 0 for the rest is perfect knowledge:

    >>> pearson([1, 0, (1, 0), ()], [1.0, 0.0, (1.0, 0.0), ()])
    1.0
    """
    hits, stated = vector(_flat(answer_correct)), vector(_flat(answer_confidence))
    if len(hits) < 2 or np.isnan(stated).any() or not np.ptp(hits) or not np.ptp(stated):
        return None
    # Scaled to at most 1, so that the squares of tiny differences do not vanish.
    x, y = (column / np.abs(column).max() for column in (hits - hits.mean(), stated - stated.mean()))
    r = float((x @ y) / np.sqrt((x @ x) * (y @ y)))
    return max(-1.0, min(1.0, r))


def _flat(column: Sequence[Any]) -> Sequence[Any]:
    if not isinstance(column, list) or not any(isinstance(cell, tuple) for cell in column):
        return column
    cells: list[Any] = []
    for cell in column:
        cells.extend(cell if isinstance(cell, tuple) else (cell,))  # pyright: ignore[reportUnknownArgumentType]
    return cells


@whole(
    "mean_confidence",
    task=TASK,
    higher_is_better=None,
    of=COLUMNS,
    undefined=NO_CONFIDENCE,
    cite="the mean of what the system states",
)
def mean_confidence(correct: Column, answered: Column, confidence: Column) -> float | None:
    """The mean confidence of the answers given.

    >>> mean_confidence([1, 0, 0], [1, 1, 0], [1.0, 0.5, None])
    0.75
    """
    answers = given(correct, answered, confidence)
    return None if answers is None else float(answers[1].mean())


@whole(
    "overconfidence",
    task=TASK,
    low=-1.0,
    higher_is_better=None,
    of=COLUMNS,
    undefined=NO_CONFIDENCE,
    cite="Lichtenstein, Fischhoff and Phillips, Calibration of probabilities: the state of the art to 1980",
)
def overconfidence(correct: Column, answered: Column, confidence: Column) -> float | None:
    """Mean confidence minus precision over the answers given; below 0 is underconfidence.

    >>> overconfidence([1, 0, 0], [1, 1, 0], [1.0, 0.5, None])
    0.25
    """
    answers = given(correct, answered, confidence)
    return None if answers is None else float(answers[1].mean() - answers[0].mean())


@whole(
    "Brier",
    task=TASK,
    higher_is_better=False,
    of=COLUMNS,
    undefined=NO_CONFIDENCE,
    cite="Brier, Verification of forecasts expressed in terms of probability, Monthly Weather Review 1950",
)
def brier(correct: Column, answered: Column, confidence: Column) -> float | None:
    """(1/m) Σ (confidence - correct)² over the m answers given.

    ((1 - 0.5)² + (0 - 0.5)²) / 2:

    >>> brier([1, 0], [1, 1], [0.5, 0.5])
    0.25
    """
    answers = given(correct, answered, confidence)
    return None if answers is None else float(np.mean((answers[1] - answers[0]) ** 2))


def small(text: str) -> float:
    """a probability above 0 and below 0.5"""
    value = number(text)
    if not 0 < value < 0.5:
        raise ValueError("expected a number above 0 and below 0.5")
    return value


@whole(
    "log_score",
    task=TASK,
    parameters={"floor": small},
    low=None,
    high=0.0,
    of=COLUMNS,
    undefined=NO_CONFIDENCE,
    cite="Good, Rational decisions, Journal of the Royal Statistical Society B 1952",
)
def log_score(correct: Column, answered: Column, confidence: Column, floor: float = 2.0**-52) -> float | None:
    """(1/m) Σ ln(confidence if correct, else 1 - confidence) over the m answers given.

    A certainty that fails would cost infinitely much: probabilities are kept within [floor, 1 - floor].

    ln(0.5) for a coin:

    >>> round(log_score([1, 0], [1, 1], [0.5, 0.5]), 4)
    -0.6931
    """
    answers = given(correct, answered, confidence)
    if answers is None:
        return None
    stated = np.clip(answers[1], floor, 1 - floor)
    return float(np.mean(np.log(np.where(answers[0] > 0, stated, 1 - stated))))


def bin_of(confidence: Reals, bins: int, closed: str) -> Integers:
    """The number of each confidence's bin, among equally wide ones whose edges are numpy.linspace(0, 1, bins + 1).

    Right-closed bins are (low, high], 0 in the first; left-closed ones [low, high), 1 in the last. Edges and
    confidences are compared as doubles: the one place where assay's bins follow doubles rather than decimals, because
    published calibration errors do. The fourth edge of ten is the double 0.30000000000000004, and 0.3 lies below it:

    >>> bin_of(np.array([0.0, 0.1, 0.3, 1.0]), 10, "right").tolist()
    [0, 0, 2, 9]
    >>> bin_of(np.array([0.0, 0.1, 0.3, 1.0]), 10, "left").tolist()
    [0, 1, 2, 9]
    """
    inner = np.linspace(0, 1, bins + 1)[1:-1]
    return np.searchsorted(inner, confidence, side="left" if closed == "right" else "right")


@whole(
    "ECE",
    task=TASK,
    parameters={"bins": positive, "closed": one_of("right", "left")},
    higher_is_better=False,
    of=COLUMNS,
    undefined=NO_CONFIDENCE,
    cite="Naeini, Cooper and Hauskrecht, Obtaining Well Calibrated Probabilities Using Bayesian Binning, AAAI 2015",
)
def expected_calibration_error(
    correct: Column, answered: Column, confidence: Column, bins: int = 10, closed: str = "right"
) -> float | None:
    """ECE = Σ_b (|b|/m) · |precision of b - mean confidence of b|, over equally wide bins of confidence.

    Ten right-closed bins unless `bins` and `closed` say otherwise; 0 is in the first.

    Two answers at 0.95 of which one is right, two at 0.55 of which one is right: (0.45 + 0.05) / 2.

    >>> round(expected_calibration_error([1, 0, 1, 0], [1] * 4, [0.95, 0.95, 0.55, 0.55]), 9)
    0.25
    """
    answers = given(correct, answered, confidence)
    if answers is None:
        return None
    hits, stated = answers
    place = bin_of(stated, bins, closed)
    gaps = np.bincount(place, weights=hits, minlength=bins) - np.bincount(place, weights=stated, minlength=bins)
    return float(np.abs(gaps).sum() / len(hits))


def area_under_roc(right: Integers, sizes: Integers) -> float | None:
    """The share of (positive, negative) pairs in the right order, ties counting half; from tie groups, high to low.

    Groups of 1 positive, then 1 positive and 1 negative: of 2 pairs one is in order and one is tied.

    >>> area_under_roc(np.array([1, 1]), np.array([1, 2]))
    0.75
    """
    wrong = sizes - right
    positives, negatives = int(right.sum()), int(wrong.sum())
    if not positives or not negatives:
        return None
    below = negatives - np.cumsum(wrong)
    return int((right * (2 * below + wrong)).sum()) / (2 * positives * negatives)


@whole(
    "AUROC",
    task=TASK,
    of=COLUMNS,
    undefined="where all answers are right, all are wrong, or one has no confidence",
    cite="Fawcett, An introduction to ROC analysis, Pattern Recognition Letters 2006",
)
def auroc(correct: Column, answered: Column, confidence: Column) -> float | None:
    """The chance that a right answer has a higher confidence than a wrong one, ties counting half.

    The wrong answer stands below both right ones, once tied: (1 + 0.5) / 2.

    >>> auroc([1, 1, 0, 0], [1, 1, 1, 0], [0.9, 0.5, 0.5, None])
    0.75
    """
    answers = given(correct, answered, confidence)
    return None if answers is None else area_under_roc(*tie_groups(*answers))


@whole("AURC", task=TASK, higher_is_better=False, of=COLUMNS, undefined=NO_CONFIDENCE, cite=GEIFMAN)
def area_under_risk_coverage(correct: Column, answered: Column, confidence: Column) -> float | None:
    """AURC = (1/m) Σ_i errors(i)/i over the m answers given, confidence descending; ties by their expected value.

    It is 1 - CWS of the answered questions. Wrong at rank 2 of 3: (0 + 1/2 + 1/3) / 3 = 5/18.

    >>> round(area_under_risk_coverage([1, 0, 1], [1, 1, 1], [0.9, 0.8, 0.1]) * 18, 9)
    5.0
    """
    answers = given(correct, answered, confidence)
    return None if answers is None else float(np.mean(1 - _share_right_by_rank(*tie_groups(*answers))))


@whole(
    "excess_AURC",
    task=TASK,
    aliases=("eAURC",),
    higher_is_better=False,
    of=COLUMNS,
    undefined=NO_CONFIDENCE,
    cite=GEIFMAN,
)
def excess_aurc(correct: Column, answered: Column, confidence: Column) -> float | None:
    """AURC minus that of the perfect order, in which every right answer stands above every wrong one.

    Wrong at rank 2 of 3 costs 5/18; wrong at rank 3, the best possible, (1/3)/3 = 2/18.

    >>> round(excess_aurc([1, 0, 1], [1, 1, 1], [0.9, 0.8, 0.1]) * 18, 9)
    3.0
    """
    answers = given(correct, answered, confidence)
    if answers is None:
        return None
    perfect = np.mean(1 - _share_right_by_rank(*tie_groups(answers[0], answers[0])))
    return float(np.mean(1 - _share_right_by_rank(*tie_groups(*answers))) - perfect)


@whole(
    "coverage_at_risk",
    task=TASK,
    parameters={"risk": share},
    at="risk",
    of=COLUMNS,
    undefined=NO_CONFIDENCE,
    cite="El-Yaniv and Wiener, On the Foundations of Noise-free Selective Classification, JMLR 2010",
)
def coverage_at_risk(correct: Column, answered: Column, confidence: Column, risk: float) -> float | None:
    """The largest share of all questions that can be answered, by a threshold on confidence, with errors ≤ risk.

    Equal confidences stand or fall together; 0 where no threshold is good enough.

    The 2 most confident of 4 questions are right, the third is wrong: at most 1/3 errors lets 3 of 4 through.

    >>> coverage_at_risk([1, 1, 0, 0], [1, 1, 1, 1], [0.9, 0.8, 0.7, 0.6], risk=0.34)
    0.75
    """
    answers = given(correct, answered, confidence)
    if answers is None:
        return None
    right, sizes = tie_groups(*answers)
    kept = np.cumsum(sizes)
    # Divided, not multiplied: 29/100 is the double nearest to 0.29, and 0.29 · 100 falls short of 29.
    good = kept[(kept - np.cumsum(right)) / kept <= risk]
    return int(good.max(initial=0)) / len(correct)
