"""Rankings in dicts, joined with the judgments topic by topic: by the core where it can read the dicts, else in Python.

Order is the same everywhere: score descending, then id descending.
"""

from __future__ import annotations

from array import array
from collections import defaultdict
from functools import partial
from math import nan
from operator import eq
from typing import NamedTuple

from assay.core import dicts_and_frames
from assay.core.binding import Problem
from assay.core.measure_plans import measured
from assay.core.ties import best_first
from assay.measures.views.ranked import Judgments, RankedView, positive_columns

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence
    from typing import Any

    from assay.core import Ranked
    from assay.core.measure_plans import Kernel


class Wanted(NamedTuple):
    """The results to compute for every topic of a run."""

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

    def __init__(self, judged: dict[str, dict[str, int]]) -> None:
        self.judged = judged
        self._topics: dict[str, JudgedTopic] = {}
        self._gold = _unless_out_of_memory(dicts_and_frames.gold_of_dicts, judged) if judged else None
        """The judgments in the core; None without it, or where it cannot hold them."""
        self._places = {topic: place for place, topic in enumerate(self._gold.topics)} if self._gold else {}

    def views(
        self, run: Mapping[str, Mapping[str, float]], wanted: Wanted
    ) -> Iterator[tuple[str, RankedView | None, list[float] | None]]:
        """Yield the judged topics in the order of the run: a view, where wanted, and the kernels.

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
        """Return the joined run and the kernels by topic; None where Python must join it."""
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

    __slots__ = ("judged", "judgments")

    def __init__(self, judged: Mapping[str, int]) -> None:
        self.judged: Mapping[str, int] = judged
        self.judgments: Judgments = Judgments(sorted(judged.values(), reverse=True))


def view_of(
    topic: JudgedTopic,
    documents: Mapping[str, float],
    *,
    level: int = 1,
    judged_only: bool = False,
    float32: bool = False,
) -> RankedView:
    """Return the view of one ranking, {document: score}, in which no score is NaN.

    level         lowest grade that is relevant
    judged_only   drop documents without a judgment first
    float32       compare scores as trec_eval 9 did

    >>> view = view_of(JudgedTopic({"a": 1, "b": 0}), {"x": 3.0, "b": 2.0, "a": 1.0})
    >>> view.relevant(), view.num_ret, view.pooled()
    ([3], 3, [(2, 0), (3, 1)])
    """
    judged = topic.judged
    if judged_only:
        documents = {document: score for document, score in documents.items() if judged.get(document, -1) >= 0}
    grades = map(judged.get, _ranking(documents, float32))
    pooled = [(rank, grade) for rank, grade in enumerate(grades, 1) if grade is not None]
    return RankedView(topic.judgments, len(documents), positive_columns(pooled), lambda: pooled, level)


def _ranking(documents: Mapping[str, float], float32: bool) -> list[str]:
    """Return all documents, the first rank first.

    >>> _ranking({"a": 1.0, "b": 3.0, "c": 1.0}, False)
    ['b', 'c', 'a']
    """
    # Numbers of other types may refuse a comparison (Decimal with NaN), or compare more exactly than doubles (long integers).
    score_of = dict(zip(documents, array("d", list(documents.values())), strict=True))
    order = sorted(score_of, key=score_of.__getitem__, reverse=True)
    scores = array("f" if float32 else "d", [score_of[document] for document in order]).tolist()
    if any(map(eq, scores, scores[1:])):  # sorting pairs takes three times as long
        order = [document for _, document in best_first(zip(scores, order, strict=True))]
    return order


def _unless_out_of_memory(read: Callable[..., Any], *arguments: Any) -> Any:
    try:
        return read(*arguments)
    except Problem:  # the core has no other for dicts
        raise MemoryError from None


def check_ids(topic: str, documents: Mapping[Any, Any]) -> None:
    """Refuse ids that are not text, in pytrec_eval's words."""
    try:
        "".join(documents)
    except TypeError:
        wrong = next(document for document in documents if not isinstance(document, str))
        expected = "Expected mapping of document id to query relevance or matching score"
        raise TypeError(f"{expected}: topic {topic!r} has the id {wrong!r}, which is no text.") from None


def check_scores(topic: Any, documents: Any) -> None:
    """Refuse a topic that is not text or whose scores are not numbers, in pytrec_eval's words."""
    if not isinstance(topic, str) or not isinstance(documents, dict):
        expected = "Unable to extract query/object scores: expected {topic: {document: score}}"
        raise TypeError(f"{expected}, found {topic!r}: {type(documents).__name__}.")
    ranked: dict[Any, Any] = documents  # pyright: ignore[reportUnknownVariableType]
    try:
        added = sum(array("d", list(ranked.values())))  # a quick check that all are numbers
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
