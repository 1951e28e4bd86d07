"""In which order the documents of one topic are worth judging: by depth, by the weight of their ranks, or moving to the front.

Every order begins with the documents shuffled, so that those which a strategy cannot tell apart are taken at random.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from heapq import heapify, heappop, heapreplace
from math import fsum

from assay.random import Stream

Ranked = Mapping[str, Sequence[str]]
"""The first documents of a topic by run, from the first rank on."""


def shuffled(ids: Collection[str], random: Stream) -> list[str]:
    """The ids in an order of chance, which depends neither on the order they came in nor on who brought them.

    >>> from assay.random import stream
    >>> shuffled(["b", "a"], stream(1, "doc", 0)) == shuffled(["a", "b"], stream(1, "doc", 0))
    True
    """
    known = sorted(ids, key=lambda one: one.encode("utf-8", "surrogatepass"))
    return [known[place] for place in random.sample(range(len(known)), len(known))]


def best_ranks(runs: Ranked) -> dict[str, int]:
    """The highest place that any run gives to each document.

    >>> best_ranks({"one": ["a", "b"], "two": ["b", "c"]})
    {'a': 1, 'b': 1, 'c': 2}
    """
    found: dict[str, int] = {}
    for documents in runs.values():
        for rank, document in enumerate(documents, 1):
            if rank < found.get(document, rank + 1):
                found[document] = rank
    return found


def by_depth(runs: Ranked, documents: Sequence[str]) -> list[str]:
    """Rank by rank: what any run has first, then what any has second.

    >>> by_depth({"one": ["a", "b"], "two": ["c", "a"]}, ["b", "c", "a"])
    ['c', 'a', 'b']
    """
    return sorted(documents, key=best_ranks(runs).__getitem__)


def by_weight(runs: Ranked, documents: Sequence[str], p: float) -> list[str]:
    """By what each document can add to the rank-biased precision of all runs: Σ over runs of (1-p)·p^(rank-1), the highest first
    (Moffat, Webber and Zobel, "Strategic System Comparisons via Targeted Relevance Judgments", SIGIR 2007).

    >>> by_weight({"one": ["a", "b"], "two": ["c", "b"]}, ["a", "b", "c"], p=0.8)  # b: .16 + .16; a and c: .2
    ['b', 'a', 'c']
    """
    parts: dict[str, list[float]] = {document: [] for document in documents}
    # Products and not powers, and a sum that no order changes: the same weights, and the same ties, on every machine.
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
    """The first documents that move-to-front pooling would have judged (Cormack, Palmer and Clarke, "Efficient Construction of Large
    Test Collections", SIGIR 1998): a run is read on while what it brings is relevant, and waits behind the others when it is not.

    The run with the fewest non-relevant documents so far is next. A document nobody judged yet counts as non-relevant: without
    judgments every run is read in turn.

    order      the runs, those first that come first among equals
    relevant   the documents that are known to be relevant
    known      those that are judged already: they move runs, and are not taken again
    most       how many to take

    >>> runs = {"one": ["a", "b", "c"], "two": ["x", "y", "z"]}
    >>> move_to_front(runs, ["one", "two"], {"a", "b"}, set(), 4)  # one is read on up to c, which is not relevant
    ['a', 'b', 'c', 'x']
    """
    taken: dict[str, None] = {}
    seen: set[str] = set()
    ahead = {run: iter(runs[run]) for run in order}
    waiting = [(0, place, run) for place, run in enumerate(order)]
    heapify(waiting)
    while waiting and len(taken) < most:
        misses, place, run = waiting[0]
        document = next((one for one in ahead[run] if one not in seen), None)
        if document is None:
            heappop(waiting)
            continue
        seen.add(document)
        if document not in known:
            taken[document] = None
        if document not in relevant:
            heapreplace(waiting, (misses + 1, place, run))
    return list(taken)
