"""Runs of answers: every shape, what is refused and on which line."""

from __future__ import annotations

import json
from array import array

import pytest
from hypothesis import given
from hypothesis import strategies as st

from assay.errors import FormatError, InputError
from assay.formats.answers import jsonl_answers
from assay.formats.answers.jsonl_answers import answers_from_python, plain_rows, read_answers, read_runs
from assay.formats.answers.outcome_words import Words
from assay.formats.answers.rows import CORRECT, FAILED, GRADED, INCORRECT, NO_VERDICT, UNANSWERED, Rows
from assay.io.sources import Source


def source(text: str | bytes, name: str = "file") -> Source:
    return Source(name, data=text.encode() if isinstance(text, str) else text)


def lines(*objects: object) -> str:
    return "".join(json.dumps(o) + "\n" for o in objects)


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
    rows = jsonl_answers.read_answers(source(text, "run.jsonl"))
    assert rows.ids == ["q1", "q2", "q3", "q4", "q5", "q6", "q7"]
    assert rows.lines == [1, 2, 5, 6, 7, 8, 9], "physical lines, blank ones counted"
    assert rows.texts == ["Paris", "Oslo", None, None, None, None, None]
    assert rows.confidences == [0.9, 0.3, None, 1.0, None, None, None]
    assert rows.outcomes == [None, None, None, CORRECT, None, None, NO_VERDICT]
    assert rows.candidates == {2: "Bonn"}
    assert [(a.text, a.doc, a.confidence) for a in rows.several[1]] == [("Rome", "d1", 0.4), ("Oslo", None, 0.3)]
    assert (rows.extra, rows.usage["tokens"][:2]) == ({}, [12.0, None])
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
        jsonl_answers.read_answers(source(GOOD + "\n" + line + "\n", "run.jsonl"))
    assert str(caught.value).startswith("run.jsonl:3: ")
    assert problem in str(caught.value)


def test_final_counts_empty_answers() -> None:
    """The place is that of the answers as they stand in the file."""
    rows = jsonl_answers.read_answers(source(lines({"id": "a", "answers": ["", "Rome", "Bern"], "final": 2})))
    assert rows.texts == ["Rome"]
    assert rows.finals == {}
    assert rows.answers(0)[1].text == "Bern"
    with pytest.raises(FormatError, match=r"file:1: final 1: that answer to question 'a' is empty"):
        jsonl_answers.read_answers(source(lines({"id": "a", "answers": ["", "Rome"], "final": 1})))


@pytest.mark.parametrize("answer", [["x", "y"], ("x", 0.1, 3)])
def test_an_answer_of_no_known_shape_from_python(answer) -> None:
    with pytest.raises(InputError, match="question 'a': expected a text"):
        jsonl_answers.answers_from_python(Source("run", data={"a": answer}))


class TestRankedAnswers:
    def test_ranks_order_the_answers(self):
        rows = read_answers(source('{"id": 1, "answers": [{"text": "b", "rank": 2}, {"text": "a", "rank": 1}]}'))
        assert [answer.text for answer in rows.answers(0)] == ["a", "b"]

    def test_final_and_confident(self):
        rows = read_answers(
            source(
                '{"id": 1, "answers": ["a", {"text": "b", "final": true}], "confident": true}\n'
                '{"id": 2, "answers": ["a", "b"], "final": 2, "confident": false}\n'
                '{"id": 3, "answers": ["a", "b"]}\n'
            )
        )
        assert (rows.finals, rows.confident) == ({0: 2, 1: 2}, {0: True, 1: False})
        assert rows.texts == ["b", "b", "a"]

    @pytest.mark.parametrize(
        ("answers", "message"),
        [
            ('[{"text": "a", "rank": 1}, {"text": "b", "rank": 3}]', "'q' has no rank 2; expected ranks from 1 to 2"),
            ('[{"text": "a", "rank": 1}, {"text": "b", "rank": 1}]', "'q' has rank 1 twice"),
            ('[{"text": "a", "rank": 0}, {"text": "b", "rank": 1}]', "'q' has no rank 2"),
            ('[{"text": "a", "rank": 1}, {"text": "b"}]', "'q' has no rank 2"),
            ('[{"text": "a", "final": true}, {"text": "b", "final": true}]', "'q' has 2 final answers, 1 and 2"),
            ('["a", "b"], "final": [1, 2]', "'q' has 2 final answers, 1 and 2"),
            ('["a", {"text": "b", "final": true}], "final": 1', "'q' has 2 final answers, 1 and 2"),
            ('["a", "b"], "final": 3', "final 3: expected a number from 1 to 2"),
        ],
    )
    def test_bad_lists_name_their_line(self, answers: str, message: str):
        with pytest.raises(FormatError, match=f"^file:2: .*{message}"):
            read_answers(source(f'{{"id": "p", "answer": "x"}}\n{{"id": "q", "answers": {answers}}}\n'))

    def test_an_empty_answer_would_shift_the_ranks(self):
        with pytest.raises(FormatError, match=r"^file:1: answer 1 to question 'q' is empty"):
            read_answers(source('{"id": "q", "answers": ["", "a"]}'), ranked=True)


