"""From a score table to what its topics' pages show. What that is, is each task's own; how much of it, is decided here."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import replace
from typing import Any

from assay.errors import UsageError
from assay.figures.items import answers, documents
from assay.figures.items.model import Gathered, TopicItems
from assay.formats.last_read import forget
from assay.settings import POSITIVE, checked
from assay.table import Scores

KINDS: dict[str, Callable[[Sequence[Any], Sequence[int]], Any]] = {
    "ranked": documents.RankedDocuments,
    "known-item": documents.KnownItems,
    "filtering": documents.FilteredDocuments,
    "outcomes": answers.Outcomes,
    "qa": answers.ListedAnswers,
    "list": answers.ListedAnswers,
    "context": answers.ListedAnswers,
    "nuggets": answers.Nuggets,
}
"""By task, how its items are gathered; other tasks have none."""
MOST = 200_000
"""Documents or answers that one report gathers."""
Snippets = Mapping[str, str] | Callable[[Collection[str]], Mapping[str, str]]
"""Beginnings of documents by id, or a function that finds those of the documents it is given."""


def items(
    scores: Scores,
    texts: Mapping[str, str] | None = None,
    documents: Snippets | None = None,
    *,
    depth: int = 10,
    most: int = MOST,
) -> tuple[TopicItems, ...]:
    """What every run returned on every topic, in the order of the table's topics.

    scores      the table; where it holds numbers alone, or the task has no items, there are no entries
    texts       by topic, what was asked
    documents   by document, how it begins; or a function from the ids that are shown to such texts
    depth       documents of each run, or answers to a question, that are shown; as many relevant ones further down
    most        how many documents or answers are gathered in all; what is left out is said

    >>> import assay
    >>> [one] = items(assay.evaluate({"q1": {"d1": 1, "d2": 1}}, {"r": {"q1": {"d0": 2.0, "d1": 1.0}}}))
    >>> [(entry.rank, entry.text, entry.verdict) for entry in one.entries[0]], one.gold
    ([(1, 'd0', 'unjudged'), (2, 'd1', 'relevant')], ('d2',))
    """
    checked("depth", depth, POSITIVE)
    if most < 1:
        raise UsageError(f"`most={most}`: expected 1 or more")
    kind = KINDS.get(scores.task.name)
    views = [scores.run(run).views for run in scores.runs]
    known = [one for one in views if one is not None]
    asked = _texts_by_topic(scores.topics, texts or {})
    if kind is None or not known:
        nothing = ((),) * len(views), ("",) * len(views)
        return tuple(
            TopicItems(topic, asked.get(topic), (), _fields(scores, place), *nothing)
            for place, topic in enumerate(scores.topics)
        )
    shown, deep, left_out = _affordable(len(views), scores, depth, most)
    gatherer = kind(known, range(shown))
    by_run: list[list[Gathered]] = [
        [((), "numbers alone are known of this run")] * shown
        if one is None
        else gatherer.of_run(one, range(shown), deep)
        for one in views
    ]
    forget()
    found = tuple(
        _topic(scores, place, gatherer, [run[place] for run in by_run], asked, left_out) for place in range(shown)
    )
    rest = tuple(
        TopicItems(t, asked.get(t), (), _fields(scores, place), ((),) * len(views), ("",) * len(views), left_out)
        for place, t in enumerate(scores.topics[shown:], shown)
    )
    return (*(_with_snippets(found, documents) if gatherer.of_documents and documents else found), *rest)


def _affordable(runs: int, scores: Scores, depth: int, most: int) -> tuple[int, int, str]:
    """How many topics are gathered, how deep, and what that leaves out."""
    topics, noun = len(scores.topics), scores.task.noun
    room = most // max(1, runs * topics)
    if room >= depth:
        return topics, depth, ""
    if room:
        return topics, room, f"{runs} runs on {topics} {noun}s: the first {room} of each are shown, not {depth}"
    shown = max(1, most // runs)
    return (
        shown,
        1,
        f"{runs} runs on {topics} {noun}s: what they returned is shown for {shown} {noun}s, the first of each",
    )


def _topic(
    scores: Scores, place: int, gatherer: Any, gathered: Sequence[Gathered], asked: Mapping[str, str], left_out: str
) -> TopicItems:
    topic = scores.topics[place]
    return TopicItems(
        topic,
        asked.get(topic) or gatherer.text(place),
        gatherer.gold(place),
        {**gatherer.fields(place), **_fields(scores, place)},
        tuple(entries for entries, _ in gathered),
        tuple(more for _, more in gathered),
        left_out,
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


def _with_snippets(found: Sequence[TopicItems], documents: Snippets) -> tuple[TopicItems, ...]:
    """The entries that are documents, each with its beginning where it is known."""
    wanted = {entry.text for one in found for entries in one.entries for entry in entries}
    texts = documents(wanted) if callable(documents) else documents
    return tuple(
        replace(
            one,
            entries=tuple(
                tuple(replace(e, detail=texts[e.text]) if e.text in texts else e for e in entries)
                for entries in one.entries
            ),
        )
        for one in found
    )
