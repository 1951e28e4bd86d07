"""The items of a test: those that are suspicious, hard or useless, their curves, and the few that would do instead of all."""

from __future__ import annotations

from collections.abc import Sequence

from assay.analyses.items.items import AnchorSet, Item, Items, Response
from assay.errors import shorten_list
from assay.reports import model
from assay.reports.charts.items import KINDS, difficulty_discrimination
from assay.reports.model import Block, Cell, Chart, Note, Section, Table, TableColumn, counted, numbers

MOST_DOTS = 1500
"""Items that a chart shows; of more, all that are suspicious and every so many-th of the others."""
MOST_NAMED = 60
"""Ids of questions that a sentence lists."""


def sections(found: Items) -> list[Section]:
    """All that is known of the items, as a terminal and a notebook show it."""
    made = [Section("items-section", "Items", _first(found, "")), _hard(found)]
    made += [_curves(found, found.response)] if found.response else []
    made += [_kept(found, found.kept)] if found.kept else []
    return made


def report_section(found: Items, how: str) -> Section:
    """The suspicious items as a page of the report, each with the way to its own page."""
    return Section("items-section", f"How well each {found.noun} tells runs apart", _first(found, f" {how}"))


def _first(found: Items, how: str) -> tuple[Block, ...]:
    blocks: list[Block] = [Note(summary(found)), _scatter(found, how)]
    worst = found.of_kind("suspicious", "negative")
    return (*blocks, _suspects(found, worst, how)) if worst else tuple(blocks)


def summary(found: Items) -> str:
    """How many items are of which kind, and what may be believed."""
    nouns, all_ = f"{found.noun}s", len(found.items)
    nobody, everybody, same = (len(found.of_kind(kind)) for kind in ("nobody", "everybody", "same"))
    sure, weak = len(found.suspicious), len(found.of_kind("negative"))
    said = [f"{all_:,} {nouns}, {counted(len(found.runs), 'run')}, by {found.measure}."]
    if found.binary and nobody + everybody:
        said.append(f"Nobody gets {nobody:,} right and everybody {everybody:,}: these tell no runs apart.")
    elif nobody + everybody + same:
        said.append(f"On {nobody + everybody + same:,} all runs have the same value: these tell no runs apart.")
    if not sure + weak:
        return " ".join([*said, "No discrimination is negative."])
    beyond = f"beyond what chance gives among so many (false discovery rate {found.alpha:.0%})"
    if not sure:
        said.append(f"{weak:,} have a negative discrimination, none of them {beyond}.")
    else:
        be = "is" if sure == 1 else "are"
        said.append(
            f"Of {sure + weak:,} with a negative discrimination {sure:,} {be} {beyond}, and worth a look at the gold; the other {weak:,} "
            "may be chance."
        )
    return " ".join(said)


