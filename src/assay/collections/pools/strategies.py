"""Strategies that choose documents of one topic: by depth, rank-biased weight, move-to-front, or a stratified sample.

Documents are shuffled first, so that ties are broken at random. In a sample,

stratum   has the documents whose best rank is at most its depth and beyond the previous stratum's depth
share     is the share of a stratum to judge, at least one document, so that every document can be drawn
0         is the stratum of documents judged before, with probability 1
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from heapq import heapify, heappop, heapreplace
from itertools import pairwise
from math import fsum
from operator import index
from typing import NamedTuple

from assay.errors import InputError, UsageError
from assay.random import Stream

Ranked = Mapping[str, Sequence[str]]
"""The first documents of each run on a topic, in order."""


def shuffled(ids: Collection[str], random: Stream) -> list[str]:
    """Shuffle the ids; the result does not depend on their incoming order.

    >>> from assay.random import stream
    >>> shuffled(["b", "a"], stream(1, "doc", 0)) == shuffled(["a", "b"], stream(1, "doc", 0))
    True
    """
    ordered = sorted(ids, key=lambda document: document.encode("utf-8", "surrogatepass"))
    return [ordered[place] for place in random.sample(range(len(ordered)), len(ordered))]


def best_ranks(runs: Ranked) -> dict[str, int]:
    """Return the best rank that any run gives each document.

    >>> best_ranks({"one": ["a", "b"], "two": ["b", "c"]})
    {'a': 1, 'b': 1, 'c': 2}
    """
    ranks: dict[str, int] = {}
    for documents in runs.values():
        for rank, document in enumerate(documents, 1):
            if rank < ranks.get(document, rank + 1):
                ranks[document] = rank
    return ranks


def by_weight(runs: Ranked, documents: Sequence[str], p: float) -> list[str]:
    """Order by weight in rank-biased precision: Σ over runs of (1-p)·p^(rank-1), descending.

    Moffat, Webber and Zobel, "Strategic System Comparisons via Targeted Relevance Judgments", SIGIR 2007.

    >>> by_weight({"one": ["a", "b"], "two": ["c", "b"]}, ["a", "b", "c"], p=0.8)  # b: .16 + .16; a and c: .2
    ['b', 'a', 'c']
    """
    parts: dict[str, list[float]] = {document: [] for document in documents}
    # Products instead of powers, and fsum, give the same weights and ties on every machine.
    weights = [1.0 - p]
    for _ in range(max(map(len, runs.values()), default=0)):
        weights.append(weights[-1] * p)
    for ranking in runs.values():
        for weight, document in zip(weights, ranking, strict=False):
            parts[document].append(weight)
    total = {document: fsum(weights) for document, weights in parts.items()}
    return sorted(documents, key=lambda document: -total[document])


def move_to_front(
    runs: Ranked, order: Sequence[str], relevant: Collection[str], known: Collection[str], most: int
) -> list[str]:
    """Return documents in move-to-front order: continue with a run while its documents are relevant.

    Cormack, Palmer and Clarke, "Efficient Construction of Large Test Collections", SIGIR 1998. The run with the fewest
    non-relevant documents so far is next. An unjudged document counts as non-relevant, so that without judgments the runs take
    turns.

    >>> runs = {"one": ["a", "b", "c"], "two": ["x", "y", "z"]}
    >>> move_to_front(runs, ["one", "two"], {"a", "b"}, set(), 4)  # one is read on up to c, which is not relevant
    ['a', 'b', 'c', 'x']
    """
    selected: dict[str, None] = {}
    visited: set[str] = set()
    ahead = {run: iter(runs[run]) for run in order}
    waiting = [(0, place, run) for place, run in enumerate(order)]
    heapify(waiting)
    while waiting and len(selected) < most:
        misses, place, run = waiting[0]
        document = next((candidate for candidate in ahead[run] if candidate not in visited), None)
        if document is None:
            heappop(waiting)
            continue
        visited.add(document)
        if document not in known:
            selected[document] = None
        if document not in relevant:
            heapreplace(waiting, (misses + 1, place, run))
    return list(selected)


JUDGED_BEFORE = "0"


class PoolStratum(NamedTuple):
    """A stratum's last rank, and the share of its documents to judge."""

    depth: int
    share: float


class DrawChance(NamedTuple):
    """A pooled document's stratum, and its probability of being drawn; None if not drawn."""

    stratum: str
    probability: float | None


