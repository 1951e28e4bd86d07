"""Judgments of a sample: what is read, recognised and refused."""

from __future__ import annotations

import pytest

from assay.errors import FormatError, InputError
from assay.formats.ranked.sampled_judgments import prels_rows, strata_rows, written_prels, written_strata
from assay.formats.recognition import recognise
from assay.io.sources import Source


def source(data: bytes) -> Source:
    return Source("pool.txt", data=data)


def test_what_was_judged_whatever_the_sample_has_probability_1():
    read = prels_rows(source(b"1 a-1 1 0 .25\n1 a-2 1 2 .25\n1 a-3 2 1 .25\n1 a-4 0 4 .5\n"))
    assert {document: chance for document, (_, _, chance) in read["1"].items()} == {
        "a-1": 1,
        "a-2": 1,
        "a-3": 0.25,
        "a-4": 0.5,
    }


def test_what_was_not_sampled_is_left_out_and_its_topic_stays():
    assert prels_rows(source(b"1 a-1 -999 1 .25\n1 a-2 1 1 NA\n2 a-1 0 1 1\n")) == {
        "1": {},
        "2": {"a-1": (0, None, 1.0)},
    }


def test_the_probability_of_a_stratum_is_the_share_that_was_drawn():
    read = strata_rows(source(b"1 0 a 1 0\n1 0 b 2 1\n1 0 c 2 -1\n1 0 d 2 -1\n1 0 e 2 0\n2 0 b 2 -1\n"))
    assert read["1"]["a"][2] == 1.0
    assert read["1"]["b"][2] == 0.5
    assert read["2"]["b"][2] is None


@pytest.mark.parametrize(
    ("line", "name"),
    [
        (b"1 clueweb09-en0003-55-31884 0 0 1", "prels"),
        (b"20001 doc 1 1 0.0123", "prels"),
        (b"1 doc 1 1 NA", "prels"),
        (b"1 0 PMC-1 2 -1", "strata"),
        (b"1 Q0 shot1_2 2 1", "strata"),
        (b"t1 ann s1 d1 2", "preferences"),
        (b"t1 0 s1 d1 2", "preferences"),
        (b"1 0 0 17 2", "preferences"),  # numbers alone could be either: preferences, as before
        (b"301 0 d1 1", "qrels"),
    ],
)
def test_recognised(line, name):
    assert recognise(source(line + b"\n"), "gold").name == name


@pytest.mark.parametrize(
    ("read", "data", "said"),
    [
        (
            prels_rows,
            b"1 a 1 1 .5\n1 b 1 1\n",
            "pool.txt:2: expected 5 fields (topic document grade method probability), found 4",
        ),
        (prels_rows, b"1 a 1 1 0\n", "above 0 and at most 1, or NA in field 5, found '0'"),
        (prels_rows, b"1 a 1 1 1.5\n", "found '1.5'"),
        (prels_rows, b"1 a x 1 1\n", "pool.txt:1: expected a grade (a whole number) in field 3, found 'x'"),
        (prels_rows, b"1 a 1 z 1\n", "expected a method (a whole number) in field 4, found 'z'"),
        (
            strata_rows,
            b"# a comment\n1 0 a 1 0\n1 0 a 2 0\n",
            "pool.txt:3: document a appears a second time in its topic",
        ),
        (strata_rows, b"\n", "found no judgments"),
    ],
)
def test_refused(read, data, said):
    with pytest.raises(FormatError) as refusal:
        read(source(data))
    assert said in str(refusal.value)


def test_what_is_written_is_read_back():
    pools = {"1": {"d-1": (2, "1", 1.0), "d-2": (0, "2", 1 / 3), "d-3": (-1, "2", None), "d-4": (-1, "2", None)}}
    drawn = {d: (grade, None, chance) for d, (grade, _, chance) in pools["1"].items() if chance is not None}
    assert prels_rows(source(written_prels(pools).encode())) == {"1": drawn}
    assert strata_rows(source(written_strata(pools).encode())) == pools
    assert recognise(source(written_prels(pools).encode()), "gold").name == "prels"
    assert recognise(source(written_strata(pools).encode()), "gold").name == "strata"


@pytest.mark.parametrize("id", ["a b", "", "#1"])
def test_ids_that_lines_cannot_hold(id):
    for write in (written_prels, written_strata):
        with pytest.raises(InputError, match="contains a blank or begins with #"):
            write({"1": {id: (1, "1", 1.0)}})
