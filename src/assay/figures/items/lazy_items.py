"""From a score table to what its topics' pages show, some topics at a time. What that is, is each task's own."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import repeat
from typing import Any

from assay.figures.items import answers, documents, generated
from assay.figures.items.model import RunItems, TopicItems
from assay.formats.harness.decoded_log_cache import forget
from assay.parallel.prefetch import ahead
from assay.settings import POSITIVE, checked
from assay.table.scores import Scores

KINDS: dict[str, Callable[[Sequence[Any], Sequence[int]], Any]] = {
    "ranked": documents.RankedDocuments,
    "known-item": documents.KnownItems,
    "diversity": documents.DiverseDocuments,
    "filtering": documents.FilteredDocuments,
    "outcomes": answers.OutcomeItems,
    "qa": answers.ListedAnswers,
    "list": answers.ListedAnswers,
    "context": answers.ListedAnswers,
    "nuggets": answers.NuggetItems,
    "generation": generated.GeneratedItems,
}
"""By task, how its items are gathered; other tasks have none."""
DEPTH = 10
"""Documents of each run, or answers to a question, that are shown unless somebody says how many."""


class LazyItems:
    """What every run returned on every topic, gathered when it is asked for: `some` topics at a time.

    scores   the table; where it holds numbers alone, or the task has no items, there are no entries
    texts    by topic, what was asked
    depth    documents of each run, or answers to a question, that are shown; as many relevant ones further down
    """

    def __init__(self, scores: Scores, texts: Mapping[str, str] | None = None, *, depth: int = DEPTH) -> None:
        self.depth = checked("depth", depth, POSITIVE)
        self._scores = scores
        self._views = [scores.run(run).views for run in scores.runs]
        self._known = [one for one in self._views if one is not None]
        self._kind = KINDS.get(scores.task.name) if self._known else None
        self._texts = _texts_by_topic(scores.topics, texts or {})

    @property
    def known(self) -> bool:
        """Whether anything is known of what runs returned, or of what was asked."""
        return self.returned or bool(self._texts)

    @property
    def returned(self) -> bool:
        """Whether anything is known of what runs returned."""
        return self._kind is not None

    @property
    def of_documents(self) -> bool:
        """Whether runs returned documents, rather than answers."""
        return bool(getattr(self._kind, "of_documents", False))

    @property
    def most(self) -> int:
        """How many documents or answers there may be in all."""
        each = self.depth if self._kind is not None and self._scores.task.name != "outcomes" else 1
        return len(self._scores.topics) * len(self._known) * each

    def some(self, places: Sequence[int]) -> Iterator[TopicItems]:
        """The items of some topics, by their places in the table. What stands in one file is read in one go, before the first."""
        scores, asked = self._scores, self._texts
        if self._kind is None:
            nothing = ((),) * len(self._views), ("",) * len(self._views)
            for place in places:
                topic = scores.topics[place]
                yield TopicItems(topic, asked.get(topic), (), _fields(scores, place), *nothing)
            return
        gatherer = self._kind(self._known, places)
        unknown: RunItems = (), "numbers alone are known of this run"

        def of_run(one: Any) -> Iterable[RunItems]:
            return repeat(unknown) if one is None else gatherer.of_run(one, places, self.depth)

        several = scores.task.ahead and len(self._views) > 1
        by_run = list(ahead(of_run, self._views) if several else map(of_run, self._views))
        forget()
        # Nothing says how long what is unknown of a run goes on.
        for place, gathered in zip(places, zip(*by_run, strict=False), strict=False):
            yield _topic(scores, place, gatherer, gathered, asked)


def items(
    scores: Scores,
    texts: Mapping[str, str] | None = None,
    documents: Mapping[str, str] | None = None,
    *,
    depth: int = DEPTH,
) -> tuple[TopicItems, ...]:
    """What every run returned on every topic, in the order of the table's topics.

    scores      the table; where it holds numbers alone, or the task has no items, there are no entries
    texts       by topic, what was asked
    documents   by document, how it begins
    depth       documents of each run, or answers to a question, that are shown; as many relevant ones further down

    >>> import assay
    >>> [one] = items(assay.evaluate({"q1": {"d1": 1, "d2": 1}}, {"r": {"q1": {"d0": 2.0, "d1": 1.0}}}))
    >>> [(entry.rank, entry.text, entry.verdict) for entry in one.entries[0]], one.gold
    ([(1, 'd0', 'unjudged'), (2, 'd1', 'relevant')], ('d2',))
    """
    every = LazyItems(scores, texts, depth=depth)
    found = list(every.some(range(len(scores.topics))))
    return tuple(with_snippets(found, documents) if documents and every.of_documents else found)


def _topic(
    scores: Scores, place: int, gatherer: Any, gathered: Sequence[RunItems], asked: Mapping[str, str]
) -> TopicItems:
    topic = scores.topics[place]
    return TopicItems(
        topic,
        asked.get(topic) or gatherer.text(place),
        gatherer.gold(place),
        {**gatherer.fields(place), **_fields(scores, place)},
        tuple(entries for entries, _ in gathered),
        tuple(more for _, more in gathered),
    )


def _fields(scores: Scores, place: int) -> dict[str, str]:
    """What the gold says of a topic, but for its text."""
    told = {name: values[place] for name, values in scores.fields.items() if name not in answers.ASKING}
    return {name: str(value) for name, value in told.items() if value is not None}


def _texts_by_topic(topics: Sequence[str], texts: Mapping[str, str]) -> dict[str, str]:
    """The texts of the table's topics. TREC's files call topic 51 also 051."""
    plain = {topic.lstrip("0"): text for topic, text in texts.items()}
    found = {topic: texts.get(topic, plain.get(topic.lstrip("0"))) for topic in topics}
    return {topic: text for topic, text in found.items() if text is not None}


def documents_of(found: Iterable[TopicItems]) -> set[str]:
    """Whatever is shown of some topics, where what is shown are documents."""
    return {entry.text for one in found for entries in one.entries for entry in entries}


def with_snippets(found: Iterable[TopicItems], snippets: Mapping[str, str]) -> list[TopicItems]:
    """The entries that are documents, each with its beginning where it is known."""
    return [
        replace(
            one,
            entries=tuple(
                tuple(e.but(detail=snippets[e.text]) if e.text in snippets else e for e in entries)
                for entries in one.entries
            ),
        )
        for one in found
    ]
