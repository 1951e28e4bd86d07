"""Judgments of understandability beside those of relevance: a second qrels file, as CLEF eHealth has it."""

from __future__ import annotations

from functools import partial

from assay.errors import InputError, counted
from assay.formats.ranked.trec import read_qrels
from assay.measures.views.understandability import UnderstandableView
from assay.tasks.ranked import RankedGold, RankedViews

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from assay.core import Gold, Ranked
    from assay.io.sources import Source


class UnderstandableGold(RankedGold):
    """Judgments of relevance, and how easy each of the documents is to understand."""

    def __init__(self, gold: Gold, name: str, second: Source) -> None:
        super().__init__(gold, name)
        judged = _grades(read_qrels(second))
        self.understood: list[list[int | None]] = []
        """By topic, the grade of understandability of each document, in the order of `documents`; None where it is not judged."""
        lacking = relevant = 0
        for number, topic in enumerate(self.topics):
            grades = judged.get(topic, {})
            column = [grades.get(document) for document, _ in gold.documents(number)]
            positive = [
                grade for grade, (_, relevance) in zip(column, gold.documents(number), strict=True) if relevance > 0
            ]
            relevant += len(positive)
            lacking += positive.count(None)
            self.understood.append(column)
        if judged.keys().isdisjoint(self.topics):
            raise InputError(
                f"{second.name}: no topic in common with {name}: it has topics such as {next(iter(judged))!r}, "
                f"the judgments of relevance have topics such as {self.topics[0]!r}"
            )
        if lacking:
            self.warnings = [
                f"{second.name}: {lacking:,} of {counted(relevant, 'relevant document')} of {name} "
                f"{'has' if lacking == 1 else 'have'} no judgment of understandability, and count as not understandable"
            ]

    def views(self, ranked: Ranked, source: Source, level: int) -> UnderstandableViews:
        return UnderstandableViews(self, ranked, source, level)


def _grades(gold: Gold) -> dict[str, dict[str, int]]:
    """Return topic -> document -> grade; a negative grade means not judged, as in any qrels."""
    return {
        topic: {document: grade for document, grade in gold.documents(number) if grade >= 0}
        for number, topic in enumerate(gold.topics)
    }


class UnderstandableViews(RankedViews):
    """One run joined with both judgments: a view per topic of the gold."""

    gold: UnderstandableGold

    def __iter__(self) -> Iterator[UnderstandableView]:
        nothing: tuple[list[int], list[int], list[int]] = ([], [], [])
        for topic, (judgments, understood) in enumerate(zip(self.gold.judgments, self.gold.understood, strict=True)):
            count = self._ranked.num_ret[topic]
            is_judged = any(grade is not None for grade in understood)
            if count < 0:
                yield UnderstandableView(judgments, 0, nothing, tuple, self.level, tuple, is_judged)
            else:
                yield UnderstandableView(
                    judgments, count, self._ranked.relevant(topic), partial(self._ranked.pooled_grades, topic), self.level,
                    partial(self._retrieved, topic, understood), is_judged,
                )  # fmt: skip

    def _retrieved(self, topic: int, understood: list[int | None]) -> list[int | None]:
        return [understood[number] for number in self._ranked.pooled(topic)[1]]
