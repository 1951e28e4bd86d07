"""Questions answered several times, or failed: from samples to questions.

Every sample has a slot in an `OutcomeViews`, which judges it and applies the what-ifs; `SampledViews` joins the slots of a
question. Failed slots are in no sum.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from itertools import accumulate, pairwise
from typing import Any

from assay.errors import FormatError
from assay.formats.answers.rows import MISSING, NO_VERDICT, NOT_ASKED, Rows, RowTexts
from assay.formats.answers.states import OUT, STATE, common_state
from assay.formats.id_prefixes import prefix_hint
from assay.table.notes import Notes
from assay.table.run_scores import EACH
from assay.tasks.outcomes.gold import OutcomesGold
from assay.tasks.outcomes.views import OutcomeViews, QuestionView


class RepeatedView:
    """One question with its scored samples."""

    __slots__ = ("samples",)

    def __init__(self, samples: Sequence[QuestionView]) -> None:
        self.samples: Sequence[QuestionView] = samples


def slots_of(rows: Rows, gold: OutcomesGold) -> tuple[list[int], list[int]]:
    """Return the question of every slot, in the order of the questions, and the slot of every row.

    A missing question has as many slots as the others at most.
    """
    assert rows.samples is not None
    by_question: list[list[int]] = [[] for _ in gold.topics]
    for row, identity in enumerate(rows.ids):
        if identity not in gold.index:
            hint = prefix_hint(identity, gold.index, gold.name)
            problem = f"answers question {identity!r}, which is not in {gold.name}{hint}"
            raise FormatError(rows.file, rows.lines[row] or None, problem)
        by_question[gold.index[identity]].append(row)
    usual = max(map(len, by_question), default=1)
    questions: list[int] = []
    slots = [0] * len(rows.ids)
    for place, question_rows in enumerate(by_question):
        for row in sorted(question_rows, key=rows.samples.__getitem__):
            slots[row] = len(questions)
            questions.append(place)
        if not question_rows:
            questions += [place] * usual
    return questions, slots


class SampledViews:
    """One run: the slots of its samples, by question."""

    def __init__(self, gold: OutcomesGold, slots: OutcomeViews, questions: Sequence[int]) -> None:
        """`questions` has the question of every slot."""
        self.gold = gold
        self.slots = slots
        self.name: str = slots.name
        self.file: str | None = slots.file
        self.notes: Notes = slots.notes
        self.read_texts: Callable[[str], dict[int, RowTexts]] | None = slots.read_texts
        self.lists: dict[int, list[tuple[int, float | None, bool]]] = slots.lists
        self.has_confidence: bool = slots.has_confidence
        self.graded: bool = slots.graded
        self.lacking: Sequence[str] = slots.lacking
        counts = [0] * len(gold.topics)
        for place in questions:
            counts[place] += 1
        self._bounds = list(pairwise(accumulate(counts, initial=0)))
        scored = slots.flags(*(code for code in range(256) if code not in OUT))
        self.samples: list[int] = [scored.count(1, first, last) for first, last in self._bounds]
        """By question, the number of scored samples."""
        self._scored = [
            range(first, last) if count == last - first else [slot for slot in range(first, last) if scored[slot]]
            for (first, last), count in zip(self._bounds, self.samples, strict=True)
        ]

    def slots_of(self, place: int) -> range:
        """Return the slots of a question's samples, scored or not."""
        return range(*self._bounds[place])

    @property
    def missing(self) -> list[bool]:
        """By question, whether it is missing, or has no verdict on any sample."""
        codes = self.slots.codes
        return [
            codes[first] in (MISSING, NOT_ASKED) or (not count and NO_VERDICT in codes[first:last])
            for (first, last), count in zip(self._bounds, self.samples, strict=True)
        ]

    def __iter__(self) -> Iterator[RepeatedView]:
        for scored in self._scored:
            yield RepeatedView([self.slots.view(slot) for slot in scored])

    def column(self, name: str) -> Sequence[Any]:
        """Return an ingredient of every question; NAME[] has a cell per sample.

        It is the sum over its samples; the mean for a confidence; for `with_correct`, whether any sample has it.
        """
        if name.endswith(EACH):
            cells = self.slots.column(name.removesuffix(EACH))
            return [tuple(cells[slot] for slot in scored) for scored in self._scored]
        if name == "cluster":
            return self.gold.fields.get("cluster") or [None] * len(self.gold.topics)
        cells = self.slots.column(name)
        if name == STATE:
            return bytes(
                common_state(cells[slot] for slot in scored or range(*bounds))
                for scored, bounds in zip(self._scored, self._bounds, strict=True)
            )
        if name == "with_correct":
            return [int(any(cells[slot] for slot in scored)) for scored in self._scored]
        if name in ("confidence", "position", "truth", "value"):
            return [_mean([cells[slot] for slot in scored]) for scored in self._scored]
        return [sum(cells[slot] for slot in scored) for scored in self._scored]


def _mean(cells: Sequence[float | None]) -> float | None:
    stated = [cell for cell in cells if cell is not None]
    return sum(stated) / len(stated) if stated else None


def sampled(run: OutcomeViews, gold: OutcomesGold, questions: Sequence[int] | None) -> OutcomeViews | SampledViews:
    """Wrap a run in `SampledViews` where a question has several samples or failed."""
    if questions is None and not any(code in run.codes for code in OUT):
        return run
    return SampledViews(gold, run, range(len(gold.topics)) if questions is None else questions)
