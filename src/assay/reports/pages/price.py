"""Who leads, by what a wrong answer costs: the section of a report, and what `assay price` prints."""

from __future__ import annotations

from collections.abc import Sequence

from assay.analyses.abstention.price import Pricing
from assay.reports import model
from assay.reports.charts import outcomes as charts
from assay.reports.model import Chart, Note, Section, Table, TableColumn, numbers

NAMED = 6
"""Runs in colours of their own."""
BANDED = 4
"""Leading runs with a band; more would hide each other."""
MOST_CROSSINGS = 20


def price_section(found: Pricing, how: str, order: Sequence[str]) -> Section:
    """The section of a report; `order` is that of the leaderboard."""
    blocks = (Note(price_sentence(found)), _chart(found, how, order), _leads(found, how))
    return Section("price-section", "The price of a wrong answer", blocks)


def pricing_sections(found: Pricing) -> list[Section]:
    """What a terminal prints: who leads, the curves, every run at the prices asked for, and where runs change places."""
    order = [name for name, *_ in sorted(found.counts, key=lambda run: -run[1] / sum(run[1:]))]
    how = f"{found.questions} {found.noun}s."
    first = price_section(found, how, order)
    tables = [_runs(found), *([_crossings(found)] if found.crossings else [])]
    return [first, Section("price-runs-section", "", tuple(tables))]


def price_sentence(found: Pricing) -> str:
    """Who leads, and where the leader changes."""
    first, *later = found.leads
    if not later:
        return f"Whatever a wrong answer costs, {_verb(first.runs)}."
    changes = [f"from t = {float(one.start):.3f} on, {_verb(one.runs)}" for one in later]
    return f"Where a wrong answer costs nothing {_verb(first.runs)}; {'; '.join(changes)}."


def _chart(found: Pricing, how: str, order: Sequence[str]) -> Chart:
    leading = list(dict.fromkeys(run for lead in found.leads for run in lead.runs))
    named = [*leading, *(run for run in order if run not in leading)][:NAMED]
    banded = leading[:BANDED]
    drawn = any(point.interval for run in banded for point in found.curves[run])
    bands = (
        f" Bands around those that lead hold at every price at once ({found.confidence:.0%}; {_how(found)})."
        if drawn
        else ""
    )
    right = " Where declining is right it counts 1." if found.worth else ""
    return charts.price_curves(
        "price",
        {name: found.curves[name] for name in [*named, *(name for name in order if name not in named)]},
        named,
        banded,
        "Mean over questions where a right answer counts 1, a declined one 0 and a wrong one -t/(1-t): at t = 0 an error "
        f"costs nothing, at t = 0.5 as much as a right answer brings, at t = 0.75 three times as much.{right}{bands} {how}",
        f"Falling curves of {model.counted(len(found.curves), 'run')}. {price_sentence(found)}",
        found.worth,
    )


def _how(found: Pricing) -> str:
    by = f"{found.units} clusters by {found.cluster}" if found.cluster else f"{found.noun}s"
    return f"{by} resampled {found.resamples:,} times, seed {found.seed}"


def _leads(found: Pricing, how: str) -> Table:
    columns = (*numbers("From t", "To t"), TableColumn("Leads"), *numbers("Shown for t", "Surest at t", "of resamples"))
    rows = tuple(
        (
            model.number(float(one.start)), model.number(float(one.end)), model.text(_leaders(one.runs)),
            model.text(_span(one.shown)), model.number(one.surest and one.surest[0], 3),
            model.percent(one.surest and one.surest[1]),
        )
        for one in found.leads
    )  # fmt: skip
    caption = (
        "Who has the highest mean, by the price of a wrong answer; the places of change are exact. Shown is where the lead is "
        f"told from every other run and from declining everything, for all pairs and prices at once ({found.confidence:.0%}). "
        "Surest is the price of the range at which the largest share of resamples puts the leader first "
        f"({_how(found)}). {how}"
    )
    return Table("price-leads", "Who leads at which price", columns, rows, caption)


def _runs(found: Pricing) -> Table:
    columns = (TableColumn("Run"), *(one for t in found.prices for one in numbers(f"t = {t:g}", "first")))
    rows = [
        (
            model.text(run),
            *(
                cell
                for point in points
                for cell in (model.interval(point.score, *(point.interval or (None, None))), model.percent(point.first))
            ),
        )
        for run, points in found.runs.items()
    ]
    zeros = (cell for share in found.declining for cell in (model.number(found.worth), model.percent(share)))
    rows.append((model.text("declining every question"), *zeros))
    costs = ", ".join(f"{t / (1 - t):.3g} at t = {t:g}" for t in found.prices)
    caption = (
        f"A wrong answer costs {costs}. Each run's mean with its band, which holds at every price at once "
        f"({found.confidence:.0%}), and the share of resamples in which it is the highest; who ties shares."
    )
    return Table("price-runs", "Every run", columns, tuple(rows), caption)


def _crossings(found: Pricing) -> Table:
    columns = (*numbers("At t"), TableColumn("Before"), TableColumn("After"), *numbers("Not told apart for t"))
    rows = tuple(
        (model.number(float(one.at)), model.text(one.before), model.text(one.after), model.text(_span(one.interval)))
        for one in found.crossings[:MOST_CROSSINGS]
    )
    more = len(found.crossings) - MOST_CROSSINGS
    caption = (
        "Where two runs change places, exactly, and the prices around it at which it is not shown which of them is ahead."
        + (f" The first {MOST_CROSSINGS}; JSON has {more} more." if more > 0 else "")
    )
    return Table("price-crossings", "Crossings", columns, rows, caption)


def _span(span: tuple[float, float] | None) -> str:
    return "nowhere" if span is None else f"{span[0]:.3f} to {span[1]:.3f}"


def _leaders(runs: Sequence[str]) -> str:
    return ", ".join(runs) if runs else "declining every question"


def _verb(runs: Sequence[str]) -> str:
    if not runs:
        return "declining every question is better than any run"
    return f"{runs[0]} leads" if len(runs) == 1 else f"{', '.join(runs[:-1])} and {runs[-1]} lead"
