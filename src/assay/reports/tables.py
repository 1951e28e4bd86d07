"""A table of cells as text: for the terminal, or as TSV, CSV, Markdown or LaTeX."""

from __future__ import annotations

from operator import itemgetter

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Collection, Sequence

    Cell = str | int | float | None

DIGITS = 4
NOT_AVAILABLE = "n/a"


def shown(cell: Cell, digits: int = DIGITS) -> str:
    """A cell as a person reads it.

    >>> shown(0.25), shown(12), shown(None)
    ('0.2500', '12', 'n/a')
    """
    if cell is None:
        return NOT_AVAILABLE
    return f"{cell:.{digits}f}" if isinstance(cell, float) else str(cell)


def plain(text: str) -> str:
    """The text with anything that could command a terminal made visible.

    >>> plain("a\\x1b[31mb\\n")
    'a\\\\x1b[31mb\\\\n'
    """
    if text.isprintable():
        return text
    return "".join(
        c if c.isprintable() else c.encode("unicode_escape", "backslashreplace").decode("ascii") for c in text
    )


def exact(cell: Cell) -> str:
    """A cell as a program reads it: every digit, and nothing where there is no value."""
    return "" if cell is None else repr(cell) if isinstance(cell, float) else str(cell)


def terminal(header: Sequence[str], rows: Sequence[Sequence[Cell]], best: Collection[tuple[int, int]] = ()) -> str:
    """Columns lined up, text to the left and numbers to the right; the best cells marked with *.

    >>> print(terminal(["run", "AP"], [["a", 0.5], ["bb", 0.25]], {(0, 1)}), end="")
    run      AP
    a    0.5000*
    bb   0.2500
    """
    columns: list[list[str]] = []
    marked = set(map(itemgetter(1), best))
    for c, (name, *cells) in enumerate(zip(header, *rows, strict=True)):
        texts = [name, *map(plain, map(shown, cells))]
        width = max(map(len, texts))
        lined_up = str.ljust if cells and {*map(type, cells)} == {str} else str.rjust
        column = [lined_up(text, width) for text in texts]
        if c in marked:
            column = [text + ("*" if (r, c) in best else " ") for r, text in enumerate(column, -1)]
        columns.append(column)
    lines = map(str.rstrip, map("  ".join, zip(*columns, strict=True)))
    return "\n".join([*lines, ""])


def separated(header: Sequence[str], rows: Sequence[Sequence[Cell]], separator: str) -> str:
    """CSV or TSV with full precision; an empty field is undefined.

    >>> print(separated(["run", "AP"], [["a,b", 0.1]], ","), end="")
    run,AP
    "a,b",0.1
    """

    def field(cell: Cell) -> str:
        if isinstance(cell, float):  # a number needs no quotes
            return repr(cell)
        text = exact(cell)
        if separator == "\t":
            return text.replace("\t", " ").replace("\n", " ")
        return '"' + text.replace('"', '""') + '"' if any(c in text for c in ',"\r\n') else text

    lines = [separator.join(map(field, line)) for line in (header, *rows)]
    return "\n".join(lines) + "\n"


def markdown(header: Sequence[str], rows: Sequence[Sequence[Cell]], best: Collection[tuple[int, int]] = ()) -> str:
    """A pipe table, the best in bold."""

    def cell(text: str, bold: bool) -> str:
        text = text.replace("\\", "\\\\").replace("|", "\\|").replace("\n", " ")
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
    """A booktabs tabular, the best in bold."""

    def cell(text: str, bold: bool) -> str:
        text = "".join(LATEX.get(c, c) for c in text.replace("\n", " "))
        return rf"\textbf{{{text}}}" if bold else text

    columns = "".join("l" if rows and all(isinstance(row[c], str) for row in rows) else "r" for c in range(len(header)))
    body = [" & ".join(cell(shown(value), (r, c) in best) for c, value in enumerate(row)) for r, row in enumerate(rows)]
    head = " & ".join(cell(name, False) for name in header)
    lines = [rf"\begin{{tabular}}{{{columns}}}", r"\toprule", head + r" \\", r"\midrule"]
    return "\n".join([*lines, *(f"{line} \\\\" for line in body), r"\bottomrule", r"\end{tabular}"]) + "\n"
