"""Pages as plain JSON, from which the page's script builds them when they are opened: every text as its cell says it.

What a reader never opens costs its deflated bytes and no node. The script sets texts, never markup.
"""

from __future__ import annotations

from typing import Any

from assay.figures.items.model import TopicItems
from assay.reports import model
from assay.reports.html_elements import FEW_COLUMNS, NUMBER, cell_classes, height, places, says_how
from assay.reports.model import Cell, Chart, Json, Panels, RunPage, Section, Span, Table, TableColumn
from assay.reports.page_data import PageData


def page_sheet(page: RunPage, store: PageData) -> Json:
    """A run's page."""
    neighbours = {name: store.addresses.get(getattr(page, name) or "") for name in ("previous", "next")}
    sections = [section_sheet(section, store) for section in (*page.standing, *page.sections)]
    return {"id": page.id, "title": page.run, "meta": page.meta, **neighbours, "sections": sections}


def topic_sheet(topic: str, place: int, unit: str, items: TopicItems | None) -> Json:
    """A topic's page: what was asked, and what each run returned. Its values are those of the heat map."""
    told: Json = {"title": f"{unit.capitalize()} {topic}", "place": place}
    if items is None:
        return told
    # Runs return the same documents: each is told once, and a run names them by number.
    things: dict[tuple[Any, ...], int] = {}
    runs = [
        [
            [
                things.setdefault((one.text, one.verdict, one.good, one.detail), len(things)),
                one.rank,
                None if one.value is None else f"{one.value:.6g}",
            ]
            for one in entries
        ]
        for entries in items.entries
    ]
    kept = {name: getattr(items, name) for name in ("text", "gold", "fields", "more")}
    return {**told, **kept, "things": list(things), "entries": runs}


def section_sheet(section: Section, store: PageData) -> Json:
    blocks = [_block(block, store) for block in section.blocks]
    told = {"id": section.id, "title": section.title, "blocks": [block for block in blocks if block]}
    return {**told, "how": store.how} if says_how(section, store) else told


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
    columns = [{"label": one.label, "hint": one.hint, "numeric": one.numeric} for one in table.columns]
    return {
        "kind": "table",
        "id": table.id,
        "title": table.title,
        "caption": store.caption(table.caption),
        "columns": columns if table.show_header else [],
        "width": len(columns),
        "few": len(columns) <= FEW_COLUMNS,
        "sortable": table.sortable,
        "rows": rows,
    }


def _cell(cell: Cell, column: TableColumn, store: PageData) -> str | list[Any]:
    """A text; with whatever else there is to a cell beside it."""
    more: Json = {}
    shown = cell.text
    if classes := cell_classes(cell, column, shown):
        more["c"] = " ".join(classes)
    if isinstance(cell.value, NUMBER) and (shown != repr(cell.value) or cell.range_text):
        more["v"] = cell.value
    if cell.hint:
        more["hint"] = cell.hint
    if cell.tag:
        more["tag"] = cell.tag
    if cell.low is not None and cell.high is not None:
        more["ends"] = [cell.low, cell.high, cell.range_text, places(cell, column.domain)]
    if cell.link and (target := store.addresses.get(cell.link)):
        more["to"] = target
    return [shown, more] if more else shown


def _chart(chart: Chart, store: PageData) -> Json:
    told = {name: getattr(chart, name) for name in ("id", "title", "alt")}
    return {
        "kind": "chart", **told, "caption": store.caption(chart.caption), "height": height(chart), "drawn": store.drawn(chart),
    }  # fmt: skip


def _panels(panels: Panels, store: PageData) -> Json | None:
    if not panels.charts:
        return None
    if panels.by_column is None:
        drawn = [(chart.id, store.drawn(chart)) for chart in panels.charts]
    else:
        place = store.drawn(panels.charts[0])[0]
        drawn = [(id, [place, alt, data]) for id, alt, data in panels.by_column()]
    charts = [[id, name, told] for name, (id, told) in zip(panels.names, drawn, strict=True)]
    return {
        "kind": "panels", "id": panels.id, "title": panels.title, "label": panels.label, "height": height(panels.charts[0]),
        "caption": store.caption(panels.caption), "charts": charts,
    }  # fmt: skip
