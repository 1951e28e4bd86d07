"""Measures of answers to definition questions by their nuggets of information."""

from __future__ import annotations

from collections.abc import Collection, Mapping

from assay.measures.define import measure
from assay.measures.parameters import beta, positive

TREC_2003 = "E. Voorhees, Overview of the TREC 2003 Question Answering Track, TREC 2003 (β = 5; 3 from 2004 on)"
PYRAMID = "J. Lin and D. Demner-Fushman, Will Pyramids Built of Nuggets Topple Over?, HLT-NAACL 2006"
NO_VITAL = "where no nugget is vital"
NO_VOTES = "where no nugget has a vote"
ALLOWANCE = 100


class NuggetView:
    """One question: the nuggets of the gold, those in the answer, and its length in non-white characters."""

    def __init__(
        self, vital: Collection[str], returned: Collection[str], length: int, votes: Mapping[str, int] | None = None
    ) -> None:
        self.vital: frozenset[str] = frozenset(vital)
        self.returned: frozenset[str] = frozenset(returned)
        """The nuggets in the answer, vital or okay."""
        self.length = length
        self.votes: Mapping[str, int] = votes or {}
        """By nugget, the number of assessors who called it vital."""


def f_beta(precision: float, recall: float, beta: float) -> float:
    """Return (β² + 1)·P·R/(β²·P + R); 0 where both are 0.

    >>> f_beta(0.5, 0.5, 3.0), f_beta(0.0, 0.0, 3.0)
    (0.5, 0.0)
    """
    weight = beta * beta
    below = weight * precision + recall
    return (weight + 1.0) * precision * recall / below if below else 0.0


@measure("NuggetR", task="nuggets", aliases=("R",), undefined=NO_VITAL, cite=TREC_2003)
def nugget_recall(view: NuggetView) -> float | None:
    """Vital nuggets returned over vital nuggets.

    >>> nugget_recall(NuggetView(vital=["1", "2"], returned=["1", "3"], length=50))
    0.5
    """
    return len(view.vital & view.returned) / len(view.vital) if view.vital else None


@measure("NuggetP", task="nuggets", aliases=("P",), parameters={"allowance": positive}, cite=TREC_2003)
def nugget_precision(view: NuggetView, allowance: int = ALLOWANCE) -> float:
    """1 where the answer is no longer than 100 non-white characters per nugget returned, else allowance/length.

    0 for an empty answer, as for a missing question.

    >>> nugget_precision(NuggetView(vital=["1"], returned=["1", "2"], length=200))
    1.0
    >>> nugget_precision(NuggetView(vital=["1"], returned=["1", "2"], length=800))
    0.25
    >>> nugget_precision(NuggetView(vital=["1"], returned=[], length=0))
    0.0
    """
    if not view.length and not view.returned:
        return 0.0
    allowed = allowance * len(view.returned)
    return 1.0 if view.length <= allowed else allowed / view.length


@measure(
    "NuggetF", task="nuggets", aliases=("F",), parameters={"beta": beta, "allowance": positive}, undefined=NO_VITAL,
    cite=TREC_2003,
)  # fmt: skip
def nugget_f(view: NuggetView, beta: float = 3.0, allowance: int = ALLOWANCE) -> float | None:
    """(β² + 1)·P·R/(β²·P + R), β = 3; TREC 2003 used 5.

    R = 1/2, P = 200/400: equal, so F is 1/2 whatever β.

    >>> nugget_f(NuggetView(vital=["1", "2"], returned=["1", "3"], length=400))
    0.5
    """
    recall = nugget_recall(view)
    return None if recall is None else f_beta(nugget_precision(view, allowance), recall, beta)


@measure("PyramidR", task="nuggets", undefined=NO_VOTES, cite=PYRAMID)
def pyramid_recall(view: NuggetView) -> float | None:
    """Weight of the nuggets returned over the weight of all; the weight of a nugget is its votes over the maximum.

    Votes 4, 2 and 2, the first returned: weights 1, 1/2, 1/2.

    >>> pyramid_recall(NuggetView(vital=[], returned=["a"], length=50, votes={"a": 4, "b": 2, "c": 2}))
    0.5
    """
    # The most votes divide numerator and denominator alike, so that whole votes are exact.
    total = sum(view.votes.values())
    return sum(view.votes.get(nugget, 0) for nugget in view.returned) / total if total else None


@measure(
    "PyramidF", task="nuggets", aliases=("Pyramid",), parameters={"beta": beta, "allowance": positive},
    undefined=NO_VOTES, cite=PYRAMID,
)  # fmt: skip
def pyramid_f(view: NuggetView, beta: float = 3.0, allowance: int = ALLOWANCE) -> float | None:
    """The nugget F with the pyramid's recall.

    >>> pyramid_f(NuggetView(vital=[], returned=["a"], length=200, votes={"a": 1, "b": 1}))  # P = R = 1/2
    0.5
    """
    recall = pyramid_recall(view)
    return None if recall is None else f_beta(nugget_precision(view, allowance), recall, beta)
