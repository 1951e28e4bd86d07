"""Write a table of cells as text for a terminal, or as TSV, CSV, Markdown or LaTeX."""

from __future__ import annotations

from operator import itemgetter

from assay.io.escaping import plain

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable, Sequence
    from typing import Any

    Cell = str | int | float | None

DIGITS = 4
NOT_AVAILABLE = "n/a"
ROWS_AT_ONCE = 1024
"""Rows formatted at once, column by column; bounds the memory."""


def shown(cell: Cell, digits: int = DIGITS) -> str:
    """Return a cell rounded for display.

    >>> shown(0.25), shown(12), shown(None)
    ('0.2500', '12', 'n/a')
    """
    if cell is None:
        return NOT_AVAILABLE
    return f"{cell:.{digits}f}" if isinstance(cell, float) else str(cell)


def exact(cell: Cell) -> str:
    """Return a cell with all digits; empty where there is no value."""
    return "" if cell is None else repr(cell) if isinstance(cell, float) else str(cell)


def terminal(header: Sequence[str], rows: Sequence[Sequence[Cell]], best: Collection[tuple[int, int]] = ()) -> str:
    """Align columns, text to the left and numbers to the right; mark the best cells with *.

    >>> print(terminal(["run", "AP"], [["a", 0.5], ["bb", 0.25]], {(0, 1)}), end="")
    run      AP
    a    0.5000*
    bb   0.2500
    """
    columns: list[list[str]] = []
    marked = set(map(itemgetter(1), best))
    for c, (name, *cells) in enumerate(zip(header, *rows, strict=True)):
        texts = [plain(name), *map(plain, map(shown, cells))]
        width = max(map(len, texts))
        words = cells and {*map(type, cells)} == {str} and not all(cell.endswith("%)") for cell in cells)
        align = str.ljust if words else str.rjust  # counts with percentages, as in 4 (22.2%), are numbers
        column = [align(text, width) for text in texts]
        if c in marked:
            column = [text + ("*" if (r, c) in best else " ") for r, text in enumerate(column, -1)]
        columns.append(column)
    lines = map(str.rstrip, map("  ".join, zip(*columns, strict=True)))
    return "\n".join([*lines, ""])


def separated(header: Sequence[str], rows: Sequence[Sequence[Cell]], separator: str, *, raw: bool = False) -> str:
    """Write CSV or TSV with full precision; an empty field is undefined.

    Unless `raw`, text that a spreadsheet would run as a formula gets an apostrophe, and control characters are escaped.

    >>> print(separated(["run", "AP"], [["a,b", 0.1], ["=1+1", -0.1]], ","), end="")
    run,AP
    "a,b",0.1
    '=1+1,-0.1
    """
    parts = (rows[start : start + ROWS_AT_ONCE] for start in range(0, len(rows), ROWS_AT_ONCE))
    by_column = ([list(map(itemgetter(place), some)) for place in range(len(header))] for some in parts)
    return separated_columns(header, by_column, separator, raw=raw)


def separated_columns(
    header: Sequence[str], parts: Iterable[Sequence[Sequence[Cell]]], separator: str, *, raw: bool = False
) -> str:
    """Write tables below each other from their columns.

    >>> print(separated_columns(["run", "AP"], [[["a", "b"], [0.5, None]], [["c"], [0.25]]], ","), end="")
    run,AP
    a,0.5
    b,
    c,0.25
    """

    from assay.io.csv_escaping import guarded
    from assay.io.escaping import data

    def written(cell: Cell) -> str:
        text = exact(cell)
        if isinstance(cell, str) and not raw:
            text = guarded(data(text))
        if separator == "\t":
            return text.replace("\t", " ").replace("\n", " ")
        return '"' + text.replace('"', '""') + '"' if any(c in text for c in ',"\r\n') else text

    text = [separator.join(map(written, header)), "\n"]
    for columns in parts:
        for start in range(0, len(columns[0]), ROWS_AT_ONCE):
            text.append(_lines(written, [column[start : start + ROWS_AT_ONCE] for column in columns], separator))
    return "".join(text)


