"""Measures of answers to questions: ranked (TREC 2001 main task, NTCIR QAC), listed, and in series.

A list is judged by its instances, in any order. In a series later questions depend on earlier ones (TREC 2001 context task), and
each question has a ranking or a list as its answer.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from assay.measures.define import in_tasks, measure, sums, whole
from assay.measures.graded import q_measure
from assay.measures.parameters import beta, one_of, positive
from assay.measures.parameters import gains as gain_table
from assay.measures.views.answers import LENIENT, STRICT, AnswerListView

TREC_2001 = (
    "E. Voorhees, Overview of the TREC 2001 Question Answering Track, TREC 2001; "
    "Common Evaluation Measures, appendix of the TREC 2001 proceedings"
)
QAC = (
    "J. Fukumoto, T. Kato and F. Masui, Question Answering Challenge for Five Ranked Answers and List Answers, "
    "NTCIR-4, 2004"
)
TREC_2003 = "E. Voorhees, Overview of the TREC 2003 Question Answering Track, TREC 2003"
SAKAI = (
    "T. Sakai, New Performance Metrics Based on Multigrade Relevance: Their Application to Question Answering, "
    "NTCIR-4, 2004"
)
JUDGED = {"judged": one_of(STRICT, LENIENT)}
NONE_KNOWN = "where no right answer is known"


@in_tasks(
    measure,
    "RR",
    ("context", "qa"),
    aliases=("MRR", "recip_rank"),
    parameters={**JUDGED, "cut": positive},
    cite=TREC_2001,
)
def reciprocal_rank(view: AnswerListView, judged: str = STRICT, cut: int | None = None) -> float:
    """One over the rank of the first right answer; 0 where none is right.

    Strict counts unsupported answers as wrong, `judged=lenient` as right; inexact ones are wrong in both.

    >>> view = AnswerListView.of(["inexact", "unsupported a", "correct b"], known=["a", "b"])
    >>> reciprocal_rank(view), reciprocal_rank(view, judged="lenient")  # 1/3, 1/2
    (0.3333333333333333, 0.5)
    """
    rank = view.first(judged)
    return 1.0 / rank if rank is not None and (cut is None or rank <= cut) else 0.0


@in_tasks(
    measure, "Rank", ("context", "qa"), parameters=JUDGED, higher_is_better=False, low=1.0, high=None,
    undefined="where no answer is right", cite=TREC_2001,
)  # fmt: skip
def first_rank(view: AnswerListView, judged: str = STRICT) -> int | None:
    """The rank of the first right answer.

    >>> first_rank(AnswerListView.of(["incorrect", "correct a"])), first_rank(AnswerListView.of(["inexact"]))
    (2, None)
    """
    return view.first(judged)


@measure("NotFound", task="qa", parameters=JUDGED, average="sum", higher_is_better=False, high=None, cite=TREC_2001)
def not_found(view: AnswerListView, judged: str = STRICT) -> int:
    """The number of questions without a right answer. 152 of 492 is 30.9%.

    >>> not_found(AnswerListView.of(["unsupported a"])), not_found(AnswerListView.of(["unsupported a"]), "lenient")
    (1, 0)
    """
    return int(view.first(judged) is None)


@measure("NQcorrect", task="qa", aliases=("NQcorrect{cut}",), parameters={"cut": positive, **JUDGED}, cite=QAC)
def questions_correct(view: AnswerListView, cut: int, judged: str = STRICT) -> float:
    """The share of questions with a right answer among the first `cut`: NQcorrect1 and NQcorrect5 of NTCIR's QAC.

    >>> view = AnswerListView.of(["incorrect", "correct a"])
    >>> questions_correct(view, cut=1), questions_correct(view, cut=5)
    (0.0, 1.0)
    """
    rank = view.first(judged)
    return 1.0 if rank is not None and rank <= cut else 0.0


@measure("NIL", task="qa", average="sum", higher_is_better=None, high=None, cite=TREC_2001)
def nil_returned(view: AnswerListView) -> int:
    """The number of questions with NIL, the claim that the collection has no answer, anywhere in the list.

    >>> nil_returned(AnswerListView.of(["incorrect", "incorrect NIL", "incorrect NIL"]))
    1
    """
    return int(any(answer.nil for answer in view.answers))


@measure("NILCorrect", task="qa", average="sum", high=None, cite=TREC_2001)
def nil_rightly_returned(view: AnswerListView) -> int:
    """The number of questions with NIL returned and right.

    >>> nil_rightly_returned(AnswerListView.of(["correct NIL"], nil=True))
    1
    >>> nil_rightly_returned(AnswerListView.of(["incorrect NIL"]))
    0
    """
    return int(view.nil and nil_returned(view))


@measure("Confident", task="qa", higher_is_better=None, undefined="where the run does not say", cite=TREC_2001)
def confident(view: AnswerListView) -> float | None:
    """The share of questions the system was confident to have answered rightly.

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
    undefined=NONE_KNOWN, cite=SAKAI,
)  # fmt: skip
def q_of_answers(
    view: AnswerListView, cut: int | None = None, gains: Mapping[int, float] | None = None, judged: str = STRICT
) -> float | None:
    """Q-measure over equivalence classes of answers.

    Q = (1/R) Σ_r isrel(r)·cbg(r)/(cig(r) + r): only the first answer of a class is relevant, by its own grade; later
    ones keep their rank and are worth nothing. R is the number of classes and the ideal list has the best answer of
    each, highest first. A question without an answer in the collection has one class, NIL.
    Gains are grades (3:2:1 for S-, A- and B-correct); `gains=1:1,2:1,3:1` is flat, `gains=1:1,2:1.5,3:2` in between.

    A repeats itself at rank 2, b follows at 3: ((3 + 1)/(3 + 1) + (4 + 2)/(3 + 1 + 3))/2 = 13/14.

    >>> view = AnswerListView.of(["correct a 3", "correct a 3", "correct b 1"], known={"a": 3, "b": 1})
    >>> q_of_answers(view) == (4 / 4 + 6 / 7) / 2
    True
    """
    return q_measure(view.ranked(judged), cut=cut, gains=gains)


