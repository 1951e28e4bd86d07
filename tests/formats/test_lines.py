"""Lines of plain text files."""

from __future__ import annotations

import pytest

from assay.errors import FormatError
from assay.formats.lines import field_lines, text_lines
from assay.formats.sources import Source


def test_physical_lines_without_blanks_and_comments() -> None:
    data = b"\xef\xbb\xbf a  b\r\n\r\n # note\r\n\tc\xc3\xa9"
    assert list(text_lines(Source("x", data=data))) == [(1, "a  b"), (4, "cé")]
    assert list(field_lines(Source("x", data=data))) == [(1, ["a", "b"]), (4, ["cé"])]


def test_bytes_that_are_no_utf_8() -> None:
    data = b"a\nb\xff c\n"
    assert [fields[0].encode("utf-8", "surrogateescape") for _, fields in field_lines(Source("x", data=data))][
        1
    ] == b"b\xff"
    with pytest.raises(FormatError, match="x:2: is not UTF-8 text"):
        list(text_lines(Source("x", data=data)))


@pytest.mark.parametrize("read", [text_lines, field_lines])
def test_a_zero_byte_is_no_text(read) -> None:
    with pytest.raises(FormatError, match="x:2: holds a zero byte"):
        list(read(Source("x", data=b"a\n\0")))
