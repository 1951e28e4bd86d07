"""Readers of answers: what they take, what they refuse and where they say it stands, and that nothing else escapes."""

from __future__ import annotations

import json
from contextlib import suppress

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from assay.errors import AssayError, FormatError, InputError, UsageError
from assay.formats import answers, outcomes_table, pan, squad
from assay.formats.outcome_files import kind_of, kind_of_text
from assay.formats.rows import CORRECT, INCORRECT, UNANSWERED
from assay.formats.sources import Source


def source(text: str | bytes, name: str = "file") -> Source:
    return Source(name, data=text.encode() if isinstance(text, str) else text)


def lines(*objects: object) -> str:
    return "".join(json.dumps(o) + "\n" for o in objects)


# assay's JSONL


def test_gold_keeps_fields_it_does_not_know() -> None:
    text = lines(
        {
            "id": 7,
            "type": "factoid",
            "answers": ["Paris", {"text": "Lutetia", "class": "a", "docs": ["d7"]}],
            "lang": "fr",
        },
        {"id": "q2", "nil": True, "cluster": 3},
        {"id": "q3", "answer": 42, "patterns": ["^4"]},
    )
    first, second, third = answers.read_gold(source(text))
    assert first.id == "7"
    assert [a.text for a in first.answers] == ["Paris", "Lutetia"]
    assert first.answers[1].cls == "a"
    assert first.fields == {"type": "factoid", "lang": "fr"}
    assert (second.nil, second.fields, second.line) == (True, {"cluster": "3"}, 2)
    assert (third.answers[0].text, third.patterns) == (42, ["^4"])


def test_answers_of_every_shape() -> None:
    text = (
        "\ufeff"
        + lines(
            {"id": "q1", "answer": "Paris", "confidence": 0.9, "tokens": 12},
            {
                "id": "q2",
                "answers": [{"text": "Rome", "confidence": 0.4, "doc": "d1"}, "Oslo"],
                "final": 2,
                "confidence": 0.3,
            },
        )
        + "\n\r\n"
        + lines(
            {"id": "q3", "answer": None, "candidate": "Bonn"},
            {"id": "q4", "outcome": "correct", "confidence": 1},
            {"id": "q5", "answers": []},
            {"id": "q6", "answer": "  "},
            {"id": "q7", "outcome": None},
        ).rstrip("\n")
    )
    rows = answers.read_answers(source(text, "run.jsonl"))
    assert rows.ids == ["q1", "q2", "q3", "q4", "q5", "q6", "q7"]
    assert rows.lines == [1, 2, 5, 6, 7, 8, 9], "physical lines, blank ones counted"
    assert rows.texts == ["Paris", "Oslo", None, None, None, None, None]
    assert rows.confidences == [0.9, 0.3, None, 1.0, None, None, None]
    assert rows.outcomes == [None, None, None, CORRECT, None, None, UNANSWERED]
    assert rows.candidates == {2: "Bonn"}
    assert [(a.text, a.doc, a.confidence) for a in rows.several[1]] == [("Rome", "d1", 0.4), ("Oslo", None, 0.3)]
    assert rows.extra == {0: {"tokens": 12}}
    assert rows.name == "run"


GOOD = '{"id": "q1", "answer": "x"}\n'


@pytest.mark.parametrize(
    ("line", "problem"),
    [
        ('{"id": "q2", "answer": "x", "confidence": 1.5}', "confidence 1.5: expected a number from 0 to 1"),
        ('{"id": "q2", "answer": "x", "confidence": 95}', "divide percentages by 100"),
        ('{"id": "q2", "answer": "x", "confidence": -0.1}', "confidence -0.1: expected a number from 0 to 1"),
        ('{"id": "q2", "answer": "x", "confidence": NaN}', "broken JSON"),
        ('{"id": "q2", "answer": "x", "confidence": 1e999}', "out of range"),
        ('{"id": "q2", "answer": "x", "confidence": "high"}', "Expected `float | null`, got `str` - at `$.confidence`"),
        ('{"id": "q2", "outcome": "maybe"}', "outcome 'maybe' is not known; expected correct"),
        ('{"id": "q2"}', "question 'q2' gives no answer; expected answer, answers or outcome"),
        ('{"answer": "x"}', "missing required field `id`"),
        ('{"id": "q2", "answer": "x", "answers": ["y"]}', "has both answer and answers"),
        ('{"id": "q2", "answers": ["y"], "final": 2}', "final 2: expected a number from 1 to 1"),
        ('{"id": "q2", "answers": [{"doc": "d"}]}', "missing required field `text`"),
        ('{"id": "q2", "answer": "x"', "broken JSON"),
        ("[1, 2]", "expected a JSON object, found '[1, 2]'"),
        ('{"id": "q2", "answer": {"a": 1}}', "got `object` - at `$.answer`"),
    ],
)
def test_a_bad_line_of_answers_is_named(line, problem) -> None:
    with pytest.raises(FormatError) as caught:
        answers.read_answers(source(GOOD + "\n" + line + "\n", "run.jsonl"))
    assert str(caught.value).startswith("run.jsonl:3: ")
    assert problem in str(caught.value)


