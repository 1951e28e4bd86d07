"""A report from which no judgment can be told: averages over topics, to three digits, and nothing else.

With its run file at hand, a participant who knows the ranks of the relevant documents knows the judgments; so does one who
knows a value per topic, or how many relevant documents were retrieved. What is kept is what says of itself that it is made of
averages alone (`model.averaged`); everything else is dropped, so that a new page is silent until somebody declares it. Of what
is kept, counts are dropped and numbers rounded, in tables, in the data of charts and in sentences.

Averages over a few topics tell of single topics, and a participant who may submit as many runs as they like can probe any
average: the first is refused (`FEWEST`), against the second only a limit on submissions helps.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from assay.errors import UsageError
from assay.measures.measure import Measure
from assay.reports.model import (  # fmt: skip
    Block,
    BlockRow,
    Cell,
    Chart,
    ComparisonBlock,
    Document,
    Note,
    Panels,
    RunPage,
    Section,
    Span,
    Table,
)
from assay.reports.terminal_charts import Intervals, Plot, TerminalChart
from assay.table.scores import Scores

DIGITS = 3
FEWEST = 10
"""Topics, below which an average says too much of each."""
COUNTS = ("count", "share")
"""Kinds of cells that say how many."""
SAID = ("Topics", "Questions", "Problems", "Runs")
"""What the head of a report may tell: how much was evaluated, and nothing of what was found."""
_LONG = re.compile(r"(?<![\w.])[+-]?\d+\.\d{4,}(?!\d|\.\w)")


def is_average(measure: Measure) -> bool:
    """Whether a measure may be told: one that is bounded, and added up over nothing. A utility of 2·R+ - N+ is as good as the
    number of relevant documents to whoever knows how many were retrieved."""
    declared = measure.declaration
    bounds = declared.low, declared.high
    return measure.average != "sum" and all(bound is not None and abs(bound) < 2 for bound in bounds)


def averages_among(
    scores: Scores, measures: Sequence[Measure], topics: Any, docs: Any, warnings: list[str]
) -> list[Measure]:
    """The measures of a report that must not tell judgments, or a refusal where it would tell them all the same."""
    noun = scores.task.noun
    if topics is not None or docs is not None:
        raise UsageError(f"`aggregate=True`: there are no pages by {noun}, for which `topics` and `docs` are")
    if len(scores.topics) < FEWEST:
        raise UsageError(
            f"`aggregate=True`: averages over {len(scores.topics)} {noun}s tell of single ones; expected {FEWEST} or more"
        )
    kept = [measure for measure in measures if is_average(measure)]
    if not kept:
        counts = ", ".join(measure.name for measure in measures)
        raise UsageError(f"`aggregate=True`: {counts} tells how many; name a measure that is an average from -1 to 1")
    left_out = [measure.name for measure in measures if not is_average(measure)]
    if left_out:
        warnings.append(f"left out, for they tell how many: {', '.join(left_out)} (`aggregate=True`)")
    return kept


def aggregated(document: Document) -> Document:
    """The same report without anything that depends on single judgments."""
    pages = tuple(page for page in map(_page, document.pages) if page.sections)
    links = {page.id for page in pages}
    sections = tuple(section for section in map(_section, document.sections) if section.blocks)
    return replace(
        document,
        meta=tuple(pair for pair in document.meta if pair[0] in SAID),
        sections=tuple(_linked(section, links) for section in sections),
        pages=pages,
        foot=rounded_text(document.foot),
        items=None,
        grid=None,
        appendix=(),
    )


def _page(page: RunPage) -> RunPage:
    kept = {
        name: tuple(one for one in map(_section, getattr(page, name)) if one.blocks)
        for name in ("standing", "sections")
    }
    return replace(page, **kept)


def _section(section: Section) -> Section:
    kept = (_block(block) for block in section.blocks)
    return replace(
        section, title=rounded_text(section.title), blocks=tuple(block for block in kept if block is not None)
    )


def _block(block: Block) -> Block | None:
    """What is left of a block, or nothing."""
    if isinstance(block, BlockRow):
        kept = [_table(one) if isinstance(one, Table) else _chart(one) for one in block.blocks if one.aggregate]
        left = tuple(one for one in kept if one is not None)
        return None if not left else left[0] if len(left) == 1 else BlockRow(left)
    if isinstance(block, ComparisonBlock):
        return _comparison(block)
    if isinstance(block, Panels) or not block.aggregate:
        return None
    if isinstance(block, Note):
        return replace(block, body=rounded_text(block.body))
    return _table(block) if isinstance(block, Table) else _chart(block)


def _table(table: Table) -> Table | None:
    """Without columns of counts, then without rows that still have one."""
    rows = [row for row in table.rows if not isinstance(row, Span)]
    kept = [i for i in range(len(table.columns)) if not _counts([row[i] for row in rows])]
    made: list[Any] = []
    for row in table.rows:
        if isinstance(row, Span):
            made.append(row)
        elif not any(row[i].kind in COUNTS for i in kept):
            made.append(tuple(_cell(row[i]) for i in kept))
    if len(kept) < 2 or all(isinstance(row, Span) for row in made):
        return None
    columns = tuple(
        replace(table.columns[i], hint=rounded_text(table.columns[i].hint), domain=_rounded(table.columns[i].domain))
        for i in kept
    )
    return replace(table, columns=columns, rows=tuple(made), caption=rounded_text(table.caption))


def _counts(cells: list[Cell]) -> bool:
    """Whether a column has nothing but counts."""
    kinds = {cell.kind for cell in cells} - {"missing"}
    return bool(kinds) and kinds <= {*COUNTS}


def _cell(cell: Cell) -> Cell:
    value = rounded_text(cell.value) if isinstance(cell.value, str) else _rounded(cell.value)
    ends = {"low": _rounded(cell.low), "high": _rounded(cell.high)}
    most = DIGITS if cell.kind != "percent" else DIGITS - 2
    return cell.but(value=value, digits=min(cell.digits, most), hint=rounded_text(cell.hint), **ends)


def _chart(chart: Chart) -> Chart:
    return replace(
        chart,
        spec=_rounded(chart.spec),
        caption=rounded_text(chart.caption),
        alt=rounded_text(chart.alt),
        drawing=_drawing(chart.drawing),
    )


def _drawing(drawing: TerminalChart | None) -> TerminalChart | None:
    if isinstance(drawing, Plot):
        return replace(drawing, curves=_rounded(drawing.curves), line=_rounded(drawing.line))
    if isinstance(drawing, Intervals):
        drawing = replace(drawing, digits=DIGITS)
    return None if drawing is None else replace(drawing, rows=_rounded(drawing.rows))


def _comparison(block: ComparisonBlock) -> ComparisonBlock | None:
    """Two runs by their averages and by what a test says of them; no topic."""
    measures = tuple(
        replace(
            one,
            runs=_rounded(one.runs),
            topics=(),
            medians=(),
            digits=DIGITS,
            pairs=tuple(
                replace(
                    pair, difference=_rounded(pair.difference), low=_rounded(pair.low), high=_rounded(pair.high),
                    p=_rounded(pair.p),
                )
                for pair in one.pairs
            ),
            pairs_caption=rounded_text(one.pairs_caption),
        )
        for one in block.measures
        if one.pairs and not any(isinstance(value, int) for value in one.runs)
    )  # fmt: skip
    if not measures:
        return None
    caption = rounded_text(block.caption)
    return replace(block, topics=(), measures=measures, chart=_chart(block.chart), caption=caption, outcomes=())


def _rounded(value: Any) -> Any:
    """Every number within, to three digits; formats of numbers too."""
    if isinstance(value, float):
        return round(value, DIGITS)
    if isinstance(value, dict):
        return {key: _rounded(one) for key, one in value.items()}
    if isinstance(value, list | tuple):
        return type(value)(map(_rounded, value))
    return ".3f" if value == ".4f" else value


def rounded_text(text: str) -> str:
    """A sentence with its numbers to three digits.

    >>> rounded_text("from 0.61234 at recall 0; assay 0.1.20260101")
    'from 0.612 at recall 0; assay 0.1.20260101'
    """
    return _LONG.sub(lambda found: f"{float(found[0]):{'+' * found[0].startswith('+')}.{DIGITS}f}", text)


def _linked(section: Section, links: set[str]) -> Section:
    """The same section without links to pages of which nothing is left."""
    return replace(section, blocks=tuple(_unlinked(b, links) if isinstance(b, Table) else b for b in section.blocks))


def _unlinked(table: Table, links: set[str]) -> Table:
    rows = tuple(
        row if isinstance(row, Span) else tuple(c if c.link in links else c.but(link=None) for c in row)
        for row in table.rows
    )
    return replace(table, rows=rows)
