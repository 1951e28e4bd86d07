"""Plain data of the tables and graphs of answers with non-response and confidence.

by_field            a row per run and value of a field: the table of CLEF 2004's pilot task
matrix              values of a field × runs, by one measure
rankings            each measure's ranking of the runs, side by side, shared places as 5..14
risk_coverage       what share of the answers is wrong, answering the most confident ones only
reliability_diagram stated confidence against observed precision, bin by bin
figures             all of them, for a report, with what `answer_validation` says of candidates
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from assay.figures import answer_validation
from assay.figures.answer_validation import Validation
from assay.figures.common import headline, tied_ranks
from assay.figures.consistency_bars import consistency_bars
from assay.figures.items.question_outcomes import ReadingList, reading
from assay.figures.price_curves import Prices, counted, prices, worth_of_declining
from assay.figures.topic_groups import absent, groups
from assay.formats.answers.rows import KINDS
from assay.measures.calibration import bin_of
from assay.measures.declining import decline_f1
from assay.measures.engines.vectors import answers_with_confidence, tie_groups
from assay.scoring.evaluate import chosen, extended
from assay.table.repeats import each, flattened
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
MEASURES = ()
STATES = ("right", "partial", "wrong", "unanswered")
"""How questions end, as ingredients that every run has: partial credit is neither right nor wrong."""
DECLINING = ("should_decline", "should_answer", "declined_rightly", "declined_wrongly")
"""Who should be declined and who was, where the gold tells."""
COLUMNS = (*NEEDS, *STATES, *KINDS, *DECLINING)
"""What a score table must hold for `figures`, of what a run can tell."""


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
    """Answering what has at least this confidence: the share of all questions answered, and the share of those wrong."""

    confidence: float
    coverage: float
    risk: float


@dataclass(frozen=True, slots=True)
class ConfidenceBin:
    """The answers whose confidence lies in a bin; precision and mean confidence are None where there are none."""

    low: float
    high: float
    answers: int
    precision: float | None
    confidence: float | None
    height: float
    """How high the number of its answers is drawn: the fullest bin's a quarter of the diagram."""
    consistent: tuple[float, float] | None = None
    """Between which the precision of a calibrated system would lie nine times of ten."""


@dataclass(frozen=True, slots=True)
class Declining:
    """Questions (samples, where there are several) that should be declined, and that should be answered: how many were."""

    should_decline: int
    should_answer: int
    rightly: int
    wrongly: int
    missed: float
    over: float | None
    f1: float


@dataclass(frozen=True, slots=True)
class OutcomeRunFigures:
    """One run's outcomes, samples and not questions where these differ, and curves; the curves are None where an answer has
    no confidence, or partial credit."""

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
    """The questions with one value of a field: how many there are, and every run's number on them."""

    value: str
    questions: int
    runs: dict[str, float | int | None]


@dataclass(frozen=True, slots=True)
class FieldMatrix:
    """Values of a field × runs, by one measure."""

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
    """How the runs accept and reject their candidates; None where no run withholds one."""


def measures_for(scores: Scores, table: str) -> tuple[str, ...]:
    """By type, CLEF 2004's columns, or, where nobody knows how many answers there are, the usual ones.

    Of partial credit, which is neither right nor wrong, what the table itself shows.
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
    """Per run: a row per value of the field, or per combination of several, then one for all questions."""
    among = [(group.label, scores.places(group.topics)) for group in groups(scores, by)]
    rows: list[FieldRow] = []
    for run in scores.runs:
        entering = {*scores.entering(run)}
        nothing = {*scores.places(absent(scores, run))}
        for label, places in among:
            own = [place for place in places if place not in nothing] if nothing else places
            cells = {m.name: scores.value_at(run, m, own).value if own else None for m in scores.measures}
            questions, samples = sum(place in entering for place in own), scores.count_samples(run, own)
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
    """Return counts as percentages: of questions where questions are counted, of samples where their outcomes are."""
    totals = {
        m.name: questions if m.declaration.share else samples
        for m in scores.measures
        if m.declaration.share or (m.declaration.task == "outcomes" and m.declaration.name in STATE_COUNTS)
    }
    return {name: 100 * value / total for name, total in totals.items() if total and (value := cells[name]) is not None}


def rankings(scores: Scores) -> dict[str, dict[str, str | None]]:
    """By measure and run: the place, shared places as 5..14, None where the measure is undefined.

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
    """Whether each answer given is right, its confidence, and of how many questions (or samples) they are answers."""
    one, places = scores.run(run), scores.entering(run)
    if any(name not in one.columns for name in NEEDS):
        return None
    if one.samples is None:
        columns = [[one.columns[name][place] for place in places] for name in NEEDS]
    else:
        cells: list[list[Any]] = [[one.columns[each(name)][place] for place in places] for name in NEEDS]
        columns = flattened(cells, [one.samples[place] for place in places])
    answers = answers_with_confidence(*columns)
    return None if answers is None else (*answers, len(columns[0]))


def risk_coverage(scores: Scores, run: str) -> list[RiskPoint] | None:
    """The risk-coverage curve, a point per distinct confidence from the highest down; None without confidences."""
    answers = _answers(scores, run)
    if answers is None:
        return None
    correct, confidence, questions = answers
    right, sizes = tie_groups(correct, confidence)
    kept = np.cumsum(sizes)
    wrong = kept - np.cumsum(right)
    levels = np.unique(confidence)[::-1]
    return [
        RiskPoint(float(level), int(k) / questions, int(w) / int(k))
        for level, k, w in zip(levels, kept, wrong, strict=True)
    ]