@pytest.mark.parametrize(
    ("line", "problem"),
    [
        ('{"id": "q1", "answers": ["y"]}', "question 'q1' stands already on line 1"),
        ('{"id": "q2"}', "question 'q2' has no answers"),
        ('{"id": "q2", "answers": []}', "question 'q2' has no answers"),
        ('{"id": "q2", "answers": [{"class": "a"}]}', "missing required field `text`"),
        ('{"id": "q2", "nil": "yes"}', "Expected `bool`, got `str` - at `$.nil`"),
    ],
)
def test_a_bad_line_of_gold_is_named(line, problem) -> None:
    with pytest.raises(FormatError) as caught:
        answers.read_gold(source('{"id": "q1", "answers": ["x"]}\n' + line, "gold.jsonl"))
    assert str(caught.value).startswith("gold.jsonl:2: ")
    assert problem in str(caught.value)


@pytest.mark.parametrize("read", [answers.read_gold, answers.read_answers, answers.read_judgments])
@pytest.mark.parametrize("content", [b"", b"\n \n", b"\xef\xbb\xbf"])
def test_an_empty_file_is_an_error(read, content) -> None:
    with pytest.raises(InputError, match=r"file: holds no"):
        read(source(content))


def test_judgments_may_not_contradict_each_other() -> None:
    one = {"id": "q1", "text": "Paris", "judgment": "correct", "class": 1}
    assert [j.judgment for j in answers.read_judgments(source(lines(one, one)))] == ["correct", "correct"]
    with pytest.raises(FormatError, match=r"file:2: 'Paris' to question 'q1' is inexact here and correct on line 1"):
        answers.read_judgments(source(lines(one, {**one, "judgment": "inexact"})))
    with pytest.raises(FormatError, match=r"file:1: Invalid enum value 'fine'"):
        answers.read_judgments(source(lines({**one, "judgment": "fine"})))


# PAN


@pytest.mark.parametrize("field", ["same", "is_human", "label"])
@pytest.mark.parametrize(("yes", "no"), [(True, False), (1, 0)])
def test_pan_truth_of_every_year(field, yes, no) -> None:
    text = lines({"id": "p1", field: yes, "authors": ["a"]}, {"id": "p2", field: no})
    problems = pan.read_truth(source(text))
    assert [(p.id, p.truth) for p in problems] == [("p1", 1), ("p2", 0)]
    assert problems[0].fields == {"authors": ["a"]}


def test_pan_text_files() -> None:
    assert [(p.id, p.truth) for p in pan.read_truth(source("EN001 Y\r\nEN002 N\n"))] == [("EN001", 1), ("EN002", 0)]
    rows = pan.read_values(source("EN001 0.75\nEN002 0.5\nEN003 N"))
    assert (rows.ids, rows.values) == (["EN001", "EN002", "EN003"], [0.75, 0.5, 0.0])


def test_pan_value_in_a_list() -> None:
    rows = pan.read_values(source(lines({"id": "p1", "value": [0.25]}, {"id": "p2", "value": 1})))
    assert rows.values == [0.25, 1.0]
    assert rows.warnings == ["file: 1 values are lists of one number; the number was read"]


@pytest.mark.parametrize(
    ("line", "problem"),
    [
        ('{"id": "p2", "value": NaN}', "broken JSON"),
        ('{"id": "p2", "value": null}', "value None: expected a number from 0 to 1"),
        ('{"id": "p2", "value": true}', "value True"),
        ('{"id": "p2", "value": [0.1, 0.2]}', "value [0.1, 0.2]"),
        ('{"id": "p2", "value": [[0.1]]}', "value [0.1]"),
        ('{"id": "p2", "value": "nan"}', "value nan: expected a number from 0 to 1"),
        ('{"id": "p2", "value": -0.01}', "value -0.01: expected a number from 0 to 1"),
        ('{"value": 0.1}', 'expected an "id"'),
    ],
)
def test_a_bad_pan_value_is_named(line, problem) -> None:
    with pytest.raises(FormatError) as caught:
        pan.read_values(source('{"id": "p1", "value": 0.5}\n' + line, "answers.jsonl"))
    assert str(caught.value).startswith("answers.jsonl:2: ")
    assert problem in str(caught.value)


