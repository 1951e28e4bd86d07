"""Definition questions: answers judged by the nuggets they contain.

The nuggets of an answer are those the run's file lists (from an assessor), or else those whose patterns match.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from assay.errors import FormatError
from assay.formats.answers.nuggets import NuggetAnswer, NuggetQuestion, read_nugget_run, read_nuggets
from assay.formats.id_prefixes import prefix_hint
from assay.io.sources import Source
from assay.measures.nuggets import NuggetView
from assay.settings import FOR_UNDEFINED, NO_VALUE, Settings, one_of, option
from assay.table.notes import Notes
from assay.tasks import QuestionsGold, Task

STATED = "the nuggets the run's file states"
FOUND = "the patterns of the nuggets, searched anywhere in the answer, case ignored"


class NuggetSettings(Settings):
    """The settings of definition questions."""

    undefined: str = option("skip", one_of(*FOR_UNDEFINED), NO_VALUE)
    unjudged: str = option("error", one_of("error", "incorrect"), "what an answer without a judgment counts (error)")


class NuggetViews:
    """One run: a view per question of the gold."""

    def __init__(self, gold: QuestionsGold, source: Source) -> None:
        self.gold = gold
        self.name: str = source.label or source.stem
        self.file: str = source.name
        self.missing: list[bool] = [True] * len(gold.topics)
        self.notes: Notes = Notes()
        self.returned: list[Sequence[str]] = [()] * len(gold.topics)
        self.lengths: list[int] = [0] * len(gold.topics)
        self.texts: list[Sequence[str]] = [()] * len(gold.topics)
        """The answers' texts."""

    def __iter__(self) -> Iterator[NuggetView]:
        for question, returned, length in zip(self.gold.questions, self.returned, self.lengths, strict=True):
            yield NuggetView(question.vital, returned, length, question.votes)

    def column(self, name: str) -> list[Any]:
        """Return `returned` or `vital_returned` (numbers of nuggets), or `length` in non-white characters."""
        if name == "length":
            return list(self.lengths)
        if name == "returned":
            return [len(view.returned) for view in self]
        if name == "vital_returned":
            return [len(view.returned & view.vital) for view in self]
        raise KeyError(name)


def read(source: Source, runs: Sequence[Source], settings: NuggetSettings) -> QuestionsGold:
    """Read the questions with their nuggets."""
    return QuestionsGold(source.name, read_nuggets(source))


def join(gold: QuestionsGold, source: Source, settings: NuggetSettings) -> list[NuggetViews]:
    """Read a run and join it with the gold."""
    run = NuggetViews(gold, source)
    rules: dict[str, None] = {}
    unjudged = 0
    for answer in read_nugget_run(source):
        place = gold.index.get(answer.id)
        if place is None:
            hint = prefix_hint(answer.id, gold.index, gold.name)
            raise FormatError(
                source.name, answer.line, f"answers question {answer.id!r}, which is not in {gold.name}{hint}"
            )
        question = gold.questions[place]
        returned = _returned(question, answer, source.name)
        if returned is None:
            if settings.unjudged == "error":
                problem = f"the answer to question {answer.id!r} has no judgment"
                remedy = "add \"nuggets\" or patterns, or use `unjudged='incorrect'`, which counts no nuggets"
                raise FormatError(source.name, answer.line, f"{problem}; {remedy}")
            unjudged += 1
        else:
            rules[STATED if answer.nuggets is not None else FOUND] = None
        run.returned[place] = returned or ()
        run.lengths[place] = answer.length
        run.texts[place] = answer.texts
        run.missing[place] = False
    run.notes.judging = "; else ".join(rules)
    run.notes.unjudged = unjudged
    if unjudged:
        run.notes.warnings.append(
            f"{run.name}: {unjudged} answers without a judgment count no nuggets (`unjudged={settings.unjudged!r}`)"
        )
    return [run]


def _returned(question: NuggetQuestion, answer: NuggetAnswer, name: str) -> list[str] | None:
    """Return the nuggets of an answer; None where they are unknown."""
    if answer.nuggets is None:
        if not question.patterns:
            return None
        return [nugget for nugget, pattern in question.patterns if any(pattern.search(text) for text in answer.texts)]
    for nugget in answer.nuggets:
        if nugget not in question.nuggets:
            known = ", ".join(question.nuggets)
            raise FormatError(
                name, answer.line, f"question {question.id!r} has no nugget {nugget!r}; nuggets are {known}"
            )
    return answer.nuggets


TASK = Task(
    name="nuggets",
    title="Definition questions",
    noun="question",
    headline="NuggetF",
    defaults=("NuggetF", "NuggetP", "NuggetR", "PyramidF"),
    settings=NuggetSettings,
    read=read,
    join=join,
)