class TestSeveralRuns:
    def test_a_line_may_name_its_run(self) -> None:
        text = lines(
            {"id": "q1", "run": "b", "outcome": 1},
            {"id": "q1", "run": "a", "outcome": 0},
            {"id": "q2", "run": "b", "outcome": 0},
        )
        found = read_runs(source(text))
        assert [(rows.name, rows.ids, rows.outcomes, rows.lines) for rows in found] == [
            ("b", ["q1", "q2"], [CORRECT, INCORRECT], [1, 3]),
            ("a", ["q1"], [INCORRECT], [2]),
        ]
        assert not any(rows.extra for rows in found)

    def test_where_one_run_is_expected_several_are_refused(self) -> None:
        text = lines({"id": "q1", "run": "a", "answer": "x"}, {"id": "q1", "run": "b", "answer": "x"})
        with pytest.raises(InputError, match=r"file: holds 2 runs \(a, b"):
            read_answers(source(text), ranked=True)

    def test_one_run_is_called_as_the_caller_says_or_as_it_says(self) -> None:
        content = lines({"id": "q1", "run": 7, "answer": "x"}).encode()
        assert read_answers(Source("x", data=content)).name == "7"
        assert read_answers(Source("x", data=content, label="mine")).name == "mine"

    @pytest.mark.parametrize("swapped", [False, True])
    def test_some_lines_without_a_run(self, swapped) -> None:
        both = [{"id": "q1", "run": "a", "outcome": 1}, {"id": "q2", "outcome": 1}]
        with pytest.raises(FormatError, match=r"^file:2: (no|a) run here"):
            read_runs(source(lines(*(both[::-1] if swapped else both))))


class TestWhatIsStated:
    def test_samples_scores_kinds_and_problems(self) -> None:
        text = lines(
            {"id": "q1", "sample": 1, "score": 0.5}, {"id": "q1", "sample": 2, "outcome": "P"},
            {"id": "q2", "outcome": "unanswered", "kind": "refused"}, {"id": "q3", "problem": "timeout"},
            {"id": "q4", "outcome": "failed", "problem": "no reply"}, {"id": "q5", "kind": "declined"},
        )  # fmt: skip
        rows = read_answers(source(text))
        assert rows.outcomes == [GRADED, GRADED, UNANSWERED, FAILED, FAILED, None]
        assert rows.samples == [1, 2, 1, 1, 1, 1]
        assert rows.scores == [0.5, 0.5, 0.0, None, None, None]
        assert rows.kinds == {2: "refused", 5: "declined"}
        assert rows.problems == {3: "timeout", 4: "no reply"}

    def test_words_of_a_persons_own(self) -> None:
        (rows,) = read_runs(source(lines({"id": "q1", "outcome": "PASS"})), words=Words("pass=correct"))
        assert list(rows.outcomes) == [CORRECT]

    @pytest.mark.parametrize(
        ("line", "problem"),
        [
            ({"id": "q1", "sample": 1.5, "outcome": 1}, "Expected `int"),
            ({"id": "q1", "sample": -1, "outcome": 1}, "sample -1"),
            ({"id": "q1", "score": 2}, "score 2"),
            ({"id": "q1", "kind": "shy", "outcome": None}, "kind 'shy'"),
            ({"id": "q1", "problem": "x", "outcome": 1}, "has a problem"),
        ],
    )
    def test_what_is_refused(self, line, problem) -> None:
        with pytest.raises(FormatError, match=f"^file:2: .*{problem}"):
            read_answers(source(lines({"id": "q0", "outcome": 1}, line)))


