"""The pages of question answering with abstention: outcomes, risk and coverage, reliability, questions to read, by type."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from itertools import pairwise

from assay.analyses.campaign.result import CampaignResults
from assay.figures import answer_validation
from assay.figures.answer_validation import RocPoint, Validation
from assay.figures.common import natural
from assay.figures.items.question_outcomes import ReadingList
from assay.figures.outcomes import BY_MEASURES, FieldRow, OutcomeFigures, OutcomeRunFigures, RiskPoint
from assay.reports import model
from assay.reports.charts import outcomes as charts
from assay.reports.model import (
    Block,
    BlockRow,
    Cell,
    Chart,
    Note,
    RunPage,
    Section,
    Table,
    TableColumn,
    counted,
    numbers,
)
from assay.reports.pages.leaderboard import Outcomes
from assay.reports.pages.page_parts import facts, measure_table, page_id, page_of, split_columns, topic_cell
from assay.reports.pages.price import price_section
from assay.reports.pages.suites import matrix_sections

MAX_TYPE_ROWS = 200
"""With more rows, tables by type are only on the pages of the runs."""
MAX_OUTCOME_BARS = 50
MAX_LISTED_FAILURES = 100
"""Failures that a run's page lists."""
CURVE_POINTS = 200
"""Points of a risk-coverage curve that are drawn."""


def sections(figures: OutcomeFigures, campaign: CampaignResults) -> list[Section | None]:
    # By field: the matrix of its values × runs, then all measures if there are few rows.
    across = matrix_sections(figures.matrices, campaign)
    whole = {
        f"By {field}": _by_tables(f"by-{place}", field, rows, campaign, with_run=True)
        for place, (field, rows) in enumerate(figures.by.items(), start=1)
        if len(rows) <= MAX_TYPE_ROWS
    }
    by = [replace(section, blocks=(*section.blocks, *whole.get(section.title, ()))) for section in across]
    first = _outcome_section(figures, campaign), _declining_section(figures, campaign)
    price = campaign.pricing and price_section(campaign.pricing, campaign.method, _in_order(campaign))
    decisions = figures.validation and _validation_section("validation", figures.validation, campaign)
    return [
        *first,
        decisions,
        _risk_section(figures, campaign),
        price,
        all_wrong_section(figures.reading, campaign),
        *by,
    ]


def outcomes_of(figures: OutcomeFigures) -> Outcomes:
    """Return how the answers of each run ended, for the leaderboard's bars."""
    partial = any(run.partial for run in figures.runs)
    endings = ("right", "partial", "declined", "wrong") if partial else ("right", "declined", "wrong")
    counts = [
        ((run.correct, *((run.partial,) if partial else ()), run.unanswered, run.incorrect), run.failed)
        for run in figures.runs
    ]
    return Outcomes(endings, counts)


def _in_order(campaign: CampaignResults) -> list[str]:
    return [campaign.runs[i] for i in campaign.order]


def thinned(points: Sequence[RiskPoint], most: int = CURVE_POINTS) -> list[tuple[float, float]]:
    """Return at most so many points of a curve, evenly over its coverage, ends included.

    >>> curve = [RiskPoint(1 - i / 1000, i / 1000, 0.1) for i in range(1, 1001)]
    >>> some = thinned(curve, 5)
    >>> len(some), some[0], some[-1]
    (5, (0.001, 0.1), (1.0, 0.1))
    """
    pairs = [(point.coverage, point.risk) for point in points]
    if len(pairs) <= most:
        return pairs
    first, last = pairs[0][0], pairs[-1][0]
    edges = [first + (last - first) * step / (most - 1) for step in range(most)]
    drawn = [pairs[0]]
    remaining = iter(pairs[1:-1])
    point = next(remaining, None)
    for low, high in pairwise(edges[:-1]):
        while point is not None and point[0] <= low:
            point = next(remaining, None)
        if point is not None and point[0] <= high:
            drawn.append(point)
    return [*drawn, pairs[-1]]


