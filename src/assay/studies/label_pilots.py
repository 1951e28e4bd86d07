"""What a judge and people said of the same questions, to plan labels from: a table, two lists, or runs under two gold standards."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Any

import numpy as np

from assay.errors import InputError, UsageError
from assay.formats.cells import cell_lines
from assay.formats.frames import RUN, TOPIC
from assay.formats.jsonl import json_lines
from assay.formats.outcome_words import Words
from assay.formats.sources import Source, source_of
from assay.resampling.arithmetic import Floats
from assay.scoring import evaluate
from assay.table import Scores

ID = ("id", "question", "question_id", *TOPIC)
JUDGE = ("judge", "machine", "verdict", "prediction")
HUMAN = ("human", "person", "label")
RUNS = (*RUN, "model")
EXPECTED = "expected a table or JSON objects with judge and human (empty where nobody looked), and of several runs with id and run"
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
        str(place): (float(said), None if label is None else float(label))
        for place, (said, label) in enumerate(zip(judge, human, strict=True))
    }
    if any(not 0 <= value <= 1 for pair in both.values() for value in pair if value is not None):
        raise InputError("expected scores from 0 to 1")
    return pilots({MEAN: both}, "question")


def of_table(thing: Any) -> list[Pilot]:
    """A table with a row for a question, or for a question and a run."""
    source = source_of(thing, None if isinstance(thing, str) or hasattr(thing, "__fspath__") else "<pilot>")
    found: dict[str, Cells] = {}
    words = Words()
    for line, row in _rows(source):
        run = _text(row, RUNS) or MEAN
        own = found.setdefault(run, {})
        question = _text(row, ID) or str(len(own))
        if question in own:
            told = "" if run == MEAN else f" of run {run}"
            raise source.error(line, f"question {question}{told} stands here a second time; keep one")
        judge = _score(source, line, row, JUDGE, words)
        if judge is None:
            raise source.error(line, f"question {question}: the judge says nothing of it; leave the line out")
        own[question] = judge, _score(source, line, row, HUMAN, words)
    if not found:
        raise source.error(None, f"holds no verdicts; {EXPECTED}")
    return pilots(found, "question")


def _rows(source: Source) -> Iterator[tuple[int, dict[str, Any]]]:
    shape = source.head.shape
    if shape in ("table", "parquet", "frame"):
        lines = cell_lines(source)
        _, header = next(lines)
        names = [name.strip() for name in header]
        _columns(source, names)
        for line, cells in lines:
            if len(cells) != len(names):
                raise source.error(line, f"expected {len(names)} cells, as the header has, found {len(cells)}")
            yield line, dict(zip(names, cells, strict=True))
    elif shape in ("json", "array"):
        for line, row in json_lines(source, "verdicts"):
            if not any(name in row for name in JUDGE):
                raise source.error(line, f"no verdict; {EXPECTED}")
            yield line, row
    else:
        raise source.error(None, EXPECTED)


def _columns(source: Source, names: Sequence[str]) -> None:
    for wanted in (JUDGE, HUMAN):
        if not any(name in names for name in wanted):
            raise source.error(1, f"no column {wanted[0]!r}, found {', '.join(names[:6])}; {EXPECTED}")
    if any(name in names for name in RUNS) and not any(name in names for name in ID):
        raise source.error(1, "a column names the run and none the question (`id`), by which runs are compared")


def _text(row: dict[str, Any], names: Sequence[str]) -> str:
    value = next((row[name] for name in names if row.get(name) is not None), "")
    return str(value).strip()


def _score(source: Source, line: int, row: dict[str, Any], names: Sequence[str], words: Words) -> float | None:
    """A score from 0 to 1, or a word for one; None where there is none."""
    said = _text(row, names)
    if not said:
        return None
    try:
        return words(said)[1]
    except ValueError:
        raise source.error(
            line,
            f"expected a score from 0 to 1, or a word such as correct and incorrect, found {said[:40]!r} ({names[0]})",
        ) from None


def of_topics(judge: Any, human: Any, runs: Any, measure: str | None, **settings: Any) -> list[Pilot]:
    """Runs of ranked retrieval by topic, under a judge's qrels and under those of the topics that people judged wholly; `settings` are
    those of `assay.evaluate`."""
    ours = evaluate(human, runs, measure and [measure], task="ranked", keep=False, **settings)
    theirs = evaluate(judge, runs, measure and [measure], task="ranked", keep=False, **settings)
    shared = [topic for topic in theirs.topics if topic in set(ours.topics)]
    if not shared:
        raise InputError(
            f"people judged no topic that the judge did: people {ours.topics[0]}, the judge {theirs.topics[0]}; are these the same topics?"
        )
    found = {run: _by_topic(ours, theirs, run) for run in theirs.runs}
    return pilots(found, "topic")


def _by_topic(ours: Scores, theirs: Scores, run: str) -> Cells:
    """A topic where the measure is undefined under a judge says nothing of it."""
    one = theirs.measures[0]
    if one.level != "topic" or one.average != "mean":
        raise UsageError(
            f"`measure={one.name!r}`: is no mean over topics, and labels of topics are planned for means; try AP or nDCG@10"
        )
    judged, labelled = theirs.values(one, run), ours.values(ours.measures[0], run)
    return {topic: (value, labelled.get(topic)) for topic, value in judged.items() if value is not None}


def pilots(found: dict[str, Cells], noun: str) -> list[Pilot]:
    """A pilot for every run, and one for the difference of each two on the questions they share."""
    made = [_pilot(run, noun, own, None) for run, own in found.items()]
    for first, second in combinations(found, 2):
        one, two = found[first], found[second]
        both: Cells = {}
        for question in one:
            if question in two:
                (said, label), (other, again) = one[question], two[question]
                both[question] = said - other, None if label is None or again is None else label - again
        made.append(_pilot(f"{first} - {second}", noun, both, (first, second)))
    return made


def _pilot(name: str, noun: str, own: Cells, pair: tuple[str, str] | None) -> Pilot:
    seen = [(judge, label) for judge, label in own.values() if label is not None]
    judge, human = np.array(seen, dtype=np.float64).reshape(-1, 2).T
    return Pilot(name, noun, human, judge, len(own), pair)
