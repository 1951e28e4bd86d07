"""The tables of docs/coverage.md: what benchmarks/inference.py simulated, from benchmarks/inference.json."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

FOLDER = Path(__file__).resolve().parent
BEGIN = "<!-- inference: written by docs/generate.py from benchmarks/inference.json -->\n"
END = "<!-- inference: end -->\n"
FULL = 0.6
"""A table whose cases have most of the sizes gets a column for each size."""


def page() -> str:
    """Return docs/coverage.md with its tables written anew."""
    text = (FOLDER / "coverage.md").read_text(encoding="utf-8")
    results = json.loads((FOLDER.parent / "benchmarks" / "inference.json").read_text(encoding="utf-8"))
    before, _, rest = text.partition(BEGIN)
    _, _, after = rest.partition(END)
    return before + BEGIN + tables(results) + END + after


def tables(results: dict[str, Any]) -> str:
    """Return an introduction and a table for each claim."""
    cells = results["cells"]
    outside = sum(not cell["inside"] for cell in cells)
    count = sum(table["cells"] for table in results["tables"].values())
    dates = sorted({cell["date"] for cell in cells})
    lines = [
        "`python benchmarks/inference.py` simulates data of which the truth is known, and asks `assay.compare` and "
        f"`assay.run_intervals` as a user does: {len(cells)} of its {count} cells, {outside} outside their aims ({dates[-1]}). "
        "A rate has the standard error of its simulation behind ±. A rate without one is a sum over all possible tables, with the "
        'rate at the worst true share in brackets. "–": assay refused to say, as too few answers count. **Bold**: outside the aim.',
    ]
    for name, table in results["tables"].items():
        here = [cell for cell in cells if cell["table"] == name]
        if here:
            lines += ["", f"**{table['what'][0].upper()}{table['what'][1:]}.** {aim(table)}", "", *rows(here)]
    return "\n".join(lines) + "\n\n"


def aim(table: dict[str, Any]) -> str:
    """Return what a table aims at, in words."""
    if table["aim"] == "none":
        return "No aim: of such data assay warns."
    if table["aim"] == "range":
        return f"Aim: {short(table['rate'])} to {short(table['highest'])}."
    return f"Aim: {short(table['rate'])}{' at most' if table['aim'] == 'error' else ''}."


def rows(cells: list[dict[str, Any]]) -> list[str]:
    """Return a Markdown table, with a column for each size where most cases have most sizes."""
    cases, sizes = list(dict.fromkeys(cell["case"] for cell in cells)), list(dict.fromkeys(cell["n"] for cell in cells))
    if len(sizes) == 1 and not sizes[0]:
        return ["| case | rate |", "|---|--:|", *(f"| {cell['case']} | {shown(cell)} |" for cell in cells)]
    if len(cells) < FULL * len(cases) * len(sizes):
        return ["| case | n | rate |", "|---|--:|--:|", *(f"| {c['case']} | {c['n']} | {shown(c)} |" for c in cells)]
    by_place = {(cell["case"], cell["n"]): shown(cell) for cell in cells}
    head = ["| case | " + " | ".join(f"n = {n}" for n in sizes) + " |", "|---|" + "--:|" * len(sizes)]
    return head + [f"| {case} | " + " | ".join(by_place.get((case, n), "") for n in sizes) + " |" for case in cases]


def shown(cell: dict[str, Any]) -> str:
    """Return a rate with its standard error, or with the rate at the worst share."""
    rate = cell["rate"]
    if rate is None:
        return "–"
    text = short(rate)
    if cell["draws"]:
        text += f" ± {short(cell['error'])}"
    elif cell["worst"] is not None and cell["worst"] != rate:
        text += f" ({short(cell['worst'])})"
    return text if cell["inside"] else f"**{text}**"


def short(rate: float) -> str:
    """Return three decimals without the leading zero."""
    return f"{rate:.3f}".removeprefix("0")