def _outcome_section(figures: OutcomeFigures, campaign: CampaignResults) -> Section | None:
    if len(figures.runs) > MAX_OUTCOME_BARS:
        return None
    ordered = [figures.runs[i] for i in campaign.order]
    chart = charts.outcome_bars(
        "outcomes",
        [(run.run, run.correct, run.partial, run.incorrect, run.unanswered, run.failed) for run in ordered],
        f"Outcomes of the {campaign.counted_noun} of each run, in order of {campaign.measures[0].name}. {campaign.method}",
        f"A bar per run, divided into correct, incorrect and unanswered; {ordered[0].run} has "
        f"{ordered[0].correct}, {ordered[0].incorrect} and {ordered[0].unanswered}.",
        campaign.counted_noun,
    )
    blocks: list[Block] = [chart]
    if any(run.failed or run.kinds for run in ordered):
        blocks.append(_kinds(ordered, campaign))
    return Section("outcomes-section", "Right, wrong, declined", tuple(blocks))


def _declining_section(figures: OutcomeFigures, campaign: CampaignResults) -> Section | None:
    """Return how many questions were declined, of those that should be and of the others."""
    declining_runs = [(place, run, run.declining) for place, run in ((i, figures.runs[i]) for i in campaign.order)]
    rows = tuple(
        (
            model.text(run.run),
            model.share(declining.rightly, declining.should_decline),
            _with_ends("missed_refusals", declining.missed, place, campaign),
            _with_ends("over_refusal", declining.over, place, campaign),
            _with_ends("decline_F1", declining.f1, place, campaign),
        )
        for place, run, declining in declining_runs
        if declining is not None
    )
    if not rows:
        return None
    should = max(declining.should_decline for _, _, declining in declining_runs if declining is not None)
    rates = ("Missed refusals", "Over-refusals", "F1 of declining")
    columns = (
        TableColumn("Run"),
        *numbers("Declined rightly"),
        *(TableColumn(name, numeric=True, domain=(0.0, 1.0)) for name in rates),
    )
    caption = (
        f"{should} {campaign.counted_noun} should be declined. Missed refusals: the share of these that was answered. Over-refusals: the "
        "share declined of those that should be answered. 95% intervals. In this report, declining a question that should be declined is "
        f"correct and answering it is incorrect; a question that a run leaves out is not a refusal. {campaign.method}"
    )
    return Section("declining-section", "Declining", (Table("declining", "", columns, rows, caption, sortable=True),))


def _with_ends(name: str, value: float | None, position: int, campaign: CampaignResults) -> Cell:
    """Return a value with the interval of its measure, if there is one."""
    for measure in campaign.measures:
        ends = measure.intervals or measure.page_intervals
        if measure.name == name and ends and (here := ends[position]) is not None:
            return model.interval(value, *here)
    return model.number(value)


def _kinds(runs: Sequence[OutcomeRunFigures], campaign: CampaignResults) -> Table:
    """Count unanswered questions by reason, and failures of the harness."""
    kinds = list(dict.fromkeys(kind for run in runs for kind in run.kinds))
    columns = (TableColumn("Run"), *numbers("Unanswered", *(kind.capitalize() for kind in kinds), "Failed"))
    rows = tuple(
        model.cells(run.run, run.unanswered, *(run.kinds.get(kind, 0) for kind in kinds), run.failed) for run in runs
    )
    caption = (
        "Why there is no answer, where the log says so: declined (does not know), refused (will not say), unparsed (no answer "
        "could be extracted; it may count as the log scored it). Failed: an error of the harness, not of the model. "
        f"{campaign.method}"
    )
    return Table("kinds", "Unanswered and failed", columns, rows, caption, sortable=True)


