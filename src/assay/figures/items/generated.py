"""Generated answers on topic pages: answer, nuggets, sentences and their support."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from assay.figures.items.answers import AnswerItems, shortened
from assay.figures.items.model import ReturnedItem, RunItems

CREDITS: dict[float, tuple[str, bool | None]] = {
    1.0: ("support", True),
    0.5: ("partial support", None),
    0.0: ("no support", False),
}
"""What nuggets and citations are called that are worth so much."""


class GeneratedItems(AnswerItems):
    """The judgments of every run's answer to a question."""

    def of_run(self, views: Any, places: Sequence[int], depth: int) -> list[RunItems]:
        """Return one run's answers to the questions."""
        return [self._question(views, place) for place in places]

    def _question(self, views: Any, place: int) -> RunItems:
        if views.missing[place]:
            return (), "nobody judged an answer of this run to this question"
        rows = views.judged[place]
        entries = [ReturnedItem(shortened(row.answer), None, "answer", None) for row in rows if row.answer]
        credits: Sequence[float] = views.credits[place] or ()
        nuggets: Sequence[tuple[str, str]] = self._gold.questions[place].nuggets if credits else ()
        for (text, importance), credit in zip(nuggets, credits, strict=True):
            verdict, good = CREDITS[credit]
            if text:
                entries.append(ReturnedItem(text, None, verdict, good, None, f"{importance} nugget".strip()))
        for row in rows:
            citations_by_sentence: list[tuple[Sequence[float | None], bool | None]] = row.sentences or []
            entries += [
                _sentence(text, citations)
                for text, (citations, _) in zip(row.texts, citations_by_sentence, strict=True)
            ]
        return tuple(entries), ""

    def gold(self, place: int) -> tuple[str, ...]:
        """Return all nuggets of a question."""
        nuggets = self._gold.questions[place].nuggets
        return tuple(f"{text} ({importance})" if importance else text for text, importance in nuggets if text)


def _sentence(text: str, citations: Sequence[float | None]) -> ReturnedItem:
    """Return a sentence with the support of each of its citations."""
    if not citations:
        return ReturnedItem(shortened(text), None, "cites nothing", None, None, "sentence")
    verdicts = [("not judged", None) if support is None else CREDITS[support] for support in citations]
    return ReturnedItem(
        shortened(text), None, ", ".join(word for word, _ in verdicts), verdicts[0][1], None, "sentence"
    )
