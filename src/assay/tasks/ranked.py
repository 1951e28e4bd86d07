"""Ranked retrieval: TREC qrels and runs.

Order is settled in the core: score descending, then document id descending as bytes; the rank column is ignored.
"""

from __future__ import annotations

from assay.core.binding import LIBRARY
from assay.core.measure_plans import measured
from assay.errors import InputError
from assay.formats.ranked.subtopic_recognition import second_varies
from assay.formats.ranked.trec import read_qrels, read_run
from assay.io.file_pieces import Pieces
from assay.io.sources import readable_again
from assay.measures.registry import find
from assay.measures.views.ranked import Judgments, RankedView
from assay.settings import POSITIVE, WHOLE, YES_OR_NO, Settings, option
from assay.table.notes import Notes
from assay.tasks import Task, TaskGold

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence
    from typing import Any

    from assay.core import Gold, Ranked
    from assay.formats.ranked.top_documents import Documents
    from assay.io.sources import Source
    from assay.measures.measure import Measure


CONFIDENCES = ("max", "std", "diff1")
"""What of a ranking's scores may say how sure the run was, as `confidence_of` gives them."""


class RankedSettings(Settings):
    """The choices of ranked retrieval."""

    depth: int | None = option(None, POSITIVE, "look at the first N documents of each topic only")
    level: int = option(1, WHOLE, "lowest grade that is relevant (default 1)")
    judged_only: bool = option(False, YES_OR_NO, "drop documents without a judgment first")


class RankedGold(TaskGold):
    """The judgments, with what every run needs of each topic."""

    relevant_only = False
    """Whether nobody will ask for documents of a run that are judged and not relevant."""

    def __init__(self, gold: Gold, name: str) -> None:
        self.core = gold
        self.name = name
        self.topics = gold.topics
        self._judgments: list[Judgments] | None = None

    def for_measures(self, measures: Sequence[Measure], settings: RankedSettings) -> RankedGold:
        """The same for runs of which these measures are all that is wanted: those that the core computes need no more than where the
        relevant documents stand, whoever computes them."""
        by_core = LIBRARY is not None and settings.level == 1 and all(m.kernel() is not None for m in measures)
        if not by_core:
            return self
        found = object.__new__(type(self))
        vars(found).update(vars(self), relevant_only=True)
        return found

    @property
    def judgments(self) -> list[Judgments]:
        """What a view shows of each topic's judgments; made when the first view is."""
        if self._judgments is None:  # by hand: functools would be imported by evaluations that make no view
            self._judgments = list(map(Judgments, map(self.core.grades, range(len(self.topics)))))
        return self._judgments

    def documents(self, topic: int) -> list[tuple[str, int]]:
        """A topic's documents with their grades, in the order they were given; taken from the core once for all runs."""
        known = self.judgments[topic].memo
        if "documents" not in known:
            known["documents"] = self.core.documents(topic)
        return known["documents"]

    def judged(self, topic: int) -> dict[str, int]:
        """The documents of a topic that somebody judged, with their grades."""
        return {document: grade for document, grade in self.documents(topic) if grade >= 0}

    def views(self, ranked: Ranked, source: Source, level: int) -> RankedViews:
        """A run that the core has joined with them."""
        return RankedViews(self, ranked, source, level)


