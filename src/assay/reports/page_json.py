"""Pages as plain JSON, from which the page's script builds them when they are opened.

An unopened page costs only its deflated bytes. The script sets texts, never markup.
"""

from __future__ import annotations

from typing import Any

from assay.figures.items.model import TopicItems
from assay.reports import model
from assay.reports.html_elements import MAX_NARROW_COLUMNS, NUMBER, cell_classes, height, places, says_how
from assay.reports.model import Cell, Chart, Json, Panels, RunPage, Section, Span, Table, TableColumn
from assay.reports.page_data import PageData


def page_sheet(page: RunPage, store: PageData) -> Json:
    """Return a run's page."""
    neighbours = {name: store.addresses.get(getattr(page, name) or "") for name in ("previous", "next")}
    sections = [section_sheet(section, store) for section in (*page.standing, *page.sections)]
    return {"id": page.id, "title": page.run, "meta": page.meta, **neighbours, "sections": sections}


def topic_sheet(topic: str, place: int, unit: str, items: TopicItems | None) -> Json:
    """Return a topic's page: its text and each run's items; the heat map has its values."""
    sheet: Json = {"title": f"{unit.capitalize()} {topic}", "place": place}
    if items is None:
        return sheet
    # Runs return the same documents: each is told once, and a run names them by number.
    things: dict[tuple[Any, ...], int] = {}
    runs = [
        [
            [
                things.setdefault((item.text, item.verdict, item.good, item.detail), len(things)),
                item.rank,
                None if item.value is None else f"{item.value:.6g}",
            ]
            for item in entries
        ]
        for entries in items.entries
    ]
    details = {name: getattr(items, name) for name in ("text", "gold", "fields", "more")}
    return {**sheet, **details, "things": list(things), "entries": runs}


def section_sheet(section: Section, store: PageData) -> Json:
    blocks = [_block(block, store) for block in section.blocks]
    sheet = {"id": section.id, "title": section.title, "blocks": [block for block in blocks if block]}
    return {**sheet, "how": store.how} if says_how(section, store) else sheet


def _block(block: model.Block, store: PageData) -> Json | None:
    if isinstance(block, Table):
        return table_sheet(block, store)
    if isinstance(block, Chart):
        return _chart(block, store)
    if isinstance(block, Panels):
        return _panels(block, store)
    if isinstance(block, model.BlockRow):
        return {"kind": "row", "style": block.style, "blocks": [_block(part, store) for part in block.blocks]}
    if isinstance(block, model.ComparisonBlock):
        return None  # stands once, among the campaign's own pages
    return {"kind": "note", "of": block.kind, "body": store.caption(block.body)}


def table_sheet(table: Table, store: PageData) -> Json:
    rows = [
        row.label if isinstance(row, Span) else [_cell(*pair, store) for pair in zip(row, table.columns, strict=True)]
        for row in table.rows
    ]
    columns = [{"label": column.label, "hint": column.hint, "numeric": column.numeric} for column in table.columns]
    return {
        "kind": "table",
        "id": table.id,
        "title": table.title,
        "caption": store.caption(table.caption),
        "columns": columns if table.show_header else [],
        "width": len(columns),
        "few": len(columns) <= MAX_NARROW_COLUMNS,
        "sortable": table.sortable,
        "rows": rows,
    }


def _cell(cell: Cell, column: TableColumn, store: PageData) -> str | list[Any]:
    """Return a cell: its text, with further properties if it has any."""
    more: Json = {}
    text = cell.text
    if classes := cell_classes(cell, column, text):
        more["c"] = " ".join(classes)
    if isinstance(cell.value, NUMBER) and (text != repr(cell.value) or cell.range_text):
        more["v"] = cell.value
    if cell.hint:
        more["hint"] = cell.hint
    if cell.tag:
        more["tag"] = cell.tag
    if cell.low is not None and cell.high is not None:
        more["ends"] = [cell.low, cell.high, cell.range_text, places(cell, column.domain)]
    if cell.link and (target := store.addresses.get(cell.link)):
        more["to"] = target
    return [text, more] if more else text


def _chart(chart: Chart, store: PageData) -> Json:
    properties = {name: getattr(chart, name) for name in ("id", "title", "alt")}
    return {
        "kind": "chart", **properties, "caption": store.caption(chart.caption), "height": height(chart), "drawn": store.drawn(chart),
    }  # fmt: skip


def _panels(panels: Panels, store: PageData) -> Json | None:
    if not panels.charts:
        return None
    if panels.by_column is None:
        drawn = [(chart.id, store.drawn(chart)) for chart in panels.charts]
    else:
        place = store.drawn(panels.charts[0])[0]
        drawn = [(id, [place, alt, data]) for id, alt, data in panels.by_column()]
    charts = [[id, name, body] for name, (id, body) in zip(panels.names, drawn, strict=True)]
    return {
        "kind": "panels", "id": panels.id, "title": panels.title, "label": panels.label, "height": height(panels.charts[0]),
        "caption": store.caption(panels.caption), "charts": charts,
    }  # fmt: skip
