"""Write a zip for each team: the pages and scores of its runs, and a README.

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
from assay.reports.aggregate import DIGITS, is_average
from assay.reports.model import Document, counted
from assay.reports.pdf import to_pdf
from assay.reports.report import Report
from assay.reports.sites import to_html
from assay.reports.tables import separated
from assay.table.scores import Scores

EPOCH = (1980, 1, 1, 0, 0, 0)
FORMS = ("html", "pdf")


def teams(scores: Scores) -> dict[str, list[str]]:
    """Return the runs of every team, in the order of the table; a run without characteristics is its own team."""
    by_team: dict[str, list[str]] = {}
    for run in scores.runs:
        by_team.setdefault(team_of(run, characteristics(scores, run)), []).append(run)
    return by_team


def packages(report: Report, aggregate: bool = False, forms: Collection[str] = FORMS) -> Iterator[tuple[str, bytes]]:
    """Yield the name and the bytes of every team's zip.

    report      the whole campaign's
    aggregate   whether the report and the scores have only averages
    forms       html and pdf, or one of them
    """
    for form in forms:
        if form not in FORMS:
            raise UsageError(f"`forms={form!r}`: expected html or pdf")
    by_team = teams(report.scores)
    for (team, runs), name in zip(by_team.items(), file_names(by_team), strict=True):
        members: dict[str, bytes] = {}
        for run, file_name in zip(runs, file_names(runs), strict=True):
            document = participant(report.document, report.scores.runs, [run])
            if not document.pages:
                raise UsageError(f"{run}: the report has no page of this run")
            if "html" in forms:
                members[f"{file_name}.html"] = to_html(document).encode("utf-8", "surrogateescape")
            if "pdf" in forms:
                members[f"{file_name}.pdf"] = to_pdf(document)
        members |= _averages(report.scores, runs) if aggregate else _scores(report.scores, runs)
        readme = _readme(report, team, runs, members, aggregate)
        yield f"{name}.zip", zipped({"README.txt": readme.encode(), **members})


def participant(document: Document, runs: Sequence[str], team_runs: Collection[str]) -> Document:
    """Return the pages of some runs, with the results of these runs alone on each topic."""
    shown = document.grid and document.grid.of([run for run in runs if run in team_runs])
    return replace(document, sections=(), pages=tuple(p for p in document.pages if p.run in team_runs), grid=shown)


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


def _readme(
    report: Report, team: str, runs: Sequence[str], members: Collection[str], aggregate: bool
) -> str:  # fmt: skip
    scores, noun = report.scores, report.scores.task.noun
    table = "a row per run: averages to three digits" if aggregate else f"a row per run and {noun}"
    meaning = {
        "html": "the pages of the run: one file to open in a browser, which fetches nothing",
        "pdf": "the same, to print",
        "csv": table,
        "json": "the same with the settings they were computed under",
    }
    wide = max(map(len, members))
    measures = [m for m in scores.measures if not aggregate or is_average(m)]
    lines = [
        plain(f"{report.document.title}: {team}"),
        "",
        plain(f"{counted(len(runs), 'run')}: {', '.join(runs)}"),
        "",
        *(f"  {name:<{wide}}  {meaning[name.rpartition('.')[2]]}" for name in members),
        "",
        f"How the numbers were made: {report.document.foot}",
        "",
        "Measures:",
        *(f"  {m.name}: {(m.declaration.function.__doc__ or '').strip().partition(chr(10))[0]}" for m in measures),
    ]
    return "\n".join(lines) + "\n"