class TestArrays:
    rows = [{"id": "q1", "answer": "x"}, {"id": "q2", "outcome": "correct"}]

    @pytest.mark.parametrize("indent", [None, 2])
    def test_an_array_is_its_lines(self, indent) -> None:
        content = "\ufeff" + json.dumps(self.rows, indent=indent)
        found = read_answers(source(content))
        assert (found.ids, found.texts, found.outcomes) == (["q1", "q2"], ["x", None], [None, CORRECT])
        assert found.lines == ([2, 6] if indent else [1, 1])

    @pytest.mark.parametrize(
        ("content", "problem"),
        [
            ('[{"id": "q1", "outcome": 1}', r"^file: broken JSON .*whole array"),
            ('[{"id": "q1", "outcome": 1},\n7]', r"^file:2: expected a JSON object, found '7'"),
            ('[{"id": "q1", "outcome": 1},\n{"id": "q1", "id": 2}]', r"^file:2: the key 'id' appears twice"),
            ("[]", "holds no answers"),
            ('[{"id": "q1", "outcome": NaN}]', "broken JSON"),
        ],
    )
    def test_what_is_refused(self, content, problem) -> None:
        with pytest.raises(InputError, match=problem):
            read_answers(source(content))


def test_a_score_may_be_true_or_false() -> None:
    """As in a table, where such cells are words."""
    rows = read_answers(source('{"id": "q1", "score": true}\n{"id": "q2", "score": false}\n', "run.jsonl"))
    assert list(rows.outcomes) == [CORRECT, INCORRECT]


TEXTS = st.sampled_from(["Paris", "a: b", "id", '"id"', "{", "x\ny", "é", "", "  ", "\\u0069d"]) | st.text(max_size=4)
LINE = st.fixed_dictionaries(
    {"id": st.text(max_size=2)},
    optional={
        "answer": st.none() | TEXTS | st.integers(0, 3),
        "outcome": st.sampled_from(["correct", "I", "n", "failed", None, 0, 1, True, 0.5, "maybe"]),
        "confidence": st.none() | st.floats(-0.1, 1.1) | st.integers(0, 1),
        "doc": st.just("d"),
    },
)
STATED = st.fixed_dictionaries(
    {"id": st.text(max_size=2), "outcome": st.sampled_from(["correct", "I", "n", "maybe", "é"])},
    optional={"confidence": st.floats(0, 1) | st.sampled_from([0, 1, 1e-7, 5e-324])},
)
PIECES = st.sampled_from(["\n", "\n", "\n", "\n\n", " \n", "\r\n", " ", "\n\ufeff"])


def run_file(content: str) -> Source:
    return Source("run.jsonl", data=content.encode("utf-8", "surrogatepass"))


def told(content: str) -> object:
    """All that a file holds, or what is wrong with it."""
    try:
        runs = jsonl_answers.read_runs(run_file(content), words=Words("maybe=unanswered"))
    except FormatError as problem:
        return str(problem)
    return [{name: plain(getattr(rows, name)) for name in Rows.__struct_fields__ if name != "said_on"} for rows in runs]


def plain(value: object) -> object:
    return list(value) if isinstance(value, array | range | tuple) else value


@given(
    st.lists(LINE, min_size=1, max_size=4) | st.lists(STATED, min_size=1, max_size=4),
    st.lists(PIECES, min_size=4, max_size=4),
    st.booleans(),
)
def test_a_file_read_at_once_is_the_file_read_by_lines(lines, ends, ascii_only) -> None:
    texts = [json.dumps(line, ensure_ascii=ascii_only) for line in lines]
    content = "".join(text + end for text, end in zip(texts, ends, strict=False))
    at_once = told(content)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(jsonl_answers, "plain_rows", lambda *_: None)
        assert at_once == told(content)


