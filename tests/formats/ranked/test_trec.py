"""TREC qrels and runs: the same from text, JSON, dicts and frames; messages name the place of a fault."""

from __future__ import annotations

import json
from typing import NamedTuple

import pytest

import assay
from assay.errors import InputError
from assay.formats.ranked.trec import names_subtopics, read_qrels, read_run, second_varies
from assay.formats.recognition import recognise, task_of
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
        (object(), "expected a path, bytes, nested dicts, tuples or a data frame, found object"),
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
        (3, RANKED, "expected a path, bytes, nested dicts, tuples or a data frame"),
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


# Tuples, lists and headers


class TrecQrel(NamedTuple):
    """As ir_datasets has it; ir_measures' Qrel has the same fields."""

    query_id: str
    doc_id: str
    relevance: int
    iteration: str


class GenericScoredDoc(NamedTuple):
    """As ir_datasets has it; ir_measures' ScoredDoc has the same fields."""

    query_id: str
    doc_id: str
    score: float


class TrecSubQrel(NamedTuple):
    query_id: str
    doc_id: str
    relevance: int
    subtopic_id: str


class TrecPrel(NamedTuple):
    query_id: str
    doc_id: str
    relevance: int
    method: int
    iprob: float


class Judgments:
    """An iterable with a length and nothing else of a list, as `dataset.qrels` of ir_datasets is."""

    def __init__(self, rows: list[TrecQrel]) -> None:
        self.rows = rows

    def __iter__(self):
        return iter(self.rows)

    def __len__(self) -> int:
        return len(self.rows)


NAMED = [TrecQrel(t, d, g, "0") for t, judged in TWO_TOPICS.items() for d, g in judged.items()]
SCORED_ROWS = [GenericScoredDoc(t, d, s) for t, ranked in RANKED.items() for d, s in ranked.items()]
AP_OF_RANKED = {"q1": 1 / 2, "q2": (1 / 2 + 2 / 3) / 2}
"""By hand: q1 has d2, d1, and d1 is relevant; q2 has x, d3, d1, and d1 and d3 are."""


@pytest.mark.parametrize(
    ("gold", "run"),
    [
        (lambda: NAMED, lambda: SCORED_ROWS),
        (lambda: iter(NAMED), lambda: iter(SCORED_ROWS)),
        (lambda: Judgments(NAMED), lambda: (row for row in SCORED_ROWS)),
        (lambda: [row[:3] for row in NAMED], lambda: [tuple(row) for row in SCORED_ROWS]),
        (lambda: [list(row[:3]) for row in NAMED], lambda: tuple(map(list, SCORED_ROWS))),
    ],
    ids=["named", "iterators", "iterables", "plain", "lists"],
)
def test_tuples_of_topic_document_and_value(gold, run) -> None:
    assert assay.evaluate(gold(), run(), ["AP"]).values("AP", "run") == pytest.approx(AP_OF_RANKED)
    assert assay.evaluate(gold(), {"mine": run()}, ["AP"]).values("AP", "mine") == pytest.approx(AP_OF_RANKED)
    assert list(assay.evaluate(gold(), [run(), RANKED], ["AP"])["AP"].values()) == pytest.approx([13 / 24] * 2)
    assert assay.read_gold(gold()).topics == ["q1", "q2"]


def test_an_iterator_read_as_gold_can_be_pickled() -> None:
    import pickle

    gold = pickle.loads(pickle.dumps(assay.read_gold(iter(NAMED))))
    assert gold.evaluate(RANKED, "AP").values("AP", "run") == pytest.approx(AP_OF_RANKED)


