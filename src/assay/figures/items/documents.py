"""Documents that runs returned: ranked retrieval and known-item search, where they have ranks; filtering, where they have none."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Collection, Iterator, Sequence
from itertools import repeat
from typing import Any

from assay.errors import InputError
from assay.figures.items.model import ReturnedItem, RunItems

MOST_NAMED = 20
"""Relevant documents that nobody found, beyond which they are counted."""
UNJUDGED = "unjudged"
Found = tuple[list[int], list[int]]
"""Ranks, rising, and numbers among the gold's documents."""
Told = tuple[str, bool | None]
"""What became of a document, in words, and whether it is relevant."""
PIPE = "the run came from a pipe, which is read once"


class RankedDocuments:
    """The first documents of each topic, then the relevant ones further down."""

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
        self._known: dict[int, dict[str, Told]] = {place: {} for place in places}

    def of_run(self, views: Any, places: Sequence[int], depth: int) -> Iterator[RunItems]:
        """What one run returned on each topic. It is read at once; what is told of a topic is made when its turn comes."""
        first, lost = None, PIPE
        if views.read_first is not None:
            try:
                first = views.read_first(depth, places)
            except InputError as problem:  # the numbers stand, though the file is gone or was written over
                lost = str(problem)
        by_topic = repeat(None) if first is None else first
        return (self._topic(views, place, one, lost, depth) for place, one in zip(places, by_topic, strict=False))

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
            # What is known of a run that cannot be read again are the judged documents.
            entries = self._numbered(place, views.found(place), slice(depth))
            shown = entries[-1].rank or 0 if entries else 0
        else:
            known = self._known[place]
            entries = [
                ReturnedItem(document, rank, *(known.get(document) or self._told(place, document)), score)
                for rank, (document, score) in enumerate(first, 1)
            ]
            shown = len(entries)
        at = bisect_right(ranks, shown)
        below = self._numbered(place, relevant, slice(at, at + depth))
        hidden = ranks[at + depth :]
        told = _told(retrieved, len(ranks), len(hidden), hidden[-1] if hidden else None)
        return (*entries, *below), told if first is not None else f"{told}; judged ones alone are shown: {lost}"

    def _numbered(self, place: int, found: Found, which: slice) -> list[ReturnedItem]:
        """Some of the documents that were found."""
        documents, known = self._gold.documents(place), self._known[place]
        told = zip(*(column[which] for column in found), strict=True)
        named = ((documents[number][0], rank) for rank, number in told)
        return [
            ReturnedItem(document, rank, *(known.get(document) or self._told(place, document)))
            for document, rank in named
        ]

    def _told(self, place: int, document: str) -> Told:
        """What to say of a document, whichever run returned it."""
        grade = self._judged[place].get(document)
        if grade is None:
            told, good = UNJUDGED, None
        else:
            told, good = self._verdicts.get(grade) or self._verdict(grade)
        self._known[place][document] = told + self._relevant_to(place, document) if good else told, good
        return self._known[place][document]

    def _verdict(self, grade: int) -> tuple[str, bool]:
        """What a grade means, in words, and whether it is relevant."""
        good = grade >= self._level
        named = f"grade {grade}" if self._graded and grade else "relevant" if good else "not relevant"
        self._verdicts[grade] = (f"{named}, not relevant" if grade and not good else named), good
        return self._verdicts[grade]

    def _relevant_to(self, place: int, document: str) -> str:
        """What of the topic a relevant document is relevant to; of all of it, where nothing is said."""
        return ""

    def gold(self, place: int) -> tuple[str, ...]:
        """The relevant documents that no run found, the best first."""
        return self._named(place, self._found[place])

    def _named(self, place: int, but: Collection[int]) -> tuple[str, ...]:
        """The relevant documents, but for those with some numbers."""
        numbered = enumerate(self._gold.documents(place))
        least = max(self._level, 0)
        lost = [(-grade, document) for n, (document, grade) in numbered if grade >= least and n not in but]
        return _listed([f"{d} (grade {-worse})" if self._graded else d for worse, d in sorted(lost)])

    def fields(self, place: int) -> dict[str, str]:
        """How much is judged and relevant."""
        grades = self._judged[place]
        relevant = sum(grade >= self._level for grade in grades.values())
        return {"relevant": str(relevant), "judged": str(len(grades))}

    def text(self, place: int) -> None:
        """Judgments say nothing of what was asked."""


class DiverseDocuments(RankedDocuments):
    """The same, with the subtopics that each document is relevant to."""

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
        """How much is judged and relevant, and to how many subtopics."""
        known = {name for names in self._subtopics[place].values() for name in names}
        return {"subtopics": str(len(known)), **super().fields(place)}


class KnownItems(RankedDocuments):
    """The same, with the item that was looked for, whoever found it."""

    def fields(self, place: int) -> dict[str, str]:
        """The item, or the few of them that are right."""
        return {"looked for": ", ".join(self._named(place, set()))}


class FilteredDocuments:
    """The documents of each topic's set as they come, then the relevant ones further down."""

    of_documents = True

    def __init__(self, views: Sequence[Any], places: Sequence[int]) -> None:
        self._judged: Sequence[dict[str, bool]] = views[0].gold.judged
        self._found: dict[int, set[str]] = {place: set() for place in places}

    def of_run(self, views: Any, places: Sequence[int], depth: int) -> list[RunItems]:
        """What one run retrieved for each topic."""
        return [self._topic(views, place, depth) for place in places]

    def _topic(self, views: Any, place: int, depth: int) -> RunItems:
        if views.missing[place]:
            return (), "no results"
        entries = [self._entry(document, self._judged[place].get(document)) for document in views.documents(place)]
        relevant = [entry for entry in entries if entry.good]
        self._found[place].update(entry.text for entry in relevant)
        below = [entry for entry in entries[depth:] if entry.good]
        return (*entries[:depth], *below[:depth]), _told(len(entries), len(relevant), len(below[depth:]), None)

    def _entry(self, document: str, right: bool | None) -> ReturnedItem:
        verdict = UNJUDGED if right is None else "relevant" if right else "not relevant"
        return ReturnedItem(document, None, verdict, right)

    def gold(self, place: int) -> tuple[str, ...]:
        """The relevant documents that no run retrieved."""
        right = {document for document, good in self._judged[place].items() if good}
        return _listed(sorted(right - self._found[place]))

    def fields(self, place: int) -> dict[str, str]:
        """How much is judged and relevant."""
        judged = self._judged[place]
        return {"relevant": str(sum(judged.values())), "judged": str(len(judged))}

    def text(self, place: int) -> None:
        """Judgments say nothing of what was asked."""


def _told(retrieved: int, relevant: int, hidden: int, last_rank: int | None) -> str:
    """How much there is of a run on a topic, and how much of it is not shown though it is relevant."""
    said = f"{retrieved} retrieved, {relevant} relevant"
    if not hidden:
        return said
    last = f", the last at rank {last_rank}" if last_rank else ""
    return f"{said}; {hidden} more relevant not shown{last}"


def _listed(names: Sequence[str]) -> tuple[str, ...]:
    """The names, or the first of many and how many there are more."""
    if len(names) <= MOST_NAMED:
        return tuple(names)
    return (*names[:MOST_NAMED], f"and {len(names) - MOST_NAMED} more")