def read_strata(text: str) -> list[PoolStratum]:
    """Parse strata: the depth of each, and the share of it to judge.

    >>> read_strata("20:1,100:0.2")
    [PoolStratum(depth=20, share=1.0), PoolStratum(depth=100, share=0.2)]
    """
    strata: list[PoolStratum] = []
    for part in text.replace(",", " ").split():
        depth, _, share = part.partition(":")
        try:
            strata.append(PoolStratum(int(depth), float(share)))
        except ValueError:
            raise _refused(text) from None
    return checked_strata(strata, text)


def checked_strata(strata: Sequence[tuple[int, float]], written: object) -> list[PoolStratum]:
    """Return valid strata, or raise a `UsageError` that names the expected form."""
    try:
        parsed = [PoolStratum(index(depth), float(share)) for depth, share in strata]
    except (TypeError, ValueError):
        raise _refused(written) from None
    rising = all(previous < following for previous, following in pairwise([0, *(stratum.depth for stratum in parsed)]))
    if not parsed or not rising or not all(0 < stratum.share <= 1 for stratum in parsed):
        raise _refused(written)
    return parsed


def _refused(written: object) -> UsageError:
    expected = "depths that rise, each with the share to be judged (above 0, at most 1), as in 20:1,100:0.2"
    return UsageError(f"`strata={written!r}`: expected {expected}")


def numbers_drawn(sizes: Sequence[int], shares: Sequence[float], budget: int | None, topic: str) -> list[int]:
    """Return how many documents to draw per stratum: the rounded share, at least one.

    Over the budget, strata that are not judged whole shrink in proportion.

    >>> numbers_drawn([30, 100], [1.0, 0.2], None, "q1"), numbers_drawn([30, 100], [1.0, 0.2], 40, "q1")
    ([30, 20], [30, 10])
    """
    counts = [
        size if share == 1 else min(size, max(1, int(size * share + 0.5))) if size else 0
        for size, share in zip(sizes, shares, strict=True)
    ]
    if budget is None or sum(counts) <= budget:
        return counts
    partial = [place for place, share in enumerate(shares) if share < 1 and sizes[place]]
    whole = sum(counts) - sum(counts[place] for place in partial)
    room = budget - whole - len(partial)
    if room < 0:
        raise InputError(
            f"topic {topic}: `budget={budget}` is too small: {whole} documents are in strata that are judged whole, and each of "
            f"{len(partial)} others needs one; expected at least {whole + len(partial)}, or fewer ranks in strata"
        )
    return _shrunk(counts, partial, room)


def _shrunk(counts: Sequence[int], partial: Sequence[int], room: int) -> list[int]:
    """Draw one of each partial stratum, and divide the rest in proportion (largest remainders)."""
    drawn, beyond = list(counts), {place: counts[place] - 1 for place in partial}
    total = sum(beyond.values())
    for place in partial:
        drawn[place] = 1 + beyond[place] * room // total
    left = room - sum(drawn[place] - 1 for place in partial)
    for place in sorted(partial, key=lambda stratum: -(beyond[stratum] * room % total))[:left]:
        drawn[place] += 1
    return drawn


def draw(
    ranks: Mapping[str, int], strata: Sequence[PoolStratum], known: Collection[str], budget: int | None, topic: str, random: Stream
) -> dict[str, DrawChance]:  # fmt: skip
    """Return, by document, its stratum and the probability with which it was drawn.

    ranks    the best rank of each document, at most that of the last stratum
    known    documents that are judged already
    budget   maximum number of further documents to judge
    """
    members: list[list[str]] = [[] for _ in strata]
    drawn: dict[str, DrawChance] = {}
    for document in shuffled(ranks, random):
        if document in known:
            drawn[document] = DrawChance(JUDGED_BEFORE, 1.0)
        else:
            place = next(i for i, stratum in enumerate(strata) if ranks[document] <= stratum.depth)
            members[place].append(document)
    # Documents judged before count even if no run has them down to the depth, or too few would be known to be relevant.
    drawn |= {document: DrawChance(JUDGED_BEFORE, 1.0) for document in known if document not in ranks}
    counts = numbers_drawn([*map(len, members)], [stratum.share for stratum in strata], budget, topic)
    for number, (documents, count) in enumerate(zip(members, counts, strict=True), 1):
        for place, document in enumerate(documents):
            drawn[document] = DrawChance(str(number), count / len(documents) if place < count else None)
    return drawn
