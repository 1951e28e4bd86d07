"""The documents and answers that runs returned, by topic, with texts of topics and documents."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

from assay.errors import InputError
from assay.figures.items.lazy_items import LazyItems, documents_of, with_snippets
from assay.figures.items.model import TopicItems
from assay.io.heads import is_mapping
from assay.io.sources import source_of
from assay.table.scores import Scores

MAX_TITLE = 56
"""Letters of a topic's title."""
MAX_ANSWERS_IN_MEMORY = 10_000
"""Answers in memory at once; each may be long."""
MAX_DOCUMENTS_IN_MEMORY = 500_000
"""Documents (ids and scores) in memory at once; the runs are read again for each batch of topics."""


class ReportItems(LazyItems):
    """The results of every run by topic, read on request; texts of topics are read immediately.

    scores     the table behind the report
    topics     a file with the texts of topics, or {topic: text}
    docs       a file with the texts of documents, or {document: text}
    warnings   texts that are missing are added to it
    """

    def __init__(self, scores: Scores, topics: Any, docs: Any, warnings: list[str]) -> None:
        texts = None if topics is None else _texts(scores, topics, warnings)
        super().__init__(scores, texts)
        self._given_texts = texts
        self._docs = docs
        self._warnings = warnings
        self._places = {topic: place for place, topic in enumerate(scores.topics)}
        self._runs = {run: place for place, run in enumerate(scores.runs)}

    def __reduce__(self) -> tuple[Any, ...]:
        """Pickle without the results of runs: a pickled table contains only numbers."""
        return ReportItems, (self._scores, self._given_texts, self._docs, self._warnings)

    def __deepcopy__(self, memo: dict[int, Any]) -> ReportItems:
        return self

    @property
    def titles(self) -> dict[str, str]:
        """By topic, the beginning of its text, where texts were given."""
        return {topic: shortened(text) for topic, text in self._texts.items()} if self._given_texts else {}

    @property
    def batch(self) -> int:
        """How many topics to request at once, so that their results fit in memory."""
        if self.of_documents and self._docs is not None:
            return len(self._places)  # only all topics together show whether texts are missing
        most = MAX_DOCUMENTS_IN_MEMORY // self.depth if self.of_documents else MAX_ANSWERS_IN_MEMORY
        return max(1, most // max(1, len(self._runs)))

    def of(self, topics: Sequence[str], runs: Sequence[str]) -> Iterator[TopicItems]:
        """Return the results of some runs on some topics."""
        places = [self._runs[run] for run in runs]
        gathered: Iterable[TopicItems] = self.some([self._places[topic] for topic in topics])
        if self._docs is not None and not self.of_documents:
            self._warn(f"{_name(self._docs)}: is ignored: these runs returned no documents")
        elif self._docs is not None:
            gathered = list(gathered)
            gathered = with_snippets(
                gathered, self._snippets(documents_of(gathered), of_all=len(topics) == len(self._places))
            )
        return (
            replace(item, entries=tuple(item.entries[i] for i in places), more=tuple(item.more[i] for i in places))
            for item in gathered
        )

    def _snippets(self, documents: Collection[str], *, of_all: bool) -> Mapping[str, str]:
        """Return the beginnings of documents; `of_all` topics, raise if all are missing and warn if some are."""
        from assay.formats.auxiliary.documents import read_documents, snippet

        docs = self._docs
        if is_mapping(docs):
            snippets = {str(name): snippet(str(text)) for name, text in docs.items() if str(name) in documents}
        else:
            snippets = read_documents(source_of(docs), documents)
        if documents and not snippets and of_all:
            raise InputError(
                f"{_name(docs)}: has none of the {len(documents)} documents that are shown. Fix: use the ids of the runs"
            )
        if len(snippets) < len(documents) and of_all:
            self._warn(f"{_name(docs)}: has no text for {len(documents) - len(snippets)} documents that are shown")
        return snippets

    def _warn(self, line: str) -> None:
        if line not in self._warnings:
            self._warnings.append(line)


def shortened(text: str) -> str:
    """Return a text as a title: its first line, cut after a word.

    >>> shortened("The capitals of Africa\\nWhich country has which?"), shortened("word " * 20)
    ('The capitals of Africa', 'word word word word word word word word word word word…')
    """
    first = next((line for line in map(str.strip, text.splitlines()) if line), "")
    if len(first) <= MAX_TITLE:
        return first
    return f"{first[: MAX_TITLE + 1].rpartition(' ')[0] or first[:MAX_TITLE]}…"


def _texts(scores: Scores, topics: Any, warnings: list[str]) -> dict[str, str]:
    """Read the texts of topics; at least one must be a topic of the table."""
    from assay.formats.auxiliary.topics import read_topics

    texts = {str(k): str(v) for k, v in topics.items()} if is_mapping(topics) else read_topics(source_of(topics))
    # Files of TREC write topic 51 as 51 or 051.
    known = {topic.lstrip("0") for topic in texts}
    absent = [topic for topic in scores.topics if topic not in texts and topic.lstrip("0") not in known]
    if len(absent) == len(scores.topics):
        raise InputError(
            f"{_name(topics)}: has no {scores.task.noun} of these runs: its ids are like {_first(texts)}, those of the runs like "
            f"{scores.topics[0]!r}"
        )
    if absent:
        warnings.append(f"{_name(topics)}: has no text for {len(absent)} {scores.task.noun}s, such as {absent[0]!r}")
    return texts


def _first(names: Mapping[str, Any] | Sequence[str]) -> str:
    return repr(next(iter(names), None))


def _name(thing: Any) -> str:
    return "the texts" if is_mapping(thing) else source_of(thing).name
