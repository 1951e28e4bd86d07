"""The pages of `assay items`: suspicious, hard and uninformative items, item-response curves, a short form of the test."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from assay.analyses.items import AnchorSet, Item, Items, Response
from assay.errors import shorten_list
from assay.figures.measure_names import in_words
from assay.reports import model
from assay.reports.charts.reliability import KINDS, difficulty_discrimination
from assay.reports.model import Block, Cell, Chart, Note, Section, Table, TableColumn, counted, numbers
from assay.reports.pages.page_parts import as_note, topic_cell

MAX_DOTS = 1500
"""Items drawn in a chart; with more, all suspicious ones and a regular subset of the others."""
MAX_NAMED_ITEMS = 60
"""Ids of questions that a sentence lists."""


def sections(result: Items) -> list[Section]:
    """Return all sections of the command."""
    sections = [Section("items-section", "Items", _first(result, "")), _hard(result)]
    return [*sections, *requested_sections(result)]


def requested_sections(result: Items) -> list[Section]:
    """Return what options asked for: the response model, and the items to keep."""
    curves = [_curves(result, result.response)] if result.response else []
    return [*curves, *([_kept(result, result.kept)] if result.kept else [])]


def report_section(result: Items, how: str) -> Section:
    """Return the section of a report on suspicious items, each linked to its page."""
    return Section("items-section", f"Difficulty and discrimination by {result.noun}", _first(result, f" {how}"))


def _first(result: Items, how: str) -> tuple[Block, ...]:
    blocks: list[Block] = [Note(result.finding), Note(summary(result)), _scatter(result, how)]
    worst = result.of_kind("suspicious", "negative")
    return (*blocks, suspect_table(result, worst, how)) if worst else tuple(blocks)


def summary(result: Items) -> str:
    """Count the items on which all runs agree, and those with a negative discrimination."""
    none_right, all_right, same = (len(result.of_kind(kind)) for kind in ("nobody", "everybody", "same"))
    sure, weak = len(result.suspicious), len(result.of_kind("negative"))
    sentences = [
        f"{len(result.items):,} {result.noun}s, {counted(len(result.runs), 'run')}, by {in_words(result.measure)}."
    ]
    if result.binary and none_right + all_right:
        sentences.append(f"No run gets {none_right:,} right and every run gets {all_right:,}: these separate no runs.")
    elif none_right + all_right + same:
        sentences.append(f"On {none_right + all_right + same:,} all runs have the same value: these separate no runs.")
    if sure + weak:
        be = "is" if sure == 1 else "are"
        sentences.append(
            f"Of {sure + weak:,} with a negative discrimination {sure:,} {be} significant at a false discovery rate of {result.alpha:.0%}."
        )
    return " ".join(sentences)


def _scatter(result: Items, how: str) -> Chart:
    known = [(item, item.discrimination) for item in result.items if item.discrimination is not None]
    step = -(-len(known) // MAX_DOTS) or 1
    shown = [pair for place, pair in enumerate(known) if pair[0].kind == "suspicious" or place % step == 0]
    words = {"suspicious": KINDS[2], "negative": KINDS[1]}
    places: dict[tuple[float, float, str], list[str]] = {}
    for item, r in shown:
        places.setdefault((round(item.mean, 4), round(r, 3), words.get(item.kind, KINDS[0])), []).append(item.topic)
    dots = [(f"{names[0]}{' …' if len(names) > 1 else ''}", len(names), *place) for place, names in places.items()]
    subset = "" if step == 1 else f" All that are suspicious, and one in {step} of the others."
    larger = f" A larger dot is several {result.noun}s." if len(dots) < len(shown) else ""
    caption = (
        f"Difficulty of each {result.noun}, and its discrimination: the correlation of its values with the runs' means over all other "
        f"{result.noun}s.{subset}{larger} {_undrawn(result, len(known))}{how}"
    )
    alt = f"Scatter plot of {counted(len(shown), result.noun)}; {len(result.suspicious)} suspicious."
    return difficulty_discrimination(
        "items-chart", dots, result.measure, _is_share(result), result.noun, caption.strip(), alt
    )


def _undrawn(result: Items, known: int) -> str:
    left = len(result.items) - known
    return f"{left:,} on which all runs agree have none." if left else ""


def _is_share(result: Items) -> bool:
    return result.binary or result.measure == "accuracy"


def _mean(result: Items, item: Item) -> Cell:
    return model.percent(item.mean) if _is_share(result) else model.number(item.mean)


def _heads(result: Items) -> tuple[TableColumn, ...]:
    right = "Right" if _is_share(result) else f"Mean {in_words(result.measure)}"
    return (
        TableColumn(result.noun.capitalize()),
        *numbers(right, "Runs"),
        TableColumn("Discrimination", f"correlation with the runs' means over the other {result.noun}s", numeric=True),
    )


def _cells(result: Items, item: Item) -> tuple[Cell, ...]:
    return (
        topic_cell(item.topic),
        _mean(result, item),
        model.count(item.runs),
        model.number(item.discrimination, 3, signed=True),
    )


def _chance(p: float | None) -> Cell:
    return model.text("<0.0001") if p is not None and p < 1e-4 else model.number(p)


def suspect_table(result: Items, worst: Sequence[Item], how: str) -> Table:
    """List the items with negative discrimination, those with the smallest p first."""
    columns = (
        *_heads(result),
        TableColumn("p", "probability of so negative a correlation by chance, one-sided", numeric=True),
        TableColumn("Adjusted", "for all tested at once, after Benjamini and Hochberg", numeric=True),
        TableColumn("Which"),
    )
    rows = tuple(
        (
            *_cells(result, item),
            _chance(item.p),
            _chance(item.adjusted),
            model.text(KINDS[2] if item.kind == "suspicious" else "may be chance"),
        )
        for item in worst[: result.top]
    )
    test = "the rank sum of the runs that are right" if result.binary else "rank correlation"
    caption = (
        f"Good runs do badly on these, smallest p first{_of(result, len(worst))}. p by {test}, one-sided, as if runs were independent; "
        f"models of one family answer alike, which makes p too small.{how}"
    )
    return Table("items-suspicious", "Negative discrimination", columns, rows, caption, sortable=True)


def _of(result: Items, many: int) -> str:
    return f", the first {result.top} of {many:,}" if many > result.top else ""


def _hard(result: Items) -> Section:
    """List the hardest items that a run gets right, and those on which all runs agree."""
    blocks: list[Block] = [hard_table(result)]
    for kind, words in {
        "nobody": "No run gets",
        "everybody": "Every run gets",
        "same": "All runs have the same value on",
    }.items():
        topics = [item.topic for item in result.of_kind(kind)]
        if topics:
            blocks.append(Note(f"{words} {shorten_list(topics, result.top)}."))
    return Section("items-hard-section", "Hardest that some run gets", tuple(blocks))


def hard_table(result: Items) -> Table:
    """List the hardest items that some run gets."""
    rows = tuple(_cells(result, item) for item in result.hardest[: result.top])
    return Table("items-hard", "", _heads(result), rows)


def _curves(result: Items, fitted: Response) -> Section:
    best = sorted((i for i in result.items if i.information is not None), key=lambda i: -(i.information or 0.0))[
        : result.top
    ]
    columns = (TableColumn(result.noun.capitalize()), *numbers("Slope a", "Location b", "Information"))
    rows = tuple(
        (topic_cell(i.topic), *(model.number(v, 3) for v in (i.slope, i.location, i.information))) for i in best
    )
    caption = (
        f"P(right) = 1/(1 + exp(-a(θ - b))); the most informative at θ = {fitted.theta:g}. Undefined on {fitted.undefined:,} that all or "
        f"none get. {fitted.separated:,} separate the runs completely: their slopes are at the bound."
    )
    blocks: list[Block] = [Table("items-curves", "", columns, rows, caption)]
    tests = tuple(
        (
            model.number(at, 1, signed=True),
            model.number(information, 2),
            model.number(information**-0.5 if information else None, 3),
        )
        for at, information in fitted.test.items()
    )
    heads = numbers("Ability θ", "Information", "Error of θ")
    blocks.append(Table("items-test", "The whole test", heads, tests))
    runs = sorted(fitted.abilities.items(), key=lambda pair: -pair[1][0])
    able = tuple(
        (model.text(run), model.number(at, 3, signed=True), model.number(error, 3))
        for run, (at, error) in runs[: result.top]
    )
    blocks.append(
        Table("items-abilities", "Runs by ability", (TableColumn("Run"), *numbers("Ability θ", "Error")), able)
    )
    reached = (
        f"converged in {counted(fitted.steps, 'step')}"
        if fitted.converged
        else f"did not converge in {fitted.steps} steps"
    )
    method = f"Marginal maximum likelihood, {reached}; log-likelihood {fitted.log_likelihood:.2f}. Abilities have mean 0 and variance 1."
    warnings = [replace(as_note(line), kind="warning") for line in result.warnings]
    return Section(
        "items-irt-section",
        f"{fitted.model}: a curve for every {result.noun}",
        (*warnings, *blocks, Note(method, "method")),
    )


def _kept(result: Items, kept: AnchorSet) -> Section:
    columns = (
        TableColumn(""),
        *numbers("tau", "error", "largest"),
        TableColumn("tau, others", f"against the {result.noun}s that are not kept", numeric=True),
        TableColumn("error, others", numeric=True),
    )
    rows = tuple(
        model.cells(name, held.tau, held.error, held.largest, held.others_tau, held.others_error)
        for name, held in (("anchors", kept.chosen), ("as many at random", kept.random))
    )
    caption = (
        f"On held-out runs: half of the runs choose, the chosen {result.noun}s rank the other half; means over {kept.halves} halves. tau: "
        f"tau-b with the ranking by all {len(result.items):,} {result.noun}s. error: the distance of the scores from those on all."
    )
    table = Table("items-kept", "", columns, rows, caption)
    if kept.target is not None:
        low, high = min(kept.sizes), max(kept.sizes)
        span = f"{low}" if low == high else f"{low} to {high}"
        size = (
            f"The size is the smallest whose tau on runs held out is {kept.target:g} or more."
            if kept.reached
            else f"No size up to half of the {result.noun}s reaches a tau of {kept.target:g} on runs held out, so half of them are kept."
        )
        chosen = Note(f"{size} The table is of sizes that each half of the runs chose for itself ({span}).")
    else:
        chosen = Note("Chosen with all runs; the table is of choices made with half of them.")
    names = list(kept.items)
    title = f"A short test of {len(kept.items)} {result.noun}s"
    return Section(
        "items-kept-section", title, (table, chosen, Note(f"{shorten_list(names, MAX_NAMED_ITEMS)}.", "method"))
    )
