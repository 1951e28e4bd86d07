"""The items of topic pages, gathered from a score table some topics at a time."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from importlib import import_module
from itertools import repeat
from typing import Any

from assay.figures.items.model import ASKING, RunItems, TopicItems
from assay.parallel.prefetch import ahead
from assay.settings import POSITIVE, checked
from assay.table.scores import Scores

DEPTH = 10
"""The default number of documents of each run, or answers to a question, that are shown."""
ITEMS = {
    "ranked": "documents.RankedDocuments",
    "known-item": "documents.KnownItems",
    "diversity": "documents.DiverseDocuments",
    "filtering": "documents.FilteredDocuments",
    "outcomes": "answers.OutcomeItems",
    "qa": "answers.ListedAnswers",
    "list": "answers.ListedAnswers",
    "context": "answers.ListedAnswers",
    "nuggets": "answers.NuggetItems",
    "generation": "answers.GeneratedItems",
}
"""By task: the module and the class that gathers its items."""


def _items_of(task: str) -> Callable[[Sequence[Any], Sequence[int]], Any] | None:
    """Return the class that gathers the items of a task; None for a task without items."""
    if task not in ITEMS:
        return None
    module, _, name = ITEMS[task].partition(".")
    return getattr(import_module(f"assay.figures.items.{module}"), name)


class LazyItems:
    """The items of every run on every topic, gathered on demand: `some` topics at a time.

    scores   the table; without views, or for a task without items, there are no entries
    texts    topic texts by topic
    depth    how many documents of each run, or answers to a question, are shown, and how many relevant ones further down
    """

    def __init__(self, scores: Scores, texts: Mapping[str, str] | None = None, *, depth: int = DEPTH) -> None:
        self.depth: int = checked("depth", depth, POSITIVE)
        self._scores = scores
        self._views = [scores.run(run).views for run in scores.runs]
        self._known = [views for views in self._views if views is not None]
        self._kind = _items_of(scores.task.name) if self._known else None
        self._texts = _texts_by_topic(scores.topics, texts or {})

    @property
    def known(self) -> bool:
        """Whether the items of runs, or topic texts, are known."""
        return self.returned or bool(self._texts)

    @property
    def returned(self) -> bool:
        """Whether the items of runs are known."""
        return self._kind is not None

    @property
    def of_documents(self) -> bool:
        """Whether runs returned documents rather than answers."""
        return bool(getattr(self._kind, "of_documents", False))

    @property
    def most(self) -> int:
        """The highest possible number of documents or answers."""
        each = self.depth if self._kind is not None and self._scores.task.name != "outcomes" else 1
        return len(self._scores.topics) * len(self._known) * each

    def some(self, places: Sequence[int]) -> Iterator[TopicItems]:
        """Yield the items of some topics, by their places; each run is read once, before the first."""
        scores, texts = self._scores, self._texts
        if self._kind is None:
            nothing = ((),) * len(self._views), ("",) * len(self._views)
            for place in places:
                topic = scores.topics[place]
                yield TopicItems(topic, texts.get(topic), (), _fields(scores, place), *nothing)
            return
        gatherer = self._kind(self._known, places)
        unknown: RunItems = (), "numbers alone are known of this run"

        def of_run(views: Any) -> Iterable[RunItems]:
            return repeat(unknown) if views is None else gatherer.of_run(views, places, self.depth)

        several = scores.task.ahead and len(self._views) > 1
        by_run = list(ahead(of_run, self._views) if several else map(of_run, self._views))
        if not self.of_documents:
            from assay.formats.harness.logs import forget_decoded_log

            forget_decoded_log()
        # `unknown` repeats without end.
        for place, gathered in zip(places, zip(*by_run, strict=False), strict=False):
            yield _topic(scores, place, gatherer, gathered, texts)


def items(
    scores: Scores,
    texts: Mapping[str, str] | None = None,
    documents: Mapping[str, str] | None = None,
    *,
    depth: int = DEPTH,
) -> tuple[TopicItems, ...]:
    """Return what every run returned on every topic, in the order of the table's topics.

    scores      the table; there are no entries where it has numbers alone, or the task has no items
    texts       by topic, what was asked
    documents   by document, how it begins
    depth       documents of each run, or answers to a question, that are shown; as many relevant ones further down

    >>> import assay
    >>> [topic] = items(assay.evaluate({"q1": {"d1": 1, "d2": 1}}, {"r": {"q1": {"d0": 2.0, "d1": 1.0}}}))
    >>> [(entry.rank, entry.text, entry.verdict) for entry in topic.entries[0]], topic.gold
    ([(1, 'd0', 'unjudged'), (2, 'd1', 'relevant')], ('d2',))
    """
    every = LazyItems(scores, texts, depth=depth)
    topic_items = list(every.some(range(len(scores.topics))))
    return tuple(with_snippets(topic_items, documents) if documents and every.of_documents else topic_items)


def _topic(
    scores: Scores, place: int, gatherer: Any, gathered: Sequence[RunItems], texts: Mapping[str, str]
) -> TopicItems:
    topic = scores.topics[place]
    return TopicItems(
        topic,
        texts.get(topic) or gatherer.text(place),
        gatherer.gold(place),
        {**gatherer.fields(place), **_fields(scores, place)},
        tuple(entries for entries, _ in gathered),
        tuple(more for _, more in gathered),
    )


def _fields(scores: Scores, place: int) -> dict[str, str]:
    """Return the gold's fields of a topic, except its text."""
    fields = {name: values[place] for name, values in scores.fields.items() if name not in ASKING}
    return {name: str(value) for name, value in fields.items() if value is not None}


def _texts_by_topic(topics: Sequence[str], texts: Mapping[str, str]) -> dict[str, str]:
    """Return the texts of the table's topics; topic 51 may be called 051 in TREC's files."""
    plain = {topic.lstrip("0"): text for topic, text in texts.items()}
    by_topic = {topic: texts.get(topic, plain.get(topic.lstrip("0"))) for topic in topics}
    return {topic: text for topic, text in by_topic.items() if text is not None}


def documents_of(topics: Iterable[TopicItems]) -> set[str]:
    """Return the ids of all documents shown for some topics of a document task."""
    return {entry.text for topic in topics for entries in topic.entries for entry in entries}


def with_snippets(topics: Iterable[TopicItems], snippets: Mapping[str, str]) -> list[TopicItems]:
    """Return the topics with a snippet as the detail of each document that has one."""
    return [
        replace(
            topic,
            entries=tuple(
                tuple(e.but(detail=snippets[e.text]) if e.text in snippets else e for e in entries)
                for entries in topic.entries
            ),
        )
        for topic in topics
    ]
