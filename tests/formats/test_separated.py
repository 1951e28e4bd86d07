"""CSV and TSV as lines of cells."""

from __future__ import annotations

import pytest

from assay.errors import FormatError
from assay.formats.separated import separated_lines
from assay.formats.sources import Source


@pytest.mark.parametrize("mark", [",", ";", "\t"])
def test_what_separates_is_found(mark) -> None:
    data = f"\ufeff\r\na{mark}b\r\n\r\n1{mark}'x'\r\n".encode()
    assert list(separated_lines(Source("x", data=data))) == [(2, ["a", "b"]), (4, ["1", "'x'"])]


def test_a_quoted_cell_may_span_lines() -> None:
    assert list(separated_lines(Source("x", data=b'a,b\n"1\n2",3\n'))) == [(1, ["a", "b"]), (3, ["1\n2", "3"])]


@pytest.mark.parametrize(
    ("data", "problem"),
    [
        (b'a,b\n"1', "x:2: broken CSV"),
        (b"a,b\n1,\xff", "x:2: is not UTF-8 text; save the file as UTF-8"),
        (b"a,b\n\n1,\0", "x:3: holds a zero byte; expected CSV text"),
    ],
)
def test_bad_files(data, problem) -> None:
    with pytest.raises(FormatError) as caught:
        list(separated_lines(Source("x", data=data)))
    assert problem in str(caught.value)
