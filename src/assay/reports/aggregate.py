"""A report that reveals no judgments: only averages over topics, to three digits.

A participant could infer judgments from the ranks of relevant documents, from a value per topic, or from the number of relevant
documents retrieved. So only blocks declared as averages (`model.averaged`) are kept: a new page shows nothing until it is
declared. In these, counts are dropped and numbers rounded: in tables, in the data of charts and in sentences.

Averages over few topics reveal single topics and are refused (`MIN_TOPICS`). Only a limit on submissions prevents a participant
from probing an average with many runs.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from assay.analyses.campaign.result import RunFinding
from assay.analyses.marked_text import with_plain_parts
from assay.errors import UsageError
from assay.measures.measure import Measure
from assay.reports.model import (  # fmt: skip
    Block,
    BlockRow,
    Board,
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
MIN_TOPICS = 10
"""With fewer topics an average reveals too much of each."""
COUNT_KINDS = ("count", "share")
"""Kinds of cells that are counts."""
SHOWN_META = ("Topics", "Questions", "Problems", "Runs")
"""Entries of a report's header that are kept: how much was evaluated."""
_LONG = re.compile(r"(?<![\w.])[+-]?\d*\.\d{4,}(?!\d|\.\w)")


def is_average(measure: Measure) -> bool:
    """Return whether a measure is a bounded average; a utility such as 2·R+ - N+ reveals the number of relevant documents."""
    declared = measure.declaration
    bounds = declared.low, declared.high
    return measure.average != "sum" and all(bound is not None and abs(bound) < 2 for bound in bounds)


def averages_among(
    scores: Scores, measures: Sequence[Measure], topics: Any, docs: Any, warnings: list[str]
) -> list[Measure]:
    """Return the measures that reveal no judgments; refuse options and tables that reveal some."""
    noun = scores.task.noun
    if topics is not None or docs is not None:
        raise UsageError(f"`aggregate=True`: the report has no pages by {noun}. Fix: leave out `topics` and `docs`")
    if len(scores.topics) < MIN_TOPICS:
        raise UsageError(
            f"`aggregate=True`: averages over {len(scores.topics)} {noun}s reveal single ones; expected {MIN_TOPICS} or more"
        )
    averages = [measure for measure in measures if is_average(measure)]
    if not averages:
        counts = ", ".join(measure.name for measure in measures)
        raise UsageError(f"`aggregate=True`: {counts} reveals counts; name a measure that is an average from -1 to 1")
    left_out = [measure.name for measure in measures if not is_average(measure)]
    if left_out:
        warnings.append(f"excluded because they reveal counts: {', '.join(left_out)} (`aggregate=True`)")
    return averages


def aggregated(document: Document) -> Document:
    """Return the report without anything that depends on single judgments."""
    pages = tuple(page for page in map(_page, document.pages) if page.sections)
    links = {page.id for page in pages}
    sections = tuple(section for section in map(_section, document.sections) if section.blocks)
    return replace(
        document,
        meta=tuple(pair for pair in document.meta if pair[0] in SHOWN_META),
        sections=tuple(
            replace(
                section,
                blocks=tuple(_unlinked(b, links) if isinstance(b, Table | Board) else b for b in section.blocks),
            )
            for section in sections
        ),
        pages=pages,
        foot=rounded_text(document.foot),
        finding=with_plain_parts(document.finding, rounded_text),
        unnamed=rounded_text(document.unnamed),
        trust=tuple(with_plain_parts(sentence, rounded_text) for sentence in document.trust),
        rules=tuple(map(rounded_text, document.rules)),
        next_steps=(),
        items=None,
        grid=None,
        appendix=(),
    )


def _page(page: RunPage) -> RunPage:
    parts = {
        name: tuple(section for section in map(_section, getattr(page, name)) if section.blocks)
        for name in ("standing", "sections")
    }
    finding = page.finding and page.finding.without_topics()
    return replace(page, finding=finding and _finding(finding), **parts)


def _finding(finding: RunFinding) -> RunFinding:
    return replace(
        finding,
        place=with_plain_parts(finding.place, rounded_text),
        against=with_plain_parts(finding.against, rounded_text),
        unnamed=rounded_text(finding.unnamed),
    )


def _section(section: Section) -> Section:
    blocks = (_block(block) for block in section.blocks)
    return replace(
        section, title=rounded_text(section.title), blocks=tuple(block for block in blocks if block is not None)
    )