@pytest.mark.parametrize(
    ("line", "problem"),
    [
        ('{"id": "p1", "same": true}', "problem 'p1' stands already on line 1"),
        ('{"id": "p2"}', "has no truth; expected same, is_human or label"),
        ('{"id": "p2", "same": "perhaps"}', "same 'perhaps': expected true or false"),
    ],
)
def test_a_bad_pan_truth_is_named(line, problem) -> None:
    with pytest.raises(FormatError, match=r"^file:2: ") as caught:
        pan.read_truth(source('{"id": "p1", "same": true}\n' + line))
    assert problem in str(caught.value)


# SQuAD


def articles(*questions: dict) -> str:
    return json.dumps(
        {"version": "v2.0", "data": [{"title": "T", "paragraphs": [{"context": "c", "qas": list(questions)}]}]}
    )


def test_squad_gold_and_predictions() -> None:
    gold = squad.read_gold(
        source(
            articles(
                {"id": "a", "question": "?", "answers": [{"text": "x", "answer_start": 0}], "is_impossible": False},
                {
                    "id": "b",
                    "question": "?",
                    "answers": [],
                    "plausible_answers": [{"text": "y"}],
                    "is_impossible": True,
                },
            )
        )
    )
    assert [(q.id, q.texts, q.paragraph) for q in gold] == [("a", ["x"], "T/1"), ("b", [], "T/1")]
    rows = squad.read_predictions(source('{\n "a": "x",\n "b": ""\n}', "pred.json"))
    assert (rows.ids, rows.texts, rows.lines) == (["a", "b"], ["x", ""], [2, 3])
    assert squad.read_na_probabilities(source('{"a": 0.1, "b": 1}')) == {"a": 0.1, "b": 1.0}


@pytest.mark.parametrize(
    ("read", "content", "problem"),
    [
        (squad.read_predictions, '{"a": "x",\n "a": "y"}', "file:2: question 'a' stands already on line 1"),
        (squad.read_predictions, '{"a":\n 3}', "file:1: question 'a': 3: expected a text"),
        (squad.read_predictions, '{"a": "x",\n "b" "y"}', "file:2: broken JSON"),
        (squad.read_predictions, "{}", "file: expected predictions as {id: text}"),
        (squad.read_predictions, "[1]", "file: expected predictions as {id: text}"),
        (squad.read_na_probabilities, '{"a": NaN}', "NaN is not a JSON number"),
        (squad.read_na_probabilities, '{"a": 0.2,\n\n "b": 1.2}', "file:3: probability of 'b' 1.2"),
        (squad.read_gold, '{"data": [\n{"paragraphs": [{"qas": [{"id": 3}]}]}]}', "Expected `str`, got `int`"),
        (squad.read_gold, '{"data":\n [', "file:2: broken JSON"),
        (squad.read_gold, '{"data": []}', "file: holds no questions"),
        (squad.read_gold, articles({"id": "a", "answers": []}), "'a' has no answers and is not marked is_impossible"),
        (
            squad.read_gold,
            articles({"id": "a", "is_impossible": True}, {"id": "a", "is_impossible": True}),
            "question 'a' stands in it twice",
        ),
    ],
)
def test_bad_squad_files(read, content, problem) -> None:
    with pytest.raises(InputError) as caught:
        read(source(content))
    assert problem in str(caught.value)


# CSV


def test_a_long_table() -> None:
    text = 'run,id,outcome,confidence,lang\na,q1,correct,0.9,en\nb,q1,wrong,,en\na,q2,,0.1,"fr\nca"\n'
    table = outcomes_table.read_table(source(text))
    a, b = table.runs["a"], table.runs["b"]
    assert (a.ids, a.outcomes, a.confidences) == (["q1", "q2"], [CORRECT, UNANSWERED], [0.9, 0.1])
    assert (b.outcomes, b.confidences) == ([INCORRECT], [None])
    assert a.lines == [2, 5], "the last line of a record that spans two"
    assert table.fields == {"lang": {"q1": "en", "q2": "fr\nca"}}


