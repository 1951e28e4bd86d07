"""Ranked retrieval and known-item search: TREC qrels and runs.

Order is settled in the core: score descending, then document id descending as bytes; the rank column is ignored.
"""

from __future__ import annotations

from assay.errors import InputError
from assay.io.heads import is_mapping, is_records
from assay.settings import FILE, FOR_UNDEFINED, NO_VALUE, POSITIVE, WHOLE, YES_OR_NO, Settings, one_of, option
from assay.table.notes import Notes
from assay.tasks import Task, TaskGold

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence
    from typing import Any

    from assay.core import Gold, Ranked
    from assay.io.file_pieces import Pieces
    from assay.io.sources import Source
    from assay.measures.measure import Measure
    from assay.measures.views.ranked import Judgments, RankedView
    from assay.tasks.top_documents import Documents

LISTS = (list, tuple, set, frozenset)
RESPONSE = {"took", "metric_score"}
"""Keys of a search engine's response, which is one run."""
CONFIDENCES = ("max", "std", "diff1")
"""The confidences derived from the scores of a ranking, in the order of `confidence_of`."""


class RankingSettings(Settings):
    """The choices of ranked retrieval."""

    depth: int | None = option(None, POSITIVE, "look at the first N documents of each topic only")
    level: int = option(1, WHOLE, "lowest grade that is relevant (default 1)")
    judged_only: bool = option(False, YES_OR_NO, "drop documents without a judgment first")


class RankedSettings(RankingSettings):
    """The settings of ranked retrieval itself, which other tasks of rankings lack."""

    understandability: Any = option(None, FILE, "ranked: how easy each document is to understand, as qrels (uRBP)")


class RankedGold(TaskGold):
    """The judgments of a ranked task."""

    relevant_only = False
    """Whether the runs may leave out documents judged not relevant."""

    def __init__(self, gold: Gold, name: str) -> None:
        self.core = gold
        self.name = name
        self.topics: list[str] = gold.topics
        self._judgments: list[Judgments] | None = None

    def for_measures(self, measures: Sequence[Measure], settings: RankingSettings) -> RankedGold:
        """Return the gold for these measures: relevant documents only, where the core computes them all."""
        from assay.core.binding import LIBRARY

        by_core = LIBRARY is not None and settings.level == 1 and all(m.kernel() is not None for m in measures)
        if not by_core:
            return self
        gold = object.__new__(type(self))
        vars(gold).update(vars(self), relevant_only=True)
        return gold

    @property
    def judgments(self) -> list[Judgments]:
        """The judgments by topic, computed for the first view."""
        from assay.measures.views.ranked import Judgments

        if self._judgments is None:  # cached_property would import functools in evaluations without views
            self._judgments = list(map(Judgments, map(self.core.grades, range(len(self.topics)))))
        return self._judgments

    def documents(self, topic: int) -> list[tuple[str, int]]:
        """Return a topic's documents with their grades, in the order of the file; cached for all runs."""
        known = self.judgments[topic].memo
        if "documents" not in known:
            known["documents"] = self.core.documents(topic)
        return known["documents"]

    def judged(self, topic: int) -> dict[str, int]:
        """Return the judged documents of a topic with their grades."""
        return {document: grade for document, grade in self.documents(topic) if grade >= 0}

    def views(self, ranked: Ranked, source: Source, level: int) -> RankedViews:
        """Return the views of a run joined with this gold."""
        return RankedViews(self, ranked, source, level)


def retrieves_nothing_relevant(ranked: Ranked) -> bool:
    """Return whether a run retrieves documents, and none of them is relevant: mostly its ids are written in another way."""
    retrieving = [topic for topic, count in enumerate(ranked.num_ret) if count > 0]
    return bool(retrieving) and not any(ranked.relevant(topic)[0] for topic in retrieving)


