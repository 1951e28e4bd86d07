"""Write a zip for each team: an index page, the pages and scores of its runs, one PDF, and a README.

The same campaign gives the same bytes: members have a fixed order and a fixed time.
"""

from __future__ import annotations

import io
import json
import os
import zipfile
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

from assay.errors import UsageError
from assay.figures.common import characteristics
from assay.figures.run_groups import team_of
from assay.io.atomic_files import file_names
from assay.io.escaping import plain
from assay.reports import model
from assay.reports.aggregate import DIGITS, is_average
from assay.reports.model import Note, Section, Table, TableColumn, counted
from assay.reports.pdf import to_pdf
from assay.reports.report import Report
from assay.reports.sites import to_html
from assay.reports.tables import separated
from assay.reports.team_report import participant, team_report
from assay.table.scores import Scores

EPOCH = (1980, 1, 1, 0, 0, 0)
FORMS = ("html", "pdf")


def teams(scores: Scores) -> dict[str, list[str]]:
    """Return the runs of every team, in the order of the table; a run without characteristics is its own team."""
    by_team: dict[str, list[str]] = {}
    for run in scores.runs:
        by_team.setdefault(team_of(run, characteristics(scores, run)), []).append(run)
    return by_team


def packages(
    report: Report, aggregate: bool = False, forms: Collection[str] = FORMS, *, named: bool = False
) -> Iterator[tuple[str, bytes]]:
    """Yield the name and the bytes of every team's zip.

    report      the whole campaign's
    aggregate   whether the report and the scores have only averages
    forms       html and pdf, or one of them
    named       whether teams may know the names of each other's runs
    """
    for form in forms:
        if form not in FORMS:
            raise UsageError(f"`forms={form!r}`: expected html or pdf")
    by_team = teams(report.scores)
    known = {page.run for page in report.document.pages}
    if missing := [run for run in report.scores.runs if run not in known]:
        raise UsageError(f"{missing[0]}: the report has no page of this run")
    for (team, runs), name in zip(by_team.items(), file_names(by_team), strict=True):
        files = dict(zip(runs, (f"{base}.html" for base in file_names(["index", *runs])[1:]), strict=True))
        tables = _averages(report.scores, runs) if aggregate else _scores(report.scores, runs)
        pages = ["index.html", *files.values()] if "html" in forms else []
        listed = [*pages, *([f"{name}.pdf"] if "pdf" in forms else []), *tables]
        members: dict[str, bytes] = {}
        if pages:
            index = team_report(
                report.document, team, runs, files=files, named=named, last=_contents(report, listed, aggregate)
            )
            members["index.html"] = _encoded(to_html(index))
            for run in runs:
                page = replace(participant(report.document, [run], named=named), home="./index.html")
                members[files[run]] = _encoded(to_html(page))
        if "pdf" in forms:
            whole = team_report(report.document, team, runs, named=named)
            whole = replace(whole, trust=(*whole.trust, _judgments(report, aggregate)))
            members[f"{name}.pdf"] = to_pdf(whole, sheets=False)
        readme = _readme(report, team, runs, listed, aggregate)
        yield f"{name}.zip", zipped({"README.txt": readme.encode(), **members, **tables})


def _contents(report: Report, members: Collection[str], aggregate: bool) -> Section:
    """Return the section on what a package contains: which judgments, and its files."""
    rows = tuple((model.text(name), model.text(what)) for name, what in _meanings(report, members, aggregate).items())
    table = Table("files", "Files", (TableColumn("File"), TableColumn("Contents")), rows)
    return Section("files-section", "Files", (Note(_judgments(report, aggregate)), table))


