"""The items of a report: what runs returned, with the texts of topics and documents from files that a caller names."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

from assay.errors import InputError
from assay.figures.items import LazyItems, TopicItems, documents_of, with_snippets
from assay.formats.auxiliary.documents import read_documents, snippet
from assay.formats.auxiliary.topics import read_topics
from assay.io.heads import is_mapping
from assay.io.sources import source_of
from assay.table.scores import Scores

HELD = 10_000
"""Answers that are in memory at once; they may be long."""
HELD_DOCUMENTS = 500_000
"""Documents that are, as ids and scores; their runs are read again for each such part of the topics."""


class ReportItems:
    """What every run returned, topic by topic, when somebody asks. Texts of topics are read at once, of documents by need.

    scores     the table behind the report
    topics     a file with the texts of topics, or {topic: text}
    docs       a file with the texts of documents, or {document: text}
    warnings   what could not be found is added to it
    """

    def __init__(self, scores: Scores, topics: Any, docs: Any, warnings: list[str]) -> None:
        texts = None if topics is None else _texts(scores, topics, warnings)
        self._made_from = (scores, texts)
        self._docs = docs
        self._warnings = warnings
        self._places = {topic: place for place, topic in enumerate(scores.topics)}
        self._runs = {run: place for place, run in enumerate(scores.runs)}
        self._items = LazyItems(scores, texts)

    def __reduce__(self) -> tuple[Any, ...]:
        """Pickle without what the runs returned: a pickled table holds its numbers alone."""
        return ReportItems, (*self._made_from, self._docs, self._warnings)

    def __deepcopy__(self, memo: dict[int, Any]) -> ReportItems:
        return self

    @property
    def known(self) -> bool:
        """Whether there is anything to show."""
        return self._items.known

    @property
    def returned(self) -> bool:
        """Whether anything is known of what runs returned."""
        return self._items.returned

    @property
    def most(self) -> int:
        """How many documents or answers there may be in all."""
        return self._items.most

    @property
    def batch(self) -> int:
        """How many topics to ask for at once: documents of all of them stand in the same files, answers may be long."""
        if self._items.of_documents and self._docs is not None:
            return len(self._places)  # whether texts are missing is known of all topics alone
        held = HELD_DOCUMENTS // self._items.depth if self._items.of_documents else HELD
        return max(1, held // max(1, len(self._runs)))

    def of(self, topics: Sequence[str], runs: Sequence[str]) -> Iterator[TopicItems]:
        """What some runs returned on some topics."""
        places = [self._runs[run] for run in runs]
        found: Iterable[TopicItems] = self._items.some([self._places[topic] for topic in topics])
        if self._docs is not None and not self._items.of_documents:
            self._warn(f"{_name(self._docs)}: was not read, for nothing that is known of these runs is a document")
        elif self._docs is not None:
            found = list(found)
            found = with_snippets(found, self._snippets(documents_of(found), of_all=len(topics) == len(self._places)))
        return (
            replace(one, entries=tuple(one.entries[i] for i in places), more=tuple(one.more[i] for i in places))
            for one in found
        )

    def _snippets(self, wanted: Collection[str], *, of_all: bool) -> Mapping[str, str]:
        """How documents begin. That all are missing is an error, and that some are is said, where they are those `of_all` topics:
        of one topic nobody can tell."""
        docs = self._docs
        if is_mapping(docs):
            found = {str(name): snippet(str(text)) for name, text in docs.items() if str(name) in wanted}
        else:
            found = read_documents(source_of(docs), wanted)
        if wanted and not found and of_all:
            raise InputError(
                f"{_name(docs)}: has none of the {len(wanted)} documents that are shown; do the ids agree?"
            )
        if len(found) < len(wanted) and of_all:
            self._warn(f"{_name(docs)}: has no text of {len(wanted) - len(found)} documents that are shown")
        return found

    def _warn(self, line: str) -> None:
        if line not in self._warnings:
            self._warnings.append(line)


def _texts(scores: Scores, topics: Any, warnings: list[str]) -> dict[str, str]:
    """The texts of topics, some of which must be the table's."""
    texts = {str(k): str(v) for k, v in topics.items()} if is_mapping(topics) else read_topics(source_of(topics))
    # TREC's files call topic 51 also 051.
    known = {topic.lstrip("0") for topic in texts}
    absent = [topic for topic in scores.topics if topic not in texts and topic.lstrip("0") not in known]
    if len(absent) == len(scores.topics):
        raise InputError(
            f"{_name(topics)}: has no {scores.task.noun} of these runs: it has such as {_first(texts)}, they have such as "
            f"{scores.topics[0]!r}"
        )
    if absent:
        warnings.append(f"{_name(topics)}: has no text of {len(absent)} {scores.task.noun}s, such as {absent[0]!r}")
    return texts


def _first(names: Mapping[str, Any] | Sequence[str]) -> str:
    return repr(next(iter(names), None))


def _name(thing: Any) -> str:
    return "the texts" if is_mapping(thing) else source_of(thing).name
