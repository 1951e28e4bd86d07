"""Measures of ranked answers to questions (TREC 2001 main task, NTCIR QAC)."""

from __future__ import annotations

from assay.measures.answer_view import LENIENT, STRICT
from assay.measures.declare import measure, sums
from assay.measures.graded import q_measure
from assay.measures.parameters import gains as gain_table
from assay.measures.parameters import one_of, positive

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

    from assay.measures.answer_view import AnswerListView

TREC_2001 = (
    "E. Voorhees, Overview of the TREC 2001 Question Answering Track, TREC 2001; "
    "Common Evaluation Measures, appendix of the TREC 2001 proceedings"
)
QAC = (
    "J. Fukumoto, T. Kato and F. Masui, Question Answering Challenge for Five Ranked Answers and List Answers, "
    "NTCIR-4, 2004"
)
SAKAI = (
    "T. Sakai, New Performance Metrics Based on Multigrade Relevance: Their Application to Question Answering, "
    "NTCIR-4, 2004"
)
JUDGED = {"judged": one_of(STRICT, LENIENT)}
NOT_FOUND = "where no answer is right"
_RR = {"aliases": ("MRR", "recip_rank"), "parameters": {**JUDGED, "cut": positive}, "cite": TREC_2001}
_RANK = {
    "parameters": JUDGED,
    "higher_is_better": False,
    "low": 1.0,
    "high": None,
    "undefined": NOT_FOUND,
    "cite": TREC_2001,
}


@measure("RR", task="qa", **_RR)
@measure("RR", task="context", **_RR)
def reciprocal_rank(view: AnswerListView, judged: str = STRICT, cut: int | None = None) -> float:
    """One over the rank of the first right answer; 0 where none is right.

    Strict counts unsupported answers as wrong, `judged=lenient` as right; inexact ones are wrong in both.

    >>> from assay.measures.answer_view import AnswerListView
    >>> view = AnswerListView.of(["inexact", "unsupported a", "correct b"], known=["a", "b"])
    >>> reciprocal_rank(view), reciprocal_rank(view, judged="lenient")  # 1/3, 1/2
    (0.3333333333333333, 0.5)
    """
    rank = view.first(judged)
    return 1.0 / rank if rank is not None and (cut is None or rank <= cut) else 0.0


@measure("Rank", task="qa", **_RANK)
@measure("Rank", task="context", **_RANK)
def first_rank(view: AnswerListView, judged: str = STRICT) -> int | None:
    """The rank of the first right answer.

    >>> from assay.measures.answer_view import AnswerListView
    >>> first_rank(AnswerListView.of(["incorrect", "correct a"])), first_rank(AnswerListView.of(["inexact"]))
    (2, None)
    """
    return view.first(judged)


@measure("NotFound", task="qa", parameters=JUDGED, average="sum", higher_is_better=False, high=None, cite=TREC_2001)
def not_found(view: AnswerListView, judged: str = STRICT) -> int:
    """How many questions have no right answer among those given. 152 of 492 is 30.9%.

    >>> from assay.measures.answer_view import AnswerListView
    >>> not_found(AnswerListView.of(["unsupported a"])), not_found(AnswerListView.of(["unsupported a"]), "lenient")
    (1, 0)
    """
    return int(view.first(judged) is None)


@measure("NQcorrect", task="qa", aliases=("NQcorrect{cut}",), parameters={"cut": positive, **JUDGED}, cite=QAC)
def questions_correct(view: AnswerListView, cut: int, judged: str = STRICT) -> float:
    """The share of questions with a right answer among the first `cut`: NQcorrect1 and NQcorrect5 of NTCIR's QAC.

    >>> from assay.measures.answer_view import AnswerListView
    >>> view = AnswerListView.of(["incorrect", "correct a"])
    >>> questions_correct(view, cut=1), questions_correct(view, cut=5)
    (0.0, 1.0)
    """
    rank = view.first(judged)
    return 1.0 if rank is not None and rank <= cut else 0.0


@measure("NIL", task="qa", average="sum", higher_is_better=None, high=None, cite=TREC_2001)
def nil_returned(view: AnswerListView) -> int:
    """For how many questions NIL, the claim that the collection has no answer, was returned anywhere in the list.

    >>> from assay.measures.answer_view import AnswerListView
    >>> nil_returned(AnswerListView.of(["incorrect", "incorrect NIL", "incorrect NIL"]))
    1
    """
    return int(any(answer.nil for answer in view.answers))


@measure("NILCorrect", task="qa", average="sum", high=None, cite=TREC_2001)
def nil_rightly_returned(view: AnswerListView) -> int:
    """For how many questions NIL was returned and right.

    >>> from assay.measures.answer_view import AnswerListView
    >>> nil_rightly_returned(AnswerListView.of(["correct NIL"], nil=True))
    1
    >>> nil_rightly_returned(AnswerListView.of(["incorrect NIL"]))
    0
    """
    return int(view.nil and nil_returned(view))


@measure("Confident", task="qa", higher_is_better=None, undefined="where the run never says", cite=TREC_2001)
def confident(view: AnswerListView) -> float | None:
    """The share of questions the system was confident to have answered rightly.

    >>> from assay.measures.answer_view import AnswerListView
    >>> confident(AnswerListView.of(["incorrect"], confident=True)), confident(AnswerListView.of(["correct a"]))
    (1.0, None)
    """
    return None if view.confident is None else float(view.confident)


@sums(
    "ConfidentCorrect", task="qa", of=("confident", "confident_correct"),
    undefined="where the system was confident of nothing", cite=TREC_2001,
)  # fmt: skip
def confident_and_correct(n: int, confident: int, confident_correct: int) -> tuple[int, int]:
    """Of the questions the system was confident about, the share whose one final answer is correct (strictly).

    >>> confident_and_correct(10, 4, 3)
    (3, 4)
    """
    return confident_correct, confident


@measure(
    "Q", task="qa", aliases=("Q-measure",), parameters={"cut": positive, "gains": gain_table, **JUDGED},
    undefined="where no right answer is known", cite=SAKAI,
)  # fmt: skip
def q_of_answers(
    view: AnswerListView,
    cut: int | None = None,
    gains: Mapping[int, float] | None = None,
    judged: str = STRICT,
) -> float | None:
    """Q-measure over equivalence classes of answers.

    Q = (1/R) Σ_r isrel(r)·cbg(r)/(cig(r) + r): only the first answer of a class is relevant, by its own grade; later
    ones keep their rank and are worth nothing. R is the number of classes and the ideal list has the best answer of
    each, highest first. A question without an answer in the collection has one class, NIL.
    Gains are grades (3:2:1 for S-, A- and B-correct); `gains=1:1,2:1,3:1` is flat, `gains=1:1,2:1.5,3:2` in between.

    A repeats itself at rank 2, b follows at 3: ((3 + 1)/(3 + 1) + (4 + 2)/(3 + 1 + 3))/2 = 13/14.

    >>> from assay.measures.answer_view import AnswerListView
    >>> view = AnswerListView.of(["correct a 3", "correct a 3", "correct b 1"], known={"a": 3, "b": 1})
    >>> q_of_answers(view) == (4 / 4 + 6 / 7) / 2
    True
    """
    return q_measure(view.ranked(judged), cut=cut, gains=gains)
