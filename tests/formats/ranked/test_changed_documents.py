"""Documents that an instruction makes non-relevant."""

from __future__ import annotations

from contextlib import suppress

import pytest
from hypothesis import given
from hypothesis import strategies as st

from assay.errors import AssayError, FormatError
from assay.formats.ranked.changed_documents import read_changed
from assay.io.sources import Source, source_of


@pytest.mark.parametrize("data", [b"q1 d1\nq1 d2\n", b"q1 0 d1 0\nq1 0 d2 1\n", b'{"q1": ["d1", "d2", "d1"]}'])
def test_each_way_to_write_it(data):
    assert read_changed(Source("changed", data=data)) == {"q1": ["d1", "d2"]}


def test_a_mapping():
    assert read_changed(source_of({"q1": ["d1"]}, "<changed>")) == {"q1": ["d1"]}


@pytest.mark.parametrize(
    ("data", "said"),
    [
        (b"q1 d1\nq1 d1 x\n", "changed:2: expected {query: [document, …]}"),
        (b'{"q1": "d1"}', "query 'q1' has 'd1'"),
        (b'{"q1": 3}', "query 'q1' has 3"),
        (b'{"q1": [', "changed"),
    ],
)
def test_refused(data, said):
    with pytest.raises(FormatError) as refusal:
        read_changed(Source("changed", data=data))
    assert said in str(refusal.value)


@given(st.binary(max_size=200))
def test_any_bytes(data):
    with suppress(AssayError):
        read_changed(Source("changed", data=data))
