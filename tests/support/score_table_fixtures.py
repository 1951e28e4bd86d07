"""Score tables made by hand: values per topic, or outcomes."""

from __future__ import annotations

import numpy as np
import pytest

from assay.measures.registry import find
from assay.settings import Settings
from assay.table.run_scores import RunScores
from assay.table.scores import Scores
from assay.tasks import get


@pytest.fixture(scope="session")
def table():
    """Runs given as lists of one topic-level measure's values."""

    def make(columns, measure="AP", missing=None, **settings):
        topics = [f"t{i}" for i in range(len(next(iter(columns.values()))))]
        runs = [
            RunScores(run, None, {measure: values}, (missing or {}).get(run, [False] * len(topics)))
            for run, values in columns.items()
        ]
        return Scores(get("ranked"), Settings(**settings), topics, [find(measure)], runs, arrivals=range(len(topics)))

    return make


@pytest.fixture(scope="session")
def outcomes_table():
    """Runs given as strings: + correct, - incorrect, . unanswered."""

    def make(columns, measure="c@1", fields=None):
        topics = [f"q{i}" for i in range(len(next(iter(columns.values()))))]
        signs = {"correct": "+", "incorrect": "-", "unanswered": "."}
        runs = [
            RunScores(
                run, None, {name: [int(c == sign) for c in text] for name, sign in signs.items()}, [False] * len(topics)
            )
            for run, text in columns.items()
        ]
        return Scores(
            get("outcomes"),
            get("outcomes").settings(),
            topics,
            [find(measure, "outcomes")],
            runs,
            fields,
            range(len(topics)),
        )

    return make


@pytest.fixture(scope="session")
def outcomes(outcomes_table):
    """The same, under the name that most use."""
    return outcomes_table


@pytest.fixture(scope="session")
def random_table(table):
    """Runs a step apart over topics of different ease."""

    def make(runs=4, topics=30, seed=1, step=0.05):
        rng = np.random.default_rng(seed)
        topic = rng.random(topics)
        values = [np.clip(topic + step * i + rng.normal(0, 0.1, topics), 0, 2).round(4).tolist() for i in range(runs)]
        return table({f"r{i}": row for i, row in enumerate(values)})

    return make
