"""Lines of text files: numbered, without blank lines and comments (# begins one); and lines of CSV and TSV."""

from __future__ import annotations

import csv
import re
from collections.abc import Iterator
from math import nan

from assay.io.sources import NO_TEXT, Source

LINE = re.compile(r"[^\r\n]*(?:\r\n|\r|\n)|[^\r\n]+")
"""A line with its end, whichever system wrote it."""


def parse_number(text: object) -> float:
    """Return a number from text; NaN for anything else, also for Python's 1_000.

    >>> parse_number("0.5"), parse_number("1_000"), parse_number(None)
    (0.5, nan, nan)
    """
    try:
        return float("" if "_" in str(text) else text)  # type: ignore[arg-type]
    except (TypeError, ValueError, OverflowError):
        return nan


def text_lines(source: Source) -> Iterator[tuple[int, str]]:
    """Yield physical line and text of every line that is not blank or a comment, in UTF-8.

    >>> from assay.io.sources import Source
    >>> list(text_lines(Source("x", data=b"# made by hand\\n\\n 1 a \\n")))
    [(3, '1 a')]
    """
    for number, raw in _lines(source):
        try:
            # More is white space to text than to bytes: a line of U+00A0 or U+001E says nothing either.
            text = raw.decode().strip()
        except UnicodeDecodeError:
            raise source.error(number, "is not UTF-8 text") from None
        if text:
            yield number, text


def field_lines(source: Source) -> Iterator[tuple[int, list[str]]]:
    """Yield physical line and fields of every line that is not blank or a comment; bytes that are not UTF-8 become surrogates."""
    for number, raw in _lines(source):
        yield number, [field.decode("utf-8", "surrogateescape") for field in raw.split()]


def judgment_lines(source: Source, names: str) -> Iterator[tuple[int, list[str]]]:
    """Yield physical line and fields of every judgment; each line must have as many fields as `names`.

    >>> from assay.io.sources import Source
    >>> list(judgment_lines(Source("x", data=b"301 0 d1 1\\n"), "topic group document grade"))
    [(1, ['301', '0', 'd1', '1'])]
    """
    count = len(names.split())
    line = 0
    for line, fields in field_lines(source):
        if len(fields) != count:
            raise source.error(line, f"expected {count} fields ({names}), found {len(fields)}")
        yield line, fields
    if not line:
        raise source.error(None, f"found no judgments; expected lines with the fields {names}")


def _lines(source: Source) -> Iterator[tuple[int, bytes]]:
    for number, raw in enumerate(source.lines(), 1):
        text = raw.strip()
        if b"\0" in text:
            raise source.error(number, NO_TEXT)
        if text and not text.startswith(b"#"):
            yield number, text


def separated_lines(source: Source, any_bytes: bool = False) -> Iterator[tuple[int, list[str]]]:
    """Yield physical line and cells of every line of CSV or TSV that is not empty.

    A quoted cell may span several lines; the last one counts.

    any_bytes   cells may hold bytes that are not UTF-8, as surrogates: ids in run files may too

    >>> from assay.io.sources import Source
    >>> list(separated_lines(Source("x.csv", data=b"id;gold\\n\\n1;A")))
    [(1, ['id', 'gold']), (3, ['1', 'A'])]
    """
    content = source.read_text()
    try:
        text = content.decode("utf-8-sig", "surrogateescape" if any_bytes else "strict")
    except UnicodeDecodeError as problem:
        line = content.count(b"\n", 0, problem.start) + 1
        raise source.error(line, "is not UTF-8 text; save the file as UTF-8") from None
    if "\0" in text:
        line = text.count("\n", 0, text.index("\0")) + 1
        raise source.error(line, "holds a zero byte; expected CSV text in UTF-8")
    first = text.lstrip("\r\n").partition("\n")[0]
    # Tabs separate wherever there are any: a name may hold a comma, and none holds a tab.
    delimiter = "\t" if "\t" in first else max(",;", key=first.count)
    del content
    # A file in memory would hold every letter in four bytes.
    reader = csv.reader((line.group() for line in LINE.finditer(text)), delimiter=delimiter, strict=True)
    while True:
        try:
            cells = next(reader)
        except StopIteration:
            return
        except csv.Error as problem:
            raise source.error(reader.line_num, f"broken CSV ({problem})") from None
        if any(cell.strip() for cell in cells):
            yield reader.line_num, cells


def whole_rows(source: Source, lines: Iterator[tuple[int, list[str]]], width: int) -> Iterator[tuple[int, list[str]]]:
    """Yield the rows below a header; each must have as many cells as the header."""
    for line, cells in lines:
        if len(cells) != width:
            raise source.error(line, f"expected {width} cells as in the header, found {len(cells)}")
        yield line, cells
