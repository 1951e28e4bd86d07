"""Measures of a retrieved set without order, and counts of documents."""

from __future__ import annotations

from assay.measures.define import measure
from assay.measures.parameters import beta, integer, number
from assay.measures.ranked import NO_RELEVANT, REL, TREC_EVAL
from assay.measures.views.ranked import RankedView

VAN_RIJSBERGEN = "C. J. van Rijsbergen, Information Retrieval, 2nd ed., Butterworths 1979"


@measure("NumQ", aliases=("num_q",), average="sum", higher_is_better=None, high=None, cite=TREC_EVAL)
def number_of_topics(view: RankedView) -> int:
    """The number of topics.

    >>> number_of_topics(RankedView.of([1]))
    1
    """
    return 1


@measure("NumRet", aliases=("num_ret",), average="sum", higher_is_better=None, high=None, cite=TREC_EVAL)
def number_retrieved(view: RankedView) -> int:
    """The number of documents retrieved.

    >>> number_retrieved(RankedView.of([1, None]))
    2
    """
    return view.num_ret


@measure(
    "NumRel", aliases=("num_rel",), parameters=REL, average="sum", higher_is_better=None, high=None,
    cite=TREC_EVAL,
)  # fmt: skip
def number_relevant(view: RankedView, rel: int | None = None) -> int:
    """R, the number of relevant documents.

    >>> number_relevant(RankedView.of([1, 0], unretrieved=[2]))
    2
    """
    return view.num_rel(rel)


@measure("NumRelRet", aliases=("num_rel_ret",), parameters=REL, average="sum", high=None, cite=TREC_EVAL)
def number_relevant_retrieved(view: RankedView, rel: int | None = None) -> int:
    """The number of relevant documents retrieved.

    >>> number_relevant_retrieved(RankedView.of([1, 0], unretrieved=[2]))
    1
    """
    return len(view.relevant(rel))


@measure(
    "NumNonrelRet", aliases=("num_nonrel_judged_ret",), parameters=REL, average="sum",
    higher_is_better=False, high=None, cite=TREC_EVAL,
)  # fmt: skip
def number_nonrelevant_retrieved(view: RankedView, rel: int | None = None) -> int:
    """The number of retrieved documents judged non-relevant.

    >>> number_nonrelevant_retrieved(RankedView.of([1, 0, None, -1]))
    1
    """
    return len(view.judged()) - len(view.relevant(rel))


@measure("SetP", aliases=("set_P",), parameters=REL, cite=VAN_RIJSBERGEN)
def set_precision(view: RankedView, rel: int | None = None) -> float:
    """Relevant retrieved over retrieved; 0 where nothing is retrieved.

    >>> set_precision(RankedView.of([1, 0, None, 1]))
    0.5
    """
    return len(view.relevant(rel)) / view.num_ret if view.num_ret else 0.0


@measure("SetR", aliases=("set_recall",), parameters=REL, undefined=NO_RELEVANT, cite=VAN_RIJSBERGEN)
def set_recall(view: RankedView, rel: int | None = None) -> float | None:
    """Relevant retrieved over relevant.

    >>> set_recall(RankedView.of([1, 0], unretrieved=[1, 1, 1]))
    0.25
    """
    relevant = view.num_rel(rel)
    return len(view.relevant(rel)) / relevant if relevant else None


@measure("SetRelP", aliases=("set_relative_P",), parameters=REL, undefined=NO_RELEVANT, cite=TREC_EVAL)
def set_relative_precision(view: RankedView, rel: int | None = None) -> float | None:
    """Relevant retrieved over the most that could be: min(retrieved, R); 0 where nothing is retrieved.

    >>> set_relative_precision(RankedView.of([1, 0, 0], unretrieved=[1]))  # 1/min(3, 2)
    0.5
    """
    relevant = view.num_rel(rel)
    if not relevant:
        return None
    return len(view.relevant(rel)) / min(view.num_ret, relevant) if view.num_ret else 0.0


@measure("SetAP", aliases=("set_map",), parameters=REL, undefined=NO_RELEVANT, cite=TREC_EVAL)
def set_average_precision(view: RankedView, rel: int | None = None) -> float | None:
    """Precision times recall of the set: relevant retrieved squared over (retrieved·R).

    >>> set_average_precision(RankedView.of([1, 0], unretrieved=[1]))  # 1/(2·2)
    0.25
    """
    relevant = view.num_rel(rel)
    if not relevant:
        return None
    hits = len(view.relevant(rel))
    return hits * hits / (view.num_ret * relevant) if view.num_ret else 0.0


@measure(
    "SetF", aliases=("set_F",), parameters={"beta": beta, "beta2": beta, "rel": integer}, undefined=NO_RELEVANT,
    cite=VAN_RIJSBERGEN,
)  # fmt: skip
def set_f(view: RankedView, beta: float = 1.0, beta2: float | None = None, rel: int | None = None) -> float | None:
    """The weighted harmonic mean of set precision and recall: (β² + 1)·P·R/(β²·P + R).

    `beta2` gives β² itself, which is what trec_eval's `set_F.x` calls x.

    >>> set_f(RankedView.of([1, 0, 0, 0], unretrieved=[1]))  # P = 1/4, R = 1/2
    0.3333333333333333
    """
    relevant = view.num_rel(rel)
    if not relevant:
        return None
    hits = len(view.relevant(rel))
    if not hits:
        return 0.0
    weight = beta * beta if beta2 is None else beta2
    precision, recall = hits / view.num_ret, hits / relevant
    return (weight + 1.0) * precision * recall / (weight * precision + recall)


@measure(
    "Utility", aliases=("utility",),
    parameters={"hit": number, "false": number, "miss": number, "rest": number, "collection": integer, "rel": integer},
    low=None, high=None, cite=TREC_EVAL,
)  # fmt: skip
def utility(
    view: RankedView, hit: float = 1.0, false: float = -1.0, miss: float = 0.0, rest: float = 0.0,
    collection: int = 0, rel: int | None = None,
) -> float:  # fmt: skip
    """A linear utility: hit·relevant retrieved + false·non-relevant retrieved + miss·relevant missed + rest·others.

    `collection` is the number of documents there are, needed for `rest` alone.

    >>> utility(RankedView.of([1, 0, None], unretrieved=[1]), hit=2)  # 2·1 - 2
    0.0
    """
    hits, relevant = len(view.relevant(rel)), view.num_rel(rel)
    others = collection + hits - view.num_ret - relevant
    return hit * hits + false * (view.num_ret - hits) + miss * (relevant - hits) + rest * others
