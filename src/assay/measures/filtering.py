"""Measures of filtering: an unordered set of documents per topic (TREC 2001 filtering track)."""

from __future__ import annotations

from typing import NamedTuple

from assay.measures.define import measure
from assay.measures.parameters import number, require

TREC_2001 = (
    "S. Robertson and I. Soboroff, The TREC 2001 Filtering Track Report, TREC 2001; "
    "Common Evaluation Measures, appendix of the TREC 2001 proceedings"
)
TREC_2002 = "S. Robertson and I. Soboroff, The TREC 2002 Filtering Track Report, TREC 2002"
NO_RELEVANT = "where the gold has no relevant document"
MIN_U = -100.0


class SetView(NamedTuple):
    """A retrieved set as counts: R+ relevant retrieved, R- relevant missed, N+ non-relevant retrieved."""

    hits: int
    """R+"""
    relevant: int
    """R+ + R-"""
    retrieved: int
    """R+ + N+"""

    @property
    def false(self) -> int:
        """N+"""
        return self.retrieved - self.hits

    @property
    def missed(self) -> int:
        """R-"""
        return self.relevant - self.hits


def negative(text: str) -> float:
    """a number below 0"""
    return require(number(text), lambda value: value < 0, "a number below 0")


@measure("T10F", task="filtering", aliases=("F-beta", "FBeta"), cite=TREC_2001)
def t10f(view: SetView) -> float:
    """F with β = .5: 1.25·R+/(.25·R- + N+ + 1.25·R+), and 0 where nothing is retrieved.

    4 of 8 relevant retrieved beside 1 other: 5/(1 + 1 + 5).

    >>> t10f(SetView(hits=4, relevant=8, retrieved=5)) == 5 / 7
    True
    >>> t10f(SetView(hits=0, relevant=8, retrieved=0))
    0.0
    """
    if not view.retrieved:
        return 0.0
    # Times 4, so that counts stay whole numbers until the one division.
    return 5 * view.hits / (view.missed + 4 * view.false + 5 * view.hits)


@measure("U", task="filtering", parameters={"a": number, "b": number}, low=None, high=None, cite=TREC_2001)
def linear_utility(view: SetView, a: float = 2.0, b: float = 1.0) -> float:
    """Any linear utility: a·R+ - b·N+.

    >>> linear_utility(SetView(hits=4, relevant=8, retrieved=5), a=3, b=2)  # 12 - 2
    10
    """
    return a * view.hits - b * view.false


@measure("T10U", task="filtering", low=None, high=None, cite=TREC_2001)
def t10u(view: SetView) -> int:
    """Linear utility 2·R+ - N+.

    >>> t10u(SetView(hits=4, relevant=8, retrieved=5)), t10u(SetView(hits=0, relevant=8, retrieved=300))
    (7, -300)
    """
    return 2 * view.hits - view.false


@measure("T10SU", task="filtering", parameters={"min": negative}, cite=TREC_2001)
def t10su(view: SetView, min: float = MIN_U) -> float:
    """T10U scaled: (max(T10U, MinU) - MinU)/(2·(R+ + R-) - MinU), MinU = -100.

    >>> t10su(SetView(hits=8, relevant=8, retrieved=8)), t10su(SetView(hits=0, relevant=8, retrieved=300))
    (1.0, 0.0)
    >>> t10su(SetView(hits=0, relevant=50, retrieved=0))  # 100/200: above 0 for retrieving nothing
    0.5
    """
    return (max(float(t10u(view)), min) - min) / (2 * view.relevant - min)


@measure("T11SU", task="filtering", parameters={"min": negative}, undefined=NO_RELEVANT, cite=TREC_2002)
def t11su(view: SetView, min: float = -0.5) -> float | None:
    """T10U normalised by its best value and cut off below: (max(U/MaxU, MinNU) - MinNU)/(1 - MinNU), MinNU = -.5.

    MaxU = 2·(R+ + R-).

    >>> t11su(SetView(hits=0, relevant=8, retrieved=0)), t11su(SetView(hits=8, relevant=8, retrieved=8))  # .5/1.5
    (0.3333333333333333, 1.0)
    """
    if not view.relevant:
        return None
    return (max(t10u(view) / (2 * view.relevant), min) - min) / (1.0 - min)


@measure("SetP", task="filtering", aliases=("P", "set_P"), cite=TREC_2001)
def set_precision(view: SetView) -> float:
    """Relevant retrieved over retrieved; an empty set has precision 0.

    >>> set_precision(SetView(hits=4, relevant=8, retrieved=5)), set_precision(SetView(hits=0, relevant=8, retrieved=0))
    (0.8, 0.0)
    """
    return view.hits / view.retrieved if view.retrieved else 0.0


@measure("SetR", task="filtering", aliases=("R", "set_recall"), undefined=NO_RELEVANT, cite=TREC_2001)
def set_recall(view: SetView) -> float | None:
    """Relevant retrieved over relevant.

    >>> set_recall(SetView(hits=4, relevant=8, retrieved=5))
    0.5
    """
    return view.hits / view.relevant if view.relevant else None


@measure(
    "NumRet", task="filtering", aliases=("num_ret",), average="sum", higher_is_better=None, high=None, cite=TREC_2001
)
def number_retrieved(view: SetView) -> int:
    """The number of documents retrieved.

    >>> number_retrieved(SetView(hits=4, relevant=8, retrieved=5))
    5
    """
    return view.retrieved


@measure("NumRelRet", task="filtering", aliases=("num_rel_ret",), average="sum", high=None, cite=TREC_2001)
def number_relevant_retrieved(view: SetView) -> int:
    """The number of relevant documents retrieved.

    >>> number_relevant_retrieved(SetView(hits=4, relevant=8, retrieved=5))
    4
    """
    return view.hits


@measure(
    "NumRel", task="filtering", aliases=("num_rel",), average="sum", higher_is_better=None, high=None, cite=TREC_2001
)
def number_relevant(view: SetView) -> int:
    """The number of relevant documents.

    >>> number_relevant(SetView(hits=4, relevant=8, retrieved=5))
    8
    """
    return view.relevant


@measure("ZeroReturns", task="filtering", average="sum", higher_is_better=None, high=None, cite=TREC_2001)
def zero_returns(view: SetView) -> int:
    """The number of topics without a retrieved document.

    >>> zero_returns(SetView(hits=0, relevant=8, retrieved=0))
    1
    """
    return int(not view.retrieved)