def test_a_long_table_with_other_names_and_tabs() -> None:
    text = "model\tset\tnumber\tright\na\ts\t1\tTRUE\na\tt\t1\tFALSE\n"
    columns = outcomes_table.parse_columns("run=model,id=set+number,outcome=right")
    rows = outcomes_table.read_table(source(text), columns).runs["a"]
    assert (rows.ids, rows.outcomes) == (["s/1", "t/1"], [CORRECT, INCORRECT])


def test_a_field_that_differs_between_runs_is_no_field() -> None:
    table = outcomes_table.read_table(source("run,id,outcome,time,set\na,q,1,3,x\nb,q,0,4,x\n"))
    assert set(table.fields) == {"set"}


def test_a_wide_table_finds_its_runs() -> None:
    text = "question_id,gold,category,m1,m2\n1,A,maths,A,\n2,B,law,C,ABSENT\n"
    table = outcomes_table.read_table(source(text))
    assert list(table.runs) == ["m1"], "m2 never gives an answer of the gold, so it looks like a field"
    table = outcomes_table.read_table(source(text), {"fields": "category", "runs": "m1+m2"})
    assert list(table.runs) == ["m1", "m2"]
    assert table.runs["m1"].texts == ["A", "C"]
    assert (table.runs["m2"].ids, table.runs["m2"].texts) == (["1"], [None])
    assert [(q.id, q.answers[0].text, q.fields) for q in table.gold] == [
        ("1", "A", {"category": "maths"}),
        ("2", "B", {"category": "law"}),
    ]


def test_a_wide_table_of_outcomes() -> None:
    table = outcomes_table.read_table(source("id;topic;m1;m2\nq1;x;1;0\nq2;y;;correct\n"))
    assert table.gold is None
    assert table.runs["m1"].outcomes == [CORRECT, UNANSWERED]
    assert table.runs["m2"].outcomes == [INCORRECT, CORRECT]


def test_a_table_of_gold_alone() -> None:
    for header in ("id,gold,type", "qid,answer,type"):
        table = outcomes_table.read_table(source(f"{header}\n1,Paris,a\n2,NIL,b\n"), as_gold=True)
        assert [(q.id, [a.text for a in q.answers], q.nil) for q in table.gold] == [
            ("1", ["Paris"], False),
            ("2", [], True),
        ]
        assert table.gold[0].fields == {"type": "a"}
        assert not table.runs


def test_a_long_table_with_its_gold() -> None:
    text = "run,id,answer,gold,confidence\na,1,A,A,0.5\nb,1,B,A,0.4\n"
    table = outcomes_table.read_table(source(text))
    assert [(q.id, q.answers[0].text) for q in table.gold] == [("1", "A")]
    assert table.runs["b"].texts == ["B"]
    with pytest.raises(FormatError, match=r"file:3: question '1' has the gold 'C' here and 'A' on line 2"):
        outcomes_table.read_table(source(text.replace("b,1,B,A", "b,1,B,C")))


def test_a_data_frame_is_a_table() -> None:
    pandas = pytest.importorskip("pandas")
    frame = pandas.DataFrame({"run": ["a", "a"], "id": [1, 2], "outcome": [True, None], "confidence": [0.5, None]})
    rows = outcomes_table.read_table(Source("frame", data=frame)).runs["a"]
    assert (rows.ids, rows.outcomes, rows.confidences) == (["1", "2"], [CORRECT, UNANSWERED], [0.5, None])


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("run,id,outcome\na,q1,perhaps\n", "file:2: outcome 'perhaps' is not known"),
        ("run,id,outcome,confidence\na,q1,1,0.5\na,q2,1,nan\n", "file:3: confidence nan"),
        ("run,id,outcome,confidence\na,q1,1,1.5\n", "file:2: confidence 1.5"),
        ("run,id,outcome\na,q1\n", "file:2: expected 3 columns, found 2"),
        ("run,id,outcome\na,,1\n", "file:2: the question has no name"),
        ("run,id,outcome\n", "file: holds no answers below its header"),
        ("", "file: is empty"),
        ("a,b,a\n1,2,3\n", "file:1: the column 'a' stands in the header twice"),
        ("name,outcome\nx,1\n", "file:1: no column for the question's id among name, outcome"),
        ("id,gold,m1\nq1,A,A\nq1,B,B\n", "file:3: question 'q1' stands already on line 2"),
        ("id,gold,m1\nq1,,A\nq2,A,A\n", "file:2: question 'q1' has no answer in the gold column"),
        ("id,gold,m1\nq1,A,x\n", "looks like a run; name them with --columns"),
        ('id,outcome\n"q1,1\n', "file:2: broken CSV"),
        (b"id,outcome\nq1,1\nq\xff,0\n", "file:3: is not UTF-8 text"),
    ],
)
def test_bad_tables(text, problem) -> None:
    with pytest.raises(InputError) as caught:
        outcomes_table.read_table(source(text))
    assert problem in str(caught.value)


