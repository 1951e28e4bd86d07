"""Print a result as text, Markdown, LaTeX or notebook HTML, or save it as a document.

A `Scores` prints its table of runs and measures; every other result prints sections of the report.
"""

from __future__ import annotations

import os
from importlib import import_module
from operator import attrgetter

from assay.errors import UsageError
from assay.reports import tables
from assay.table.best_runs import best_run, legend

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Mapping, Sequence
    from typing import Any

    from assay.reports.model import Document, Section
    from assay.reports.pdf import Progress
    from assay.reports.plots import Plot

FORMS = {"html": "html", "htm": "html", "pdf": "pdf", "txt": "text", "text": "text"}
"""The form of a document by the ending of its file."""


def text(result: Any, width: int | None = None, **display: Any) -> str:
    """Return the text for a terminal; without a width, each sentence is one line.

    display   `verbose` of results in TERMINAL, and `pairs` of comparisons
    """
    name = type(result).__name__
    if name in TABLES:
        finding = getattr(result, "finding", "")
        header, rows, best = table(result)
        below = stars(result, header, best) + directions(result)
        return (f"{finding}\n\n" if finding else "") + tables.terminal(header, rows, best) + below
    from assay.reports.text import sections_text

    if name not in TERMINAL:
        return sections_text(sections(result), width)
    module, function = TERMINAL[name]
    shown = getattr(import_module(f"assay.reports.{module}"), function)(result, width, **display)
    return sections_text(shown, width)


def stars(scores: Any, header: Sequence[str], best: Collection[tuple[int, int]]) -> str:
    """Return the line that says what the stars of a score table mean; nothing where it has none."""
    marked = {header[column] for _, column in best}
    line = legend(
        [measure.declaration.higher_is_better for measure in getattr(scores, "measures", ()) if measure.name in marked]
    )
    return f"{line}\n" if line else ""


def directions(result: Any) -> str:
    """Return, for a score table, a line per measure that says whether higher or lower is better."""
    return "".join(f"{line}\n" for line in getattr(getattr(result, "settings", None), "directions", ()))


def markdown(result: Any) -> str:
    """Return a Markdown table of the scores, or of the result's rows."""
    return tables.markdown(*table(result))


def latex(result: Any) -> str:
    """Return the same table in LaTeX."""
    return tables.latex(*table(result))


def table(result: Any) -> tuple[list[str], list[list[Any]], set[tuple[int, int]]]:
    """Return header, rows, and the places of the best cells."""
    if type(result).__name__ == "Scores":
        return leaderboard(result, result.summary())
    header, rows = result.rows()
    return getattr(result, "titles", header), getattr(result, "shown", rows), set()


def html(result: Any) -> str:
    """Return a self-contained fragment for a notebook."""
    from assay.reports.notebook import fragment

    return fragment(sections(result))


def plot(result: Any, kind: str = "", **options: Any) -> Plot:
    """Return a result as a chart of a kind."""
    from assay.reports.plots import plot

    return plot(result, kind, **options)


def save(result: Any, path: Any, title: str, subtitle: str = "") -> None:
    """Write the sections of a result as a document: .html, .pdf or .txt."""
    from assay.reports.model import Document

    document = Document(title, subtitle, sections=tuple(sections(result)))
    write_document(document, path, lambda: text(result, 100, verbose=True))


def write_document(
    document: Document, path: Any, as_text: Callable[[], str], progress: Progress | None = None
) -> str | None:
    """Write a document in the form that the path's ending names; return the name of its data folder, if it needs one."""
    from assay.io.atomic_files import write_whole

    form = form_of(path)
    if form == "html":
        from assay.reports.sites import save_html

        return save_html(document, path, progress)
    if form == "pdf":
        from assay.reports.pdf import to_pdf

        write_whole(path, to_pdf(document, progress))
    else:
        write_whole(path, as_text().encode("utf-8", "surrogateescape"))
    return None


def form_of(path: Any) -> str:
    """Return html, pdf or text, by the file's ending."""
    ending = os.fspath(path).rpartition(".")[2].lower()
    if ending not in FORMS:
        raise UsageError(f"{os.fspath(path)}: expected a name that ends in .html, .pdf or .txt")
    return FORMS[ending]