class RankedViews:
    """One run joined with the judgments, a view per topic of the gold."""

    def __init__(self, gold: RankedGold, ranked: Ranked, source: Source, level: int) -> None:
        self.gold = gold
        self.level = level
        self._ranked = ranked
        self.read_first: Callable[[int, Sequence[int]], list[Documents]] | None = None
        """(depth, topics): the first documents of some topics, read from the run a second time."""
        self.name: str = source.label or ranked.tag or source.stem
        self.file: str | None = source.name if source.is_bytes else None
        self.missing: Sequence[bool] = [count < 0 for count in ranked.num_ret]
        warnings = [f"{self.name}: {assumption}" for assumption in source.assumptions]
        if retrieves_nothing_relevant(ranked):
            warnings.append(
                f"{self.name}: no relevant document was retrieved for any topic; check that run and judgments name documents alike"
            )
        self.notes: Notes = Notes(ignored_topics=ranked.ignored or None, warnings=warnings)
        self._cached_confidences: list[tuple[float, float, float] | None] | None = None

    def __iter__(self) -> Iterator[RankedView]:
        from assay.measures.views.ranked import RankedView

        ranked, level = self._ranked, self.level
        empty: tuple[list[int], list[int], list[int]] = ([], [], [])
        from functools import partial

        for topic, judgments in enumerate(self.gold.judgments):
            count = ranked.num_ret[topic]
            if count < 0:
                yield RankedView(judgments, 0, empty, tuple, level)
            else:
                yield RankedView(judgments, count, ranked.relevant(topic), partial(ranked.pooled_grades, topic), level)

    def measured(self, kernels: Sequence[tuple[str, int | None]]) -> list[Sequence[float | None]] | None:
        """Return a column for each kernel of the core; None where Python must compute the measures."""
        from assay.core.measure_plans import measured

        return measured(self._ranked, kernels, self.gold.core.largest, self.level)

    def pooled_numbers(self, topic: int) -> tuple[list[int], list[int]]:
        """Return the ranks, ascending, of a topic's documents in the gold, and their indices there."""
        return self._ranked.pooled(topic)

    def retrieved(self, topic: int) -> int | None:
        """Return how many documents the run has for a topic; None where it lacks the topic."""
        return None if self.missing[topic] else self._ranked.num_ret[topic]

    def found(self, topic: int, least: int = 0) -> tuple[list[int], list[int]]:
        """Return the ranks, ascending, of a topic's documents with at least a grade, and their indices in the gold."""
        return self._ranked.graded(topic, least)

    def column(self, name: str) -> list[Any]:
        """Return a value per topic: `relevant_ranks`, `score_max`, `score_std`, `score_diff1` or a measure."""
        from assay.measures.registry import find

        if name == "relevant_ranks":
            return [view.relevant() for view in self]
        if name.removeprefix("score_") in CONFIDENCES:
            index = CONFIDENCES.index(name.removeprefix("score_"))
            return [None if values is None else values[index] for values in self._confidences()]
        function = find(name, "ranked").bound()
        return [function(view) for view in self]

    def _confidences(self) -> list[tuple[float, float, float] | None]:
        """Return the confidences of each topic; None for a topic that the run lacks."""
        if self._cached_confidences is not None:
            return self._cached_confidences
        if self.read_first is None:
            raise InputError(
                f"{self.name}: its scores are needed a second time, and a pipe is read but once; give it as a file"
            )
        from assay.measures.ranked_abstention import confidence_of

        topics = [topic for topic, is_missing in enumerate(self.missing) if not is_missing]
        first = self.read_first(max(self._ranked.num_ret), topics)
        by_topic = {
            topic: confidence_of([score for _, score in documents])
            for topic, documents in zip(topics, first, strict=True)
        }
        self._cached_confidences = [by_topic.get(topic) for topic in range(len(self.missing))]
        return self._cached_confidences


ONLY_RETRIEVED = "judged by {}; documents that no file has retrieved are unknown, so recall, AP and nDCG are too high"


def read(source: Source | None, runs: Sequence[Source], settings: RankingSettings) -> RankedGold:
    """Read the judgments of a qrels file, dict or data frame, and those of understandability if given.

    Without a source, the judgments are those of the runs.
    """
    from assay.formats.ranked.trec import read_qrels, second_varies

    judged, name = (_judgments_of(runs), "the runs") if source is None else (read_qrels(source), source.name)
    second = getattr(settings, "understandability", None)
    files = [] if source is None else [source]
    if second is None:
        gold = RankedGold(judged, name)
    else:
        from assay.io.sources import source_of
        from assay.tasks.understandability import UnderstandableGold

        files.append(source_of(second))
        gold = UnderstandableGold(judged, name, files[-1])
    gold.warnings = [*gold.warnings, *(f"{file.name}: {each}" for file in files for each in file.assumptions)]
    if source is None:
        judge = "the files themselves" if len(runs) > 1 else runs[0].name
        gold.warnings = [*gold.warnings, ONLY_RETRIEVED.format(judge)]
    elif len(source.head.words) == 4 and second_varies(source.head):
        gold.warnings = [
            *gold.warnings,
            f"{source.name}: its second field is not the same everywhere, and was ignored; "
            "where it names subtopics, `task='diversity'`",
        ]
    return gold


