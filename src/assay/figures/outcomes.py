"""Plain data of the tables and graphs of answers with non-response and confidence.

by_field            a row per run and value of a field: the table of CLEF 2004's pilot task
rankings            each measure's ranking of the runs, side by side, shared places as 5..14
risk_coverage       what share of the answers is wrong, answering the most confident ones only
reliability_diagram stated confidence against observed precision, bin by bin
figures             all of them, for a report
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from assay.errors import UsageError
from assay.figures.common import tied_ranks
from assay.measures.calibration import bin_of
from assay.measures.vectors import given, tie_groups
from assay.sampled import each
from assay.table import Scores

TOTAL = "total"
RANKING_MEASURES = ("accuracy", "c@1", "UF", "CWS", "K1", "r")
BY_MEASURES = (
    "questions", "known_answers", "answers_given", "questions_with_correct", "correct_answers", "answer_recall",
    "answer_precision", "K", "r",
)  # fmt: skip
"""The columns of CLEF 2004's table by type of question."""
NEEDS = ("correct", "answered", "confidence")
"""The ingredient columns the curves are made from."""
MEASURES = ()
COLUMNS = (*NEEDS, "incorrect", "unanswered")
"""What a score table must hold for `figures`."""


@dataclass(frozen=True, slots=True)
class Row:
    """One run on the questions with one value of a field; `value` is None for all questions."""

    run: str
    value: str | None
    questions: int
    scores: dict[str, float | int | None]


@dataclass(frozen=True, slots=True)
class RiskPoint:
    """Answering what has at least this confidence: the share of all questions answered, and the share of those wrong."""

    confidence: float
    coverage: float
    risk: float


@dataclass(frozen=True, slots=True)
class Bin:
    """The answers whose confidence lies in a bin; precision and mean confidence are None where there are none."""

    low: float
    high: float
    answers: int
    precision: float | None
    confidence: float | None
    height: float
    """How high the number of its answers is drawn: the fullest bin's a quarter of the diagram."""


@dataclass(frozen=True, slots=True)
class RunFigures:
    """One run's outcomes and curves; the curves are None where an answer has no confidence."""

    run: str
    correct: int
    incorrect: int
    unanswered: int
    risk_coverage: tuple[RiskPoint, ...] | None
    reliability: tuple[Bin, ...] | None


@dataclass(frozen=True, slots=True)
class Figures:
    """A campaign of answers."""

    runs: tuple[RunFigures, ...]
    rankings: dict[str, dict[str, str | None]]
    by: dict[str, tuple[Row, ...]]
    """The table of every field of the gold with few values, such as type or language."""


def measures_for(scores: Scores, table: str) -> tuple[str, ...]:
    """By type, CLEF 2004's columns, or, where nobody knows how many answers there are, the usual ones."""
    if table == "rankings":
        return RANKING_MEASURES
    views: Any = scores.run(scores.runs[0]).views
    if views is not None and views.gold.kind == "answers":
        return BY_MEASURES
    from assay.tasks.outcomes import CONFIDENCE_MEASURES, DEFAULT_MEASURES

    return (*DEFAULT_MEASURES, *CONFIDENCE_MEASURES)


def groups(scores: Scores, field: str) -> dict[str, list[str]]:
    """The questions of each value of a field, values in the order of their first question."""
    if field not in scores.fields:
        known = ", ".join(scores.fields) or "none at all"
        raise UsageError(f"the gold has no field {field!r}; it has {known}")
    found: dict[str, list[str]] = {}
    for topic, value in zip(scores.topics, scores.fields[field], strict=True):
        found.setdefault("none" if value is None else str(value), []).append(topic)
    return dict(sorted(found.items()))


def by_field(scores: Scores, field: str) -> list[Row]:
    """Per run: a row per value of the field, then one for all questions."""
    found = groups(scores, field)
    rows: list[Row] = []
    for run in scores.runs:
        entering = {scores.topics[place] for place in scores.entering(run)}
        for value, topics in [*found.items(), (None, scores.topics)]:
            cells = {measure.name: scores.value(run, measure, topics).value for measure in scores.measures}
            rows.append(Row(run, value, sum(topic in entering for topic in topics), cells))
    return rows


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
    columns = [_by_answer(scores, run, name) for name in NEEDS]
    answers = given(*columns)
    return None if answers is None else (*answers, len(columns[0]))


def _by_answer(scores: Scores, run: str, name: str) -> list[Any]:
    """The same with an entry per answer, where a question may have several."""
    one = scores.run(run)
    if one.samples is None:
        return _entering(scores, run, name)
    cells: Any = one.columns.get(each(name)) or one.views.column(each(name))  # type: ignore[union-attr]
    return [cell for place in scores.entering(run) for cell in cells[place]]


def _entering(scores: Scores, run: str, name: str) -> list[Any]:
    """A column on the questions that count under the table's policies."""
    column = scores.column(run, name)
    return [column[place] for place in scores.entering(run)]


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


def reliability_diagram(scores: Scores, run: str, bins: int = 10) -> tuple[Bin, ...] | None:
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
    most = max(int(counts.max()), 1)
    found: list[Bin] = []
    for b, count in enumerate(counts.tolist()):
        accuracy, mean = (float(right[b] / count), float(stated[b] / count)) if count else (None, None)
        found.append(Bin(float(edges[b]), float(edges[b + 1]), count, accuracy, mean, 0.25 * count / most))
    return tuple(found)


def by_question(scores: Scores) -> list[list[float]]:
    """Per run, each question's outcome: 1 right, -1 wrong, 0 unanswered; the mean over its samples where it has several."""
    found: list[list[float]] = []
    for run in scores.runs:
        samples = scores.run(run).samples or [1] * len(scores.topics)
        columns = (scores.column(run, "correct"), scores.column(run, "incorrect"), samples)
        found.append(
            [((right or 0) - (wrong or 0)) / max(many, 1) for right, wrong, many in zip(*columns, strict=True)]
        )
    return found


FEW = 20
"""A field with more values than this is no grouping a person wants to read."""


def figures(scores: Scores) -> Figures:
    """Everything a report of these runs shows. The table must hold the columns of NEEDS, incorrect and unanswered."""
    runs = tuple(_run(scores, run) for run in scores.runs)
    few = [name for name, values in scores.fields.items() if 1 < len({str(value) for value in values}) <= FEW]
    return Figures(runs, rankings(scores), {name: tuple(by_field(scores, name)) for name in few})


def _run(scores: Scores, run: str) -> RunFigures:
    states = ("correct", "incorrect", "unanswered")
    right, wrong, declined = (sum(cell or 0 for cell in _entering(scores, run, name)) for name in states)
    curve = risk_coverage(scores, run)
    points = None if curve is None else tuple(curve)
    return RunFigures(run, right, wrong, declined, points, reliability_diagram(scores, run))
