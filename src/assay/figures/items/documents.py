"""The documents that runs returned: ranked lists, known items and filtered sets."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Collection, Iterator, Sequence
from itertools import repeat
from typing import Any

from assay.errors import InputError
from assay.figures.items.model import ReturnedItem, RunItems

MAX_NAMED_DOCUMENTS = 20
"""Limit on the relevant documents found by no run that are listed; others are counted."""
UNJUDGED = "unjudged"
Found = tuple[list[int], list[int]]
"""Ranks, rising, and numbers among the gold's documents."""
Verdict = tuple[str, bool | None]
"""The verdict on a document in words, and whether it is relevant."""
PIPE = "the run came from a pipe, which is read once"


class RankedDocuments:
    """The first documents of each topic, then relevant ones below."""

    of_documents = True

    def __init__(self, views: Sequence[Any], places: Sequence[int]) -> None:
        self._views = views
        self._gold = views[0].gold
        self._level = views[0].level
        self._judged = {place: self._gold.judged(place) for place in places}
        self._graded = self._level > 1 or any(max(judged.values(), default=0) > 1 for judged in self._judged.values())
        self._found: dict[int, set[int]] = {place: set() for place in places}
        """By topic, the numbers of the relevant documents that some run has."""
        self._verdicts: dict[int, tuple[str, bool]] = {}
        self._known: dict[int, dict[str, Verdict]] = {place: {} for place in places}

    def of_run(self, views: Any, places: Sequence[int], depth: int) -> Iterator[RunItems]:
        """Return one run's documents per topic; the run is read at once, topics are made lazily."""
        first, lost = None, PIPE
        if views.read_first is not None:
            try:
                first = views.read_first(depth, places)
            except InputError as problem:  # the file is gone or overwritten; the numbers are still valid
                lost = str(problem)
        by_topic = repeat(None) if first is None else first
        return (
            self._topic(views, place, first_documents, lost, depth)
            for place, first_documents in zip(places, by_topic, strict=False)
        )

    def _topic(
        self, views: Any, place: int, first: Sequence[tuple[str, float]] | None, lost: str, depth: int
    ) -> RunItems:  # fmt: skip
        retrieved = views.retrieved(place)
        if retrieved is None:
            return (), "no results"
        relevant: Found = views.found(place, max(self._level, 0))
        ranks, numbers = relevant
        self._found[place].update(numbers)
        if first is None:
            # Of a run that cannot be read again only the judged documents are known.
            entries = self._numbered(place, views.found(place), slice(depth))
            depth_shown = entries[-1].rank or 0 if entries else 0
        else:
            known = self._known[place]
            entries = [
                ReturnedItem(document, rank, *(known.get(document) or self._verdict_on(place, document)), score)
                for rank, (document, score) in enumerate(first, 1)
            ]
            depth_shown = len(entries)
        at = bisect_right(ranks, depth_shown)
        below = self._numbered(place, relevant, slice(at, at + depth))
        hidden = ranks[at + depth :]
        summary = _summary(retrieved, len(ranks), len(hidden), hidden[-1] if hidden else None)
        return (*entries, *below), summary if first is not None else f"{summary}; judged ones alone are shown: {lost}"

    def _numbered(self, place: int, retrieved: Found, part: slice) -> list[ReturnedItem]:
        """Return part of the judged documents retrieved, by their ranks and gold numbers."""
        documents, known = self._gold.documents(place), self._known[place]
        selected = zip(*(column[part] for column in retrieved), strict=True)
        named = ((documents[number][0], rank) for rank, number in selected)
        return [
            ReturnedItem(document, rank, *(known.get(document) or self._verdict_on(place, document)))
            for document, rank in named
        ]

    def _verdict_on(self, place: int, document: str) -> Verdict:
        """Return the verdict on a document, in words and as a flag; cached for all runs."""
        grade = self._judged[place].get(document)
        if grade is None:
            verdict, good = UNJUDGED, None
        else:
            verdict, good = self._verdicts.get(grade) or self._verdict(grade)
        self._known[place][document] = verdict + self._relevant_to(place, document) if good else verdict, good
        return self._known[place][document]

    def _verdict(self, grade: int) -> tuple[str, bool]:
        """Return a grade in words, and whether it is relevant."""
        good = grade >= self._level
        named = f"grade {grade}" if self._graded and grade else "relevant" if good else "not relevant"
        self._verdicts[grade] = (f"{named}, not relevant" if grade and not good else named), good
        return self._verdicts[grade]

    def _relevant_to(self, place: int, document: str) -> str:
        """Return which parts of the topic a relevant document covers; empty for all of it."""
        return ""

    def gold(self, place: int) -> tuple[str, ...]:
        """Return the relevant documents that no run found, the highest grades first."""
        return self._named(place, self._found[place])

    def _named(self, place: int, excluded: Collection[int]) -> tuple[str, ...]:
        """Return the relevant documents whose numbers are not excluded."""
        numbered = enumerate(self._gold.documents(place))
        least = max(self._level, 0)
        lost = [(-grade, document) for n, (document, grade) in numbered if grade >= least and n not in excluded]
        return _listed([f"{d} (grade {-worse})" if self._graded else d for worse, d in sorted(lost)])

    def fields(self, place: int) -> dict[str, str]:
        """Return the numbers of relevant and judged documents."""
        grades = self._judged[place]
        relevant = sum(grade >= self._level for grade in grades.values())
        return {"relevant": str(relevant), "judged": str(len(grades))}

    def text(self, place: int) -> None:
        """Return None: judgments contain no topic texts."""