def reliability_diagram(scores: Scores, run: str, bins: int = 10) -> tuple[ConfidenceBin, ...] | None:
    """Equally wide bins of confidence as ECE has them; None without confidences."""
    answers = _answers(scores, run)
    if answers is None:
        return None
    correct, confidence, _ = answers
    place = bin_of(confidence, bins, "right")
    counts = np.bincount(place, minlength=bins)
    right = np.bincount(place, weights=correct, minlength=bins)
    stated = np.bincount(place, weights=confidence, minlength=bins)
    edges = np.linspace(0, 1, bins + 1)
    bars = consistency_bars(confidence, place, bins, scores.settings.seed)
    most = max(int(counts.max()), 1)
    found: list[ConfidenceBin] = []
    for b, count in enumerate(counts.tolist()):
        accuracy, mean = (float(right[b] / count), float(stated[b] / count)) if count else (None, None)
        ends, height = (float(edges[b]), float(edges[b + 1])), 0.25 * count / most
        found.append(ConfidenceBin(*ends, count, accuracy, mean, height, bars[b] if count else None))
    return tuple(found)


def by_question(scores: Scores) -> list[list[float | None]]:
    """Per run, each question's outcome: 1 right, -1 wrong, 0 unanswered; the mean over its samples; None where the instrument
    failed, or the run was never asked."""
    found: list[list[float | None]] = []
    for run in scores.runs:
        entering = set(scores.entering(run))
        counts = scores.run(run).samples or [1] * len(scores.topics)
        columns = scores.column(run, "correct"), scores.column(run, "incorrect")
        cells = zip(*columns, counts, strict=True)
        found.append([
            float((right or 0) - (wrong or 0)) / max(count, 1) if place in entering else None
            for place, (right, wrong, count) in enumerate(cells)
        ])  # fmt: skip
    return found


FEW = 20
"""Values of a field up to which every measure is worth a table by run and value; of more, the headline measure is."""
TOGETHER = 2
"""Questions that a value has on average, where a field with many values is a grouping and no name of the question."""


def matrix(scores: Scores, by: str | Sequence[str], measure: str | Measure | None = None) -> FieldMatrix:
    """One measure of every run on the questions of each value of a field; the headline measure unless named."""
    wanted = headline(scores) if measure is None else scores.measure(measure)
    nothing = {run: absent(scores, run) for run in scores.runs}
    rows: list[FieldMatrixRow] = []
    for group in groups(scores, by):
        values: dict[str, float | int | None] = {}
        for run in scores.runs:
            topics = [topic for topic in group.topics if topic not in nothing[run]]
            values[run] = scores.value(run, wanted, topics).value if topics else None
        rows.append(FieldMatrixRow(group.label, len(group.topics), values))
    return FieldMatrix(wanted.name, wanted.declaration.higher_is_better, tuple(rows))


def figures(scores: Scores) -> OutcomeFigures:
    """Everything a report of these runs shows. The table must hold the columns of NEEDS, incorrect and unanswered."""
    runs = tuple(_run(scores, run) for run in scores.runs)
    sizes = {
        name: len({None if value is None else str(value) for value in values}) for name, values in scores.fields.items()
    }
    few = [name for name, size in sizes.items() if 1 < size <= FEW]
    shared = [name for name, size in sizes.items() if name in few or FEW < size <= len(scores.topics) / TOGETHER]
    told = _as_clef(scores) if few else scores
    by = {name: tuple(by_field(told, name)) for name in few}
    whole = not any(run.partial for run in runs)
    cost = prices(counted(scores, "right", "wrong"), worth_of_declining(scores)) if whole else None
    across = {name: matrix(scores, name) for name in shared}
    decisions = answer_validation.validation(scores)
    return OutcomeFigures(runs, rankings(scores), by, across, cost, reading(scores), decisions)


def _as_clef(scores: Scores) -> Scores:
    """The table with CLEF 2004's columns beside its own, where the gold says how many answers there are."""
    if measures_for(scores, "by") != BY_MEASURES:
        return scores
    # How many questions there are stands beside the value of the field.
    names = [*(measure.name for measure in scores.measures), *(name for name in BY_MEASURES if name != "questions")]
    more = extended(scores, names)
    wanted = chosen(list(dict.fromkeys(names)), scores.task)
    return more.with_runs((more.run(run) for run in more.runs), wanted)


def _run(scores: Scores, run: str) -> OutcomeRunFigures:
    one, places = scores.run(run), scores.entering(run)
    right, partial, wrong, unanswered = (sum(int(one.columns[name][i] or 0) for i in places) for name in STATES)
    curve = risk_coverage(scores, run)
    points = None if curve is None else tuple(curve)
    kinds = dict(one.notes.kinds or {})
    diagram = reliability_diagram(scores, run)
    failures = tuple((one.notes.failures or {}).items())
    declining = _declining(one, places)
    return OutcomeRunFigures(
        run, right, partial, wrong, unanswered, len(failures), kinds, failures, points, diagram, declining
    )


def _declining(one: RunScores, places: Sequence[int]) -> Declining | None:
    if any(name not in one.columns for name in DECLINING):
        return None
    should, answer, rightly, wrongly = (sum(int(one.columns[name][i] or 0) for i in places) for name in DECLINING)
    if not should:
        return None
    top, bottom = decline_f1(len(places), rightly, wrongly, should)
    over = wrongly / answer if answer else None
    return Declining(should, answer, rightly, wrongly, (should - rightly) / should, over, top / bottom)
