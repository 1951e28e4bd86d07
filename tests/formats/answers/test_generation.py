"""Files of judged answers: nuggets, support, ARGUE; and what is wrong with some of them."""

from __future__ import annotations

import pytest

from assay.errors import FormatError
from assay.formats.answers.generation import read_argue, read_assignments, read_nugget_list, read_support
from assay.formats.recognition import recognise
from assay.io.sources import Source

NUGGET = '{"text": "born 1828", "importance": "vital", "assignment": "partial_support"}'
COUNTS = {
    "sentences_with_citations_or_requiring_citations": 8, "correctly_cited_sentences": 6, "nuggets": 5,
    "correct_nuggets": 3, "nuggets_weighted": 8, "correct_nuggets_weighted": 5, "sentence_support": 0.75,
}  # fmt: skip


def file(text: str, **more: str) -> Source:
    return Source("f", data=text.replace("[NUGGET]", f"[{NUGGET}]").encode(), **more)


def argue(**changed: object) -> Source:
    rows = {**COUNTS, **changed}
    lines = [f"mine\t301\t{metric}\t{value}" for metric, value in rows.items() if value is not None]
    return file("run_id\trequest_id\tmetric\tvalue\n" + "\n".join([*lines, "mine\tall\tf1_macro\t0.5"]) + "\n")


def test_assignments_as_nuggetizer_writes_them():
    text = '{"query": "Who?", "qid": "14", "answer_text": "He …", "response_length": 1, "run_id": "a", "nuggets": [NUGGET]}\n'
    [row] = read_assignments(file(text))
    assert (row.topic, row.run, row.query, row.answer, row.line) == ("14", "a", "Who?", "He …", 1)
    assert (row.nuggets, row.credits) == ([("born 1828", "vital")], [0.5])


def test_a_judge_that_failed_gave_no_credit():
    row = '{"qid": "1", "nuggets": [{"text": "a", "importance": "vital", "assignment": "%s"}]}'
    assert [read_assignments(file(row.replace("%s", said)))[0].credits for said in ("failed", "fail")] == [
        [None],
        [None],
    ]


def test_a_list_of_nuggets_has_no_run():
    [row] = read_nugget_list(
        file('{"qid": 14, "query": {"text": "Who?"}, "nuggets": [{"text": "x", "importance": "okay"}]}')
    )
    assert (row.topic, row.run, row.query, row.nuggets, row.credits) == ("14", None, "Who?", [("x", "okay")], None)


def test_a_row_that_names_no_run_is_called_as_its_file_or_its_caller():
    row = f'{{"qid": "14", "nuggets": [{NUGGET}]}}'
    assert read_assignments(Source("runs/a.jsonl", data=row.encode()))[0].run == "a"
    assert read_assignments(file(row, label="mine"))[0].run == "mine"


def test_support_as_the_track_keeps_it():
    sentences = (
        '[{"sentenceID": 0, "text": "s", "citations": [{"citationID": 0, "reference": "d", "support": "2"}, {"support": 1}]},'
        ' {"citations": [{"support": "-1"}]}, {"citations": [], "needs_citation": true}, {"citations": [{"support": "NS"}]}]'
    )
    [row] = read_support(file(f'{{"narrative_id": 14, "run_id": "a", "sentences": {sentences}}}'))
    assert (row.topic, row.run, row.texts) == ("14", "a", ["s", "", "", ""])
    assert row.sentences == [((1.0, 0.5), None), ((None,), None), ((), True), ((0.0,), None)]


def test_argue_counts():
    [row] = read_argue(argue())
    assert (row.topic, row.run, row.attested) == ("301", "mine", (6, 8))
    # 5 nuggets that weigh 8: three vital, two okay; 3 right that weigh 5: two vital and one okay.
    assert row.nuggets == [("", "vital")] * 3 + [("", "okay")] * 2
    assert row.credits == [1.0, 1.0, 0.0, 1.0, 0.0]


def test_argue_without_importance():
    for changed in (
        {"nuggets_weighted": 5, "correct_nuggets_weighted": 3},
        {"nuggets_weighted": None, "correct_nuggets_weighted": None},
    ):
        [row] = read_argue(argue(**changed))
        assert (row.nuggets, row.credits) == ([("", "")] * 5, [1.0, 1.0, 1.0, 0.0, 0.0])


@pytest.mark.parametrize(
    ("read", "text", "said"),
    [
        (read_assignments, '{"qid": "1", "nuggets": [{"text": "a", "importance": "vital", "assignment": "yes"}]}', "f:1: assignment 'yes'"),
        (read_assignments, '{"qid": "1", "nuggets": [{"text": "a", "importance": "vital"}]}', "f:1: assignment None"),
        (read_assignments, '{"qid": "1", "docid": "d", "nuggets": [NUGGET]}', "f:1: assigns nuggets to a passage"),
        (read_assignments, '\n{"nuggets": [NUGGET]}', "f:2: names no topic; expected one of qid"),
        (read_assignments, '{"qid": 1.5, "nuggets": [NUGGET]}', "f:1: names no topic"),
        (read_assignments, '{"qid": "1", "run_id": ["a"], "nuggets": [NUGGET]}', "f:1: the run is called ['a']; expected a name"),
        (read_nugget_list, '{"qid": "1", "nuggets": [{"text": "a", "importance": "must"}]}', "f:1: importance 'must': expected vital"),
        (read_support, '{"qid": "1", "sentences": [{"citations": [{"support": 3}]}]}', "f:1: support '3': expected 2 (full)"),
        (read_support, '{"qid": "1"}', "f:1: Object missing required field `sentences`"),
        (read_argue, "run_id\trequest_id\tmetric\tvalue\na\t1\tnuggets\t2.5\n", "f:2: nuggets is '2.5'; expected a whole number"),
        (read_argue, "run_id\trequest_id\tmetric\tvalue\na\t1\tnuggets\n", "f:2: expected 4 fields between tabs, found 3"),
        (read_argue, "run_id\trequest_id\tmetric\tvalue\na\t1\tnuggets\t2\n", "has no sentences_with_citations_or_requiring"),
        (read_argue, "run_id\trequest_id\tmetric\tvalue\na\tall\tf1\t0.5\n", "f: holds no report"),
    ],
)  # fmt: skip
def test_what_is_wrong(read, text, said):
    with pytest.raises(FormatError) as problem:
        read(file(text))
    assert said in str(problem.value)


@pytest.mark.parametrize(
    "changed",
    [
        {"correctly_cited_sentences": 9},
        {"correct_nuggets": 6},
        {"correct_nuggets_weighted": 7},
        {"nuggets_weighted": 11},
    ],
)
def test_more_right_than_there_is(changed):
    with pytest.raises(FormatError, match="has more that is right than there is"):
        read_argue(argue(**changed))


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ('{"qid": "1", "nuggets": [NUGGET]}', "nugget-assignments"),
        ('{"qid": "1", "nuggets": [{"text": "a", "importance": "vital"}]}', "nugget-list"),
        ('{"id": "1", "nuggets": [{"id": "a", "vital": true}]}', "nuggets"),
        ('{"topic_id": "1", "run_id": "a", "sentences": [{"citations": []}]}', "citation-support"),
        ("run_id\trequest_id\tmetric\tvalue\na\t1\tnuggets\t2\n", "argue-scores"),
    ],
)  # fmt: skip
def test_each_is_told_from_its_first_line(text, name):
    reader = recognise(file(text), "gold", "run")
    assert reader is not None
    assert reader.name == name
