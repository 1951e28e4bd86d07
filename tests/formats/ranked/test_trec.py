"""TREC qrels and runs: the same from text, JSON, dicts and frames; messages name the place of a fault."""

from __future__ import annotations

import json

import pytest

import assay
from assay.errors import InputError
from assay.formats.ranked.trec import names_subtopics, read_qrels, read_run, second_varies
from assay.formats.recognition import task_of
from assay.io.heads import head_of_bytes
from assay.io.sources import Source

QRELS = "301 0 d1 1\n301 0 d2 -1\n302 0 d1 0\n302 0 d3 2\n"
JUDGED = {"301": {"d1": 1, "d2": -1}, "302": {"d1": 0, "d3": 2}}
RUN = "301 Q0 d2 1 3.5 t\n301 Q0 d1 2 3 t\n302 Q0 d3 1 1e-3 t\n302 Q0 d1 2 -1 t\n302 Q0 d9 3 -2 t\n"
SCORED = {"301": {"d2": 3.5, "d1": 3}, "302": {"d3": 1e-3, "d1": -1, "d9": -2.0}}


def source(thing: object, name: str = "file") -> Source:
    return Source(name, data=thing.encode() if isinstance(thing, str) else thing)


def frame(nested: dict[str, dict[str, float]], *names: str, **more: object):
    pandas = pytest.importorskip("pandas")
    rows = [(topic, document, value) for topic, found in nested.items() for document, value in found.items()]
    return pandas.DataFrame(rows, columns=list(names)).assign(**more)


def grades(gold) -> dict[str, dict[str, int]]:
    return {topic: dict(gold.documents(t)) for t, topic in enumerate(gold.topics)}


@pytest.mark.parametrize("form", ["text", "json", "dict", "whole floats", "frame"])
def test_judgments_in_every_form(form) -> None:
    things = {
        "text": lambda: QRELS,
        "json": lambda: "\ufeff " + json.dumps(JUDGED, indent=1),
        "dict": lambda: JUDGED,
        "whole floats": lambda: {t: {d: float(g) for d, g in found.items()} for t, found in JUDGED.items()},
        "frame": lambda: frame(JUDGED, "qid", "docno", "label"),
    }
    assert grades(read_qrels(source(things[form]()))) == JUDGED


@pytest.mark.parametrize(
    ("thing", "problem"),
    [
        ("", "file: is empty; expected lines of 4 fields"),
        ("# nothing\n", "file: is empty"),
        ({}, "file: is empty"),
        ("301 0 d1\n", "file:1: expected 4 fields (topic, iteration, document, grade), found 3"),
        ("301 0 d1 1\n\n301 0 d2 high\n", "file:3: expected a whole number as grade (field 4), found 'high'"),
        ("301 0 d1 1\n301 0 d1 1\n", "file:2: document d1 appears a second time in topic 301, first on line 1"),
        ("301 0 d\0 1\n", "file:1: found a zero byte"),
        ('{"301": {"d1": 1}', "file:1: broken JSON"),
        ('{"301": {"d1": 1, "d1": 2}}', "file: the key 'd1' appears twice in one object"),
        (b'{"301": {"d\xff": 1}}', "file: broken JSON (not UTF-8)"),
        ('{"301": ' + "[" * 100_000, "file: broken JSON (nested too deeply)"),
        ({"301": 7}, "file: topic 301: expected a mapping from document to grade, found int"),
        ({"301": {"d1": 1.5}}, "topic 301: document d1: expected a whole number as grade, found 1.5"),
        ({"301": {"d1": 10**10}}, "expected at most nine digits"),
        ({"1": {"d1": 1}, 1: {"d1": 1}}, "two topics have the same id '1' as text"),
        ({"1": {"7": 1, 7: 1}}, "topic 1: two documents have the same id '7' as text"),
        ({"1": {"a\0b": 1}}, "an id contains a zero byte"),
        ({"1": {"\ud800": 1}}, "half a character"),
        (object(), "expected a path, bytes, nested dicts or a data frame, found object"),
    ],
)
def test_bad_judgments(thing, problem) -> None:
    with pytest.raises(InputError) as caught:
        read_qrels(source(thing))
    assert problem in str(caught.value)


