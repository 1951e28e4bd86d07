"""Messages on faulty lines of a ranked run, shared by the Python walk and the core's survey.

Each finding is on one line, or on the first of `count` lines.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from assay.collections.checking.findings import File
from assay.formats.ranked.trec import RUN_LINE

Lines = int | Sequence[int]
MANY = 16
"""Fields: so many or more are one finding."""


def report_field_count(file: File, lines: Lines, fields: int, count: int = 1) -> None:
    """Report lines with too few or too many fields.

    >>> file = File("a.run")
    >>> report_field_count(file, [3, 4], 5, 7)
    >>> file.findings[0].found, file.findings[0].lines, file.findings[0].count
    ('5 fields', [3, 4], 7)
    """
    mend = "write all six, with no blank inside any of them"
    expected = f"6 fields ({RUN_LINE})"
    file.error("fields", lines, f"{fields} fields", expected, mend, group=min(fields, MANY), count=count)


def report_zero_byte(file: File, lines: Lines, count: int = 1) -> None:
    """Report lines with a zero byte."""
    file.error("encoding", lines, "a zero byte", "text in UTF-8", "save the file as UTF-8", group="zero", count=count)


def report_encoding(file: File, number: int, line: bytes) -> None:
    """Report the first byte of a line that is not UTF-8, if any.

    >>> file = File("a.run")
    >>> report_encoding(file, 1, "é".encode()), report_encoding(file, 2, b"\\xe9")
    (None, None)
    >>> [(finding.found, finding.lines) for finding in file.findings]
    [('the byte 0xe9, which is no UTF-8', [2])]
    """
    try:
        line.decode()
    except UnicodeDecodeError as problem:
        message = f"the byte 0x{line[problem.start]:02x}, which is no UTF-8"
        file.error("encoding", number, message, "text in UTF-8", "save the file as UTF-8")


def report_duplicate(file: File, lines: Lines, words: Sequence[bytes], first: int, count: int = 1) -> None:
    """Report a document that its topic has already, on the line `first`."""
    message = f"document {decode_word(words[2])} a second time in topic {decode_word(words[0])}, first on line {first}"
    file.error("duplicate", lines, message, "every document once in a topic", "remove one of the two", count=count)


def report_score(file: File, lines: Lines, words: Sequence[bytes], count: int = 1) -> None:
    """Report a score that is no finite number."""
    mend = "write the number the system computed; leave out a document that has none"
    message = f"score {decode_word(words[4])!r:.40}"
    file.error("score", lines, message, "a finite number (field 5)", mend, count=count)


def report_rank(file: File, lines: Lines, words: Sequence[bytes], count: int = 1) -> None:
    """Report a rank that is no whole number."""
    message = f"rank {decode_word(words[3])!r:.40}"
    mend = "number the documents of a topic from 1"
    file.warning("rank", lines, message, "a whole number (field 4)", mend, count=count)


def report_second_tag(file: File, lines: Lines, words: Sequence[bytes], tag: tuple[bytes, int], count: int = 1) -> None:
    """Report a tag that differs from that of the first line; the file keeps two tags."""
    first_tag, line = tag
    if len(file.tags) < 2:
        file.tags.append(decode_word(words[5]))
    message = f"tag {decode_word(words[5])} after {decode_word(first_tag)} on line {line}"
    file.error("tags", lines, message, "one tag in a file", "submit each run in a file of its own", count=count)


def report_unknown_document(file: File, lines: Lines | None, document: str) -> None:
    """Report a document that the collection does not have."""
    mend = "check the ids against the collection's own: a prefix, an ending or another version of it"
    file.warning("unknown-document", lines, f"document {document}", "a document of the collection", mend)


def run_lines(lines: Iterator[tuple[int, bytes]]) -> Iterator[tuple[int, bytes, list[bytes]]]:
    """Yield number, bytes and words of every line that is neither blank nor a comment."""
    for number, line in lines:
        words = line.split()
        if words and not words[0].startswith(b"#"):
            yield number, line, words


def decode_word(word: bytes) -> str:
    """Decode a word, keeping bytes that are not UTF-8 as surrogates."""
    return word.decode("utf-8", "surrogateescape")
