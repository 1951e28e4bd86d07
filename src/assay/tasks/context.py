"""Context questions: series in which later questions lean on earlier ones; `3b` is the second question of series 3.

A gold question may name its `series` itself; its place is then the order of the file. Otherwise the id says both: a
series, then one letter for the question.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from assay.errors import FormatError
from assay.formats.answers.questions import GoldQuestion
from assay.formats.jsonl import plain
from assay.io.sources import Source
from assay.tasks import answer_lists, qa
from assay.tasks.answer_lists import AnswerListSettings, AnswerListViews, AnswersGold

DEFAULTS = ("RR", "InstanceF")
_LETTERED = re.compile(r"(.+?)([a-z])\Z")


def place_of(id: str) -> tuple[str, int] | None:
    """The series and place an id stands for, or None.

    >>> place_of("3b"), place_of("CTX12a"), place_of("17")
    (('3', 2), ('CTX12', 1), None)
    """
    found = _LETTERED.match(id)
    return (found.group(1), ord(found.group(2)) - ord("a") + 1) if found else None


def read(gold: Source, runs: Sequence[Source], settings: AnswerListSettings) -> AnswersGold:
    """The questions, each with its `series` and its `position` in it."""
    found = answer_lists.read(gold, runs, settings)
    counts: dict[str, int] = {}
    in_file_order = sorted(found.questions, key=lambda question: question.line)
    places = {question.id: _place(question, counts, found.name) for question in in_file_order}
    series, positions = zip(*(places[topic] for topic in found.topics), strict=True)
    found.fields = {**found.fields, "series": series, "position": positions}
    _check_holes(found)
    return found


def _place(question: GoldQuestion, counts: dict[str, int], name: str) -> tuple[str, int]:
    stated = question.fields.get("series")
    if stated is not None:
        if not isinstance(stated, (str, int)):
            raise FormatError(name, question.line, f"series {stated!r:.40}: expected a text or a whole number")
        series = plain(stated)
        counts[series] = counts.get(series, 0) + 1
        return series, counts[series]
    found = place_of(question.id)
    if found is None:
        expected = 'expected an id such as 3b (series 3, second question), or a "series"'
        raise FormatError(name, question.line, f"question {question.id!r}: {expected}")
    return found


def _check_holes(gold: AnswersGold) -> None:
    """A series without a first or a middle question cannot be followed."""
    places: dict[str, dict[int, GoldQuestion]] = {}
    for question, name, position in zip(gold.questions, gold.fields["series"], gold.fields["position"], strict=True):
        other = places.setdefault(name, {}).setdefault(position, question)
        if other is not question:
            problem = f"question {question.id!r} has the place of {other.id!r} in series {name}"
            raise FormatError(gold.name, question.line, problem)
    for name, series in places.items():
        for position, question in sorted(series.items()):
            if position > 1 and position - 1 not in series:
                problem = f"question {question.id!r} is number {position} of series {name}, which has no {position - 1}"
                raise FormatError(gold.name, question.line, problem)


def more(gold: AnswersGold, runs: Sequence[AnswerListViews], settings: AnswerListSettings) -> tuple[str, ...]:
    """Beside the usual ones, how many series are alive after each question."""
    longest = max(gold.fields["position"])
    return DEFAULTS + tuple(f"Alive@{k}" for k in range(1, longest + 1))


TASK = qa.TASK.but(
    name="context",
    title="Questions in context",
    defaults=DEFAULTS,
    more=more,
    read=read,
    second_table=True,
)