PLAIN = '{"id": "q1", "answer": "a", "confidence": 0.5}\n'


@pytest.mark.parametrize(
    "content",
    [
        PLAIN + '{"id": "q2", "answer": "b", "id": "q3"}',
        PLAIN + '{"id": "q2", "answer": "b:", "id": "q3"}',
        PLAIN + '{"id": "q2", "answer": ":", "\\u0069d": "q3"}',
        PLAIN + '{"id": "q2", "answer": "b"} {"id": "q3", "answer": "c"}\n\n',
        PLAIN + '{"id": "q2", "answer": "b"} {"id": "q3", "answer": "c"}',
        PLAIN + '{"id": "q2",\n"answer": "b"}',
        PLAIN + "\n" + PLAIN,
        PLAIN + '{"id": "q2", "answer": "b", "confidence": 1.5}',
        PLAIN + '{"id": "q2", "answer": "b", "doc": "d7"}',
        PLAIN + '{"id": "q2", "confidence": 0.5}',
        PLAIN + '{"id": 2, "answer": "b"}',
        PLAIN + '{"id": "q2", "outcome": 0.5}',
        PLAIN + '{"id": "q2", "outcome": "nobody knows"}',
    ],
)
def test_what_is_out_of_the_ordinary_is_left_to_those_who_look_closer(content) -> None:
    kept = run_file(content)
    assert plain_rows(kept, Words()) is None
    assert kept.read() == content.encode()


def test_texts_with_colons_are_ordinary() -> None:
    rows = plain_rows(run_file(PLAIN + '{"id": "q2", "answer": "at 7:30: \\"no\\""}'), Words())
    assert rows is not None
    assert rows.texts == ["a", 'at 7:30: "no"']
    assert list(rows.confidences) == [0.5, None]


def test_columns_of_numbers_alone_are_compact() -> None:
    content = '{"id": "a", "outcome": "C", "confidence": 1}\n{"id": "b", "outcome": "I", "confidence": 0}\n'
    rows = plain_rows(run_file(content), Words())
    other = plain_rows(run_file(content.replace('"I"', '"N"')), Words())
    assert rows is not None
    assert other is not None
    assert rows.confidences == array("d", [1.0, 0.0])
    assert rows.outcomes == array("b", [CORRECT, INCORRECT])
    assert other.outcomes == array("b", [CORRECT, UNANSWERED])
    assert rows.texts is other.texts
    assert list(rows.lines) == [1, 2]


def test_what_an_answer_took() -> None:
    lines = b'{"id": 1, "outcome": "correct", "cost": 0.5}\n{"id": 2, "outcome": "wrong", "tokens": 7, "cost": null}\n'
    (rows,) = read_runs(Source("file", data=lines))
    assert rows.usage == {"cost": [0.5, None], "tokens": [None, 7.0]}
    (rows,) = read_runs(Source("file", data=b'{"id": 1, "outcome": "correct", "tokens": ["a", "b"]}'))
    assert (rows.usage, rows.extra) == ({}, {0: {"tokens": ["a", "b"]}}), "the tokens themselves are a field"
    for amount in ("-1", '"dear"', "true"):
        with pytest.raises(FormatError, match=r"^file:1: cost .*: expected a number of 0 or more"):
            read_runs(Source("file", data=b'{"id": 1, "outcome": "correct", "cost": %s}' % amount.encode()))


def test_a_dict_of_the_fields_of_each_question() -> None:
    rows = answers_from_python(
        Source("run", data={"q1": {"outcome": "correct", "score": 0.5, "cost": float("nan")}, "q2": "x"})
    )
    assert (rows.texts, rows.scores, rows.usage) == ([None, "x"], [0.5, None], {})
    for wrong in ({"outcome": "correct", "cost": -1}, {"answer": ["x"]}, {"answer": "x", "sample": 2}):
        with pytest.raises(FormatError, match=r"^run: .*(expected|Expected)"):
            answers_from_python(Source("run", data={"q1": wrong}))