def _validation_section(id: str, validation: Validation, campaign: CampaignResults) -> Section:
    """Return which candidates were accepted: the table of CLEF's Answer Validation Exercise, and ROC curves."""
    heads = ("Candidates", "Right", "Accepted", "Precision", "Recall", "F", "FPR", "Estimated")
    rows = tuple(
        (
            model.text(answer_validation.label(decider), tag="baseline" if decider.name != decider.run else ""),
            *model.cells(decider.candidates, decider.right),
            model.among(decider.accepted, 0),
            *map(model.number, decider.rates),
        )
        for decider in answer_validation.ordered(validation)
    )
    table = Table(
        f"{id}-table",
        "Accepted and rejected",
        (TableColumn("Run"), *numbers(*heads)),
        rows,
        "A candidate that is answered is accepted, one that is withheld is rejected. Precision: right among the accepted. Recall: "
        "accepted among the right. FPR, the false positive rate: accepted among the wrong. "
        "The baselines accept every candidate, and every other one at random. Estimated: the performance that "
        f"Rodrigo et al. (2008) estimate. {campaign.method}",
    )
    runs = [decider.name for decider in validation.runs]
    named = [run for run in _in_order(campaign) if run in runs][:6] if len(runs) > 1 else []
    places = [
        f"{run.name} at {model.percent(run.false_positive_rate).text}, {model.percent(run.recall).text}"
        for run in validation.runs[:6]
    ]
    chart = charts.roc(
        f"{id}-roc",
        validation.runs,
        {run: thinned_roc(points) for run, points in validation.curves.items()},
        named,
        "Share of the right candidates accepted against that of the wrong ones; up and left is better. Points: what each run "
        "accepted. Curves, where every candidate has a confidence: accepting from the most confident down. Dotted diagonal: "
        f"accepting at random. {campaign.method}",
        f"ROC space: {', '.join(places)}.",
    )
    return Section(f"{id}-section", "Validation of candidates", (table, chart))


