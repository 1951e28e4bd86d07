"""Figures of question answering with confidence and abstention.

by_field            a row per run and value of a field: the table of CLEF 2004's pilot task
matrix              values of a field × runs, by one measure
rankings            each measure's ranking of the runs, ties as 5..14
risk_coverage       the error rate when answering only the most confident questions
reliability_diagram stated confidence against observed precision, bin by bin
figures             all of them and `answer_validation`, for a report
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from assay.core.resample_reference import block, uniform
from assay.figures import answer_validation
from assay.figures.answer_validation import Validation
from assay.figures.common import TaskFigures, headline, tied_ranks
from assay.figures.items.question_outcomes import ReadingList, reading
from assay.figures.price_curves import Prices, counted, prices, worth_of_declining
from assay.figures.topic_groups import absent, groups
from assay.formats.answers.rows import KINDS
from assay.measures.calibration import bin_of
from assay.measures.declining import decline_f1
from assay.measures.engines.vectors import answers_with_confidence, tie_groups
from assay.random import purpose_key
from assay.scoring.evaluate import chosen, extended
from assay.table.repeats import flattened
from assay.table.run_scores import each
from assay.table.scores import Scores

TYPE_CHECKING = False
if TYPE_CHECKING:
    from assay.measures.measure import Measure
    from assay.table.run_scores import RunScores

TOTAL = "total"
RANKING_MEASURES = ("accuracy", "c@1", "UF", "CWS", "K1", "r")
BY_MEASURES = (
    "questions", "known_answers", "answers_given", "questions_with_correct", "correct_answers", "answer_recall",
    "answer_precision", "K", "r",
)  # fmt: skip
"""The columns of CLEF 2004's table by type of question."""
STATE_COUNTS = ("correct", "incorrect", "unanswered")
"""Counts of questions that tables by field print with their percentage; the table of all questions has accuracy beside them."""
NEEDS = ("correct", "answered", "confidence")
"""The ingredient columns the curves are made from."""
STATES = ("right", "partial", "wrong", "unanswered")
"""Ingredients that every run has: partial credit is neither right nor wrong."""
DECLINING = ("should_decline", "should_answer", "declined_rightly", "declined_wrongly")
"""Questions that should be declined, and those that were, where the gold has this."""
COLUMNS = (*NEEDS, *STATES, *KINDS, *DECLINING)
"""The columns that a score table must have for `figures`."""


@dataclass(frozen=True, slots=True)
class FieldRow:
    """One run on the questions with one value of a field; `value` is None for all questions."""

    run: str
    value: str | None
    questions: int
    scores: dict[str, float | int | None]
    samples: int = 0
    """Samples of these questions, one each unless questions have several: the total of every count of outcomes."""
    percent: dict[str, float] = field(default_factory=dict[str, float])
    """Counts among the scores as percentages: of the questions, or of the samples where outcomes of samples are counted."""


@dataclass(frozen=True, slots=True)
class RiskPoint:
    """A confidence threshold: the share of questions answered there, and their error rate."""

    confidence: float
    coverage: float
    risk: float


@dataclass(frozen=True, slots=True)
class ConfidenceBin:
    """The answers in a confidence bin; precision and mean confidence are None for an empty bin."""

    low: float
    high: float
    answers: int
    precision: float | None
    confidence: float | None
    height: float
    """The height of its bar of answers; that of the fullest bin is a quarter of the diagram."""
    consistent: tuple[float, float] | None = None
    """The consistency bar: the interval of a calibrated system's precision, with probability 0.9."""


@dataclass(frozen=True, slots=True)
class Declining:
    """Of the questions (or samples) to decline and those to answer: how many were declined."""

    should_decline: int
    should_answer: int
    rightly: int
    wrongly: int
    missed: float
    over: float | None
    f1: float


@dataclass(frozen=True, slots=True)
class OutcomeRunFigures:
    """One run's outcomes (of samples where there are several) and curves.

    The curves are None where an answer has partial credit or no confidence.
    """

    run: str
    correct: int
    partial: int
    incorrect: int
    unanswered: int
    failed: int
    kinds: dict[str, int]
    """Of what could not be answered: declined, refused, unparsed …"""
    failures: tuple[tuple[str, str], ...]
    """The questions that failed, and why."""
    risk_coverage: tuple[RiskPoint, ...] | None
    reliability: tuple[ConfidenceBin, ...] | None
    declining: Declining | None = None
    """None where no question should be declined."""


@dataclass(frozen=True, slots=True)
class FieldMatrixRow:
    """The questions with one value of a field: their number, and every run's score on them."""

    value: str
    questions: int
    runs: dict[str, float | int | None]


