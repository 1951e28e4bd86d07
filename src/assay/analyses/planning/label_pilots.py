"""What a judge and people said of the same questions, to plan labels from: a table, two lists, or runs under two gold standards."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations
from math import inf
from typing import Any, Unpack

import numpy as np

from assay.analyses.correction.verdicts import of_one_table
from assay.errors import InputError, UsageError
from assay.formats.answers.outcome_words import Words
from assay.io.sources import path_of, source_of
from assay.parameters import RankedScoring
from assay.resampling.arithmetic import Floats
from assay.scoring.evaluate import evaluate
from assay.stats.label_design import Spread
from assay.stats.labelled_verdicts import Labelled
from assay.table.scores import Scores

MEAN = "mean"
"""What the mean score of a pilot without names is called."""


@dataclass(frozen=True, slots=True)
class Pilot:
    """What people and the judge said of the questions that people looked at, and of how many questions these are some."""

    name: str
    noun: str
    human: Floats
    judge: Floats
    questions: int
    pair: tuple[str, str] | None = None
    """The two runs of a difference."""

    @property
    def binary(self) -> bool:
        """Whether both say right or wrong and nothing between."""
        return self.pair is None and bool(np.isin(self.human, (0, 1)).all() and np.isin(self.judge, (0, 1)).all())


Cells = dict[str, tuple[float, float | None]]
"""By question what the judge says and what people do; None where nobody looked."""


def of_lists(judge: Sequence[float], human: Sequence[float | None]) -> list[Pilot]:
    """A verdict and a label, or None, for each question."""
    if len(judge) != len(human):
        raise InputError(f"expected a label, or None, for each of {len(judge)} questions, found {len(human)}")
    both = {
        str(place): (float(verdict), None if label is None else float(label))
        for place, (verdict, label) in enumerate(zip(judge, human, strict=True))
    }
    if any(not 0 <= value <= 1 for pair in both.values() for value in pair if value is not None):
        raise InputError("expected scores from 0 to 1")
    return pilots({MEAN: both}, "question")


def of_table(thing: Any) -> list[Pilot]:
    """A table with a row for a question, or for a question and a run, as `assay correct` reads it; unanswered questions need no label."""
    source = source_of(thing, None if path_of(thing) is not None else "<pilot>")
    read = next(iter(of_one_table(source, None, Words()).runs.values()))
    one_run = len(read) == 1 and source.stem in read
    return pilots({MEAN if one_run else name: _cells(run) for name, run in read.items()}, "question")


def _cells(run: Labelled) -> Cells:
    return {
        str(place): (float(run.judge[place]), None if np.isnan(run.human[place]) else float(run.human[place]))
        for place in np.flatnonzero(run.answered)
    }


def of_topics(judge: Any, human: Any, runs: Any, measure: str | None, **settings: Unpack[RankedScoring]) -> list[Pilot]:
    """Runs of ranked retrieval by topic, under a judge's qrels and under those of the topics that people judged wholly; `settings` are
    those of `assay.evaluate`."""
    ours = evaluate(human, runs, measure and [measure], task="ranked", keep=False, **settings)
    theirs = evaluate(judge, runs, measure and [measure], task="ranked", keep=False, **settings)
    shared = [topic for topic in theirs.topics if topic in set(ours.topics)]
    if not shared:
        raise InputError(
            f"people judged no topic that the judge did: people {ours.topics[0]}, the judge {theirs.topics[0]}; are these the same topics?"
        )
    by_run = {run: _by_topic(ours, theirs, run) for run in theirs.runs}
    return pilots(by_run, "topic")


def _by_topic(ours: Scores, theirs: Scores, run: str) -> Cells:
    """A topic where the measure is undefined under a judge says nothing of it."""
    measure = theirs.measures[0]
    if measure.level != "topic" or measure.average != "mean":
        raise UsageError(
            f"`measure={measure.name!r}`: is no mean over topics, and labels of topics are planned for means; try AP or nDCG@10"
        )
    judged, labelled = theirs.values(measure, run), ours.values(ours.measures[0], run)
    return {topic: (value, labelled.get(topic)) for topic, value in judged.items() if value is not None}


def pilots(by_run: dict[str, Cells], noun: str) -> list[Pilot]:
    """A pilot for every run, and one for the difference of each two on the questions they share."""
    made = [_pilot(run, noun, own, None) for run, own in by_run.items()]
    for first, second in combinations(by_run, 2):
        first_run, second_run = by_run[first], by_run[second]
        both: Cells = {}
        for question in first_run:
            if question in second_run:
                (verdict, label), (other, again) = first_run[question], second_run[question]
                both[question] = verdict - other, None if label is None or again is None else label - again
        made.append(_pilot(f"{first} - {second}", noun, both, (first, second)))
    return made


def _pilot(name: str, noun: str, own: Cells, pair: tuple[str, str] | None) -> Pilot:
    seen = [(judge, label) for judge, label in own.values() if label is not None]
    judge, human = np.array(seen, dtype=np.float64).reshape(-1, 2).T
    return Pilot(name, noun, human, judge, len(own), pair)


def spread_of(counts: Floats, pilot: Pilot) -> Spread:
    """Variances and covariance of the labelled questions, each counted as often as `counts` says, a row for every resample."""
    y, f = pilot.human - pilot.human.mean(), pilot.judge - pilot.judge.mean()
    sums = counts @ np.column_stack((y, f, y * y, f * f, y * f))
    n = len(y)
    return Spread(
        *(
            np.maximum(total - one * other / n, 0.0 if one is other else -inf) / (n - 1)
            for total, one, other in (
                (sums[:, 2], sums[:, 0], sums[:, 0]),
                (sums[:, 3], sums[:, 1], sums[:, 1]),
                (sums[:, 4], sums[:, 0], sums[:, 1]),
            )
        )
    )
