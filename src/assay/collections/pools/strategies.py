"""Judging orders for the documents of one topic: depth, rank-biased weight, move-to-front.

Documents are shuffled first, so that ties are broken at random.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from heapq import heapify, heappop, heapreplace
from math import fsum

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


def by_depth(runs: Ranked, documents: Sequence[str]) -> list[str]:
    """Order by best rank in any run.

    >>> by_depth({"one": ["a", "b"], "two": ["c", "a"]}, ["b", "c", "a"])
    ['c', 'a', 'b']
    """
    return sorted(documents, key=best_ranks(runs).__getitem__)


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