@dataclass(frozen=True, slots=True)
class FieldMatrix:
    """A table of field values × runs, by one measure."""

    measure: str
    higher_is_better: bool | None
    rows: tuple[FieldMatrixRow, ...]


@dataclass(frozen=True, slots=True)
class OutcomeFigures:
    """A campaign of answers."""

    runs: tuple[OutcomeRunFigures, ...]
    rankings: dict[str, dict[str, str | None]]
    by: dict[str, tuple[FieldRow, ...]]
    """The table of every field of the gold with few values, such as type or language."""
    matrices: dict[str, FieldMatrix] = field(default_factory=dict[str, FieldMatrix])
    """The headline measure of every run on the questions of each value, for every field that has values in common."""
    prices: Prices | None = None
    """Every run's mean by the cost of a wrong answer; None where credit is partial, which is neither right nor wrong."""
    reading: ReadingList | None = None
    """The questions worth reading first; None likewise."""
    validation: Validation | None = None
    """Acceptance and rejection of candidates by the runs; None where no run withholds one."""


def measures_for(scores: Scores, table: str) -> tuple[str, ...]:
    """Return CLEF 2004's columns, or the defaults where the gold has no number of answers.

    With partial credit, the table's own measures.
    """
    if any(getattr(scores.run(run).views, "graded", False) for run in scores.runs):
        return tuple(
            m.name for m in scores.measures if table != "rankings" or m.declaration.higher_is_better is not None
        )
    if table == "rankings":
        return RANKING_MEASURES
    views: Any = scores.run(scores.runs[0]).views
    if views is not None and views.gold.kind == "answers":
        return BY_MEASURES
    from assay.tasks.outcomes.task import CONFIDENCE_MEASURES, DEFAULT_MEASURES

    return (*DEFAULT_MEASURES, *CONFIDENCE_MEASURES)


def by_field(scores: Scores, by: str | Sequence[str]) -> list[FieldRow]:
    """Return per run a row per value of the field (or combination), then one for all questions."""
    among = [(group.label, scores.places(group.topics)) for group in groups(scores, by)]
    rows: list[FieldRow] = []
    for run in scores.runs:
        entering = {*scores.entering(run)}
        nothing = {*scores.places(absent(scores, run))}
        for label, places in among:
            answered = [place for place in places if place not in nothing] if nothing else places
            cells = {m.name: scores.value_at(run, m, answered).value if answered else None for m in scores.measures}
            questions, samples = sum(place in entering for place in answered), scores.count_samples(run, answered)
            rows.append(
                FieldRow(run, label, questions, cells, samples, _percentages(scores, cells, questions, samples))
            )
        cells = {m.name: scores.value(run, m).value if scores.topics else None for m in scores.measures}
        samples = scores.count_samples(run)
        rows.append(
            FieldRow(run, None, len(entering), cells, samples, _percentages(scores, cells, len(entering), samples))
        )
    return rows


def _percentages(
    scores: Scores, cells: dict[str, float | int | None], questions: int, samples: int
) -> dict[str, float]:
    """Return percentages of counts: of questions or of samples, whichever is counted."""
    totals = {
        m.name: questions if m.declaration.share else samples
        for m in scores.measures
        if m.declaration.share or (m.declaration.task == "outcomes" and m.declaration.name in STATE_COUNTS)
    }
    return {name: 100 * value / total for name, total in totals.items() if total and (value := cells[name]) is not None}


def rankings(scores: Scores) -> dict[str, dict[str, str | None]]:
    """Return ranks by measure and run, ties as 5..14; measures without a direction are omitted.

    Measures that are neither better high nor low have no ranking.
    """
    places: dict[str, dict[str, str | None]] = {}
    for measure in scores.measures:
        direction = measure.declaration.higher_is_better
        if direction is None:
            continue
        values = [scores.value(run, measure).value for run in scores.runs]
        places[measure.name] = dict(zip(scores.runs, tied_ranks(values, direction), strict=True))
    return places


def _answers(scores: Scores, run: str) -> tuple[Any, Any, int] | None:
    """Return correctness and confidence of each answer given, and the number of questions."""
    run_scores, places = scores.run(run), scores.entering(run)
    if any(name not in run_scores.columns for name in NEEDS):
        return None
    if run_scores.samples is None:
        columns = [[run_scores.columns[name][place] for place in places] for name in NEEDS]
    else:
        cells: list[list[Any]] = [[run_scores.columns[each(name)][place] for place in places] for name in NEEDS]
        columns = flattened(cells, [run_scores.samples[place] for place in places])
    answers = answers_with_confidence(*columns)
    return None if answers is None else (*answers, len(columns[0]))


