"""Rankings held in dicts, joined with the judgments topic by topic: by the core where it can look into dicts, else here.

For a dict that is in memory already both are several times as quick as handing every id to the core: scores are sorted alone,
and only the documents that somebody judged are looked up among them. Order is the same everywhere: score descending, then
id descending.
"""

from __future__ import annotations

from array import array
from bisect import bisect_right
from collections import defaultdict
from functools import partial
from math import nan
from operator import eq
from typing import NamedTuple

from assay.core import dicts_and_frames
from assay.core.binding import Problem
from assay.core.measure_plans import measured
from assay.core.ties import best_first
from assay.measures.views.ranked import Judgments, RankedView

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence
    from typing import Any

    from assay.core import Ranked
    from assay.core.measure_plans import Kernel

LARGEST = 3.4e38
"""Scores beyond the largest float32, and a little before, are infinite there; differences of infinite ones say nothing."""

MANY = 50
"""From how many judged documents on it may be quicker to put all documents in order than to look each of them up."""


class Wanted(NamedTuple):
    """What to compute for every topic of a run."""

    kernels: tuple[Kernel, ...] = ()
    """Names of the core's kernels and the rank each is cut off at, or None."""
    ranks: bool = True
    """Whether views are needed, too."""
    level: int = 1
    """Lowest grade that is relevant."""
    judged_only: bool = False
    """Drop documents without a judgment first."""
    float32: bool = False
    """Compare scores as trec_eval 9 did."""


class JudgedTopics:
    """The judgments of all topics, ready for any number of runs."""

    __slots__ = ("_gold", "_places", "_topics", "judged")

    def __init__(self, judged: dict[str, dict[str, int]]) -> None:
        self.judged = judged
        self._topics: dict[str, JudgedTopic] = {}
        self._gold = _unless_out_of_memory(dicts_and_frames.gold_of_dicts, judged) if judged else None
        """The judgments in the core; None without it, or where it cannot hold them."""
        self._places = {topic: place for place, topic in enumerate(self._gold.topics)} if self._gold else {}

    def views(
        self, run: Mapping[str, Mapping[str, float]], wanted: Wanted
    ) -> Iterator[tuple[str, RankedView | None, list[float] | None]]:
        """Yield the topics that have judgments, in the order of the run: a view, where ranks are wanted, and the kernels.

        Without the core there are no kernels, and always a view.

        >>> topics, wanted = JudgedTopics({"q": {"a": 1}}), Wanted()
        >>> [(topic, view.relevant()) for topic, view, _ in topics.views({"p": {}, "q": {"b": 2.0, "a": 1.0}}, wanted)]
        [('q', [2])]
        """
        if type(run) in (dict, defaultdict):
            run = dict(run)  # the caller may change it while topics are consumed
        ranked, rows = self._from_core(run, wanted)
        if ranked is None:
            yield from self._from_python(run, wanted)
            return
        for topic in run:
            if (place := self._places.get(topic)) is not None:
                values = [value or 0.0 for value in rows[place]]
                yield topic, self._view(topic, ranked, place, wanted.level) if wanted.ranks else None, values

    def _from_core(
        self, run: Mapping[str, Mapping[str, float]], wanted: Wanted
    ) -> tuple[Ranked | None, Sequence[Sequence[float | None]]]:
        """Return the run joined with the judgments, and by topic the values of the kernels; None where Python must join it."""
        if self._gold is None:
            return None, []
        options = {"float32": wanted.float32, "judged_only": wanted.judged_only}
        ranked = _unless_out_of_memory(dicts_and_frames.run_of_dicts, run, self._gold, options)
        columns = None if ranked is None else measured(ranked, wanted.kernels, self._gold.largest, wanted.level)
        if columns is None:
            return None, []
        return ranked, [*zip(*columns, strict=True)] if columns else [()] * len(self._places)

    def _view(self, topic: str, ranked: Ranked, place: int, level: int) -> RankedView:
        pooled = partial(ranked.pooled_grades, place)
        return RankedView(self._topic(topic).judgments, ranked.num_ret[place], ranked.relevant(place), pooled, level)

    def _from_python(
        self, run: Mapping[str, Mapping[str, float]], wanted: Wanted
    ) -> Iterator[tuple[str, RankedView, None]]:
        for topic, documents in run.items():
            check_scores(topic, documents)
            check_ids(topic, documents)
            if topic in self.judged:
                judged_only, float32 = wanted.judged_only, wanted.float32
                ranking = self._topic(topic), documents
                yield topic, view_of(*ranking, level=wanted.level, judged_only=judged_only, float32=float32), None

    def _topic(self, topic: str) -> JudgedTopic:
        known = self._topics.get(topic)
        if known is None:
            known = self._topics[topic] = JudgedTopic(self.judged[topic])
        return known


