"""The pages of `assay price`, which run leads at which price of a wrong answer, and a section of a report."""

from __future__ import annotations

from collections.abc import Sequence

from assay.analyses.abstention.price import LeadEvidence, Pricing
from assay.analyses.brief_numbers import two_digits
from assay.reports import model
from assay.reports.charts import outcomes as charts
from assay.reports.model import Chart, Note, Section, Table, TableColumn, numbers

HIGHLIGHTED_RUNS = 6
"""Runs with distinct colours."""
BANDED_RUNS = 4
"""Leading runs with a band; more would hide each other."""
MAX_LISTED_CROSSINGS = 20


def price_section(pricing: Pricing, how: str, order: Sequence[str]) -> Section:
    """Return the section of a report; `order` is that of the leaderboard."""
    blocks = (Note(pricing.finding), _chart(pricing, how, order), leads_table(pricing, how))
    return Section("price-section", "The price of a wrong answer", blocks)


def pricing_sections(pricing: Pricing) -> list[Section]:
    """Return the pages of a command: the leaders, the curves, every run at each price, and crossings."""
    order = [name for name, *_ in sorted(pricing.counts, key=lambda run: -run[1] / sum(run[1:]))]
    how = f"{pricing.questions} {pricing.noun}s."
    first = price_section(pricing, how, order)
    tables = [runs_table(pricing), *([_crossings(pricing)] if pricing.crossings else [])]
    return [first, Section("price-runs-section", "", tuple(tables))]


def _chart(pricing: Pricing, how: str, order: Sequence[str]) -> Chart:
    leading = list(dict.fromkeys(run for lead in pricing.leads for run in lead.runs))
    named = [*leading, *(run for run in order if run not in leading)][:HIGHLIGHTED_RUNS]
    banded = leading[:BANDED_RUNS]
    drawn = any(point.interval for run in banded for point in pricing.curves[run])
    bands = (
        f" Bands around the leaders hold at every price at once ({pricing.confidence:.0%}; {how_resampled(pricing)})."
        if drawn
        else ""
    )
    right = " Declining counts 1 where it is right." if pricing.worth else ""
    return charts.price_curves(
        "price",
        {name: pricing.curves[name] for name in [*named, *(name for name in order if name not in named)]},
        named,
        banded,
        "Mean over questions where a right answer counts 1, a declined one 0 and a wrong one -t/(1-t): at t = 0 an error "
        f"costs nothing, at t = 0.5 as much as a right answer gains, at t = 0.75 three times as much.{right}{bands} {how}",
        f"Falling curves of {model.counted(len(pricing.curves), 'run')}. {pricing.finding}",
        pricing.worth,
    )


def how_resampled(pricing: Pricing) -> str:
    by = f"{pricing.units} clusters by {pricing.cluster}" if pricing.cluster else f"{pricing.noun}s"
    return f"{by} resampled {pricing.resamples:,} times, seed {pricing.seed}"


def leads_table(pricing: Pricing, how: str) -> Table:
    columns = (
        *numbers("From t", "To t", "A wrong answer costs"),
        TableColumn("Leads"),
        *numbers("Significant for t", "Surest at t", "of resamples"),
    )
    rows = tuple(
        (
            model.number(float(lead.start), 3), model.number(float(lead.end), 3), model.text(_costs(lead)), model.text(_leaders(lead.runs)),
            model.text(_span(lead.shown)), model.number(lead.surest and lead.surest[0], 3),
            model.percent(lead.surest and lead.surest[1]),
        )
        for lead in pricing.leads
    )  # fmt: skip
    caption = (
        "The run with the highest mean by the price t of a wrong answer, which then costs t/(1-t) right ones; where the leader changes is "
        "exact. Significant for t: where it is better than every other run and than declining everything, for all pairs and prices at once "
        f"({pricing.confidence:.0%}). Surest at t: where the largest share of resamples puts the leader first "
        f"({how_resampled(pricing)}). {how}"
    )
    return Table("price-leads", "Who leads at which price", columns, rows, caption)


def _costs(lead: LeadEvidence) -> str:
    """Return what a wrong answer costs where a run leads, in right answers."""
    low, high = (two_digits(float(t / (1 - t))) if t < 1 else "" for t in (lead.start, lead.end))
    return f"{low} to {high}" if high else f"{low} or more"


def runs_table(pricing: Pricing) -> Table:
    columns = (TableColumn("Run"), *(column for t in pricing.prices for column in numbers(f"t = {t:g}", "first")))
    rows = [
        (
            model.text(run),
            *(
                cell
                for point in points
                for cell in (model.interval(point.score, *(point.interval or (None, None))), model.percent(point.first))
            ),
        )
        for run, points in pricing.runs.items()
    ]
    zeros = (cell for share in pricing.declining for cell in (model.number(pricing.worth), model.percent(share)))
    rows.append((model.text("declining every question"), *zeros))
    costs = ", ".join(f"{t / (1 - t):.3g} at t = {t:g}" for t in pricing.prices)
    caption = (
        f"A wrong answer costs {costs}. Each run's mean with its band, which holds at every price at once "
        f"({pricing.confidence:.0%}), and the share of resamples in which it is the highest; tied runs share it."
    )
    return Table("price-runs", "Every run", columns, tuple(rows), caption)


def _crossings(pricing: Pricing) -> Table:
    columns = (*numbers("At t"), TableColumn("Before"), TableColumn("After"), *numbers("Undecided for t"))
    rows = tuple(
        model.cells(float(crossing.at), crossing.before, crossing.after, _span(crossing.interval))
        for crossing in pricing.crossings[:MAX_LISTED_CROSSINGS]
    )
    more = len(pricing.crossings) - MAX_LISTED_CROSSINGS
    caption = (
        "The exact price at which two runs change places, and the prices around it at which neither leads significantly."
        + (f" The first {MAX_LISTED_CROSSINGS}; JSON has {more} more." if more > 0 else "")
    )
    return Table("price-crossings", "Crossings", columns, rows, caption)


def _span(span: tuple[float, float] | None) -> str:
    return "nowhere" if span is None else f"{span[0]:.3f} to {span[1]:.3f}"


def _leaders(runs: Sequence[str]) -> str:
    return ", ".join(runs) if runs else "declining every question"