def _judgments_of(runs: Sequence[Source]) -> Gold:
    """Return the judgments of all runs together; two runs must agree on a document."""
    from assay.formats import frames
    from assay.formats.ranked.trec import nested, pack_gold
    from assay.io.sources import Source

    judged: dict[str, dict[str, int]] = {}
    for run in runs:
        for topic, documents in nested(run, frames.GRADE).items():
            known = judged.setdefault(topic, {})
            for document, grade in documents.items():
                if known.setdefault(document, grade) != grade:
                    what = f"document {document} has the grade {grade} in topic {topic}, and {known[document]} in another run"
                    raise InputError(f"{run.name}: {what}; expected one judgment of it")
    return pack_gold(judged, Source("the runs"))


def join(gold: RankedGold, source: Source, settings: RankingSettings) -> list[RankedViews]:
    """Join a run with the judgments."""
    from assay.io.sources import readable_again
    from assay.tasks.ranked_runs import rank_run

    options: dict[str, Any] = {"depth": settings.depth, "judged_only": settings.judged_only}
    ranked = rank_run(source, gold.core, relevant_only=gold.relevant_only, **options)
    check_common(source, ranked, gold.name, gold.topics)
    views = gold.views(ranked, source, settings.level)
    again = None if gold.relevant_only else readable_again(source)
    if again is not None:
        from assay.io.file_pieces import Pieces

        pieces = Pieces(again)
        views.read_first = lambda depth, topics: _read_first(gold, again, pieces, settings, depth, topics)
    return [views]


def check_common(source: Source, ranked: Ranked, gold: str, topics: Sequence[str]) -> None:
    """Refuse a run without any topic of the gold; say so where only the prefix of the topics differs."""
    if max(ranked.num_ret, default=-1) >= 0:
        return
    from assay.formats.id_prefixes import prefix_hint

    here = f"has topics such as {ranked.unjudged_topic!r}" if ranked.ignored else "has no topics"
    problem = f"no topic in common with {gold}: it {here}, the judgments have topics such as {topics[0]!r}"
    raise InputError(
        f"{source.name}: {problem}{prefix_hint(ranked.unjudged_topic, topics, gold) if ranked.ignored else ''}"
    )


def _read_first(
    gold: RankedGold, source: Source, file: Pieces, settings: RankingSettings, depth: int, topics: Sequence[int]
) -> list[Documents]:  # fmt: skip
    """Return the first documents of some topics, down to the depth of the settings."""
    from assay.io.sources import readable_again
    from assay.tasks.top_documents import top_documents

    file.check()
    depth = depth if settings.depth is None else min(depth, settings.depth)
    judged = (lambda i: gold.judged(topics[i])) if settings.judged_only else None
    # A new source: a source keeps its head, which would stay in memory for each of a thousand runs.
    return top_documents(readable_again(source) or source, [gold.topics[topic] for topic in topics], depth, judged)


def one_run(runs: Mapping[Any, Any]) -> bool:
    """Return whether this is one run, {topic: {document: score}} or {topic: [documents]}, and not several by name."""
    if not RESPONSE.isdisjoint(runs) and any(is_mapping(value) and value for value in runs.values()):
        return True
    values = list(runs.values())
    return all(map(_is_ranking, values)) and any(values)


def one_table(runs: Any, columns: Any) -> bool:
    """Return whether a list of dicts is one run, as retrieval tools write them, and not several."""
    return is_records(runs) and not {"ctxs", "output"}.isdisjoint(runs[0])


def _is_ranking(value: Any) -> bool:
    """Return whether this has the documents of one topic: {document: score}, a list of them, or a search engine's response."""
    if is_mapping(value):
        first: Any = next(iter(value.values()), None)
        return "hits" in value or not (is_mapping(first) or isinstance(first, LISTS))
    return isinstance(value, LISTS) and not any(isinstance(v, (dict, *LISTS)) and "_id" not in v for v in value)


TASK = Task(
    name="ranked",
    title="Ranked retrieval",
    noun="topic",
    headline="AP",
    defaults=("AP", "nDCG@10", "nDCG", "P@10", "R@1000", "RR", "Rprec", "Bpref"),
    settings=RankedSettings,
    read=read,
    join=join,
    one_run=one_run,
    one_table=one_table,
    ahead=True,
)


class KnownItemSettings(RankingSettings):
    """The settings of known-item search, where only the rank of the first right item counts."""

    undefined: str = option("skip", one_of(*FOR_UNDEFINED), NO_VALUE)


KNOWN_ITEM = TASK.but(
    name="known-item",
    title="Known-item search",
    headline="RR",
    defaults=("RR", "Success@1", "Success@10", "Found@1", "Found@10", "NotFound@100"),
    settings=KnownItemSettings,
)
