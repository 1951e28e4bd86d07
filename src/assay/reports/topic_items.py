"""The items of a report: what runs returned, with the texts of topics and documents from files that a caller names."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import Any

from assay.errors import InputError
from assay.figures.items import TopicItems, items
from assay.formats.documents import read_documents, snippet
from assay.formats.sources import is_mapping, source_of
from assay.formats.topics import read_topics
from assay.table import Scores


def gathered(scores: Scores, topics: Any, docs: Any, warnings: list[str]) -> tuple[TopicItems, ...]:
    """What every run returned on each topic; what could not be found is added to the warnings.

    topics   a file with the texts of topics, or {topic: text}
    docs     a file with the texts of documents, or {document: text}
    """
    texts = None if topics is None else _texts(scores, topics, warnings)
    missing: list[int] = []

    def snippets(wanted: Collection[str]) -> Mapping[str, str]:
        if is_mapping(docs):
            found = {str(name): snippet(str(text)) for name, text in docs.items() if str(name) in wanted}
        else:
            found = read_documents(source_of(docs), wanted)
        missing.append(len(wanted) - len(found))
        if wanted and not found:
            raise InputError(
                f"{_name(docs)}: has none of the {len(wanted)} documents that are shown; do the ids agree?"
            )
        return found

    found = items(scores, texts, None if docs is None else snippets)
    if docs is not None and not missing:
        warnings.append(f"{_name(docs)}: was not read, for nothing that is known of these runs is a document")
    if missing and missing[0]:
        warnings.append(f"{_name(docs)}: has no text of {missing[0]} documents that are shown")
    warnings += dict.fromkeys(one.left_out for one in found if one.left_out)
    return found


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
