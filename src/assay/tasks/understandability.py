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
            documents, grades = gold.documents(number), judged.get(topic, {})
            self.understood.append([grades.get(document) for document, _ in documents])
            if grades:  # a topic without any is undefined, which is said elsewhere
                wanted = [document for document, grade in documents if grade > 0]
                relevant += len(wanted)
                lacking += sum(document not in grades for document in wanted)
        if judged.keys().isdisjoint(self.topics):
            raise InputError(
                f"{second.name}: no topic in common with {name}: it has topics such as {next(iter(judged))!r}, "
                f"the judgments of relevance have topics such as {self.topics[0]!r}"
            )
        if lacking:
            self.warnings = [
                f"{second.name}: no judgment of understandability for {lacking:,} of {counted(relevant, 'relevant document')} "
                f"of {name}, which count as not understandable"
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