TWO_TOPICS = {"q1": {"d1": 1, "d2": 0}, "q2": {"d1": 2, "d3": 1}}
RANKED = {"q1": {"d2": 2.0, "d1": 1.0}, "q2": {"d3": 5.0, "d1": 4.0, "x": 9.0}}


@pytest.mark.parametrize(
    ("gold", "runs", "message"),
    [
        (TWO_TOPICS, {"r": {"q1": {"d1": float("nan")}}}, "the score is NaN"),
        (TWO_TOPICS, {"r": {"q1": {"d1": None}}}, "expected a number as score, found None"),
        ({"q": {"d": "1"}}, RANKED, "expected a whole number as grade"),
        ({"q": {"a\0b": 1}}, RANKED, "zero byte"),
        (TWO_TOPICS, {"r": {"other": {"d": 1.0}}}, "no topic in common"),
        (3, RANKED, "expected a path, bytes, nested dicts or a data frame"),
        ({}, RANKED, "expected a path, bytes"),
    ],
)
def test_bad_objects_are_explained(gold, runs, message) -> None:
    with pytest.raises(assay.InputError, match=message):
        assay.evaluate(gold, runs)


def test_hash_and_unicode_in_ids() -> None:
    judged = {"é#1": {"#d": 1, "日本": 1}}
    scores = assay.evaluate(judged, {"r": {"é#1": {"日本": 2.0, "#d": 1.0}}}, ["AP"])
    assert scores.values("AP", "r") == {"é#1": 1.0}


@pytest.mark.parametrize(
    ("gold", "runs", "message"),
    [
        ({"q": {1: 1, "1": 0}}, RANKED, "topic q: two documents have the same id '1' as text"),
        ({1: {"d": 1}, "1": {"d": 1}}, RANKED, "two topics have the same id '1' as text"),
        ({"q": {"d": float("inf")}}, RANKED, "expected a whole number as grade"),
        ({"q": {"\ud800": 1}}, RANKED, "half a character"),
        (TWO_TOPICS, {"r": {"q1": {"d1": 10**400}}}, "expected a number as score"),
        (TWO_TOPICS, {"r": {1: {"d1": 1.0}, "q1": {"d1": 1.0}, "1": {"d1": 1.0}}}, None),
    ],
)
def test_ids_and_numbers_that_collide_or_overflow(gold, runs, message) -> None:
    if message is None:  # topics without judgments may be called what they like
        assert assay.evaluate(gold, runs, ["AP"]).runs == ["r"]
        return
    with pytest.raises(assay.InputError, match=message):
        assay.evaluate(gold, runs, ["AP"])


@pytest.mark.parametrize("content", [b"[]", b'[{"a": 1}]', b" [ {}\n]"])
def test_json_that_is_no_object_is_an_error_and_no_traceback(content) -> None:
    with pytest.raises(InputError, match=r"^file: expected a JSON object of topics that hold documents, found list"):
        read_qrels(Source("file", data=content))


def test_a_topic_that_holds_no_documents_is_an_error_and_no_traceback() -> None:
    with pytest.raises(InputError, match=r"^file: topic id: expected a mapping from document to score, found NoneType"):
        read_run(Source("file", data=b'{"id": null}'))


LEDGER = [
    {"topic": "301", "document": "d1", "grade": 3, "judge": "ann"},
    {"topic": "301", "document": "d1", "grade": 1, "judge": "ann"},
    {"topic": "301", "document": "d2", "grade": -1, "judge": "ann"},
    {"topic": "302", "document": "d9", "grade": 2, "judge": "ann"},
    {"topic": "302", "document": "d9", "grade": None, "judge": "ann", "undo": True},
    {"topic": "302", "document": "d1", "grade": 0, "judge": "ann"},
    {"topic": "302", "document": "d3", "grade": 2, "judge": "ann"},
    {"topic": "302", "document": "d3", "grade": 1, "judge": "ann"},
    {"topic": "302", "document": "d3", "grade": 2, "judge": "ann", "undo": True},
]


