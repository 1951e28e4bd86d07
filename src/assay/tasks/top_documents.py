"""The first documents of each topic of a run, in the order of the core: score descending, then id descending as bytes.

`top_documents` reads a run that was scored a second time, for pages and measures of confidence; `read_rankings` reads one that has
no judgments.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from sys import intern

from assay.core.run_files import read_top_documents
from assay.core.ties import best_first
from assay.errors import InputError
from assay.formats.ranked.trec import has_three_fields, is_read_by_core, read_run, run_lines
from assay.io.heads import BOM
from assay.io.sources import Source

TYPE_CHECKING = False
if TYPE_CHECKING:
    from assay.core.run_files import Block

Documents = list[tuple[str, float]]
"""(document, score), from the first rank on."""


def top_documents(
    source: Source, topics: Sequence[str], depth: int, judged: Callable[[int], Collection[str]] | None = None
) -> list[Documents]:
    """Return the first documents of every topic with their scores.

    topics   the topics to return, in the order of the result
    judged   returns the documents that count for topics[i], and drops all others first
    """
    allowed = None if judged is None else {topic: {*judged(place)} for place, topic in enumerate(topics)}
    pairs: dict[str, list[tuple[float, bytes]]] = {topic: [] for topic in topics}
    # Any number of unjudged documents may rank above the judged ones.
    for topic, documents, scores in _blocks(source, depth if judged is None else None):
        if topic in pairs:
            block = zip(scores, documents, strict=True)
            pairs[topic] += [(s, _bytes(d)) for s, d in block if allowed is None or d in allowed[topic]]
    # Many runs return the same documents: one string for each id.
    return [
        [(intern(document.decode("utf-8", "surrogateescape")), score) for score, document in best_first(known)[:depth]]
        for known in pairs.values()
    ]


def _blocks(source: Source, depth: int | None) -> Iterable[Block]:
    """Return the documents and scores of a run by topic: those down to a depth by the core, all line by line.

    A report on one run of 7 million lines takes 3.8 s with the core, 7.4 s without.
    """
    if has_three_fields(source.head):
        return ((topic, [document], [score]) for _, topic, document, score, _ in run_lines(source))
    if not is_read_by_core(source.head):
        _, run = read_run(source)
        return [(topic, list(documents), list(documents.values())) for topic, documents in run.items()]
    parsed = read_top_documents(_without_bom(source.text()), depth) if depth else None
    if parsed is not None:
        return parsed[1]
    return ((topic, [document], [score]) for _, topic, document, score, _ in run_lines(source))


def _without_bom(chunks: Iterable[bytes]) -> Iterator[bytes]:
    """Remove the byte order mark."""
    for number, chunk in enumerate(chunks):
        yield chunk if number else chunk.removeprefix(BOM)


def _bytes(text: str) -> bytes:
    return text.encode("utf-8", "surrogateescape")


Rankings = dict[str, list[str]]
"""{topic: documents}, the first rank first."""


def read_rankings(source: Source, depth: int | None = None) -> tuple[str, Rankings]:
    """Return the name of a run and the ranking of each topic.

    The name is the tag of the last line, as in `evaluate`.

    depth   how many documents of a topic to return; all where None

    >>> read_rankings(Source("run", data=b"q1 Q0 d1 1 2.5 bm25\\nq1 Q0 d2 2 7.5 bm25\\n"))
    ('bm25', {'q1': ['d2', 'd1']})
    """
    if source.head.shape == "text" and is_read_by_core(source.head):
        ranked = _rank_in_core(source.read_text().removeprefix(BOM), depth)
        if ranked is not None:
            tag, rankings = ranked
            return source.label or tag or source.stem, rankings
    tag, scores = read_run(source)
    try:
        rankings = {topic: _rank(documents)[:depth] for topic, documents in scores.items()}
        "".join(scores).encode("utf-8", "surrogateescape")
    except UnicodeEncodeError:
        raise InputError(f"{source.name}: an id has a lone surrogate; expected text") from None
    return source.label or tag or source.stem, rankings


def _rank(scores: dict[str, float]) -> list[str]:
    encoded = [(score, _bytes(document), document) for document, score in scores.items()]
    return [document for _, _, document in best_first(encoded)]


def _rank_in_core(text: bytes, depth: int | None) -> tuple[str, Rankings] | None:
    """Parse and rank in the compiled core; None without it, or at anything unusual.

    A pool of 100 runs of 50,000 lines takes 2.0 s with the core, 11.5 s without.
    """
    parsed = read_top_documents([text], depth)
    if parsed is None:
        return None
    tag, blocks = parsed
    rankings = {topic: documents for topic, documents, _ in blocks}
    return (tag, rankings) if len(rankings) == len(blocks) else None  # `read_run` merges a topic in two places
