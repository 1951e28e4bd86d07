"""How a result looks: as text on a terminal, as Markdown or LaTeX in a paper, as HTML in a notebook.

What a person sees first of a `Scores` is its table of runs and measures; of everything else, the sections of the report.
"""

from __future__ import annotations

from importlib import import_module
from operator import attrgetter

from assay.reports import tables

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any

    from assay.reports.model import Section


def text(result: Any, width: int | None = None) -> str:
    """As on the terminal; without a width, sentences stand on a line each."""
    if type(result).__name__ in TABLES:
        return tables.terminal(*table(result)) + directions(result)
    from assay.reports.text import sections_text

    return sections_text(sections(result), width)


def directions(result: Any) -> str:
    """Return a line per measure of a score table that says whether higher or lower is better; else nothing."""
    return "".join(f"{line}\n" for line in getattr(getattr(result, "settings", None), "directions", ()))


def markdown(result: Any) -> str:
    """The table of a paper or a wiki: a `Scores`' own, or the rows a program gets."""
    return tables.markdown(*table(result))


def latex(result: Any) -> str:
    """The same in LaTeX."""
    return tables.latex(*table(result))


def table(result: Any) -> tuple[list[str], list[list[Any]], set[tuple[int, int]]]:
    """Header, rows, and where the best cells are."""
    if type(result).__name__ == "Scores":
        return leaderboard(result, result.summary())
    header, rows = result.rows()
    return getattr(result, "titles", header), getattr(result, "shown", rows), set()


def html(result: Any) -> str:
    """A fragment for a notebook, complete in itself."""
    from assay.reports.notebook import fragment

    return fragment(sections(result))


def save(result: Any, path: Any, title: str, subtitle: str = "") -> None:
    """The sections of a result as a document of its own: .html, .pdf or .txt, as the ending says."""
    from assay.io.atomic_files import write_whole
    from assay.reports.model import Document
    from assay.reports.report import form_of

    form = form_of(path)
    document = Document(title, subtitle, sections=tuple(sections(result)))
    if form == "html":
        from assay.reports.sites import save_html

        save_html(document, path)
    elif form == "pdf":
        from assay.reports.pdf import to_pdf

        write_whole(path, to_pdf(document))
    else:
        write_whole(path, text(result, 100).encode("utf-8", "surrogateescape"))


def leaderboard(
    scores: Any,
    summary: Mapping[str, Mapping[str, Any]],
    intervals: Mapping[str, Mapping[str, Any]] | None = None,
    *,
    together: bool = True,
) -> tuple[list[str], list[list[Any]], set[tuple[int, int]]]:
    """Header, a row per run, and where the best cell of each measure is; ties are all best, and one run is not.

    `summary` is the table's own. `intervals`, by measure and run, stand beside their measures: `together` as a person reads
    them, else as two numbers.
    """
    header = ["run", f"{scores.task.noun}s" if together else "topics"]
    rows: list[list[Any]] = []
    for run, values in summary.items():
        rows.append([run, max(map(attrgetter("topics"), values.values()))])
    best: set[tuple[int, int]] = set()
    for measure in scores.measures:
        column = len(header)
        header.append(measure.name)
        for row in rows:
            row.append(summary[row[0]][measure.name].value)
        direction = measure.declaration.higher_is_better
        present = [row[column] for row in rows if row[column] is not None] if len(rows) > 1 else []
        if direction is not None and present:
            top = max(present) if direction else min(present)
            best |= {(place, column) for place, row in enumerate(rows) if row[column] == top}
        if together and measure.declaration.share:
            for row in rows:
                row[column] = _with_percent(row[column], len(scores.entering(row[0])))
        if intervals:
            header += [f"{measure.name} 95%"] if together else [f"{measure.name}_low", f"{measure.name}_high"]
            for row in rows:
                end = intervals[measure.name][row[0]]
                ends = (None, None) if end is None else (end.low, end.high)
                row += [_span(end)] if together else ends
    return header, rows, best


def _with_percent(count: int | None, total: int) -> str | int | None:
    return count if count is None or not total else f"{count} ({count / total:.1%})"


def _span(interval: Any) -> str:
    return tables.NOT_AVAILABLE if interval is None else f"[{interval.low:.4f}, {interval.high:.4f}]"


def sections(result: Any) -> list[Section]:
    """The sections of the report that draw a result."""
    if type(result).__name__ in TABLES:
        return _table_alone(result)
    module, function = DRAWN[type(result).__name__]
    return getattr(import_module(f"assay.reports.pages.{module}"), function)(result)


DRAWN = {
    "Checked": ("checking", "sections"),
    "Comparison": ("comparing", "sections"),
    "Comparisons": ("suites", "compared_sections"),
    "Correction": ("correcting", "sections"),
    "Suite": ("suites", "sections"),
    "Reliability": ("studies", "reliability_sections"),
    "Items": ("items", "sections"),
    "JudgeAgreement": ("agreeing", "sections"),
    "LabelPlan": ("label_plans", "sections"),
    "Plan": ("plans", "plan_sections"),
    "Sampling": ("plans", "sampling_sections"),
    "Pool": ("pool", "pool_sections"),
    "LeftOut": ("pool", "left_out_sections"),
    "NewlyJudged": ("newly_judged", "sections"),
    "Pricing": ("price", "pricing_sections"),
    "Threshold": ("thresholds", "threshold_sections"),
    "Guarantee": ("thresholds", "guarantee_sections"),
}
"""By the name of its class, so that drawing one kind imports nothing of the others."""


TABLES = ("Scores", "Listing")
"""What is drawn as one table and nothing else."""


def _table_alone(result: Any) -> list[Section]:
    from assay.reports.model import Note, Section, Table, TableColumn, cell, numbers

    header, rows, best = table(result)
    columns = (TableColumn(header[0]), *numbers(*header[1:]))
    made = tuple(
        tuple(cell(value, best=(row, column) in best) for column, value in enumerate(values))
        for row, values in enumerate(rows)
    )
    return [
        Section("scores", "", (Table("scores-table", "", columns, made), *map(Note, directions(result).splitlines())))
    ]