class JudgedTopic:
    """The judgments of one topic, ready for any number of rankings."""

    __slots__ = ("judged", "judgments", "relevant")

    def __init__(self, judged: Mapping[str, int]) -> None:
        self.judged = judged
        self.judgments = Judgments(sorted(judged.values(), reverse=True))
        self.relevant = [document for document, grade in judged.items() if grade > 0]


def view_of(
    topic: JudgedTopic,
    documents: Mapping[str, float],
    *,
    level: int = 1,
    judged_only: bool = False,
    float32: bool = False,
) -> RankedView:
    """What a measure sees of one ranking.

    topic         its judgments
    documents     {document: score}; no score is NaN
    level         lowest grade that is relevant
    judged_only   drop documents without a judgment first
    float32       compare scores as trec_eval 9 did

    >>> view = view_of(JudgedTopic({"a": 1, "b": 0}), {"x": 3.0, "b": 2.0, "a": 1.0})
    >>> view.relevant(), view.num_ret, view.pooled()
    ([3], 3, [(2, 0), (3, 1)])
    """
    if judged_only:
        judged = topic.judged
        documents = {document: score for document, score in documents.items() if judged.get(document, -1) >= 0}
    ranking = Ranking(documents, float32)
    ranks: list[int] = []
    grades: list[int] = []
    above: list[int] = []
    if documents.keys().isdisjoint(topic.relevant):
        return RankedView(
            topic.judgments, len(documents), (ranks, grades, above), partial(_pooled, topic, ranking), level
        )
    pooled = _pooled(topic, ranking)
    nonrelevant = 0
    for rank, grade in pooled:
        if grade > 0:
            ranks.append(rank)
            grades.append(grade)
            above.append(nonrelevant)
        elif grade == 0:
            nonrelevant += 1
    return RankedView(topic.judgments, len(documents), (ranks, grades, above), lambda: pooled, level)


def _pooled(topic: JudgedTopic, ranking: Ranking) -> list[tuple[int, int]]:
    """Rank and grade of every document that the judgments name."""
    judged, documents = topic.judged, ranking.documents
    if MANY < len(judged) > len(documents) / 4:
        found = enumerate(map(judged.get, ranking.order()), 1)
        return [(rank, grade) for rank, grade in found if grade is not None]
    places = ranking.places([document for document in judged if document in documents])
    return [(rank, judged[document]) for rank, document in places]


