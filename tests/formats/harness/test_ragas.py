"""RAGAS results: a column per metric, NaN where it failed."""

from __future__ import annotations

import io

import pytest
from damaged_logs import damaged, only_complaints
from hypothesis import given

from assay.errors import InputError
from assay.formats.answers.rows import CORRECT, FAILED, GRADED
from assay.formats.harness.logs import LogReading
from assay.formats.harness.ragas import read_ragas
from assay.formats.recognition import recognise
from assay.io.sources import Source

CSV = b"""user_input,retrieved_contexts,response,reference,faithfulness,answer_relevancy
"Capital of France?","['Paris is it']",Paris,Paris,1.0,0.75
Capital of Norway?,['Oslo'],"I don't know, sorry",Oslo,,0.25
Capital of Kenya?,[],Nairobi,Nairobi,0.5,nan
"""


def read(content=CSV, name="mine.csv", **choices):
    (rows,) = read_ragas(Source(name, data=content), LogReading(choices))
    return rows


def test_scores_and_failures():
    rows = read(metric="faithfulness")
    assert (rows.name, rows.tool, rows.lines) == ("mine", "RAGAS", [2, 3, 4])
    assert rows.outcomes == [CORRECT, FAILED, GRADED]
    assert rows.scores == [1.0, None, 0.5]
    assert rows.problems == {1: "faithfulness could not be computed"}
    assert rows.texts[1] == "I don't know, sorry"
    assert read(metric="answer_relevancy").scores == [0.75, 0.25, None]


def test_metrics_are_asked_about():
    with pytest.raises(InputError, match="2 metrics, faithfulness, answer_relevancy; choose one"):
        read()


def test_files_share_questions():
    turned = b"user_input,response,m\n" + b"Capital of Kenya?,x,0\nCapital of France?,y,1\n"
    assert read(turned).ids == read(metric="faithfulness").ids[::-2]


def test_a_question_asked_again_is_one_of_its_own():
    rows = read(b"user_input,response,m\nA?,x,0\nA?,y,1\n")
    assert rows.ids[1] == rows.ids[0] + "-2"
    assert rows.samples is None


def test_the_row_numbers_of_pandas_are_no_metric():
    content = b",user_input,response,m\n0,A?,x,0\n1,B?,y,1\n"
    assert recognise(Source("x", data=content), "log").name == "ragas"
    assert read(content).outcomes == [2, 1]


def test_texts_come_when_asked_for():
    rows = read(metric="faithfulness")
    texts = rows.texts_of(rows.ids[1], 1)
    assert (texts.question, texts.gold, texts.answer) == ("Capital of Norway?", "Oslo", "I don't know, sorry")


@pytest.mark.parametrize("library", ["pandas", "polars"])
@pytest.mark.parametrize("shape", ["frame", "parquet"])
def test_frames_and_parquet_are_the_same(library, shape):
    lib = pytest.importorskip(library)
    pytest.importorskip("pyarrow")
    nan = float("nan")
    frame = lib.DataFrame(
        {
            "user_input": ["Capital of France?", "Capital of Norway?", "Capital of Kenya?"],
            "retrieved_contexts": [["Paris is it"], ["Oslo"], []],
            "response": ["Paris", "I don't know, sorry", "Nairobi"],
            "reference": ["Paris", "Oslo", "Nairobi"],
            "faithfulness": [1.0, nan if library == "pandas" else None, 0.5],
            "answer_relevancy": [0.75, 0.25, nan],
        }
    )
    if shape == "parquet":
        out = io.BytesIO()
        frame.to_parquet(out) if library == "pandas" else frame.write_parquet(out)
        frame = out.getvalue()
    source = Source("mine.parquet", data=frame, label="mine")
    assert recognise(source, "log").name == "ragas"
    (rows,) = read_ragas(source, LogReading({"metric": "faithfulness"}))
    same = read(metric="faithfulness")
    assert (rows.ids, rows.outcomes, rows.scores) == (same.ids, same.outcomes, same.scores)
    assert rows.texts_of(rows.ids[2], 1).answer == "Nairobi"


@pytest.mark.parametrize(
    ("content", "problem"),
    [
        (b"user_input,response,m\nA?,x\n", ":2: expected 3 cells as in the header, found 2"),
        (b"user_input,response,m\n,x,1\n", ":2: user_input is empty"),
        (b"user_input,response,m\nA?,x,7\n", ":2: .*score from 0 to 1"),
        (b"user_input,response,m\nA?,x,word\n", "holds numbers; expected one per metric"),
        (b"user_input,response,m,m\nA?,x,1,1\n", "two columns are called 'm'"),
        (b"user_input,response,m\n", "holds no samples"),
        (b"question,response,m\nA?,x,1\n", "no column user_input"),
    ],
)
def test_bad_files(content, problem):
    with pytest.raises(InputError, match=problem):
        read(content)


@given(damaged(CSV))
def test_damaged(content):
    only_complaints(lambda: read(content, metric="faithfulness"))