@pytest.mark.parametrize(
    ("gold", "message"),
    [
        ([("q1", "d1", 1), ("q1", "d1", 1)], "<gold>: row 2: document d1 appears twice in topic q1"),
        ([("q1", "d1", 1), ("q1", "d2")], "<gold>: row 2: expected 3 values .query_id, doc_id, relevance., or a named"),
        ([("q1", "0", "d1", 1)], "<gold>: row 1: expected 3 values"),
        ([("q1", "d1", "x")], "<gold>: row 1: expected a number in column 'relevance', found 'x'"),
        ([("q1", None, 1)], "<gold>: row 1: no topic or no document"),
        ([("q1", "d1", 0.5)], "topic q1: document d1: expected a whole number as grade, found 0.5"),
        (
            [NAMED[0], ("q1", "d2", 1)],
            "<gold>: row 2: expected tuples of query_id, doc_id, relevance, iteration as in the",
        ),
        ([TrecPrel("q1", "d1", 1, 1, 0.5)], "<gold>: judgments of a sample .prels.; give them as a file"),
        (SCORED_ROWS, "<gold>: no column relevance or rel or grade; it has query_id, doc_id, score"),
        ([], "<gold>: expected a path, bytes, nested dicts, tuples or a data frame, found list"),
    ],
)
def test_bad_tuples(gold, message) -> None:
    with pytest.raises(InputError, match=message):
        assay.evaluate(gold, RANKED, task="ranked")


def test_tuples_by_subtopic_are_of_diversity() -> None:
    judged = [TrecSubQrel("1", "d1", 1, "1"), TrecSubQrel("1", "d1", 0, "2"), TrecSubQrel("1", "d2", 1, "2")]
    assert task_of(Source("gold", data=judged)) == "diversity"
    # d2 and d1 have one subtopic each, so that both of two ranks bring a new one
    assert assay.evaluate(judged, [("1", "d2", 1.0), ("1", "d1", 0.5)], ["alpha_nDCG@2"])["alpha_nDCG@2"] == {"run": 1}


@pytest.mark.parametrize("kind", [set, frozenset])
def test_sets_are_the_relevant_documents(kind) -> None:
    gold = {"q1": kind({"d1"}), "q2": kind({"d1", "d3"})}
    assert assay.evaluate(gold, RANKED, ["AP"]).values("AP", "run") == pytest.approx(AP_OF_RANKED)


def test_lists_as_gold_are_answers_in_python_unless_the_task_says_otherwise() -> None:
    gold = {"q1": ["d1"], "q2": ["d1", "d3"]}
    assert task_of(Source("gold", data=gold)) == "outcomes"
    scores = assay.evaluate(gold, RANKED, ["AP"], task="ranked")
    assert scores.values("AP", "run") == pytest.approx(AP_OF_RANKED)
    assert scores.remarks() == ["<gold>: lists, read as the relevant documents of their topics (grade 1)"]
    assert assay.evaluate(json.dumps(gold).encode(), RANKED, ["AP"])["AP"] == scores["AP"]


@pytest.mark.parametrize("as_json", [False, True])
def test_lists_as_runs_are_rankings(as_json) -> None:
    run = {"q1": ["d2", "d1"], "q2": ["x", "d3", "d1"]}
    held = json.dumps(run).encode() if as_json else run
    for runs in (held, {"run": held}):
        assert assay.evaluate(TWO_TOPICS, runs, ["AP"]).values("AP", "run") == pytest.approx(AP_OF_RANKED)
    numbers = {"q1": [2, 1], "q2": [9, 3, 1]}
    held = json.dumps(numbers).encode() if as_json else numbers
    assert read_run(source(held))[1]["q2"] == {"9": -1, "3": -2, "1": -3}


@pytest.mark.parametrize(
    ("run", "message"),
    [
        ({"q1": ["d1", "d1"]}, "topic q1: two documents have the same id 'd1' as text"),
        ({"q1": ["d1"], "q2": {"d1": 1.0}}, "topic q1: expected a mapping from document to score, found list"),
        ({"q1": {"d1", "d2"}}, "topic q1: a set has no order; expected a list of documents, best first"),
        ({"q1": [0.5]}, "topic q1: found 0.5 as an id"),
    ],
)
def test_bad_lists(run, message) -> None:
    with pytest.raises(InputError, match=message):
        assay.evaluate(TWO_TOPICS, {"mine": run})


