"""Sets of documents per topic."""

from __future__ import annotations

import gzip

import pytest

from assay.errors import InputError
from assay.formats.filtering import read_sets
from assay.formats.sources import Source, source_of


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
