"""Texts of topics: TREC's markup as it was written over the years, JSONL, TSV; and everything that is none of them."""

from __future__ import annotations

import gzip
import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from assay.errors import AssayError, FormatError
from assay.formats.auxiliary.topics import Topic, read_parts, read_topics
from assay.io.sources import Source

AD_HOC = """
<top>

<num> Number: 301
<title> International Organized Crime

<desc> Description:
Identify organizations that participate in
international criminal activity.

<narr> Narrative:
A relevant document must name the organization &amp; its crime.

</top>

<top>
<num> Number: 302
<title> Poliomyelitis and Post-Polio
</top>
"""
COVID = """<?xml version="1.0"?>
<topics task="COVIDSearch Round 1" batch="4/10/20">
  <topic number="1">
    <query>coronavirus origin</query>
    <question>what is the origin of COVID-19</question>
  </topic>
  <topic number='2'><query>weather &lt; 10 °C</query></topic>
</topics>
"""
JSON_LINES = '{"qid": 7, "query": " Paris? "}\n{"query_id": "8", "title": "Oslo"}\n'
TSV = "id\ttext\n7\tParis?\tand Lyon\n\n8\tOslo\n"


def source(content: str | bytes) -> Source:
    return Source("topics", data=content if isinstance(content, bytes) else content.encode())


def test_trec_topics_with_tags_left_open() -> None:
    assert read_topics(source(AD_HOC)) == {
        "301": "International Organized Crime\n\nIdentify organizations that participate in international criminal "
        "activity.\n\nA relevant document must name the organization & its crime.",
        "302": "Poliomyelitis and Post-Polio",
    }


def test_trec_topics_with_tags_closed_and_numbers_in_the_tag() -> None:
    found = read_topics(source(COVID))
    assert found == {"1": "coronavirus origin\n\nwhat is the origin of COVID-19", "2": "weather < 10 °C"}


def test_subtopics_stand_one_below_the_other() -> None:
    web = '<topic number="51"><query>horse</query><subtopic number="1">care</subtopic><subtopic number="2">hooves</subtopic></topic>'
    assert read_topics(source(web)) == {"51": "horse\n\ncare\nhooves"}


@pytest.mark.parametrize("content", [JSON_LINES, f"[{JSON_LINES.replace(chr(10), ',').rstrip(',')}]"])
def test_json_by_line_and_in_one_array(content) -> None:
    assert read_topics(source(content)) == {"7": "Paris?", "8": "Oslo"}


def test_tsv_with_a_line_of_names() -> None:
    assert read_topics(source(TSV)) == {"7": "Paris?\tand Lyon", "8": "Oslo"}


def test_compressed_and_with_a_byte_order_mark() -> None:
    assert read_topics(source(gzip.compress(TSV.encode())))["8"] == "Oslo"
    assert read_topics(source(b"\xef\xbb\xbf" + AD_HOC.encode()))["302"] == "Poliomyelitis and Post-Polio"


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ("7 Paris\n", "1: found '7 Paris'; expected TREC topics"),
        ("7\tParis\n8\tOslo\n7\tRome\n", "3: topic '7' is already on line 1"),
        ("7\tParis\n8\t\xff".encode("latin-1"), "2: is not UTF-8"),
        ("7\tParis\n8\tOs\0lo", "2: holds a zero byte"),
        ('{"id": true, "text": "x"}', "1: id True: expected an id"),
        ('{"text": "x"}', "1: has no id among text; expected one of id"),
        ('{"id": 1}', "1: topic '1' has no text; expected one of text, query"),
        ('{"id": 1, "text": ["x"]}', "1: topic '1': text is"),
        ('{"id": 1, "text": NaN}', "1: broken JSON"),
        ('{"id": 1, "id": 2, "text": "x"}', "1: the key 'id' appears twice"),
        ('{"id": 1, "text": "x"', "1: broken JSON"),
        ("<html>\n<p>topic</p>", "1: found markup without <top>"),
        ("<top>\n<title> x\n</top>", "1: a topic without a number"),
        ("<top>\n<num>1\n</top>\n<top><num>2<title>x</top>", "1: topic '1' has no text"),
        (f"{AD_HOC}{AD_HOC}", "21: topic '301' is already on line 2"),
        ("PAR1", " is no text"),
        ("", " holds no topics"),
    ],
)
def test_what_is_wrong_is_said_with_its_line(content, message) -> None:
    with pytest.raises(FormatError) as caught:
        read_topics(source(content))
    assert str(caught.value).startswith(f"topics:{message}")


@given(
    which=st.sampled_from([AD_HOC, COVID, JSON_LINES, TSV]),
    at=st.integers(0, 400),
    put=st.sampled_from([b"", b"\xff", b"<", b">", b"\0", b"\t", b"null", b"[" * 3000, b'"', b"9" * 5000, b"<top>"]),
    cut=st.integers(0, 9),
)
def test_damaged_files_are_read_or_refused(which, at, put, cut) -> None:
    content = which.encode()
    damaged = content[:at] + put + content[at + cut :]
    try:
        found = read_topics(source(damaged))
    except AssayError:
        return
    assert json.dumps(found)


def test_an_assessor_reads_title_description_and_narrative_apart() -> None:
    trec = b"<top><num> Number: 301<title> Crime<desc> Description:\nWho?\n<narr> Narrative:\nOnly\nthis.</top>"
    assert read_parts(source(trec)) == {"301": Topic("Crime", "Who?", "Only this.")}
    covid = (
        b'<topic number="1"><query>origin</query><question>Where from?</question><narrative>Any.</narrative></topic>'
    )
    assert read_parts(source(covid)) == {"1": Topic("origin", "Where from?", "Any.")}
    lines = (
        b'{"id": 1, "title": "t", "description": "d", "narrative": "n"}\n{"id": 2, "text": "Capital?"}\n'
        b'{"id": 3, "query": "q", "text": "x"}'
    )
    assert read_parts(source(lines)) == {"1": Topic("t", "d", "n"), "2": Topic("Capital?"), "3": Topic("q", "x")}
    assert read_parts(source(b"q1\tCapital of France?")) == {"q1": Topic("Capital of France?")}
    web = b'<topic number="51"><query>horse</query><subtopic number="1">care</subtopic></topic>'
    assert read_parts(source(web)) == {"51": Topic("horse", "", "care")}