def _lines(written: Callable[[Cell], str], columns: Sequence[Sequence[Any]], separator: str) -> str:
    """Write rows as text, a column at a time.

    >>> _lines(exact, [["a", "a"], [1, None], [0.25, -0.0]], ",")
    'a,1,0.25\\na,,-0.0\\n'
    """
    texts = [_texts(written, column) for column in columns]
    return "\n".join([*map(separator.join, zip(*texts, strict=True)), ""])


def _texts(written: Callable[[Cell], str], cells: Sequence[Any]) -> Iterable[str]:
    kinds = {*map(type, cells)}
    if kinds == {float}:
        return map(repr, cells)
    if kinds == {str}:
        # Letters and digits need no escaping, and names repeat.
        texts = {name: name if name.isascii() and name.isalnum() else written(name) for name in {*cells}}
        return map(texts.__getitem__, cells)
    return map(written, cells)


HTML = {"<": "&lt;", "&": "&amp;"}
MARKUP = r"[<\\`*|~$]|&(?=[#\w])|(?<![^\W_])_|_(?![^\W_])|\](?=\()"
"""HTML, which Markdown passes on, the characters of Markdown, and formulas of some dialects. An underscore within a word needs no
escape; a bracket does where an address follows."""


def markdown(header: Sequence[str], rows: Sequence[Sequence[Cell]], best: Collection[tuple[int, int]] = ()) -> str:
    """Write a pipe table, the best in bold; markup in names is escaped.

    >>> print(markdown(["run", "AP"], [["<b>a</b>", 0.5]]), end="")
    | run | AP |
    | --- | --: |
    | &lt;b>a&lt;/b> | 0.5000 |
    """
    import re

    def cell(text: str, bold: bool) -> str:
        text = re.sub(MARKUP, lambda match: HTML.get(match[0]) or f"\\{match[0]}", plain(text))
        return f"**{text}**" if bold else text

    numeric = ["---" if rows and all(isinstance(row[c], str) for row in rows) else "--:" for c in range(len(header))]
    lines = [[cell(name, False) for name in header], numeric]
    lines += [[cell(shown(value), (r, c) in best) for c, value in enumerate(row)] for r, row in enumerate(rows)]
    return "".join("| " + " | ".join(line) + " |\n" for line in lines)


LATEX = {
    "\\": r"\textbackslash{}", "&": r"\&", "%": r"\%", "$": r"\$", "#": r"\#", "_": r"\_", "{": r"\{", "}": r"\}",
    "~": r"\textasciitilde{}", "^": r"\textasciicircum{}", "<": r"\textless{}", ">": r"\textgreater{}",
}  # fmt: skip


def latex(header: Sequence[str], rows: Sequence[Sequence[Cell]], best: Collection[tuple[int, int]] = ()) -> str:
    """Write a booktabs tabular, the best in bold.

    A [ or * at the start of a row is put in braces: it would be an argument of the \\\\ that ends the row above.

    >>> print(latex(["run"], [["[-9cm]"]]).splitlines()[4])
    {[}-9cm] \\\\
    """

    def cell(text: str, bold: bool) -> str:
        text = "".join(LATEX.get(c, c) for c in plain(text))
        if text.startswith(("[", "*")):
            text = f"{{{text[0]}}}{text[1:]}"
        return rf"\textbf{{{text}}}" if bold else text

    columns = "".join("l" if rows and all(isinstance(row[c], str) for row in rows) else "r" for c in range(len(header)))
    body = [" & ".join(cell(shown(value), (r, c) in best) for c, value in enumerate(row)) for r, row in enumerate(rows)]
    head = " & ".join(cell(name, False) for name in header)
    lines = [rf"\begin{{tabular}}{{{columns}}}", r"\toprule", head + r" \\", r"\midrule"]
    return "\n".join([*lines, *(f"{line} \\\\" for line in body), r"\bottomrule", r"\end{tabular}"]) + "\n"
