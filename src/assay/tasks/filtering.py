"""Filtering, batch and adaptive: a run is an unordered set of documents per topic.

A topic without lines is an empty set: a zero return and not a missing topic, unless `missing=` is set. Retrieved documents without
a judgment are not relevant, unless `judged_only=True` drops them.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from assay.core import Gold
from assay.errors import FormatError, InputError, UsageError
from assay.formats.id_prefixes import prefix_hint
from assay.formats.ranked.filtering import Periods, RetrievedSets, read_periods, read_sets
from assay.formats.ranked.trec import read_qrels
from assay.io.sources import Source, source_of
from assay.measures.filtering import SetView
from assay.settings import FILE, FOR_UNDEFINED, NO_VALUE, POSITIVE, WHOLE, YES_OR_NO, Settings, one_of, option
from assay.table import missing_topics
from assay.table.notes import Notes
from assay.tasks import Task, TaskGold


class FilteringSettings(Settings):
    """The settings of filtering."""

    undefined: str = option("skip", one_of(*FOR_UNDEFINED), NO_VALUE)
    level: int = option(1, WHOLE, "lowest grade that is relevant (default 1)")
    judged_only: bool = option(False, YES_OR_NO, "drop documents without a judgment first")
    periods: Any = option(None, FILE, "filtering: last document of each period, or documents with their times")
    period_count: int | None = option(None, POSITIVE, "into how many periods times are cut (default 4)")


class FilteringGold(TaskGold):
    """The judgments: whether each judged document of a topic is relevant, and the periods if given."""

    def __init__(self, gold: Gold, name: str, level: int, periods: Periods | None) -> None:
        self.name = name
        self.topics: list[str] = gold.topics
        self.index: dict[str, int] = {topic: i for i, topic in enumerate(self.topics)}
        self.judged: list[dict[str, bool]] = [
            {document: grade >= level for document, grade in gold.documents(t) if grade >= 0}
            for t in range(len(self.topics))
        ]
        self.periods = periods
        self.relevant_by_period: list[list[int]] = []
        if periods is not None:
            for topic, judged in zip(self.topics, self.judged, strict=True):
                relevant = [document for document, right in judged.items() if right]
                places = [_period(periods, document, f"{name}: topic {topic}") for document in relevant]
                self.relevant_by_period.append([places.count(p) for p in range(len(periods.labels))])


def _period(periods: Periods, document: str, where: str) -> int:
    place = periods.of(document)
    if place is None:
        raise InputError(f"{where}: {_unknown(periods, document)}")
    return place


def _unknown(periods: Periods, document: str) -> str:
    return f"document {document} has no period in {periods.name}. Fix: add its time, or use the same kind of id."


class FilteringViews:
    """One run as sets of documents: a view per topic of the gold."""

    def __init__(self, gold: FilteringGold, sets: RetrievedSets, source: Source, settings: FilteringSettings) -> None:
        self.gold = gold
        self._sets = sets
        self._judged_only = settings.judged_only
        self.name: str = source.label or sets.tag or source.stem
        self.file: str | None = source.name if source.is_bytes else None
        counted = missing_topics.empty_is_an_answer(settings)
        self.missing: list[bool] = [not counted and topic not in sets.topics for topic in gold.topics]
        ignored = sum(topic not in gold.index for topic in sets.topics)
        self.notes: Notes = Notes(ignored_topics=ignored or None, periods=gold.periods.labels if gold.periods else None)

    def documents(self, topic: int) -> dict[str, int]:
        """Return the documents retrieved for a topic, with their lines."""
        documents = self._sets.topics.get(self.gold.topics[topic], {})
        if not self._judged_only:
            return documents
        judged = self.gold.judged[topic]
        return {document: line for document, line in documents.items() if document in judged}

    def __iter__(self) -> Iterator[SetView]:
        for topic, judged in enumerate(self.gold.judged):
            documents = self.documents(topic)
            hits = sum(judged.get(document, False) for document in documents)
            yield SetView(hits, sum(judged.values()), len(documents))

    def column(self, name: str) -> list[Any]:
        """Return `periods`: for each topic (R+, R+ + R-, R+ + N+) of each period; empty lists without periods."""
        if name != "periods":
            raise KeyError(name)
        return [self._by_period(topic) for topic in range(len(self.gold.topics))]

    def _by_period(self, topic: int) -> list[tuple[int, int, int]]:
        periods = self.gold.periods
        if periods is None:
            return []
        judged = self.gold.judged[topic]
        hits, retrieved = [0] * len(periods.labels), [0] * len(periods.labels)
        for document, line in self.documents(topic).items():
            place = periods.of(document)
            if place is None:
                raise FormatError(self._sets.name, line, _unknown(periods, document))
            retrieved[place] += 1
            hits[place] += judged.get(document, False)
        return list(zip(hits, self.gold.relevant_by_period[topic], retrieved, strict=True))


def read(source: Source, runs: Sequence[Source], settings: FilteringSettings) -> FilteringGold:
    """Read the judgments of a qrels file, dict or data frame, and the periods if given."""
    periods = None
    if settings.periods is not None:
        periods = read_periods(source_of(settings.periods), settings.period_count)
    elif settings.period_count is not None:
        raise UsageError(f"`period_count={settings.period_count}` needs `periods=FILE` with the time of each document")
    return FilteringGold(read_qrels(source), source.name, settings.level, periods)


def join(gold: FilteringGold, source: Source, settings: FilteringSettings) -> list[FilteringViews]:
    """Read a run and join it with the judgments."""
    sets = read_sets(source)
    if not any(topic in gold.index for topic in sets.topics):
        first = next(iter(sets.topics))
        raise InputError(
            f"{source.name}: no topic in common with {gold.name}: it has topics such as {first!r}, "
            f"the judgments have topics such as {gold.topics[0]!r}{prefix_hint(first, gold.index, gold.name)}"
        )
    return [FilteringViews(gold, sets, source, settings)]


def one_run(runs: Mapping[Any, Any]) -> bool:
    """Return whether a mapping is one run, {topic: documents}; runs by name are mappings or bytes."""
    return bool(runs) and not any(hasattr(v, "items") or isinstance(v, (bytes, bytearray)) for v in runs.values())


TASK = Task(
    name="filtering",
    title="Filtering",
    noun="topic",
    headline="T10SU",
    defaults=("NumRet", "NumRelRet", "SetR", "SetP", "T10SU", "T10F", "T10U", "T11SU", "ZeroReturns"),
    settings=FilteringSettings,
    read=read,
    join=join,
    one_run=one_run,
    second_table=True,
)
