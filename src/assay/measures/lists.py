"""Measures of lists of answers: instances found, whatever their order."""

from __future__ import annotations

from assay.measures.answer_view import LENIENT, STRICT
from assay.measures.declare import measure
from assay.measures.parameters import beta, one_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from assay.measures.answer_view import AnswerListView

TREC_2001 = (
    "E. Voorhees, Overview of the TREC 2001 Question Answering Track, TREC 2001; "
    "Common Evaluation Measures, appendix of the TREC 2001 proceedings"
)
TREC_2003 = "E. Voorhees, Overview of the TREC 2003 Question Answering Track, TREC 2003"
JUDGED = {"judged": one_of(STRICT, LENIENT)}
NONE_KNOWN = "where no right answer is known"


_P = {"aliases": ("P",), "parameters": JUDGED, "cite": TREC_2003}
_R = {"aliases": ("R",), "parameters": JUDGED, "undefined": NONE_KNOWN, "cite": TREC_2003}
_F = {"aliases": ("F",), "parameters": {"beta": beta, **JUDGED}, "undefined": NONE_KNOWN, "cite": TREC_2003}


@measure(
    "ListAccuracy", task="list", aliases=("accuracy",), parameters=JUDGED, undefined="where the question has no target",
    cite=TREC_2001,
)  # fmt: skip
def list_accuracy(view: AnswerListView, judged: str = STRICT) -> float | None:
    """Distinct right instances over the target number; answers beyond the target are not looked at.

    >>> from assay.measures.answer_view import AnswerListView
    >>> list_accuracy(AnswerListView.of(["correct a", "correct a", "correct b", "correct c"], target=3))  # a, b of 3
    0.6666666666666666
    """
    return view.distinct(judged, view.target) / view.target if view.target else None


@measure("InstanceP", task="list", **_P)
@measure("InstanceP", task="context", **_P)
def instance_precision(view: AnswerListView, judged: str = STRICT) -> float:
    """Distinct right instances over answers given, repeats included; 0 where nothing is given.

    >>> from assay.measures.answer_view import AnswerListView
    >>> instance_precision(AnswerListView.of(["correct a", "correct a", "incorrect", "correct b"]))  # 2/4
    0.5
    """
    return view.distinct(judged) / len(view.answers) if view.answers else 0.0


@measure("InstanceR", task="list", **_R)
@measure("InstanceR", task="context", **_R)
def instance_recall(view: AnswerListView, judged: str = STRICT) -> float | None:
    """Distinct right instances over those known.

    >>> from assay.measures.answer_view import AnswerListView
    >>> instance_recall(AnswerListView.of(["correct a", "correct a"], known=["a", "b", "c", "d"]))
    0.25
    """
    known = view.known(judged)
    return view.distinct(judged) / known if known else None


@measure("InstanceF", task="list", **_F)
@measure("InstanceF", task="context", **_F)
def instance_f(view: AnswerListView, beta: float = 1.0, judged: str = STRICT) -> float | None:
    """(β² + 1)·P·R/(β²·P + R) of instance precision and recall: (β² + 1)·distinct/(β²·known + given).

    >>> from assay.measures.answer_view import AnswerListView
    >>> instance_f(AnswerListView.of(["correct a", "correct a", "incorrect"], known=["a", "b"]))  # 2·1/(2 + 3)
    0.4
    """
    known = view.known(judged)
    if not known:
        return None
    weight = beta * beta
    return (weight + 1.0) * view.distinct(judged) / (weight * known + len(view.answers))
