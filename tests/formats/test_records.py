"""Records of JSON and lists of dicts: damaged ones, and those without a known column."""

from __future__ import annotations

import io

import pytest
from table_forms import as_jsonl, as_parquet

import assay
from assay.errors import InputError


@pytest.mark.parametrize(
    ("records", "problem"),
    [
        ([{"id": "q1", "passed": 1}, "q2"], "<gold>:2: expected a dict like the others, found 'q2'"),
        ([{"id": "q1", "passed": 1}, {3: "q2"}], "<gold>:2: found the key 3; expected the name of a column"),
        ([{"id": 1.5, "passed": 1}], "<gold>:1: found 1.5 as an id"),
        ([{"id": True, "passed": 1}], "<gold>:1: found True as an id"),
        ([{"id": "q1", "passed": 1}, {"passed": 0}], "<gold>:2: the question has no name"),
        ([{"id": "q1", "passed": "perhaps"}], "<gold>:1: passed 'perhaps' is not known"),
        ([{"id": "q1", "passed": 3}], "<gold>:1: passed '3'"),
        ([{"key": "q1", "passed": 1}], "no column for the question's id among key, passed"),
        (
            [{"key": "q1", "value": 1}],
            "no column for the question's id among key, value",
        ),
    ],
)
def test_damaged_records(records, problem):
    with pytest.raises(InputError) as refused:
        assay.evaluate(records)
    assert problem in str(refused.value)


@pytest.mark.parametrize(
    ("content", "problem"),
    [
        (b'{"task": "q1", "won": 1}\n{"task": "q2", "won"\n', "run:2: broken JSON"),
        (b'[{"task": "q1", "won": 1}, {"task": "q2", "won": 0}', "broken JSON"),
        (b'{"task": "q1", "won": 1}\n[1]\n', "run:2: expected a JSON object, found '[1]'"),
        (b'{"task": "q1", "won": 1}\n{"task": "q2", "won": 1, "won": 0}\n', "run:2: the key 'won' appears twice"),
        (b'{"task": "q1", "won": 1}\n{"task": null, "won": 1}\n', "run:2: the question has no name"),
        (b'{"task": "q1", "won": 1}\n{"task": "q\xff", "won": 1}\n', "run:2: broken JSON (not UTF-8)"),
        (b"task,won\nq1,1\nq2\n", "run:3: expected 2 cells"),
    ],
)
def test_damaged_files(content, problem):
    with pytest.raises(InputError) as refused:
        assay.evaluate(None, content, columns={"id": "task", "outcome": "won"})
    assert problem in str(refused.value)


def test_nan_is_an_empty_cell_of_json():
    lines = b'{"task": "q1", "won": NaN}\n{"task": "q2", "won": 1}\n'
    array = b'[{"task": "q1", "won": NaN},\n {"task": "q2", "won": 1}]'
    for content in (lines, array):
        scores = assay.evaluate(None, content, columns={"id": "task", "outcome": "won"})
        assert scores["accuracy"] == {"run": 1.0}
        assert any("1 question without a verdict" in line for line in scores.remarks())


@pytest.mark.parametrize(
    "content",
    [
        b'["A", "B"]', b'[["q1", "A"]]', b"[]", b'[{"question": "a?", "response": "x"}]',
        b'[\n {\n  "question": "a?",\n  "output": "x"\n }\n]',
    ],
)  # fmt: skip
def test_an_array_is_not_told_about_topics_and_documents(content):
    for arguments in ((content,), (None, content), ({"q1": "x"}, content), (content, {"q1": "x"})):
        with pytest.raises(InputError) as refused:
            assay.evaluate(*arguments)
        assert not any(word in str(refused.value) for word in ("topic", "document", "qrels", "CSV"))


def test_lines_of_texts_are_no_predictions():
    """Red before: lines of texts alone were taken for one object of SQuAD's predictions."""
    lines = as_jsonl([{"task_id": "t1", "label": "right"}, {"task_id": "t2", "label": "wrong"}])
    for arguments in ((lines,), (None, lines)):
        with pytest.raises(
            InputError, match=r"found records with task_id, label: .*`columns='id=task_id,outcome=label'`"
        ):
            assay.evaluate(*arguments)
        assert assay.evaluate(*arguments, columns="id=task_id,outcome=label")["accuracy"] == {"run": 0.5}


def test_what_to_name_depends_on_the_place():
    content = b'[{"task_id": "q1", "response": "x", "target": "x", "score_binarized": 1}]'
    for arguments, fix in (
        ((content,), "id=task_id,outcome=score_binarized"),
        ((None, content), "id=task_id,outcome=score_binarized"),
        (({"q1": "x"}, content), "id=task_id,answer=response"),
        ((content, {"q1": "x"}), "id=task_id,gold=target"),
    ):
        with pytest.raises(InputError) as refused:
            assay.evaluate(*arguments)
        assert str(refused.value).endswith(f"Fix: `columns='{fix}'`")
        roles = dict(pair.split("=") for pair in fix.split(","))
        assert assay.evaluate(*arguments, columns=roles).runs == ["run"]


def test_nested_cells_are_fields_as_they_are() -> None:
    """Red before: an array in a cell of pandas ended in a traceback."""
    pandas = pytest.importorskip("pandas")
    records = [{"id": "q1", "passed": True, "options": ["a", "b"]}, {"id": "q2", "passed": False, "options": ["c"]}]
    frame = pandas.read_parquet(io.BytesIO(as_parquet(records)))
    for table in (records, as_jsonl(records), as_parquet(records), frame):
        assert assay.evaluate(table)["accuracy"] == {"run": 0.5}
