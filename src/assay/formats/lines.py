"""Lines of plain text files: numbered, without blank lines and comments; # begins a comment line."""

from __future__ import annotations

from assay.errors import FormatError
from assay.formats.sources import BOM

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from assay.formats.sources import Source


def text_lines(source: Source) -> Iterator[tuple[int, str]]:
    """(physical line, text) of every line that says something, in UTF-8.

    >>> from assay.formats.sources import Source
    >>> list(text_lines(Source("x", data=b"# made by hand\\n\\n 1 a \\n")))
    [(3, '1 a')]
    """
    for number, raw in _lines(source):
        try:
            yield number, raw.decode()
        except UnicodeDecodeError:
            raise FormatError(source.name, number, "is not UTF-8 text") from None


def field_lines(source: Source) -> Iterator[tuple[int, list[str]]]:
    """(physical line, fields between blanks) of the same. Any byte may stand in an id: surrogates give each one back."""
    for number, raw in _lines(source):
        yield number, [field.decode("utf-8", "surrogateescape") for field in raw.split()]


def _lines(source: Source) -> Iterator[tuple[int, bytes]]:
    for number, raw in enumerate(source.read().removeprefix(BOM).split(b"\n"), 1):
        text = raw.strip()
        if b"\0" in text:
            raise FormatError(source.name, number, "holds a zero byte: not a text file (or UTF-16); expected UTF-8")
        if text and not text.startswith(b"#"):
            yield number, text