@pytest.mark.parametrize("text", ["run", "colour=x", "run=", "run=a,,"])
def test_bad_columns(text) -> None:
    with pytest.raises(UsageError, match="expected role=column"):
        outcomes_table.parse_columns(text)


def test_a_column_that_is_not_there() -> None:
    with pytest.raises(
        FormatError, match=r"file:1: no column 'model' \(--columns run=model\); it has run, id, outcome"
    ):
        outcomes_table.read_table(source("run,id,outcome\na,q1,1\n"), {"run": "model"})


# Which format a file is in


@pytest.mark.parametrize(
    ("head", "kind"),
    [
        (b'{"id": "q1", "answers": ["x"]}\n', "answers"),
        (b'{"id": "q1", "nil": true}\n', "answers"),
        (b'\xef\xbb\xbf{"id": "q1", "outcome": "correct"}', "outcomes"),
        (b'{"id": "q1", "text": "x", "judgment": "correct"}', "judgments"),
        (b'{"id": "p", "same": true, "authors": []}', "pan-truth"),
        (b'{"id": "p", "label": 1}', "pan-truth"),
        (b'{"id": "p", "value": 0.5}', "pan-answers"),
        (b"EN001 Y\nEN002 N\n", "pan-truth"),
        (b'{"version": "v2.0", "data": [{"title": "T", "paragraphs": [', "squad"),
        (b'{"data": [{"paragraphs": []}]}', "squad"),
        (b'{"56ddde": "France", "56dddf": ""}', "squad-predictions"),
        (b"id,gold,model\n1,A,A\n", "table"),
        (b"run\tid\toutcome\n", "table"),
        (b"301 0 FBIS3-1 1\n", None),
        (b"301\t0\tFBIS3-1\t1\n", None),
        (b'{"301": {"FBIS3-1": 1}}', None),
        (b'{\n "301": {\n  "FBIS3-1": 1', None),
        (b"", None),
        (b"\x7fELF", None),
        (b'{"id": "q1", "answers": [', "answers"),
    ],
)
def test_formats_are_recognised(head, kind) -> None:
    assert kind_of_text(head) == kind


# Nothing but assay's own errors escapes, whatever the bytes

READERS = [
    answers.read_gold,
    answers.read_answers,
    answers.read_judgments,
    pan.read_truth,
    pan.read_values,
    squad.read_gold,
    squad.read_predictions,
    squad.read_na_probabilities,
    outcomes_table.read_table,
    kind_of,
]
VALID = [
    lines({"id": "q1", "answers": [{"text": "x", "class": "a", "docs": ["d"]}], "nil": False, "type": "t"}),
    lines({"id": "q1", "answers": [{"text": "x", "confidence": 0.5}], "final": 1}, {"id": "q2", "outcome": "correct"}),
    lines({"id": "q1", "text": "x", "judgment": "correct"}),
    lines({"id": "p1", "same": True}, {"id": "p2", "value": 0.5}),
    articles({"id": "a", "answers": [{"text": "x"}], "is_impossible": False}),
    '{"a": "x", "b": ""}',
    '{"a": 0.5}',
    "run,id,outcome,confidence\na,q1,correct,0.5\n",
    "id,gold,m1\n1,A,A\n",
]
values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3),
    max_leaves=6,
)
NAMES = (
    "id answer answers confidence outcome final candidate nil patterns type same label value text doc judgment class data "
    "cluster target"
)
records = st.dictionaries(st.sampled_from(NAMES.split()), values, max_size=6)


def survives(read, content: bytes) -> None:
    with suppress(AssayError):
        read(source(content))


@settings(max_examples=60)
@given(st.sampled_from(READERS), st.binary(max_size=80))
def test_any_bytes(read, content) -> None:
    survives(read, content)


@settings(max_examples=150)
@given(st.sampled_from(READERS), st.sampled_from(VALID), st.integers(0, 200), st.binary(max_size=4), st.integers(0, 3))
def test_damaged_files(read, text, place, patch, cut) -> None:
    content = text.encode()
    place %= len(content)
    survives(read, content[:place] + patch + content[place + cut :])