def risk_coverage(scores: Scores, run: str) -> list[RiskPoint] | None:
    """Return the risk-coverage curve, by descending confidence; None without confidences."""
    answers = _answers(scores, run)
    if answers is None:
        return None
    correct, confidence, questions = answers
    right, sizes = tie_groups(correct, confidence)
    answered = np.cumsum(sizes)
    wrong = answered - np.cumsum(right)
    levels = np.unique(confidence)[::-1]
    return [
        RiskPoint(float(level), int(k) / questions, int(w) / int(k))
        for level, k, w in zip(levels, answered, wrong, strict=True)
    ]


CONSISTENCY = 0.9
"""The share of resamples within a consistency bar."""
MAX_DRAWN_ANSWERS, MIN_RESAMPLES, MAX_RESAMPLES = 1_000_000, 200, 1000
"""Answers times resamples, and how many resamples there are at the least and at the most."""
MAX_BLOCK = 2_000_000
Bar = tuple[float, float]


def consistency_bars(confidence: Any, place: Any, bins: int, seed: int) -> list[Bar | None]:
    """Return, by bin, the accuracy interval of a calibrated system; None for an empty bin.

    Bröcker and Smith (Increasing the reliability of reliability diagrams, Weather and Forecasting 2007): answers are drawn from the
    confidences stated, with replacement, and each is right with the probability it states.

    confidence   of each answer
    place        the bin of each answer

    A hundred coins show heads between 42 and 58 times in nine of ten tries:

    >>> [(low, high)] = consistency_bars(np.full(100, 0.5), np.zeros(100, dtype=int), 1, seed=0)
    >>> 0.4 < low < 0.44 and 0.56 < high < 0.6
    True
    """
    n = len(confidence)
    trials = int(np.clip(MAX_DRAWN_ANSWERS // n, MIN_RESAMPLES, MAX_RESAMPLES))
    # Sorted by bin, so that the answers of a bin are consecutive.
    order = np.argsort(place, kind="stable")
    stated, bin_at = np.asarray(confidence, dtype=np.float64)[order], np.asarray(place)[order]
    shares = np.empty((trials, bins))
    key = purpose_key(seed, "consistency")
    step = max(1, MAX_BLOCK // (2 * n))
    for first in range(0, trials, step):
        count = min(step, trials - first)
        drawn = uniform(block(key, first, count, 2 * n))
        chosen = np.minimum((drawn[:, :n] * n).astype(np.int64), n - 1)
        cell = (bin_at[chosen] + bins * np.arange(count)[:, None]).ravel()
        right = (drawn[:, n:] < stated[chosen]).ravel()
        sizes = np.bincount(cell, minlength=count * bins)
        with np.errstate(invalid="ignore"):  # a resample may leave a bin empty
            rates = np.bincount(cell, right, minlength=count * bins) / sizes
        shares[first : first + count] = rates.reshape(count, bins)
    bars: list[Bar | None] = []
    for column in shares.T:
        known = column[~np.isnan(column)]
        ends = (
            np.quantile(known, [(1 - CONSISTENCY) / 2, (1 + CONSISTENCY) / 2], method="inverted_cdf")
            if len(known)
            else None
        )
        bars.append(None if ends is None else (float(ends[0]), float(ends[1])))
    return bars


def reliability_diagram(scores: Scores, run: str, bins: int = 10) -> tuple[ConfidenceBin, ...] | None:
    """Return bins of equal width, as in ECE; None without confidences."""
    answers = _answers(scores, run)
    if answers is None:
        return None
    correct, confidence, _ = answers
    place = bin_of(confidence, bins, "right")
    counts = np.bincount(place, minlength=bins)
    right = np.bincount(place, weights=correct, minlength=bins)
    confidence_sums = np.bincount(place, weights=confidence, minlength=bins)
    edges = np.linspace(0, 1, bins + 1)
    bars = consistency_bars(confidence, place, bins, scores.settings.seed)
    largest = max(int(counts.max()), 1)
    diagram: list[ConfidenceBin] = []
    for b, count in enumerate(counts.tolist()):
        accuracy, mean = (float(right[b] / count), float(confidence_sums[b] / count)) if count else (None, None)
        ends, height = (float(edges[b]), float(edges[b + 1])), 0.25 * count / largest
        diagram.append(ConfidenceBin(*ends, count, accuracy, mean, height, bars[b] if count else None))
    return tuple(diagram)


def by_question(scores: Scores) -> list[list[float | None]]:
    """Return each run's outcomes: 1 right, -1 wrong, 0 unanswered; of samples, the mean.

    None where the question failed or was not put to the run.
    """
    outcomes: list[list[float | None]] = []
    for run in scores.runs:
        entering = set(scores.entering(run))
        counts = scores.run(run).samples or [1] * len(scores.topics)
        columns = scores.column(run, "correct"), scores.column(run, "incorrect")
        cells = zip(*columns, counts, strict=True)
        outcomes.append([
            float((right or 0) - (wrong or 0)) / max(count, 1) if place in entering else None
            for place, (right, wrong, count) in enumerate(cells)
        ])  # fmt: skip
    return outcomes


MAX_TABLE_VALUES = 20
"""Values of a field up to which every measure is worth a table by run and value; of more, the headline measure is."""
MIN_GROUP_SIZE = 2
"""Questions that a value has on average, where a field with many values is a grouping and no name of the question."""


def matrix(scores: Scores, by: str | Sequence[str], measure: str | Measure | None = None) -> FieldMatrix:
    """Return one measure (default: the headline) of every run on each value of a field."""
    declared = headline(scores) if measure is None else scores.measure(measure)
    nothing = {run: absent(scores, run) for run in scores.runs}
    rows: list[FieldMatrixRow] = []
    for group in groups(scores, by):
        values: dict[str, float | int | None] = {}
        for run in scores.runs:
            topics = [topic for topic in group.topics if topic not in nothing[run]]
            values[run] = scores.value(run, declared, topics).value if topics else None
        rows.append(FieldMatrixRow(group.label, len(group.topics), values))
    return FieldMatrix(declared.name, declared.declaration.higher_is_better, tuple(rows))


def figures(scores: Scores) -> OutcomeFigures:
    """Return all figures of a report; the table must have COLUMNS."""
    runs = tuple(_run(scores, run) for run in scores.runs)
    sizes = {
        name: len({None if value is None else str(value) for value in values}) for name, values in scores.fields.items()
    }
    few = [name for name, size in sizes.items() if 1 < size <= MAX_TABLE_VALUES]
    shared = [
        name
        for name, size in sizes.items()
        if name in few or MAX_TABLE_VALUES < size <= len(scores.topics) / MIN_GROUP_SIZE
    ]
    extended_scores = _as_clef(scores) if few else scores
    by = {name: tuple(by_field(extended_scores, name)) for name in few}
    no_partial_credit = not any(run.partial for run in runs)
    cost = prices(counted(scores, "right", "wrong"), worth_of_declining(scores)) if no_partial_credit else None
    across = {name: matrix(scores, name) for name in shared}
    decisions = answer_validation.validation(scores)
    return OutcomeFigures(runs, rankings(scores), by, across, cost, reading(scores), decisions)


def _as_clef(scores: Scores) -> Scores:
    """Add CLEF 2004's columns to the table, where the gold has the numbers of answers."""
    if measures_for(scores, "by") != BY_MEASURES:
        return scores
    # The number of questions has its own column.
    names = [*(measure.name for measure in scores.measures), *(name for name in BY_MEASURES if name != "questions")]
    more = extended(scores, names)
    measures = chosen(list(dict.fromkeys(names)), scores.task)
    return more.with_runs((more.run(run) for run in more.runs), measures)


def _run(scores: Scores, run: str) -> OutcomeRunFigures:
    run_scores, places = scores.run(run), scores.entering(run)
    right, partial, wrong, unanswered = (sum(int(run_scores.columns[name][i] or 0) for i in places) for name in STATES)
    curve = risk_coverage(scores, run)
    points = None if curve is None else tuple(curve)
    kinds = dict(run_scores.notes.kinds or {})
    diagram = reliability_diagram(scores, run)
    failures = tuple((run_scores.notes.failures or {}).items())
    declining = _declining(run_scores, places)
    return OutcomeRunFigures(
        run, right, partial, wrong, unanswered, len(failures), kinds, failures, points, diagram, declining
    )


def _declining(run_scores: RunScores, places: Sequence[int]) -> Declining | None:
    if any(name not in run_scores.columns for name in DECLINING):
        return None
    should, answer, rightly, wrongly = (
        sum(int(run_scores.columns[name][i] or 0) for i in places) for name in DECLINING
    )
    if not should:
        return None
    top, bottom = decline_f1(len(places), rightly, wrongly, should)
    over = wrongly / answer if answer else None
    return Declining(should, answer, rightly, wrongly, (should - rightly) / should, over, top / bottom)


FIGURES = TaskFigures(figures, columns=COLUMNS, measures_for=measures_for)