@pytest.mark.parametrize(
    "header", ["query-id\tcorpus-id\tscore", "query_id,doc_id,relevance", "qid;docno;label", "topic,document,grade"]
)
def test_qrels_with_a_header(header) -> None:
    separator = next(mark for mark in "\t,;" if mark in header)
    rows = [header, *(separator.join([t, d, str(g)]) for t, judged in TWO_TOPICS.items() for d, g in judged.items())]
    held = "\n".join(rows).encode() + b"\n"
    assert task_of(Source("qrels.tsv", data=held)) == "ranked"
    assert assay.evaluate(held, RANKED, ["AP"]).values("AP", "run") == pytest.approx(AP_OF_RANKED)


def test_runs_with_a_header(tmp_path) -> None:
    rows = "".join(f"{t},{d},{s},1,bm25\n" for t, ranked in RANKED.items() for d, s in ranked.items())
    (tmp_path / "a.csv").write_text("\ufeffquery_id,doc_id,score,rank,tag\r\n" + rows)
    assert assay.evaluate(TWO_TOPICS, tmp_path / "a.csv", ["AP"]).values("AP", "a") == pytest.approx(AP_OF_RANKED)
    assert assay.check(tmp_path / "a.csv").ok
    assert "d3" in assay.report(TWO_TOPICS, tmp_path / "a.csv").to_html()


@pytest.mark.parametrize(
    ("rows", "message"),
    [
        ("q1\td1\t1\nq1\td1\t0\n", "qrels.tsv:3: document d1 appears twice in topic q1"),
        ("q1\td1\thigh\n", "qrels.tsv:2: expected a number in column 'score', found 'high'"),
        ("q1\td1\n", "qrels.tsv:2: expected 3 cells as in the header, found 2"),
        ("q1\t\t1\n", "qrels.tsv:2: no topic or no document"),
        ("q1\td1\t0.5\n", "topic q1: document d1: expected a whole number as grade, found 0.5"),
        ("", "qrels.tsv: is empty"),
    ],
)
def test_bad_qrels_with_a_header(rows, message) -> None:
    with pytest.raises(InputError, match=message):
        read_qrels(Source("qrels.tsv", data=f"query-id\tcorpus-id\tscore\n{rows}".encode()))


def test_a_table_of_several_runs_is_refused() -> None:
    held = b"qid,docid,score,run\nq1,d1,1,a\nq1,d1,1,b\n"
    with pytest.raises(InputError, match=r"a.csv:3: column 'run' names several runs .a, b.; expected one run a file"):
        read_run(Source("a.csv", data=held))


def test_answers_with_documents_and_scores_stay_answers() -> None:
    held = Source("a.csv", data=b"id,query,doc,score\n1,q,d,0.5\n")
    assert recognise(held, "run").name == "table run"


class _Ranx:
    """What ranx's Qrels and Run are to a reader."""

    def __init__(self, nested: dict[str, dict[str, float]], name: str | None = None) -> None:
        self.nested = nested
        self.name = name

    def to_dict(self) -> dict[str, dict[str, float]]:
        return self.nested


_Ranx.__module__ = "ranx.data_structures.run"


def test_objects_of_ranx_are_their_dicts() -> None:
    gold, run = _Ranx(TWO_TOPICS), _Ranx(RANKED, "bm25")
    for runs, name in ((run, "bm25"), ([run], "bm25"), ({"mine": run}, "mine"), (_Ranx(RANKED), "run")):
        assert assay.evaluate(gold, runs, ["AP"]).values("AP", name) == pytest.approx(AP_OF_RANKED)
    assert assay.check(run).ok
    assert assay.compare(gold, "AP", runs=[run, _Ranx(RANKED, "copy")]).pairs
