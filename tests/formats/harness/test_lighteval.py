"""lighteval's details: structures in Parquet, rows in any order."""

from __future__ import annotations

import io

import pytest
from damaged_logs import damaged, only_complaints
from hypothesis import given

from assay.errors import InputError
from assay.formats.answers.rows import CORRECT, FAILED, GRADED, INCORRECT
from assay.formats.harness.lighteval import read_lighteval
from assay.formats.harness.logs import LogReading
from assay.formats.recognition import recognise
from assay.io.sources import Source

pa = pytest.importorskip("pyarrow")
pq = pytest.importorskip("pyarrow.parquet")
DATE = "2025-01-02T03-04-05.678901"


def row(number, value=1, logs=(-1.0, -2.0), gold=0, said=(), **metrics):
    doc = {
        "id": str(number),
        "task_name": "cap|0",
        "query": f"Q{number}?",
        "choices": [" a", " bbbbb"],
        "gold_index": gold,
    }
    response = {"input": f"P{number}", "logprobs": list(logs), "text": list(said), "text_post_processed": list(said)}
    return {"doc": doc, "metric": {"acc": value, **metrics}, "model_response": response}


def packed(rows) -> bytes:
    out = io.BytesIO()
    pq.write_table(pa.Table.from_pylist(rows), out)
    return out.getvalue()


def read(rows, reading=None, **choices):
    content = rows if isinstance(rows, bytes) else packed(rows)
    return read_lighteval(Source("x.parquet", data=content), reading or LogReading(choices))


def test_real_files(shared_data):
    folder = shared_data("harness_logs", "lighteval", "0.13.0", "details", "dummy")
    found = {}
    for path in folder.glob("*/*.parquet"):
        source = Source(str(path), path=str(path))
        assert recognise(source, "log").name == "lighteval"
        (rows,) = read_lighteval(source, LogReading())
        found[rows.task] = rows
    rows = found["capitals_mc|0"]
    assert (rows.name, len(rows.ids), rows.outcomes.count(CORRECT) / 12) == (
        "dummy",
        12,
        pytest.approx(0.0833, abs=5e-5),
    )
    # The likeliest choice is the one that the log counts, on every question.
    assert None not in rows.confidences
    assert not rows.warnings
    assert sorted(rows.ids, key=int) == [str(number) for number in range(12)]
    assert found["capitals_gen|0"].outcomes == [INCORRECT] * 12
    assert found["capitals_gen|0"].texts_of("7", 1).answer == "random baseline"


def test_choice_and_confidence():
    (rows,) = read([row(3), row(1, 0, gold=1)])
    assert (rows.name, rows.task) == ("x", "cap|0")
    assert (rows.ids, rows.outcomes, rows.texts) == (["3", "1"], [CORRECT, INCORRECT], ["a", "a"])
    # 1 / (1 + e^-1)
    assert rows.confidences == [pytest.approx(0.731058578630)] * 2


def test_several_right_choices():
    (rows,) = read([row(1, gold=[1, 0])])
    assert rows.confidences[0] is not None
    assert rows.texts_of("1", 1).gold == "bbbbb, a"


def test_normalised_by_length():
    # -1 over 2 characters is less than -2 over 6.
    (rows,) = read([row(1, 0, acc_norm=1, gold=1)], metric="acc_norm")
    assert (rows.outcomes, rows.texts) == ([CORRECT], ["bbbbb"])
    assert rows.confidences == [pytest.approx(0.268941421370)]


def test_a_choice_that_disagrees_with_the_log_is_not_claimed():
    (rows,) = read([row(1, 1, gold=1)])
    assert (rows.outcomes, rows.confidences) == ([CORRECT], [None])
    assert "cannot be told for 1 questions" in rows.warnings[0]


