"""The tables of `assay evaluate --by` and `--rankings`."""

from __future__ import annotations

from assay.cli.output import render, to_json, write
from assay.reports import beside

TYPE_CHECKING = False
if TYPE_CHECKING:
    from argparse import Namespace
    from typing import Any

    from assay.table import Scores


def write_tables(args: Namespace, scores: Scores, format: str, result: dict[str, Any]) -> None:
    """Add both to the JSON, or print them one after the other."""
    if format == "json":
        from assay.figures.outcomes import by_field, rankings

        if args.by:
            rows = by_field(scores, args.by)
            result["by"] = {
                "field": args.by,
                "rows": [{"run": r.run, "value": r.value, "questions": r.questions, "scores": r.scores} for r in rows],
            }
        if args.rankings:
            result["rankings"] = rankings(scores)
        write(to_json(result), args.output)
        return
    tables = [beside.by_field(scores, args.by)] if args.by else []
    tables += [beside.rankings(scores, format in ("csv", "tsv"))] if args.rankings else []
    write("\n".join(render(format, *table) for table in tables), args.output)
