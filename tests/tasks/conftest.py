"""Four questions and a run on them, and how gold and run are joined."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from answer_rows import Write

import assay
from assay.io.sources import Source
from assay.measures.registry import find
from assay.scoring.run_scoring import score_run
from assay.tasks.outcomes.task import TASK, OutcomeSettings

GOLD = [
    {"id": "q1", "type": "factoid", "answers": [{"text": "Paris", "class": "a"}, {"text": "Lutetia", "class": "a"}]},
    {"id": "q2", "type": "factoid", "nil": True},
    {"id": "q3", "type": "list", "answers": ["Rome", "Milan", "Turin"]},
    {"id": "q4", "type": "list", "answers": ["Oslo"], "cluster": "p1"},
]
RUN = [
    {"id": "q3", "answers": [
        {"text": "Rome", "confidence": 0.8}, {"text": "rome", "confidence": 0.6}, {"text": "Bern", "confidence": 0.2},
    ]},
    {"id": "q1", "answer": "paris.", "confidence": 0.9},
    {"id": "q2", "answer": "NIL", "confidence": 0.4},
    {"id": "q4", "answer": None, "candidate": "Oslo"},
]  # fmt: skip


@pytest.fixture(scope="session")
def questions():
    return GOLD


@pytest.fixture(scope="session")
def given():
    """A run on the questions."""
    return RUN


@pytest.fixture(scope="session")
def source():
    """Rows as a source of a name."""

    def make(rows: list[dict] | str | bytes, name: str) -> Source:
        if isinstance(rows, list):
            rows = "".join(json.dumps(row) + "\n" for row in rows)
        return Source(name, data=rows.encode() if isinstance(rows, str) else rows)

    return make


@pytest.fixture(scope="session")
def joined(source):
    """The gold, and every source with the views of its runs."""

    def join(gold=GOLD, run=RUN, **settings):
        choices = OutcomeSettings(**settings)
        found = None if gold is None else source(gold, "gold.jsonl")
        runs = [source(rows, f"run{i}.jsonl") for i, rows in enumerate(run if isinstance(run, tuple) else (run,), 1)]
        questions = TASK.read(found, runs, choices)
        return questions, [(one, views) for one in runs for views in TASK.join(questions, one, choices)]

    return join


@pytest.fixture(scope="session")
def views(joined):
    """The views of the first run."""
    return lambda gold=GOLD, run=RUN, **settings: joined(gold, run, **settings)[1][0][1]


@pytest.fixture(scope="session")
def ends():
    """c, i or u for each question, in the gold's order."""

    def read(run) -> str:
        columns = zip(*(run.column(name) for name in ("correct", "incorrect", "unanswered")), strict=True)
        return "".join("ciu"[cells.index(1)] for cells in columns)

    return read


@pytest.fixture(scope="session")
def value():
    """A measure of one run's views."""

    def compute(run, name: str):
        measure = find(name, "outcomes")
        scored = score_run(run, [measure])
        return (
            assay.Scores(TASK, OutcomeSettings(), run.gold.topics, [measure], [scored]).value(run.name, measure).value
        )

    return compute


@pytest.fixture(scope="session")
def pan(views):
    """The views of a run on problems of which the truth is known."""

    def join(run: list[dict], truth=(True, False, True, False)):
        return views([{"id": f"p{i}", "same": same} for i, same in enumerate(truth, 1)], run)

    return join


@pytest.fixture
def write(tmp_path: Path) -> Write:
    """Rows, or lines as they are, into a file of this name."""

    def make(name: str, *rows: object) -> str:
        path = tmp_path / name
        path.write_text("".join(row + "\n" if isinstance(row, str) else json.dumps(row) + "\n" for row in rows))
        return str(path)

    return make