def _judgments(report: Report, aggregate: bool) -> str:
    """Say which judgments a package reveals."""
    noun, items = report.scores.task.noun, report.document.items
    if aggregate:
        return f"This package has averages over all {noun}s, to three digits. It has no value of a single {noun} and no judgment."
    values = f"your runs' values on each {noun}, and the median and the best value of all runs"
    if report.scores.task.name == "outcomes":
        values = f"how each {noun} ended for your runs, and how many of all runs are right"
    if items is None or not items.returned:
        return f"This package has {values}. It shows no single judgment."
    if items.of_documents:
        return (
            "This package contains judgments: it shows how the documents that your runs returned were judged, and relevant "
            f"documents that no run found. It also has {values}."
        )
    return (
        f"This package contains the answer key: it shows the right answers of each {noun}, and how each answer of your runs was "
        f"judged. It also has {values}."
    )


def zipped(members: Mapping[str, bytes]) -> bytes:
    """Return a zip whose bytes depend only on its members."""
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED, compresslevel=9) as archive:
        for name, data in members.items():
            about = zipfile.ZipInfo(name, EPOCH)
            about.compress_type = zipfile.ZIP_DEFLATED
            about.create_system = 3
            about.external_attr = 0o644 << 16
            archive.writestr(about, data)
    return buffer.getvalue()


def _scores(scores: Scores, runs: Collection[str]) -> dict[str, bytes]:
    """Return a row per run and topic, and the documented JSON."""
    header, rows = scores.rows()
    table = separated(header, [row for row in rows if row[0] in runs], ",")
    whole = scores.to_dict()
    records = [record for record in whole["runs"] if record["run"] in runs]
    # Paths on the organiser's disk are private.
    published = [{**record, "file": record["file"] and os.path.basename(record["file"])} for record in records]
    return {"scores.csv": _encoded(table), "scores.json": _json({**whole, "runs": published})}


def _averages(scores: Scores, runs: Collection[str]) -> dict[str, bytes]:
    """Return a row per run, to three digits, without counts."""
    names = [measure.name for measure in scores.measures if is_average(measure)]
    summary = scores.summary()
    rows: list[list[Any]] = []
    for run in runs:
        values = [summary[run][name].value for name in names]
        rows.append([run, *(None if value is None else round(float(value), DIGITS) for value in values)])
    data = [{"run": run, "scores": dict(zip(names, cells, strict=True))} for run, *cells in rows]
    whole = {name: value for name, value in scores.to_dict(per_topic=False).items() if name != "runs"}
    return {
        "scores.csv": _encoded(separated(["run", *names], rows, ",")),
        "scores.json": _json({**whole, "runs": data}),
    }


def _json(data: Any) -> bytes:
    return (json.dumps(data, allow_nan=False, indent=1) + "\n").encode()


def _encoded(text: str) -> bytes:
    return text.encode("utf-8", "surrogateescape")


def _meanings(report: Report, members: Collection[str], aggregate: bool) -> dict[str, str]:
    """Return what each file of a package is."""
    noun = report.scores.task.noun
    endings = {
        "html": "the pages of one run: a file to open in a browser, which fetches nothing",
        "pdf": "the team's report with the pages of its runs, to print",
        "csv": "a row per run: averages to three digits" if aggregate else f"a row per run and {noun}",
        "json": "the same with the settings they were computed under",
    }
    first = {"index.html": "begin here: your runs among all runs, and compared with each other"}
    return {name: first.get(name) or endings[name.rpartition(".")[2]] for name in members}


def _readme(
    report: Report, team: str, runs: Sequence[str], members: Collection[str], aggregate: bool
) -> str:  # fmt: skip
    scores = report.scores
    meanings = _meanings(report, members, aggregate)
    wide = max(map(len, members))
    measures = [m for m in scores.measures if not aggregate or is_average(m)]
    lines = [
        plain(f"{report.document.title}: {team}"),
        "",
        plain(f"{counted(len(runs), 'run')}: {', '.join(runs)}"),
        "",
        *(f"  {name:<{wide}}  {meaning}" for name, meaning in meanings.items()),
        "",
        _judgments(report, aggregate),
        "",
        f"How the numbers were made: {report.document.foot}",
        "",
        "Measures:",
        *(f"  {m.name}: {(m.declaration.function.__doc__ or '').strip().partition(chr(10))[0]}" for m in measures),
    ]
    return "\n".join(lines) + "\n"