def _scatter(found: Items, how: str) -> Chart:
    known = [(item, item.discrimination) for item in found.items if item.discrimination is not None]
    step = -(-len(known) // MOST_DOTS) or 1
    shown = [pair for place, pair in enumerate(known) if pair[0].kind == "suspicious" or place % step == 0]
    words = {"suspicious": KINDS[2], "negative": KINDS[1]}
    places: dict[tuple[float, float, str], list[str]] = {}
    for item, r in shown:
        places.setdefault((round(item.mean, 4), round(r, 3), words.get(item.kind, KINDS[0])), []).append(item.topic)
    dots = [(f"{names[0]}{' …' if len(names) > 1 else ''}", len(names), *place) for place, names in places.items()]
    some = "" if step == 1 else f" All that are suspicious, and one in {step} of the others."
    larger = f" A larger dot is several {found.noun}s." if len(dots) < len(shown) else ""
    caption = (
        f"How hard each {found.noun} is and how well it tells the runs apart: the correlation of its values with the runs' means over "
        f"all other {found.noun}s.{some}{larger} {_undrawn(found, len(known))}{how}"
    )
    alt = f"Scatter plot of {counted(len(shown), found.noun)}; {len(found.suspicious)} suspicious."
    return difficulty_discrimination(
        "items-chart", dots, found.measure, _is_share(found), found.noun, caption.strip(), alt
    )


def _undrawn(found: Items, known: int) -> str:
    left = len(found.items) - known
    return f"On {left:,} all runs agree, and there is none." if left else ""


def _is_share(found: Items) -> bool:
    return found.binary or found.measure == "accuracy"


def _mean(found: Items, item: Item) -> Cell:
    return model.percent(item.mean) if _is_share(found) else model.number(item.mean)


def _named(item: Item) -> Cell:
    return model.text(item.topic, link=model.address("topic", item.topic))


def _heads(found: Items) -> tuple[TableColumn, ...]:
    right = "Right" if _is_share(found) else f"Mean {found.measure}"
    return (
        TableColumn(found.noun.capitalize()),
        *numbers(right, "Runs"),
        TableColumn("Discrimination", f"correlation with the runs' means over the other {found.noun}s", numeric=True),
    )


def _cells(found: Items, item: Item) -> tuple[Cell, ...]:
    return _named(item), _mean(found, item), model.count(item.runs), model.number(item.discrimination, 3, signed=True)


def _chance(p: float | None) -> Cell:
    return model.text("<0.0001") if p is not None and p < 1e-4 else model.number(p)


def _suspects(found: Items, worst: Sequence[Item], how: str) -> Table:
    columns = (
        *_heads(found),
        TableColumn("p", "how probable so negative a relation is by chance, one-sided", numeric=True),
        TableColumn("Adjusted", "for all tested at once, after Benjamini and Hochberg", numeric=True),
        TableColumn("Which"),
    )
    rows = tuple(
        (
            *_cells(found, item),
            _chance(item.p),
            _chance(item.adjusted),
            model.text(KINDS[2] if item.kind == "suspicious" else "may be chance"),
        )
        for item in worst[: found.top]
    )
    test = "the rank sum of the runs that are right" if found.binary else "rank correlation"
    caption = (
        f"Runs that are good otherwise do badly on these, the surest first{_of(found, len(worst))}. p by {test}, one-sided, which takes "
        f"runs as independent: models of one family answer alike, and make it smaller than it should be.{how}"
    )
    return Table("items-suspicious", "Negative discrimination", columns, rows, caption, sortable=True)


def _of(found: Items, many: int) -> str:
    return f", the first {found.top} of {many:,}" if many > found.top else ""


def _hard(found: Items) -> Section:
    """The hardest items that somebody gets, and those on which all agree."""
    hardest = found.hardest[: found.top]
    rows = tuple(_cells(found, item) for item in hardest)
    blocks: list[Block] = [Table("items-hard", "", _heads(found), rows)]
    for kind, words in {
        "nobody": "Nobody gets",
        "everybody": "Everybody gets",
        "same": "All runs have the same value on",
    }.items():
        some = [item.topic for item in found.of_kind(kind)]
        if some:
            blocks.append(Note(f"{words} {shorten_list(some, found.top)}."))
    return Section("items-hard-section", "Hardest of those that somebody gets", tuple(blocks))


def _curves(found: Items, fitted: Response) -> Section:
    best = sorted((i for i in found.items if i.information is not None), key=lambda i: -(i.information or 0.0))[
        : found.top
    ]
    columns = (TableColumn(found.noun.capitalize()), *numbers("Slope a", "Location b", "Information"))
    rows = tuple((_named(i), *(model.number(v, 3) for v in (i.slope, i.location, i.information))) for i in best)
    caption = (
        f"P(right) = 1/(1 + exp(-a(θ - b))); the most informative at θ = {fitted.theta:g}. Undefined on {fitted.undefined:,} that all or "
        f"none get, and on {fitted.separated:,} that separate the runs completely."
    )
    blocks: list[Block] = [Table("items-curves", "", columns, rows, caption)]
    tests = tuple(
        (model.number(at, 1, signed=True), model.number(told, 2), model.number(told**-0.5 if told else None, 3))
        for at, told in fitted.test.items()
    )
    heads = numbers("Ability θ", "Information", "Error of θ")
    blocks.append(Table("items-test", "The whole test", heads, tests))
    runs = sorted(fitted.abilities.items(), key=lambda pair: -pair[1][0])
    able = tuple(
        (model.text(run), model.number(at, 3, signed=True), model.number(error, 3))
        for run, (at, error) in runs[: found.top]
    )
    blocks.append(
        Table("items-abilities", "Runs by ability", (TableColumn("Run"), *numbers("Ability θ", "Error")), able)
    )
    reached = (
        f"converged in {counted(fitted.steps, 'step')}"
        if fitted.converged
        else f"did not converge in {fitted.steps} steps"
    )
    said = f"Marginal maximum likelihood, {reached}; log-likelihood {fitted.log_likelihood:.2f}. Abilities have mean 0 and variance 1."
    warned = [Note(f"{line[:1].upper()}{line[1:]}.", "warning") for line in found.warnings]
    return Section(
        "items-irt-section", f"{fitted.model}: a curve for every {found.noun}", (*warned, *blocks, Note(said, "method"))
    )


def _kept(found: Items, kept: AnchorSet) -> Section:
    columns = (
        TableColumn(""),
        *numbers("tau", "error", "largest"),
        TableColumn("tau, others", f"against the {found.noun}s that are not kept", numeric=True),
        TableColumn("error, others", numeric=True),
    )
    rows = tuple(
        (
            model.text(name),
            *(
                model.number(value)
                for value in (held.tau, held.error, held.largest, held.others_tau, held.others_error)
            ),
        )
        for name, held in (("anchors", kept.chosen), ("as many at random", kept.random))
    )
    caption = (
        "On runs that had no part in the choice: half of the runs choose, the others are ranked by what was chosen; means over "
        f"{kept.halves} halves. tau-b of their ranking with that by all {len(found.items):,} {found.noun}s, and how far their scores are "
        "from those on all."
    )
    table = Table("items-kept", "", columns, rows, caption)
    if kept.target is not None:
        low, high = min(kept.sizes), max(kept.sizes)
        span = f"{low}" if low == high else f"{low} to {high}"
        size = (
            f"The size is the smallest whose tau on runs held out is {kept.target:g} or more."
            if kept.reached
            else f"No size up to half of the {found.noun}s reaches a tau of {kept.target:g} on runs held out, so half of them are kept."
        )
        chosen = Note(
            f"{size} Each half of the runs chose its own, among its own runs alone ({span}), and the table is of that."
        )
    else:
        chosen = Note("Chosen with all runs; the numbers are of choices made with half of them.")
    names = list(kept.items)
    title = f"{len(kept.items)} {found.noun}s that would do"
    return Section("items-kept-section", title, (table, chosen, Note(f"{shorten_list(names, MOST_NAMED)}.", "method")))
