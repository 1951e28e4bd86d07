"""Sets of documents per topic, and time periods of their stream."""

from __future__ import annotations

import gzip
from contextlib import suppress

import pytest
from hypothesis import given
from hypothesis import strategies as st

from assay.errors import AssayError, FormatError, InputError
from assay.formats.ranked.filtering import read_changed, read_periods, read_sets
from assay.io.sources import Source, source_of


def source(text: str | bytes, name: str = "file") -> Source:
    return Source(name, data=text.encode() if isinstance(text, str) else text)


class TestSets:
    def test_plain_lists_and_trec_runs_are_the_same_sets(self):
        plain = read_sets(source("R1 d1\nR2 d9\nR1 d2\n"))
        trec = read_sets(source("R1 Q0 d1 1 2.5 tag\nR2 Q0 d9 1 1e-3 tag\nR1 Q0 d2 2 -1 tag\n"))
        assert {t: set(d) for t, d in plain.topics.items()} == {t: set(d) for t, d in trec.topics.items()}
        assert (plain.tag, trec.tag) == ("", "tag")
        assert plain.topics["R1"] == {"d1": 1, "d2": 3}

    def test_compressed_bom_crlf_and_comments(self, tmp_path):
        path = tmp_path / "run.gz"
        path.write_bytes(gzip.compress(b"\xef\xbb\xbfR1\td1\r\n# note\r\n\r\nR1 d2"))
        assert set(read_sets(source_of(path)).topics["R1"]) == {"d1", "d2"}

    def test_dicts_and_frames(self):
        pandas = pytest.importorskip("pandas")
        assert set(read_sets(Source("x", data={"R1": ["d1", "d2"], "R2": []})).topics["R1"]) == {"d1", "d2"}
        assert set(read_sets(Source("x", data={"R1": {"d1": 2.0}})).topics["R1"]) == {"d1"}
        frame = pandas.DataFrame({"query_id": ["R1", "R1"], "doc_id": ["d1", "d2"]})
        assert set(read_sets(Source("x", data=frame)).topics["R1"]) == {"d1", "d2"}

    @pytest.mark.parametrize(
        ("text", "message"),
        [
            ("R1 d1 d2\n", r"^file:1: expected 2 fields \(topic, document\) or 6 .*, found 3"),
            ("R1 d1\nR1 Q0 d2 1 1.0 t\n", r"^file:2: expected 2 fields as on the lines before, found 6"),
            ("R1 d1\nR1 d1\n", r"^file:2: document d1 appears a second time in topic R1, first on line 1"),
            ("R1 Q0 d1 1 high t\n", r"^file:1: expected a number as score \(field 5\), found 'high'"),
            ("R1 Q0 d1 1 nan t\n", r"^file:1: expected a number as score"),
            ("\n# only this\n", r"^file: is empty"),
            ("R1 d\0\n", r"^file:1: holds a zero byte"),
        ],
    )
    def test_bad_sets_name_their_line(self, text: str, message: str):
        with pytest.raises(InputError, match=message):
            read_sets(source(text))

    def test_bad_objects(self):
        with pytest.raises(InputError, match="topic R1: expected its documents, found 7"):
            read_sets(Source("x", data={"R1": 7}))
        with pytest.raises(InputError, match="expected a path, bytes"):
            read_sets(Source("x", data=object()))


class TestPeriods:
    def test_numeric_boundaries_are_inclusive_and_compare_as_numbers(self):
        periods = read_periods(source("900\n2000\n30000\n"))
        assert [periods.of(d) for d in ("7", "900", "901", "2000", "2001", "30000", "30001")] == [0, 0, 1, 1, 2, 2, 3]
        assert periods.labels == ["up to 900", "900 to 2000", "2000 to 30000", "after 30000"]
        assert periods.of("WSJ-1") is None

    def test_numbers_of_any_length_and_zeros_in_front(self):
        long = "1" + "0" * 5000  # more digits than int() takes
        periods = read_periods(source(f"0009\n10\n{long}\n"))
        ids = ("0", "9", "010", "11", "9" * 5000, long, "0" + long, long[:-1] + "1")
        assert [periods.of(d) for d in ids] == [0, 0, 1, 2, 2, 2, 2, 3]

    def test_other_ids_compare_as_bytes(self):
        periods = read_periods(source("WSJ88\nWSJ90\n"))
        assert [periods.of(d) for d in ("AP1", "WSJ88", "WSJ881", "WSJ90", "WSJ91")] == [0, 0, 1, 1, 2]

    def test_times_cut_the_span_into_equal_periods(self):
        days = read_periods(source("d1 2001-01-01\nd2 2001-01-02T00:00\nd3 2001-01-03\nd4 2001-01-04\nd5 2001-01-05\n"))
        # Four days from first to last: a period a day, the last one holding both ends.
        assert [days.of(f"d{i}") for i in range(1, 6)] == [0, 1, 2, 3, 3]
        assert days.labels[0] == "2001-01-01 to 2001-01-01"
        assert days.labels[3] == "2001-01-04 to 2001-01-05"
        numbers = read_periods(source("a 1\nb 2\nc 3\nd 4\n"))
        assert [numbers.of(d) for d in "abcd"] == [0, 1, 2, 3]
        halves = read_periods(source("a 1\nb 2.4\nc 2.5\nd 4\n"), count=2)
        assert [halves.of(d) for d in "abcd"] == [0, 0, 1, 1]
        assert halves.of("unknown") is None
        assert [read_periods(source("a 5\nb 5\n")).of(d) for d in "ab"] == [0, 0]

    @pytest.mark.parametrize(
        ("text", "message"),
        [
            ("900\n2000\n1000\n", r"^file:3: boundary 1000 does not come after 2000 on line 2 \(as numbers\)"),
            ("900\n900\n", r"^file:2: boundary 900 does not come after 900 on line 1"),
            ("WSJ90\nWSJ88\n", r"^file:2: boundary WSJ88 does not come after WSJ90 on line 1 \(as bytes\)"),
            ("d1 2001-01-01\nd2 soon\n", r"^file:2: time 'soon': expected an ISO date"),
            ("d1 17\nd2 2001-01-01\n", r"^file:2: time '2001-01-01': expected a number"),
            ("d1 17\nd2 1e999999999\n", r"^file:2: time '1e999999999': expected a number"),
            (
                f"d1 17\nd2 {'9' * 5000}\n",
                r"^file:2: time '9+ … 4840 characters … 9+': expected a number of at most 1000 digits",
            ),
            ("d1 1\nd1 2\n", r"^file:2: document d1 has a time already on line 1"),
            ("d1 1 x\n", r"^file:1: expected a document id, or a document and its time, found 3 fields"),
            ("d1 1\nd2\n", r"^file:2: expected 2 fields as on line 1, found 1"),
            ("", r"^file: is empty"),
        ],
    )
    def test_bad_periods_name_their_line(self, text: str, message: str):
        with pytest.raises(InputError, match=message):
            read_periods(source(text))

    def test_a_count_that_contradicts_the_boundaries(self):
        with pytest.raises(AssayError, match="2 boundaries, which make 3 periods, not 4"):
            read_periods(source("1\n2\n"), count=4)
        assert len(read_periods(source("1\n2\n"), count=3).labels) == 3
        for count in (0, 10_001, 10**30):
            with pytest.raises(AssayError, match="from 1 to 10,000"):
                read_periods(source("a 1\n"), count=count)


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
