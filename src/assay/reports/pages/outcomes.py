"""The pages of answers with non-response and confidence: outcomes, measures, risk and coverage, reliability, by type."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

from assay.figures.outcomes import Figures, RiskPoint, Row, RunFigures
from assay.reports import model
from assay.reports.charts import outcomes as charts
from assay.reports.model import Block, Chart, Column, Document, Note, Page, Section, Table
from assay.reports.model import Row as SideBySide
from assay.reports.pages.assembly import assemble
from assay.reports.pages.campaign import Campaign, Frame, facts, page_id, run_page, split_columns

MOST_ROWS = 200
"""Rows of a campaign's table by type; beyond it every run's page has its own rows only."""
MOST_BARS = 50
CURVE_POINTS = 200
"""Points of a risk-coverage curve that are drawn; a curve of thousands looks no different."""


def pages(figures: Figures, campaign: Campaign, frame: Frame) -> Document:
    """The campaign's report, or one participant's pages."""
    own = [
        _outcome_section(figures, campaign),
        _risk_section(figures, campaign),
        *(
            _by_section(place, field, rows, campaign)
            for place, (field, rows) in enumerate(figures.by.items(), start=1)
            if len(rows) <= MOST_ROWS
        ),
    ]
    return assemble(frame, campaign, lambda position: _run_page(figures, campaign, position), own)


def thinned(points: Sequence[RiskPoint], most: int = CURVE_POINTS) -> list[tuple[float, float]]:
    """At most so many of a curve's own points, evenly over its coverage, ends included.

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
    kept = [pairs[0]]
    remaining = iter(pairs[1:-1])
    point = next(remaining, None)
    for low, high in pairwise(edges[:-1]):
        while point is not None and point[0] <= low:
            point = next(remaining, None)
        if point is not None and point[0] <= high:
            kept.append(point)
    return [*kept, pairs[-1]]


def _outcome_section(figures: Figures, campaign: Campaign) -> Section | None:
    if len(figures.runs) > MOST_BARS:
        return None
    ordered = [figures.runs[i] for i in campaign.order]
    chart = charts.outcome_bars(
        "outcomes",
        [(run.run, run.correct, run.incorrect, run.unanswered) for run in ordered],
        f"What became of the questions of each run, in order of {campaign.measures[0].name}. {campaign.how}",
        f"A bar per run, divided into correct, incorrect and unanswered; {ordered[0].run} has "
        f"{ordered[0].correct}, {ordered[0].incorrect} and {ordered[0].unanswered}.",
    )
    return Section("outcomes-section", "Right, wrong, declined", (chart,))


def _risk_section(figures: Figures, campaign: Campaign) -> Section | None:
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
        f"never covered; answers of equal confidence enter together; up to {CURVE_POINTS} points a run. {campaign.how}",
        f"Risk-coverage {'curve' if len(curves) == 1 else 'curves'} of {model.counted(len(curves), 'run')}.",
    )
    return Section("risk-section", "Risk and coverage", (chart,))


def _run_page(figures: Figures, campaign: Campaign, position: int) -> Page:
    run = figures.runs[position]
    prefix = page_id(position)
    blocks: list[Block] = [SideBySide((_outcomes(prefix, run, campaign.how), _measures(prefix, campaign, position)))]
    drawn = [chart for chart in (_risk(prefix, run, campaign), _reliability(prefix, run, campaign)) if chart]
    if drawn:
        blocks.append(SideBySide(tuple(drawn)))
    else:
        blocks.append(Note("The answers of this run carry no confidence, so there is no curve to draw.", "method"))
    more = [
        Section(f"{prefix}-by-{place}-section", f"By {field}", tuple(tables))
        for place, (field, rows) in enumerate(figures.by.items(), start=1)
        if (tables := _by_table(f"{prefix}-by-{place}", field, [row for row in rows if row.run == run.run], campaign))
    ]
    return run_page(campaign, position, blocks, *more)


def _outcomes(prefix: str, run: RunFigures, how: str) -> Table:
    whole = run.correct + run.incorrect + run.unanswered
    rows = (
        ("Run", model.text(run.run)),
        ("Questions", model.count(whole)),
        ("Correct", model.share(run.correct, whole)),
        ("Incorrect", model.share(run.incorrect, whole)),
        ("Unanswered", model.share(run.unanswered, whole)),
    )
    return facts(f"{prefix}-outcomes", rows, f"How many questions {run.run} answered, and how. {how}", "Outcomes")


def _measures(prefix: str, campaign: Campaign, position: int) -> Table:
    rows = tuple(
        (model.text(measure.name, hint=measure.hint), measure.cell(position))
        for measure in campaign.measures
        if not isinstance(measure.values[position], int)
    )
    caption = f"Values of {campaign.runs[position]}. {campaign.how}"
    return Table(f"{prefix}-measures", "Measures", (Column("Measure"), Column("Value", numeric=True)), rows, caption)


def _risk(prefix: str, run: RunFigures, campaign: Campaign) -> Chart | None:
    if not run.risk_coverage:
        return None
    last = run.risk_coverage[-1]
    return charts.risk_coverage(
        f"{prefix}-risk",
        {run.run: thinned(run.risk_coverage)},
        [],
        f"Share of wrong answers among the most confident ones of {run.run}, as the share of questions answered "
        f"grows. {campaign.how}",
        f"Risk-coverage curve of {run.run}, ending at a risk of {last.risk:.1%} with {last.coverage:.1%} answered.",
    )


def _reliability(prefix: str, run: RunFigures, campaign: Campaign) -> Chart | None:
    if not run.reliability:
        return None
    return charts.reliability_diagram(
        f"{prefix}-reliability",
        run.reliability,
        f"Share of right answers of {run.run} by stated confidence in {len(run.reliability)} bins; on the dotted "
        f"diagonal a system knows how often it is right. The grey bars show how many answers each bin holds, relative "
        f"to the fullest. {campaign.how}",
        f"Reliability diagram of {run.run} over {model.counted(sum(b.answers for b in run.reliability), 'answer')}.",
    )


def _by_section(place: int, field: str, rows: Sequence[Row], campaign: Campaign) -> Section:
    tables = _by_table(f"by-{place}", field, rows, campaign, with_run=True)
    return Section(f"by-{place}-section", f"By {field}", tuple(tables))


def _by_table(name: str, field: str, rows: Sequence[Row], campaign: Campaign, with_run: bool = False) -> list[Table]:
    """The results by type of question, in parts where it has more measures than fit beside each other."""
    measures = list(rows[0].scores) if rows else []
    made: list[Table] = []
    for number, part in split_columns(measures):
        columns = [Column("Run")] if with_run else []
        columns += [Column(field.capitalize()), Column("Questions", numeric=True)]
        made.append(
            Table(
                f"{name}-{number}",
                f"Results by {field}",
                (*columns, *(Column(measure, numeric=True) for measure in part)),
                tuple(
                    (
                        *([model.text(row.run)] if with_run else []),
                        model.text("all" if row.value is None else row.value),
                        model.count(row.questions),
                        *(_score(row.scores[measure]) for measure in part),
                    )
                    for row in rows
                ),
                f"Each measure over the questions of one {field}. {campaign.how}",
                sortable=True,
            )
        )
    return made


def _score(value: float | int | None) -> model.Cell:
    return model.count(value) if isinstance(value, int) else model.number(value)