@settings(max_examples=150)
@given(st.sampled_from(READERS), st.lists(records, max_size=4))
def test_any_json(read, found) -> None:
    text = "\n".join(json.dumps(record) for record in found)
    survives(read, text.encode("utf-8", "surrogatepass"))


@settings(max_examples=80)
@given(st.lists(st.lists(st.sampled_from(["id", "run", "gold", "outcome", "q1", "1", "0.5", "", "A", '"', "\n"]))))
def test_any_table(cells) -> None:
    survives(outcomes_table.read_table, "\n".join(",".join(row) for row in cells).encode())


def test_nil_may_be_the_gold_answer() -> None:
    found = answers.read_gold(
        source(lines({"id": "a", "answer": "NIL"}, {"id": "b", "answers": ["NIL"]}, {"id": "c", "answer": "x"}))
    )
    assert [question.nil for question in found] == [True, True, False]


def test_final_counts_empty_answers() -> None:
    """The place is that of the answers as they stand in the file."""
    rows = answers.read_answers(source(lines({"id": "a", "answers": ["", "Rome", "Bern"], "final": 2})))
    assert rows.texts == ["Rome"]
    assert rows.finals == {}
    assert rows.answers(0)[1].text == "Bern"
    with pytest.raises(FormatError, match=r"file:1: final 1: that answer to question 'a' is empty"):
        answers.read_answers(source(lines({"id": "a", "answers": ["", "Rome"], "final": 1})))


DEEP = b"[" * 100_000


@pytest.mark.parametrize(
    ("read", "content"),
    [
        (answers.read_answers, b'{"id": ' + DEEP),
        (answers.read_gold, DEEP),
        (squad.read_gold, b'{"x": ' + DEEP),
        (answers.read_answers, ('"' + "\N{LATIN SMALL LETTER E WITH ACUTE}" * 30 + '"').encode()),
        (pan.read_values, b'{"id": "p1", "value": 1' + b"0" * 400 + b"}"),
        (squad.read_na_probabilities, b'{"s1": 1' + b"0" * 400 + b"}"),
        (squad.read_na_probabilities, b'{"s1": true}'),
    ],
)
def test_numbers_and_nesting_out_of_all_proportion(read, content) -> None:
    with pytest.raises(FormatError, match=r"^file:1: "):
        read(source(content))


def test_outcomes_as_data_frames_write_them() -> None:
    """A column of 1 and 0 with a gap becomes one of decimals; a nullable one holds NA."""
    table = outcomes_table.read_table(source("run,id,outcome\nm,1,1.0\nm,2,0.0\nm,3,\n"))
    assert table.runs["m"].outcomes == [CORRECT, INCORRECT, UNANSWERED]
    pandas = pytest.importorskip("pandas")
    frame = pandas.DataFrame(
        {"run": ["m"] * 3, "id": [1, 2, 3], "outcome": pandas.array([True, None, False], "boolean")}
    )
    assert outcomes_table.read_table(Source("frame", data=frame)).runs["m"].outcomes == [CORRECT, UNANSWERED, INCORRECT]


@pytest.mark.parametrize("mark", ["\t", ";"])
def test_a_comma_may_stand_in_the_name_of_a_column(mark) -> None:
    header, line = mark.join(["run", "id", "outcome", "note, if any"]), mark.join(["m", "1", "correct", "a, b, c, d"])
    assert outcomes_table.read_table(source(f"{header}\n{line}\n")).fields == {"note, if any": {"1": "a, b, c, d"}}


def test_a_role_that_is_one_column() -> None:
    with pytest.raises(UsageError, match="only run, id, runs, fields can be several columns"):
        outcomes_table.parse_columns("outcome=a+b")
    assert outcomes_table.parse_columns("absent=n+a") == {"absent": "n+a"}


def test_a_wide_table_names_every_question() -> None:
    with pytest.raises(FormatError, match="file:2: the question has no name"):
        outcomes_table.read_table(source("id,gold,m\n,A,A\n2,B,B\n"))


@pytest.mark.parametrize("answer", [["x", "y"], ("x", 0.1, 3), {"text": "x"}])
def test_an_answer_of_no_known_shape_from_python(answer) -> None:
    with pytest.raises(InputError, match="question 'a': expected a text"):
        answers.answers_from_python(Source("run", data={"a": answer}))


def test_gold_without_answers_from_python() -> None:
    with pytest.raises(InputError, match="question 'a' has no answers"):
        answers.gold_from_python(Source("gold", data={"a": None}))
