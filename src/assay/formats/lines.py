"""Lines of plain text files: decoded, numbered, without blank lines and comments."""

from __future__ import annotations

from assay.errors import FormatError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from assay.formats.sources import Source


def text_lines(source: Source) -> Iterator[tuple[int, str]]:
    """(physical line, text) of every line that says something; # starts a comment line.

    >>> from assay.formats.sources import Source
    >>> list(text_lines(Source("x", data=b"# made by hand\\n\\n 1 a \\n")))
    [(3, '1 a')]
    """
    for number, raw in enumerate(source.read().split(b"\n"), 1):
        try:
            text = raw.decode("utf-8-sig" if number == 1 else "utf-8").strip()
        except UnicodeDecodeError:
            raise FormatError(source.name, number, "is not UTF-8 text") from None
        if "\0" in text:
            raise FormatError(source.name, number, "holds a zero byte: not a text file (or UTF-16); expected UTF-8")
        if text and not text.startswith("#"):
            yield number, text