def leaderboard(
    scores: Any,
    summary: Mapping[str, Mapping[str, Any]],
    intervals: Mapping[str, Mapping[str, Any]] | None = None,
    *,
    together: bool = True,
) -> tuple[list[str], list[list[Any]], set[tuple[int, int]]]:
    """Return header, a row per run, and the places of each measure's best cells; none where it is a tie or not comparable.

    summary     the summary of the table
    intervals   by measure and run, shown after their measures
    together    whether an interval is one cell of text, or two numbers
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
        winner = best_run(scores, summary, measure)
        best |= {(place, column) for place, row in enumerate(rows) if row[0] == winner}
        if together and measure.declaration.share:
            for row in rows:
                row[column] = _with_percent(row[column], len(scores.entering(row[0])))
        if intervals:
            header += [f"{measure.name} 95%"] if together else [f"{measure.name}_low", f"{measure.name}_high"]
            for row in rows:
                end = intervals[measure.name][row[0]]
                ends = (None, None) if end is None else (end.low, end.high)
                row += [_interval_text(end)] if together else ends
    return header, rows, best


def _with_percent(count: int | None, total: int) -> str | int | None:
    return count if count is None or not total else f"{count} ({count / total:.1%})"


def _interval_text(interval: Any) -> str:
    return tables.NOT_AVAILABLE if interval is None else f"[{interval.low:.4f}, {interval.high:.4f}]"


def sections(result: Any) -> list[Section]:
    """Return the sections of the report that show a result."""
    name = type(result).__name__
    return _table_section(result) if name in TABLES else _page_function(*SECTIONS[name])(result)


def further_sections(results: Sequence[Any]) -> list[Section]:
    """Return the section of a report for each result of another verb, in this order; each kind once."""
    by_kind: dict[str, Section] = {}
    for result in results:
        name = type(result).__name__
        if name not in IN_A_REPORT:
            raise UsageError(f"`also`: a report has no section for {name}; expected {' or '.join(IN_A_REPORT)}")
        if name in by_kind:
            raise UsageError(f"`also`: {name} is given twice; a report has one section for it")
        by_kind[name] = _page_function(IN_A_REPORT[name], "report_section")(result)
    return list(by_kind.values())


def _page_function(module: str, function: str) -> Any:
    return getattr(import_module(f"assay.reports.pages.{module}"), function)


SECTIONS = {
    "Checked": ("submission_check", "sections"),
    "Comparison": ("comparison", "sections"),
    "Comparisons": ("suites", "compared_sections"),
    "Correction": ("correction", "sections"),
    "Suite": ("suites", "sections"),
    "Reliability": ("reliability", "reliability_sections"),
    "Items": ("items", "sections"),
    "JudgeAgreement": ("judge_agreement", "sections"),
    "LabelPlan": ("label_plans", "sections"),
    "Plan": ("plans", "plan_sections"),
    "Sampling": ("plans", "sampling_sections"),
    "Pool": ("pool", "pool_sections"),
    "LeftOut": ("pool", "left_out_sections"),
    "NewlyJudged": ("reliability", "newly_judged_sections"),
    "Pricing": ("price", "pricing_sections"),
    "Threshold": ("thresholds", "threshold_sections"),
    "Guarantee": ("thresholds", "guarantee_sections"),
}
"""By class name, the module of pages and its function: printing one kind imports no pages of the others."""
IN_A_REPORT = {
    "Checked": "submission_check", "JudgeAgreement": "judge_agreement", "Correction": "correction", "Comparison": "comparison",
    "Plan": "plans",
}  # fmt: skip
"""By class name, the module of pages whose `report_section` shows the result in a report."""
TERMINAL = {
    "Comparison": ("terminal_comparison", "comparison_sections"),
    "Comparisons": ("terminal_comparison", "group_sections"),
    "Correction": ("terminal_judges", "correction_sections"),
    "Guarantee": ("terminal_abstention", "guarantee_answer"),
    "JudgeAgreement": ("terminal_judges", "agreement_sections"),
    "LabelPlan": ("terminal_plan", "label_plan_sections"),
    "Plan": ("terminal_plan", "topic_sections"),
    "Items": ("terminal_collections", "item_sections"),
    "LeftOut": ("terminal_collections", "left_out_answer"),
    "Pool": ("terminal_collections", "pool_answer"),
    "Pricing": ("terminal_abstention", "price_answer"),
    "Reliability": ("terminal_reliability", "study_sections"),
    "Threshold": ("terminal_abstention", "threshold_answer"),
}
"""By class name, the module and function of what a terminal shows, which is less than a page."""
TABLES = ("Scores", "Listing", "Ranks")
"""Results that are one table."""


def _table_section(result: Any) -> list[Section]:
    from assay.reports.model import Note, Section, Table, TableColumn, cell, numbers

    header, rows, best = table(result)
    columns = (TableColumn(header[0]), *numbers(*header[1:]))
    cells = tuple(
        tuple(cell(value, best=(row, column) in best) for column, value in enumerate(values))
        for row, values in enumerate(rows)
    )
    finding = [Note(result.finding)] if getattr(result, "finding", "") else []
    blocks = (*finding, Table("scores-table", "", columns, cells), *map(Note, directions(result).splitlines()))
    return [Section("scores", "", blocks)]