@measure(
    "ListAccuracy", task="list", aliases=("accuracy",), parameters=JUDGED, undefined="where the question has no target",
    cite=TREC_2001,
)  # fmt: skip
def list_accuracy(view: AnswerListView, judged: str = STRICT) -> float | None:
    """Distinct right instances over the target number; answers beyond the target are ignored.

    >>> list_accuracy(AnswerListView.of(["correct a", "correct a", "correct b", "correct c"], target=3))  # a, b of 3
    0.6666666666666666
    """
    return view.distinct(judged, view.target) / view.target if view.target else None


@in_tasks(measure, "InstanceP", ("context", "list"), aliases=("P",), parameters=JUDGED, cite=TREC_2003)
def instance_precision(view: AnswerListView, judged: str = STRICT) -> float:
    """Distinct right instances over answers given, repeats included; 0 where nothing is given.

    >>> instance_precision(AnswerListView.of(["correct a", "correct a", "incorrect", "correct b"]))  # 2/4
    0.5
    """
    return view.distinct(judged) / len(view.answers) if view.answers else 0.0


@in_tasks(
    measure, "InstanceR", ("context", "list"), aliases=("R",), parameters=JUDGED, undefined=NONE_KNOWN, cite=TREC_2003
)
def instance_recall(view: AnswerListView, judged: str = STRICT) -> float | None:
    """Distinct right instances over those known.

    >>> instance_recall(AnswerListView.of(["correct a", "correct a"], known=["a", "b", "c", "d"]))
    0.25
    """
    known = view.known(judged)
    return view.distinct(judged) / known if known else None


@in_tasks(
    measure,
    "InstanceF",
    ("context", "list"),
    aliases=("F",),
    parameters={"beta": beta, **JUDGED},
    undefined=NONE_KNOWN,
    cite=TREC_2003,
)
def instance_f(view: AnswerListView, beta: float = 1.0, judged: str = STRICT) -> float | None:
    """(β² + 1)·P·R/(β²·P + R) of instance precision and recall: (β² + 1)·distinct/(β²·known + given).

    >>> instance_f(AnswerListView.of(["correct a", "correct a", "incorrect"], known=["a", "b"]))  # 2·1/(2 + 3)
    0.4
    """
    known = view.known(judged)
    if not known:
        return None
    weight = beta * beta
    return (weight + 1.0) * view.distinct(judged) / (weight * known + len(view.answers))


@whole(
    "Alive", task="context", of=("series", "position", "found"), parameters={"cut": positive},
    undefined="where no series has that many questions", cite=TREC_2001,
)  # fmt: skip
def series_alive(series: Sequence[str], position: Sequence[int], answered: Sequence[int], cut: int) -> float | None:
    """The share of series still alive after question `cut`: all of its first `cut` questions have a right answer.

    Over the series that have at least that many questions.

    >>> series_alive(["1", "1", "2", "2"], [1, 2, 1, 2], [1, 0, 1, 1], cut=2)  # series 1 fails at its second question
    0.5
    """
    long_enough = {name for name, place in zip(series, position, strict=True) if place == cut}
    if not long_enough:
        return None
    failed = {name for name, place, right in zip(series, position, answered, strict=True) if place <= cut and not right}
    return len(long_enough - failed) / len(long_enough)