def _block(block: Block) -> Block | None:
    """Return the aggregate part of a block, or None."""
    if isinstance(block, BlockRow):
        parts = [_table(part) if isinstance(part, Table) else _chart(part) for part in block.blocks if part.aggregate]
        left = tuple(part for part in parts if part is not None)
        return None if not left else left[0] if len(left) == 1 else BlockRow(left)
    if isinstance(block, ComparisonBlock):
        return _comparison(block)
    if isinstance(block, Board):
        return _board(block)
    if isinstance(block, Panels) or not block.aggregate:
        return None
    if isinstance(block, Note):
        return replace(block, body=rounded_text(block.body))
    return _table(block) if isinstance(block, Table) else _chart(block)


def _board(board: Board) -> Board:
    """Drop the counts of answers, and round the values."""
    rows = tuple(
        replace(row, value=_rounded(row.value), low=_rounded(row.low), high=_rounded(row.high), counts=(), failed=0)
        for row in board.rows
    )
    lead = _rounded(board.significant_lead)
    return replace(board, rows=rows, digits=min(board.digits, DIGITS), endings=(), significant_lead=lead)


def _table(table: Table) -> Table | None:
    """Drop columns of counts, then rows that still have a count."""
    rows = [row for row in table.rows if not isinstance(row, Span)]
    columns_left = [i for i in range(len(table.columns)) if not _counts([row[i] for row in rows])]
    cells: list[Any] = []
    for row in table.rows:
        if isinstance(row, Span):
            cells.append(row)
        elif not any(row[i].kind in COUNT_KINDS for i in columns_left):
            cells.append(tuple(_cell(row[i]) for i in columns_left))
    if len(columns_left) < 2 or all(isinstance(row, Span) for row in cells):
        return None
    columns = tuple(
        replace(table.columns[i], hint=rounded_text(table.columns[i].hint), domain=_rounded(table.columns[i].domain))
        for i in columns_left
    )
    return replace(table, columns=columns, rows=tuple(cells), caption=rounded_text(table.caption))


def _counts(cells: list[Cell]) -> bool:
    """Return whether a column has only counts."""
    kinds = {cell.kind for cell in cells} - {"missing"}
    return bool(kinds) and kinds <= {*COUNT_KINDS}


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
    """Keep averages and test results of two runs; drop topics."""
    measures = tuple(
        replace(
            measure,
            runs=_rounded(measure.runs),
            topics=(),
            medians=(),
            digits=DIGITS,
            pairs=tuple(
                replace(
                    pair, difference=_rounded(pair.difference), low=_rounded(pair.low), high=_rounded(pair.high),
                    p=_rounded(pair.p),
                )
                for pair in measure.pairs
            ),
            pairs_caption=rounded_text(measure.pairs_caption),
        )
        for measure in block.measures
        if measure.pairs and not any(isinstance(value, int) for value in measure.runs)
    )  # fmt: skip
    if not measures:
        return None
    caption = rounded_text(block.caption)
    return replace(block, topics=(), measures=measures, chart=_chart(block.chart), caption=caption, outcomes=())


def _rounded(value: Any) -> Any:
    """Round every number inside to three digits, and adjust number formats."""
    if isinstance(value, float):
        return round(value, DIGITS)
    if isinstance(value, dict):
        return {key: _rounded(part) for key, part in value.items()}
    if isinstance(value, list | tuple):
        return type(value)(map(_rounded, value))
    return ".3f" if value == ".4f" else value


def rounded_text(text: str) -> str:
    """Round the numbers of a sentence to three digits.

    >>> rounded_text("from 0.61234 at recall 0; assay 0.1.20260101"), rounded_text("a leads (AP .57438)")
    ('from 0.612 at recall 0; assay 0.1.20260101', 'a leads (AP .574)')
    """

    def rounded(match: re.Match[str]) -> str:
        shown = f"{float(match[0]):{'+' * match[0].startswith('+')}.{DIGITS}f}"
        return shown.removeprefix("0") if match[0].startswith(".") else shown

    return _LONG.sub(rounded, text)


def _unlinked(table: Table | Board, links: set[str]) -> Table | Board:
    """Remove links to pages that were dropped."""
    if isinstance(table, Board):
        return replace(table, rows=tuple(row if row.link in links else replace(row, link=None) for row in table.rows))
    rows = tuple(
        row if isinstance(row, Span) else tuple(c if c.link in links else c.but(link=None) for c in row)
        for row in table.rows
    )
    return replace(table, rows=rows)