class DiverseDocuments(RankedDocuments):
    """Ranked documents with the subtopics that each is relevant to."""

    def __init__(self, views: Sequence[Any], places: Sequence[int]) -> None:
        super().__init__(views, places)
        self._subtopics = {
            place: {
                document: [name for name, grade in grades.items() if grade >= self._level]
                for document, grades in self._gold.subtopics[place].documents
            }
            for place in places
        }

    def _relevant_to(self, place: int, document: str) -> str:
        names = self._subtopics[place][document]
        return f", {'subtopic' if len(names) == 1 else 'subtopics'} {', '.join(names)}"

    def fields(self, place: int) -> dict[str, str]:
        """Return the numbers of subtopics, relevant and judged documents."""
        known = {name for names in self._subtopics[place].values() for name in names}
        return {"subtopics": str(len(known)), **super().fields(place)}


class KnownItems(RankedDocuments):
    """Ranked documents with the item that was searched for."""

    def fields(self, place: int) -> dict[str, str]:
        """Return the searched item, or all correct ones."""
        return {"looked for": ", ".join(self._named(place, set()))}


class FilteredDocuments:
    """The documents of each topic's unranked set, then relevant ones below."""

    of_documents = True

    def __init__(self, views: Sequence[Any], places: Sequence[int]) -> None:
        self._judged: Sequence[dict[str, bool]] = views[0].gold.judged
        self._found: dict[int, set[str]] = {place: set() for place in places}

    def of_run(self, views: Any, places: Sequence[int], depth: int) -> list[RunItems]:
        """Return the documents that one run retrieved for each topic."""
        return [self._topic(views, place, depth) for place in places]

    def _topic(self, views: Any, place: int, depth: int) -> RunItems:
        if views.missing[place]:
            return (), "no results"
        entries = [self._entry(document, self._judged[place].get(document)) for document in views.documents(place)]
        relevant = [entry for entry in entries if entry.good]
        self._found[place].update(entry.text for entry in relevant)
        below = [entry for entry in entries[depth:] if entry.good]
        return (*entries[:depth], *below[:depth]), _summary(len(entries), len(relevant), len(below[depth:]), None)

    def _entry(self, document: str, right: bool | None) -> ReturnedItem:
        verdict = UNJUDGED if right is None else "relevant" if right else "not relevant"
        return ReturnedItem(document, None, verdict, right)

    def gold(self, place: int) -> tuple[str, ...]:
        """Return the relevant documents that no run retrieved."""
        right = {document for document, good in self._judged[place].items() if good}
        return _listed(sorted(right - self._found[place]))

    def fields(self, place: int) -> dict[str, str]:
        """Return the numbers of relevant and judged documents."""
        judged = self._judged[place]
        return {"relevant": str(sum(judged.values())), "judged": str(len(judged))}

    def text(self, place: int) -> None:
        """Return None: judgments contain no topic texts."""


def _summary(retrieved: int, relevant: int, hidden: int, last_rank: int | None) -> str:
    """Return how many documents a run retrieved, and how many relevant ones are not shown."""
    summary = f"{retrieved} retrieved, {relevant} relevant"
    if not hidden:
        return summary
    last = f", the last at rank {last_rank}" if last_rank else ""
    return f"{summary}; {hidden} more relevant not shown{last}"


def _listed(names: Sequence[str]) -> tuple[str, ...]:
    """Clip a list of names, adding how many are omitted."""
    if len(names) <= MAX_NAMED_DOCUMENTS:
        return tuple(names)
    return (*names[:MAX_NAMED_DOCUMENTS], f"and {len(names) - MAX_NAMED_DOCUMENTS} more")
