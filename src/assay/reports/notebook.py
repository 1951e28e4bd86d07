"""Show a result in a notebook: plain HTML with inline styles, and charts as SVG."""

from __future__ import annotations

from collections.abc import Sequence

from assay.io.escaping import in_html as escape
from assay.reports import chart_theme
from assay.reports.model import Block, BlockRow, Chart, Note, Section, Span, Table, TableRow
from assay.reports.svg_charts.chart import drawn

WIDTH = 640.0
STYLE = (
    ".assay table{border-collapse:collapse;margin:.4em 0}.assay th,.assay td{padding:.15em .7em;text-align:left}"
    ".assay .n{text-align:right;font-variant-numeric:tabular-nums}.assay thead th{border-bottom:1px solid currentColor}"
    ".assay .best{font-weight:bold}.assay .caption{opacity:.75;font-size:90%;max-width:50em}"
)


def fragment(sections: Sequence[Section]) -> str:
    """Return sections as one self-contained element.

    >>> from assay.reports.model import Note
    >>> fragment([Section("s", "Title", (Note("a < b"),))]).split("</style>")[1]
    '<h4>Title</h4><p>a &lt; b</p></div>'
    """
    parts = [f'<div class="assay"><style>{STYLE}</style>']
    for section in sections:
        parts += [f"<h4>{escape(section.title)}</h4>" if section.title else "", *map(_block, section.blocks)]
    return "".join(parts) + "</div>"


def _block(block: Block) -> str:
    if isinstance(block, Table):
        return _table(block)
    if isinstance(block, Chart):
        return _chart(block)
    if isinstance(block, Note):
        return f"<p>{escape(block.body)}</p>"
    if isinstance(block, BlockRow):
        return "".join(map(_block, block.blocks))
    return ""


def _table(table: Table) -> str:
    numeric = [column.numeric for column in table.columns]
    heads = "".join(f"<th{_class(column.numeric)}>{escape(column.label)}</th>" for column in table.columns)
    body = "".join(_row(row, numeric) for row in table.rows)
    title = f"<p><b>{escape(table.title)}</b></p>" if table.title else ""
    caption = f'<p class="caption">{escape(table.caption)}</p>' if table.caption else ""
    return f"{title}<table><thead><tr>{heads}</tr></thead><tbody>{body}</tbody></table>{caption}"


def _row(row: TableRow, numeric: Sequence[bool]) -> str:
    if isinstance(row, Span):
        return f'<tr><th colspan="{len(numeric)}">{escape(row.label)}</th></tr>'
    pairs = zip(row, numeric, strict=True)
    return f"<tr>{''.join(f'<td{_class(n, cell.best)}>{escape(cell.whole_text)}</td>' for cell, n in pairs)}</tr>"


def _class(numeric: bool, best: bool = False) -> str:
    names = [name for name, is_set in (("n", numeric), ("best", best)) if is_set]
    return f' class="{" ".join(names)}"' if names else ""


def _chart(chart: Chart) -> str:
    config = chart_theme.paper_configuration()
    return drawn(chart.spec, WIDTH, config, ground=config["assay"]["ground"])
