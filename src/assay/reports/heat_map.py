"""The heat map of runs × topics as HTML: a canvas for the script, and a table of topics."""

from __future__ import annotations

from collections.abc import Iterable

from assay.io.escaping import in_html as escape
from assay.reports.html_elements import how_html, table_html
from assay.reports.model import Grid, Section
from assay.reports.page_data import PageData

GRID_ID = "topics-section"


def grid_title(grid: Grid) -> str:
    return f"{grid.unit.capitalize()} by {grid.unit}"


def grid_html(grid: Grid, store: PageData) -> str:
    unit = escape(grid.unit)
    choices = "\n".join((
        _choice("Measure", "measure", ((str(i), measure.name) for i, measure in enumerate(grid.measures))),
        _choice("Shown", "shown", (("values", "values"), ("differences", "differences from the median"))),
        _choice(
            f"{grid.unit.capitalize()}s by", "topics",
            (("name", "name"), ("median", "difficulty"), *((str(i), name) for i, name in enumerate(grid.fields))),
        ),
        _choice("Runs by", "runs", (("place", "place"), ("name", "name"))),
    ))  # fmt: skip
    keys = f"Arrow keys move from cell to cell, Enter opens the {grid.unit}, R the run."
    label = f"Heat map of runs and {unit}s; arrow keys move, Enter opens"
    section = Section(GRID_ID, grid_title(grid), (grid.table,))
    return f"""<section id="{GRID_ID}" aria-labelledby="{GRID_ID}-title">
<h2 id="{GRID_ID}-title" class="section-title">{escape(section.title)}</h2>
<figure class="block" id="heat-map" aria-labelledby="heat-map-title" hidden>
<div class="block-head"><h3 id="heat-map-title">Every run on every {unit}</h3></div>
<form class="chooser heat">
{choices}
<label>Find a {unit} <input type="search" id="find-topic" autocomplete="off" spellcheck="false"></label>
</form>
<ul id="found-topics" class="found" aria-label="{escape(grid.unit.capitalize())}s found" hidden></ul>
<p class="heat-window" id="heat-window" hidden><button type="button" class="tool" data-window="-1" aria-label="Previous {unit}s">←</button>
<span role="status"></span> <button type="button" class="tool" data-window="1" aria-label="Next {unit}s">→</button></p>
<div class="heat-box"><canvas id="heat-canvas" tabindex="0" role="application" aria-label="{label}"></canvas></div>
<p class="heat-key" id="heat-key"></p>
<p class="caption keys">{escape(keys)}</p>
<figcaption class="caption">{escape(store.caption(grid.caption))}</figcaption>
</figure>
{table_html(grid.table, store, 3)}
{how_html(section, store)}</section>"""


def _choice(label: str, name: str, options: Iterable[tuple[str, str]]) -> str:
    inside = "".join(f'<option value="{escape(value)}">{escape(option)}</option>' for value, option in options)
    return f'<label>{escape(label)} <select id="heat-{name}">{inside}</select></label>'