def thinned_roc(points: Sequence[RocPoint], most: int = CURVE_POINTS) -> list[RocPoint]:
    """Return about `most` points of a curve at regular steps, the last one included."""
    step = -(-len(points) // most)
    return [*points[:-1:step], points[-1]]


def _risk_section(figures: OutcomeFigures, campaign: CampaignResults) -> Section | None:
    curves = {run.run: thinned(run.risk_coverage) for run in figures.runs if run.risk_coverage}
    if not curves:
        return None
    named = [campaign.runs[i] for i in campaign.order if campaign.runs[i] in curves][:6]
    chart = charts.risk_coverage(
        "risk-coverage",
        {name: curves[name] for name in [*named, *(name for name in curves if name not in named)]},
        named,
        "Share of wrong answers among the most confident ones, as the share of questions answered grows; lower is "
        f"better. The first {model.counted(len(named), 'run')} by {campaign.measures[0].name} in colour. Questions left unanswered are "
        f"never covered; answers of equal confidence enter together; up to {CURVE_POINTS} points a run. {campaign.method}",
        f"Risk-coverage {'curve' if len(curves) == 1 else 'curves'} of {model.counted(len(curves), 'run')}.",
    )
    return Section("risk-section", "Risk and coverage", (chart,))


def run_page(figures: OutcomeFigures, campaign: CampaignResults, position: int) -> RunPage:
    run, prefix = figures.runs[position], page_id(position)
    measures = [measure for measure in campaign.measures if not isinstance(measure.values[position], int)]
    tables = (
        _outcomes(prefix, run, campaign),
        measure_table(campaign, position, measures),
    )
    blocks: list[Block] = [BlockRow(tables)]
    drawn = [chart for chart in (_risk(prefix, run, campaign), _reliability(prefix, run, campaign)) if chart]
    if drawn:
        blocks.append(BlockRow(tuple(drawn)))
    else:
        why = "have partial credit" if run.partial else "carry no confidence"
        blocks.append(Note(f"The answers of this run {why}, so there is no curve to draw.", "method"))
    if run.run in campaign.calibration:
        blocks.append(Note(campaign.calibration[run.run]))
    if run.failures:
        blocks.append(_failures(prefix, run, campaign))
    more = [
        Section(f"{prefix}-by-{place}-section", f"By {field}", tables)
        for place, (field, rows) in enumerate(figures.by.items(), start=1)
        if (tables := _by_tables(f"{prefix}-by-{place}", field, [row for row in rows if row.run == run.run], campaign))
    ]
    more += matrix_sections(figures.matrices, campaign, figures.by, position)
    decisions = figures.validation and figures.validation.of(run.run)
    more[:0] = [_validation_section(f"{prefix}-validation", decisions, campaign)] if decisions else []
    worth = run_section(figures.reading, campaign, position)
    return page_of(campaign, position, blocks, *([worth] if worth else []), *more)


def _outcomes(prefix: str, run: OutcomeRunFigures, campaign: CampaignResults) -> Table:
    whole = run.correct + run.partial + run.incorrect + run.unanswered
    rows = [
        ("Run", model.text(run.run)),
        (campaign.counted_noun.capitalize(), model.count(whole)),
        ("Correct", model.share(run.correct, whole)),
        *([("Partly correct", model.share(run.partial, whole))] if run.partial else []),
        ("Incorrect", model.share(run.incorrect, whole)),
        ("Unanswered", model.share(run.unanswered, whole)),
        *((kind.capitalize(), model.count(count)) for kind, count in run.kinds.items()),
        *_declining_rows(run),
        *([("Failed", model.count(run.failed))] if run.failed else []),
    ]
    caption = f"How many {campaign.counted_noun} {run.run} answered, and how. {campaign.method}"
    return facts(f"{prefix}-outcomes", tuple(rows), caption, "Outcomes")


def _declining_rows(run: OutcomeRunFigures) -> list[tuple[str, Cell]]:
    declining = run.declining
    if declining is None:
        return []
    return [
        ("Declined rightly", model.share(declining.rightly, declining.should_decline)),
        ("Missed refusals", model.share(declining.should_decline - declining.rightly, declining.should_decline)),
        ("Over-refusals", model.share(declining.wrongly, declining.should_answer)),
    ]


def _failures(prefix: str, run: OutcomeRunFigures, campaign: CampaignResults) -> Table:
    """List the first questions that failed in the harness."""
    known = set(campaign.topics)
    rows = tuple(
        (topic_cell(name) if name in known else model.text(name), model.text(why))
        for name, why in run.failures[:MAX_LISTED_FAILURES]
    )
    more = f" The first {MAX_LISTED_FAILURES} of {run.failed}." if run.failed > MAX_LISTED_FAILURES else ""
    caption = f"Questions that failed by an error of the harness, not of the model.{more} {campaign.method}"
    return Table(f"{prefix}-failed", "Failed", (TableColumn("Question"), TableColumn("Why")), rows, caption)


def _risk(prefix: str, run: OutcomeRunFigures, campaign: CampaignResults) -> Chart | None:
    if not run.risk_coverage:
        return None
    last = run.risk_coverage[-1]
    alt = f"Risk-coverage curve of {run.run}, ending at a risk of {last.risk:.1%} with {last.coverage:.1%} answered."
    points = thinned(run.risk_coverage)
    return charts.risk_coverage(f"{prefix}-risk", {run.run: points}, [], f"{risk_of(run.run)} {campaign.method}", alt)


def risk_of(run: str) -> str:
    """Return the caption of a run's risk-coverage curve."""
    return f"Share of wrong answers among the most confident ones of {run}, as the share of questions answered grows."


def _reliability(prefix: str, run: OutcomeRunFigures, campaign: CampaignResults) -> Chart | None:
    if not run.reliability:
        return None
    return charts.reliability_diagram(
        f"{prefix}-reliability",
        run.reliability,
        f"Share of right answers of {run.run} by stated confidence in {len(run.reliability)} bins. A well-calibrated system falls "
        "inside the grey bars 9 times in 10, if answers are independent (Bröcker and Smith 2007, resampled). Bars at the bottom: "
        f"answers in each bin, relative to the fullest. {campaign.method}",
        f"Reliability diagram of {run.run} over {model.counted(sum(b.answers for b in run.reliability), 'answer')}.",
    )


def _by_tables(
    name: str, field: str, rows: Sequence[FieldRow], campaign: CampaignResults, with_run: bool = False
) -> tuple[Table, ...]:
    """Return the results by type of question, in several tables if there are many measures."""
    rows = sorted(rows, key=lambda row: natural(row.run.casefold()))
    measures = list(rows[0].scores) if rows else []
    clef = [name for name in BY_MEASURES if name in measures] if "K" in measures else []
    only = set(clef) - {result.name for result in campaign.measures}
    columns = (*([TableColumn("Run")] if with_run else []), TableColumn(field.capitalize()), *numbers("Questions"))
    shown = [result for result in measures if result not in only]
    parts = [(f"Results by {field}", part) for _, part in split_columns(shown, len(columns) - 1)]
    parts += [(f"Recall, precision and K by {field}", clef)] if only else []
    first = [
        (
            *([model.text(row.run)] if with_run else []),
            model.text("all" if row.value is None else row.value),
            model.count(row.questions),
        )
        for row in rows
    ]
    return tuple(
        Table(
            f"{name}-{number}",
            title,
            (*columns, *numbers(*part)),
            tuple(
                (*cells, *(_by_cell(row, measure) for measure in part)) for cells, row in zip(first, rows, strict=True)
            ),
            f"Each measure over the questions of one {field}. {campaign.method}",
            sortable=True,
        )
        for number, (title, part) in enumerate(parts, start=1)
    )


def _by_cell(row: FieldRow, measure: str) -> Cell:
    """Return a measure of one row; a count of questions with its percentage."""
    value = row.scores[measure]
    if measure not in row.percent or not isinstance(value, int):
        return model.cell(value)
    return model.share(value, round(100 * value / row.percent[measure]) if value else row.samples)


MAX_LISTED_QUESTIONS = 50
"""Questions listed."""
TITLE = "Questions worth reading first"


def all_wrong_section(reading: ReadingList | None, campaign: CampaignResults) -> Section | None:
    """Return the questions that no run got right; None where there are none."""
    if reading is None or not reading.everybody_wrong:
        return None
    questions = reading.everybody_wrong
    rows = [(topic_cell(topic), *model.cells(wrong, reading.runs)) for topic, wrong in questions[:MAX_LISTED_QUESTIONS]]
    columns = (TableColumn(campaign.unit.capitalize()), *numbers("Wrong answers", "Runs"))
    caption = (
        f"The {counted(len(questions), campaign.unit)} that no run got right and at least two answered, the most wrong answers "
        f"first: check their gold, which is often wrong here.{_first(questions)}{_most_often(campaign)} {campaign.method}"
    )
    table = Table("all-wrong", "All runs wrong", columns, tuple(rows), caption, sortable=True)
    return Section("reading-section", TITLE, (table,))


def run_section(reading: ReadingList | None, campaign: CampaignResults, position: int) -> Section | None:
    """Return the confident mistakes of a run, and the questions that only it got right."""
    if reading is None:
        return None
    run, prefix, unit = campaign.runs[position], page_id(position), campaign.unit
    tables: list[Table] = []
    if mistakes := reading.confidently_wrong[run]:
        rows = [
            (topic_cell(mistake.topic), model.number(mistake.confidence)) for mistake in mistakes[:MAX_LISTED_QUESTIONS]
        ]
        caption = (
            f"Wrong answers that {run} gave with a confidence of {reading.sure:g} or more, highest confidence first."
        )
        title = f"Confidently wrong: {counted(len(mistakes), unit)} of confidence {reading.sure:g} or more"
        tables.append(
            _reading_table(
                f"{prefix}-sure", title, (*numbers("Confidence"),), rows, caption + _first(mistakes), campaign
            )
        )
    if alone := reading.right_only_here[run]:
        caption = f"Questions that {run} got right and none of the other {counted(reading.runs - 1, 'run')}."
        title = f"Right only here: {counted(len(alone), unit)}"
        rows = [(topic_cell(topic),) for topic in sorted(alone, key=natural)[:MAX_LISTED_QUESTIONS]]
        tables.append(_reading_table(f"{prefix}-alone", title, (), rows, caption + _first(alone), campaign))
    if not tables:
        return None
    return Section(f"{prefix}-reading-section", TITLE, (BlockRow(tuple(tables)) if len(tables) > 1 else tables[0],))


def _reading_table(
    id: str,
    title: str,
    columns: Sequence[TableColumn],
    rows: Sequence[tuple[Cell, ...]],
    caption: str,
    campaign: CampaignResults,
) -> Table:
    heads = (TableColumn(campaign.unit.capitalize()), *columns)
    return Table(id, title, heads, tuple(rows), f"{caption}{_most_often(campaign)} {campaign.method}", sortable=True)


def _first(questions: Sequence[object]) -> str:
    return f" The first {MAX_LISTED_QUESTIONS} of {len(questions)}." if len(questions) > MAX_LISTED_QUESTIONS else ""


def _most_often(campaign: CampaignResults) -> str:
    """Explain how several samples of a question count."""
    return f" A {campaign.unit} counts by what its samples did most often." if campaign.samples else ""
