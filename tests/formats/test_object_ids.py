"""Ids as Python objects: what is text, and every reader of Python objects that takes ids refuses the rest."""

from __future__ import annotations

from math import nan

import numpy as np
import pytest

import assay
from assay.errors import InputError
from assay.formats.auxiliary import pools
from assay.formats.object_ids import id_text
from assay.formats.ranked import filtering, subtopics
from assay.io.sources import Source
from assay.tasks import top_documents

BAD = [None, nan, 1.0, True, np.float64(3), np.bool_(True), (1,), b"\xff"]


@pytest.mark.parametrize(
    ("given", "text"),
    [("d1", "d1"), ("é", "é"), (7, "7"), (-7, "-7"), (np.int64(7), "7"), ("é".encode(), "é"), (np.str_("x"), "x")],
)
def test_text_whole_numbers_and_bytes(given, text):
    assert id_text(given, "run") == text
    assert type(id_text(given, "run")) is str


@pytest.mark.parametrize("given", BAD, ids=repr)
def test_anything_else_is_refused_with_its_place(given):
    with pytest.raises(
        InputError, match=r"^run: row 2: found .* as an id.* expected text, a whole number or UTF-8 bytes$"
    ):
        id_text(given, "run: row 2")


READERS = {
    "topics of a run": lambda bad: assay.evaluate({"q": {"d": 1}}, [{"q": {"d": 1.0}, bad: {"d": 1.0}}], ["RR"]),
    "documents of a run": lambda bad: assay.evaluate({"q": {"d": 1}}, [{"q": {"d": 1.0, bad: 2.0}}], ["RR"]),
    "topics of qrels": lambda bad: assay.read_gold({"q": {"d": 1}, bad: {"d": 1}}),
    "documents of qrels": lambda bad: assay.read_gold({"q": {"d": 1, bad: 1}}),
    "questions": lambda bad: assay.evaluate({"q": "Paris", bad: "Rome"}, {"run": {"q": "Paris"}}),
    "answers": lambda bad: assay.evaluate({"q": "Paris"}, {"run": {"q": "Paris", bad: "Rome"}}),
    "topics of scores": lambda bad: assay.scores({"run": {"q": 1.0, bad: 0.5}}),
    "names of runs": lambda bad: assay.evaluate({"q": {"d": 1}}, {bad: {"q": {"d": 1.0}}}, ["RR"]),
    "names of runs of scores": lambda bad: assay.scores({bad: {"q": 1.0}}),
    "names of columns": lambda bad: assay.scores([[1.0, 0.5]], runs=["a", bad]),
    "names of rows": lambda bad: assay.scores([[1.0], [0.5]], topics=["q", bad]),
    "pools": lambda bad: pools.read_pool({"q": ["d", bad]}),
    "sets": lambda bad: filtering.read_sets(Source("run", data={"q": ["d", bad]})),
    "changed documents": lambda bad: filtering.read_changed(Source("changed", data={"q": ["d", bad]})),
    "subtopics": lambda bad: subtopics.read_subtopics(Source("qrels", data={"q": {"1": {"d": 1}, bad: {"d": 1}}})),
    "rankings": lambda bad: top_documents.read_rankings(Source("run", data={"q": {"d": 1.0, bad: 2.0}})),
}


@pytest.mark.parametrize("reader", READERS)
def test_every_reader_of_python_objects_refuses_them(reader):
    for bad in (None, 1.5, b"\xff"):
        with pytest.raises(InputError, match="as an id"):
            READERS[reader](bad)


@pytest.mark.parametrize(
    "read",
    [
        lambda: assay.evaluate({1: "Paris", "1": "Rome"}, {"run": {"1": "Paris"}}),
        lambda: assay.evaluate({"q": "Paris"}, {"run": {"q": "Paris", b"q": "Rome"}}),
        lambda: assay.evaluate({"q": {"d": 1}}, {"a": {"q": {"d": 1.0}}, b"a": {"q": {"d": 2.0}}}, ["RR"]),
        lambda: assay.scores({"run": {"q": 1.0, b"q": 0.0}}),
        lambda: assay.scores({1: {"q": 1.0}, "1": {"q": 0.0}}),
    ],
)
def test_two_keys_with_the_same_text_are_refused(read):
    """One of the two would replace the other, or the question would count twice."""
    with pytest.raises(
        InputError, match=r"two (questions|runs|topics) have the same id '.' as text; expected each once"
    ):
        read()


def test_a_run_named_by_bytes_has_their_text():
    assert assay.evaluate({"q": {"d": 1}}, {b"bm25": {"q": {"d": 1.0}}}, ["RR"])["RR"] == {"bm25": 1.0}


@pytest.mark.parametrize("library", ["pandas", "pyarrow"])
def test_judgments_in_a_frame(library):
    """`agree` counts documents by their ids: 1.0 is none."""
    frames = pytest.importorskip(library)
    columns = {"topic": [1.0, 1.0], "doc": ["a", "b"], "ann": [1, 0], "bob": [1, 1]}
    table = frames.table(columns) if library == "pyarrow" else frames.DataFrame(columns)
    with pytest.raises(InputError, match=r":2: found 1\.0 as an id"):
        assay.agree(table)
