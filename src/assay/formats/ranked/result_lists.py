"""Lists of results, best first, as retrievers and search engines return them: scores that keep their order."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from itertools import pairwise
from math import inf, nextafter

from assay.errors import AssayError

Result = tuple[str, float | None]
"""A document and its score, None where the list has none."""


def scores_in_order(results: Iterable[Result], error: Callable[[str], AssayError]) -> dict[str, float]:
    """Return {document: score} in which the order of the list decides, also between equal scores.

    Equal scores are lowered by the smallest possible step, one after the other; without scores, the score of a rank is -rank.

    error   makes the exception from a message

    >>> scores_in_order([("b", 2.0), ("a", 2.0), ("c", 0.5)], ValueError)
    {'b': 2.0, 'a': 1.9999999999999998, 'c': 0.5}
    >>> scores_in_order([("b", None), ("a", None)], ValueError)
    {'b': -1.0, 'a': -2.0}
    >>> scores_in_order([("b", 1.0), ("a", 2.0)], ValueError)
    Traceback (most recent call last):
    ValueError: document a has a higher score (2.0) than b (1.0) above it; expected the best first, or no scores
    """
    results = list(results)
    unscored = [document for document, score in results if score is None]
    if unscored and len(unscored) < len(results):
        raise error(f"document {unscored[0]} has no score; expected a score for each document, or for none")
    for (upper, above), (lower, below) in pairwise([] if unscored else results):
        if above is not None and below is not None and not above >= below:
            higher = f"document {lower} has a higher score ({below}) than {upper} ({above}) above it"
            raise error(f"{higher}; expected the best first, or no scores")
    scores: dict[str, float] = {}
    before = inf
    for rank, (document, score) in enumerate(results, 1):
        if document in scores:
            raise error(f"document {document} appears twice; expected each once")
        before = -float(rank) if score is None else min(score, nextafter(before, -inf))
        scores[document] = before
    return scores
