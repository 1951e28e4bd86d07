"""Context questions: series in which later questions depend on earlier ones; `3b` is the second question of series 3.

A gold question may state its `series`; its position is then the order of the file. Otherwise the id has both: a series, then
one letter for the question.
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
    """Return the series and position in an id, or None.

    >>> place_of("3b"), place_of("CTX12a"), place_of("17")
    (('3', 2), ('CTX12', 1), None)
    """
    match = _LETTERED.match(id)
    return (match.group(1), ord(match.group(2)) - ord("a") + 1) if match else None


def read(gold: Source, runs: Sequence[Source], settings: AnswerListSettings) -> AnswersGold:
    """Read the questions, each with its `series` and its `position` in it."""
    answers = answer_lists.read(gold, runs, settings)
    counts: dict[str, int] = {}
    in_file_order = sorted(answers.questions, key=lambda question: question.line)
    places = {question.id: _place(question, counts, answers.name) for question in in_file_order}
    series, positions = zip(*(places[topic] for topic in answers.topics), strict=True)
    answers.fields = {**answers.fields, "series": series, "position": positions}
    _check_holes(answers)
    return answers


def _place(question: GoldQuestion, counts: dict[str, int], name: str) -> tuple[str, int]:
    stated = question.fields.get("series")
    if stated is not None:
        if not isinstance(stated, (str, int)):
            raise FormatError(name, question.line, f"series {stated!r:.40}: expected a text or a whole number")
        series = plain(stated)
        counts[series] = counts.get(series, 0) + 1
        return series, counts[series]
    place = place_of(question.id)
    if place is None:
        expected = 'expected an id such as 3b (series 3, second question), or a "series"'
        raise FormatError(name, question.line, f"question {question.id!r}: {expected}")
    return place


def _check_holes(gold: AnswersGold) -> None:
    """Refuse series without a first or a middle question."""
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
    """Return the default measures, with Alive@k for each position."""
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