def test_what_assay_judge_keeps_are_judgments_too() -> None:
    """The last one counts, and what was taken back does not."""
    lines = "\n".join(map(json.dumps, LEDGER))
    for content in (lines, "\ufeff" + lines.replace("\n", "\r\n"), json.dumps(LEDGER)):
        assert grades(read_qrels(source(content))) == JUDGED
    qrels, ledger = (assay.evaluate(gold.encode(), RUN.encode(), measures=["AP"]) for gold in (QRELS, lines))
    assert ledger.mean("AP") == qrels.mean("AP")


@pytest.mark.parametrize(
    ("last", "problem"),
    [
        ({"judge": "bob"}, "file:2: is a judgment of bob, and those before are of ann; expected one judge's"),
        ({"grade": "good"}, "file:2: expected a whole number as grade, found 'good'"),
        ({"grade": 1.5}, "file:2: expected a whole number as grade, found '1.5'"),
        ({"undo": True, "document": "d7"}, "file:2: undoes a judgment of topic '301', document 'd7'"),
        ({"undo": True, "judge": "bob"}, "there is none before it"),
        ({"undo": True}, "file: holds no judgments: every one was undone"),
    ],
)
def test_judgments_that_are_not_one_judges(last, problem) -> None:
    lines = "\n".join(map(json.dumps, [LEDGER[0], {**LEDGER[0], **last}]))
    with pytest.raises(InputError) as told:
        read_qrels(source(lines))
    assert problem in str(told.value)


@pytest.mark.parametrize("form", ["text", "json", "dict", "frame"])
def test_a_run_is_parsed_without_judgments(form) -> None:
    things = {"text": RUN, "json": json.dumps(SCORED), "dict": SCORED}
    thing = frame(SCORED, "query_id", "doc_id", "score") if form == "frame" else things[form]
    assert read_run(source(thing)) == ("t" if form == "text" else None, SCORED)


@pytest.mark.parametrize(
    ("text", "subtopics"),
    [
        (b"201 1 d1 1\n201 2 d1 0\n", True),
        (b"201\t1\td1\t1\n201\t2\td1\t0\n", True),
        (b"# judged by hand\n201  1  d1  1\r\n201  2  d1  0\r\n", True),
        (b"201 1 d1 1\n201 1 d2 1\n201 1 d3 1\n201 2 d2 0", True),
        (b"301 0 d1 1\n301 0 d2 0\n", False),
        (b"301 0 d1 1\n301 1 d2 0\n301 2 d3 0\n", False),  # an iteration that varies, and every document once
        (b"301 0 d1 1\n302 1 d1 0\n", False),  # the same document in another topic
        (b"301 0 d1 1\n301 0 d1 1\n", False),  # a document twice, and no other subtopic: ordinary qrels with a fault
        (b"301 0 d1 1\n", False),
    ],
)
def test_a_document_that_is_judged_under_two_second_fields_tells(text: bytes, subtopics: bool) -> None:
    assert names_subtopics(head_of_bytes(text)) is subtopics
    assert task_of(Source("q", data=text)) == ("diversity" if subtopics else "ranked")


def test_a_line_that_the_head_cuts_off_says_nothing() -> None:
    assert not names_subtopics(head_of_bytes(b"201 1 d1 1\n201 2 d1"))


@pytest.mark.parametrize(
    ("text", "varies"),
    [
        (b"301 0 d1 1\n301 0 d2 0\n", False),
        (b"301\t0\td1\t1\n301 0 d2 0\n", False),
        (b"301 0 d1 1\n301 1 d2 0\n", True),
        (b"301 Q0 d1 1\n301 Q0 d2 0", False),
    ],
)
def test_whether_the_second_field_says_anything(text: bytes, varies: bool) -> None:
    assert second_varies(head_of_bytes(text)) is varies


def test_dicts_and_frames() -> None:
    pandas = pytest.importorskip("pandas")
    rows = {"topic": ["1", "1"], "document": ["a", "a"], "grade": [1, 0]}
    for data, task in (
        ({"1": {"a": 1}}, "ranked"),
        ({"1": {"1": {"a": 1}}}, "diversity"),
        (b'{"1": {"a": 1}}', "ranked"),
        (b'{"1": {"1": {"a": 1}}}', "diversity"),
        (pandas.DataFrame(rows), "ranked"),
        (pandas.DataFrame({**rows, "subtopic": [1, 2]}), "diversity"),
    ):
        assert task_of(Source("q", data=data)) == task