def test_metrics():
    assert "acc is the outcome" in read([row(1, acc_norm=0)])[0].warnings[0]
    with pytest.raises(InputError, match="2 metrics, acc, f1; choose one"):
        read([row(1, f1=0.5)])
    (rows,) = read([row(1, f1=0.5)], metric="f1")
    assert (rows.outcomes, rows.scores) == ([GRADED], [0.5])
    (rows,) = read([row(1, f1=float("nan")), row(2, f1=None)], metric="f1")
    assert (rows.outcomes, list(rows.problems)) == ([FAILED, FAILED], [0, 1])
    with pytest.raises(InputError, match=r"row 1: f1 is .*one number a question"):
        read([row(1, f1=[1.0, 2.0])], metric="f1")


def test_completions_are_read_only_to_look_for_refusals():
    rows = [row(1, 0, (), said=["I don't know."])]
    assert read(rows)[0].texts == [None]
    (found,) = read(rows, LogReading(refusal=lambda text: "declined" if "know" in text else None))
    assert (found.kinds, found.texts) == ({0: "declined"}, ["I don't know."])
    texts = found.texts_of("1", 1)
    assert (texts.question, texts.prompt, texts.answer) == ("Q1?", "P1", "I don't know.")


def test_names_come_from_the_folders(tmp_path):
    folder = tmp_path / "details" / "org" / "model" / DATE
    folder.mkdir(parents=True)
    path = folder / f"details_cap|0_{DATE}.parquet"
    path.write_bytes(packed([row(1)]))
    (rows,) = read_lighteval(Source(str(path), path=str(path)), LogReading())
    assert (rows.name, rows.variant) == ("org/model", DATE)


def test_names_of_the_documentation():
    (rows,) = read([{f"__{name}__": value for name, value in row(1).items()}])
    assert rows.outcomes == [CORRECT]


@pytest.mark.parametrize("library", ["pandas", "polars"])
def test_a_data_frame_is_the_same(library):
    frame = pytest.importorskip(library).read_parquet(io.BytesIO(packed([row(3), row(1, 0, gold=1)])))
    source = Source("mine", data=frame)
    assert recognise(source, "log").name == "lighteval"
    (rows,) = read_lighteval(source, LogReading())
    (same,) = read([row(3), row(1, 0, gold=1)])
    assert (rows.ids, rows.outcomes, rows.confidences) == (same.ids, same.outcomes, same.confidences)


def test_flat_columns_of_older_files():
    rows = [{"full_prompt": "Q1", "metrics": {"em": 1.0}}, {"full_prompt": "Q2", "metrics": {"em": 0.0}}]
    source = Source(f"details_cap|0_{DATE}.parquet", data=packed(rows))
    assert recognise(source, "log").name == "lighteval"
    (found,) = read_lighteval(source, LogReading())
    assert (found.task, found.outcomes, len({*found.ids})) == ("cap|0", [CORRECT, INCORRECT], 2)
    assert found.texts_of(found.ids[1], 1).question == "Q2"


def test_bad_files():
    with pytest.raises(InputError, match=r"row 2: question .1. of cap\|0 appears twice"):
        read([row(1), row(1)])
    with pytest.raises(InputError, match="expected the columns doc, metric, model_response, found a"):
        read([{"a": 1}])
    with pytest.raises(InputError, match="not readable as Parquet"):
        read(packed([row(1)])[:-9])
    nameless = row(1)
    nameless["doc"]["id"] = None
    with pytest.raises(InputError, match=r"row 1: doc\.id is None"):
        read([nameless])
    with pytest.raises(InputError, match="has no metric to take outcomes from"):
        read([{**row(1), "metric": "text"}])
    with pytest.raises(InputError, match="holds no samples"):
        read(empty())


def empty() -> bytes:
    out = io.BytesIO()
    pq.write_table(pa.Table.from_pylist([row(1)]).slice(0, 0), out)
    return out.getvalue()


def test_without_pyarrow(monkeypatch):
    import sys

    monkeypatch.setitem(sys.modules, "pyarrow.parquet", None)
    with pytest.raises(InputError, match=r"pip install 'assay-eval\[frames\]'"):
        read([row(1)])


@given(damaged(packed([row(1), row(2)])))
def test_damaged(content):
    only_complaints(lambda: read(content))