class RankedViews:
    """One run joined with the judgments, a view per topic of the gold."""

    def __init__(self, gold: RankedGold, ranked: Ranked, source: Source, level: int) -> None:
        self.gold = gold
        self.level = level
        self._ranked = ranked
        self.read_first: Callable[[int, Sequence[int]], list[Documents]] | None = None
        """(depth, places): the first documents of some topics, read from the run when somebody wants them."""
        self.name = source.label or ranked.tag or source.stem
        self.file = source.name if source.is_bytes else None
        self.missing: Sequence[bool] = [count < 0 for count in ranked.num_ret]
        self.notes = Notes(ignored_topics=ranked.ignored or None)
        self._sure: list[tuple[float, float, float] | None] | None = None

    def __iter__(self) -> Iterator[RankedView]:
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
        """A column for each of some kernels of the core; nothing where the interpreter must measure."""
        return measured(self._ranked, kernels, self.gold.core.largest, self.level)

    def pooled_numbers(self, topic: int) -> tuple[list[int], list[int]]:
        """Ranks of the documents of a topic that the gold names, rising, and their numbers among the gold's."""
        return self._ranked.pooled(topic)

    def retrieved(self, topic: int) -> int | None:
        """How many documents the run has for a topic; None where it lacks the topic."""
        return None if self.missing[topic] else self._ranked.num_ret[topic]

    def found(self, topic: int, least: int = 0) -> tuple[list[int], list[int]]:
        """Ranks of the documents of at least a grade that the run has for a topic, rising, and their numbers among the gold's."""
        return self._ranked.graded(topic, least)

    def column(self, name: str) -> list[Any]:
        """`relevant_ranks`, where each topic's relevant documents stand; `score_max`, `score_std` and `score_diff1`, what the
        run's own scores say; and any measure by its name."""
        if name == "relevant_ranks":
            return [view.relevant() for view in self]
        if name.removeprefix("score_") in CONFIDENCES:
            return [
                None if one is None else one[CONFIDENCES.index(name.removeprefix("score_"))] for one in self._sureness()
            ]
        function = find(name, "ranked").bound()
        return [function(view) for view in self]

    def _sureness(self) -> list[tuple[float, float, float] | None]:
        """Per topic, what the run's own scores say of how sure it is; None of a topic that it lacks."""
        if self._sure is not None:
            return self._sure
        if self.read_first is None:
            raise InputError(
                f"{self.name}: its scores are needed a second time, and a pipe is read but once; give it as a file"
            )
        from assay.measures.ranked_abstention import confidence_of

        places = [place for place, gone in enumerate(self.missing) if not gone]
        first = self.read_first(max(self._ranked.num_ret), places)
        found = {
            place: confidence_of([score for _, score in documents])
            for place, documents in zip(places, first, strict=True)
        }
        self._sure = [found.get(place) for place in range(len(self.missing))]
        return self._sure


def read(source: Source, runs: Sequence[Source], settings: RankedSettings) -> RankedGold:
    """The judgments of a qrels file, dict or data frame."""
    gold = RankedGold(read_qrels(source), source.name)
    if len(source.head.words) == 4 and second_varies(source.head):
        gold.warnings = [
            f"{source.name}: its second field is not the same everywhere, and was ignored; "
            "where it names subtopics, `task='diversity'`"
        ]
    return gold


def join(gold: RankedGold, source: Source, settings: RankedSettings) -> list[RankedViews]:
    """A run joined with the judgments."""
    options: dict[str, Any] = {"depth": settings.depth, "judged_only": settings.judged_only}
    ranked = read_run(source, gold.core, relevant_only=gold.relevant_only, **options)
    if max(ranked.num_ret, default=-1) < 0:
        found = f"has topics such as {ranked.unjudged_topic!r}" if ranked.ignored else "has no topics"
        raise InputError(
            f"{source.name}: no topic in common with {gold.name}: it {found}, "
            f"the judgments have topics such as {gold.topics[0]!r}"
        )
    views = gold.views(ranked, source, settings.level)
    again = None if gold.relevant_only else readable_again(source)
    if again is not None:
        pieces = Pieces(again)
        views.read_first = lambda depth, places: _first(gold, again, pieces, settings, depth, places)
    return [views]


def _first(
    gold: RankedGold, source: Source, file: Pieces, settings: RankedSettings, depth: int, places: Sequence[int]
) -> list[Documents]:  # fmt: skip
    """What a run puts first on some topics, as far down as it is looked at."""
    file.check()
    deep = depth if settings.depth is None else min(depth, settings.depth)
    judged = (lambda number: gold.judged(places[number])) if settings.judged_only else None
    from assay.formats.ranked.top_documents import top_documents

    # A source holds on to how it begins, which of a thousand runs would stay for nothing.
    return top_documents(readable_again(source) or source, [gold.topics[place] for place in places], deep, judged)


def one_run(runs: Mapping[Any, Any]) -> bool:
    """{topic: {document: score}}: topics that hold documents, of which the first holds nothing."""
    values = list(runs.values())
    flat = all(isinstance(v, dict) and not isinstance(next(iter(v.values()), None), dict) for v in values)
    return flat and any(values)


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
    ahead=True,
)
