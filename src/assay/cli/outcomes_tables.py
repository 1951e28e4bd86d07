"""The tables of `assay evaluate --by` and `--rankings`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from assay.cli.output import render, to_json, write
from assay.figures.outcomes import TOTAL, by_field, rankings

if TYPE_CHECKING:
    from argparse import Namespace

    from assay.table import Scores


def write_tables(args: Namespace, scores: Scores, format: str, result: dict[str, Any]) -> None:
    """Add both to the JSON, or print them one after the other."""
    rows = by_field(scores, args.by) if args.by else []
    places = rankings(scores) if args.rankings else {}
    if format == "json":
        if args.by:
            result["by"] = {
                "field": args.by,
                "rows": [{"run": r.run, "value": r.value, "questions": r.questions, "scores": r.scores} for r in rows],
            }
        if args.rankings:
            result["rankings"] = places
        write(to_json(result), args.output)
        return
    pieces: list[str] = []
    if args.by:
        header = ["run", args.by, "questions", *(m.name for m in scores.measures if m.name != "questions")]
        cells = [
            [
                row.run,
                TOTAL if row.value is None else row.value,
                row.questions,
                *(row.scores[name] for name in header[3:]),
            ]
            for row in rows
        ]
        pieces.append(render(format, header, cells))
    if args.rankings:
        values = {name: scores.mean(name) for name in places}
        machine = format in ("csv", "tsv")
        header = ["run", *(title for name in places for title in (name, f"{name}_rank" if machine else "rank"))]
        cells = [
            [run, *(cell for name in places for cell in (values[name][run], places[name][run]))] for run in scores.runs
        ]
        pieces.append(render(format, header, cells))
    write("\n".join(pieces), args.output)