class Ranking:
    """The documents of one topic with their scores.

    >>> Ranking({"a": 1.0, "b": 3.0, "c": 1.0}).places(["a", "b"])
    [(1, 'b'), (3, 'a')]
    """

    __slots__ = ("_float32", "documents")

    def __init__(self, documents: Mapping[str, float], float32: bool = False) -> None:
        # Numbers of other types may overflow where two are subtracted (numpy's int8), or refuse a float beside them (Decimal).
        if not {int, float}.issuperset(map(type, documents.values())):
            documents = dict(zip(documents, array("d", list(documents.values())), strict=True))
        self.documents = documents
        self._float32 = float32

    def order(self) -> list[str]:
        """All documents, the first first."""
        documents = self.documents
        order = sorted(documents, key=documents.__getitem__, reverse=True)
        scores = list(map(documents.__getitem__, order))
        if self._float32:
            scores = array("f", scores).tolist()
        if any(map(eq, scores, scores[1:])):
            order = [document for _, document in best_first(zip(scores, order, strict=True))]
        return order

    def places(self, wanted: Sequence[str]) -> list[tuple[int, str]]:
        """Rank and id of a few of the documents, from the first rank on."""
        ascending = sorted(self.documents.values())
        count = len(ascending)
        # Rounding brings together only what is next to each other already. So it is enough to look for neighbours that it
        # may bring together, and nearly always there are none.
        closest, smallest = (2e-7, 2e-45) if self._float32 else (0.0, 0.0)
        places: list[tuple[int, str]] = []
        for document in wanted:
            score = self.documents[document]
            up_to = bisect_right(ascending, score)
            near = closest * abs(score) + smallest
            if (
                (up_to > 1 and score - ascending[up_to - 2] <= near)
                or (up_to < count and ascending[up_to] - score <= near)
                or not -LARGEST < score < LARGEST
            ):
                places = [*self._places_among_ties(wanted, ascending)]
                break
            places.append((count - up_to + 1, document))
        places.sort()
        return places

    def _places_among_ties(self, wanted: Sequence[str], ascending: list[float]) -> Iterator[tuple[int, str]]:
        """Rank and id of some documents, whoever else has their scores."""
        kind = "f" if self._float32 else "d"
        ascending = array(kind, ascending).tolist()
        compared = array(kind, list(self.documents.values())).tolist()
        score_of = dict(zip(wanted, array(kind, [self.documents[document] for document in wanted]), strict=True))
        tied: dict[float, list[str]] = {score: [] for score in score_of.values()}
        for document, score in zip(self.documents, compared, strict=True):
            if score in tied:
                tied[score].append(document)
        for score, group in tied.items():
            first = len(ascending) - bisect_right(ascending, score) + 1
            ranked = best_first((score, document) for document in group)
            yield from ((first + i, document) for i, (_, document) in enumerate(ranked) if document in score_of)


def _unless_out_of_memory(read: Callable[..., Any], *arguments: Any) -> Any:
    try:
        return read(*arguments)
    except Problem:  # the core has no other for dicts
        raise MemoryError from None


def check_ids(topic: str, documents: Mapping[Any, Any]) -> None:
    """Every id is text: pytrec_eval's words where one is not."""
    try:
        "".join(documents)
    except TypeError:
        wrong = next(document for document in documents if not isinstance(document, str))
        expected = "Expected mapping of document id to query relevance or matching score"
        raise TypeError(f"{expected}: topic {topic!r} has the id {wrong!r}, which is no text.") from None


def check_scores(topic: Any, documents: Any) -> None:
    """One topic of a run is text that holds numbers; in pytrec_eval's words where it does not."""
    if not isinstance(topic, str) or not isinstance(documents, dict):
        expected = "Unable to extract query/object scores: expected {topic: {document: score}}"
        raise TypeError(f"{expected}, found {topic!r}: {type(documents).__name__}.")
    ranked: dict[Any, Any] = documents  # pyright: ignore[reportUnknownVariableType]
    try:
        added = sum(array("d", list(ranked.values())))  # of all ways to ask whether all are numbers, a quick one
    except (TypeError, ValueError, OverflowError):
        added = nan
    if added != added:
        for document, score in ranked.items():
            where = f"topic {topic!r}, document {document!r}"
            if not _is_number(score):
                raise TypeError(f"Unable to extract query/object scores: {where} has {score!r}; expected a number.")
            if score != score:
                raise ValueError(f"{where}: the score is NaN; expected a number")


def _is_number(value: Any) -> bool:
    try:
        array("d", [value])
    except (TypeError, ValueError, OverflowError):
        return False
    return True
