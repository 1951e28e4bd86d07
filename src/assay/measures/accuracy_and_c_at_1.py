"""Measures of correct, incorrect and unanswered questions: accuracy, c@1 and their relatives.

Each is a formula on sums: n questions, of which `correct` (nac), `incorrect` (naw) and `unanswered` (nu) add up to n.
A function returns numerator and denominator, so that two systems compare exactly; a zero denominator is *undefined*.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from assay.measures.define import sums, whole
from assay.measures.parameters import number

if TYPE_CHECKING:
    from collections.abc import Sequence
    from fractions import Fraction

TASK = "outcomes"
JACKSON = "Jackson et al., AA-Omniscience: Evaluating Cross-Domain Knowledge Reliability in LLMs, 2025"
PENAS = "Peñas and Rodrigo, A Simple Measure to Assess Non-response, ACL 2011"
QA4MRE = "Peñas et al., Overview of QA4MRE at CLEF 2011: Question Answering for Machine Reading Evaluation"
COUNT: dict[str, Any] = {"task": TASK, "average": "sum", "high": None, "cite": PENAS}
NO_QUESTIONS = "where there are no questions"
NOTHING_ANSWERED = "where nothing is answered"
NO_CLUSTERS = "where a question has no cluster"


@sums("questions", higher_is_better=None, **COUNT)
def questions(n: int) -> tuple[int, int]:
    """The number of questions: n = nac + naw + nu.

    >>> questions(500)
    (500, 1)
    """
    return n, 1


@sums("correct", aliases=("nac",), of=("correct",), **COUNT)
def correct(n: int, correct: int) -> tuple[int, int]:
    """nac, the questions answered correctly.

    >>> correct(500, 237)
    (237, 1)
    """
    return correct, 1


@sums("incorrect", aliases=("naw",), higher_is_better=False, of=("incorrect",), **COUNT)
def incorrect(n: int, incorrect: int) -> tuple[int, int]:
    """naw, the questions answered incorrectly.

    >>> incorrect(500, 156)
    (156, 1)
    """
    return incorrect, 1


@sums("unanswered", aliases=("nu",), higher_is_better=None, of=("unanswered",), **COUNT)
def unanswered(n: int, unanswered: int) -> tuple[int, int]:
    """nu, the questions left unanswered.

    >>> unanswered(500, 107)
    (107, 1)
    """
    return unanswered, 1


@sums("accuracy", task=TASK, aliases=("acc",), of=("correct",), mean=True, undefined=NO_QUESTIONS, cite=PENAS)
def accuracy(n: int, correct: int) -> tuple[int, int]:
    """nac / n: an unanswered question counts as much as a wrong answer.

    icia091ro of QA@CLEF 2009 answered 237 of 500 questions correctly:

    >>> top, bottom = accuracy(500, 237)
    >>> round(top / bottom, 2)
    0.47
    """
    return correct, n


@sums(
    "UF", task=TASK, low=-1.0, of=("correct", "incorrect"), mean=True, undefined=NO_QUESTIONS,
    cite=PENAS + ", formula (1)",
)  # fmt: skip
def utility(n: int, correct: int, incorrect: int) -> tuple[int, int]:
    """(nac - naw) / n: +1 for a right answer, -1 for a wrong one, 0 for none.

    237 right, 156 wrong and 107 unanswered of 500 give (237 - 156) / 500 = 81 / 500:

    >>> utility(500, 237, 156)
    (81, 500)
    """
    return correct - incorrect, n


@sums(
    "UF_rescaled", task=TASK, aliases=("half_unanswered_right",), of=("correct", "unanswered"), mean=True,
    undefined=NO_QUESTIONS,
    cite=PENAS + ", formula (2) and section 3.3",
)  # fmt: skip
def utility_rescaled(n: int, correct: int, unanswered: int) -> tuple[int, int]:
    """nac/n + 0.5 nu/n = 0.5 UF + 0.5: ranks as UF does: half of the unanswered questions count as right.

    Answering nothing is worth half the marks:

    >>> utility_rescaled(500, 0, 500)
    (500, 1000)
    """
    return 2 * correct + unanswered, 2 * n


@sums(
    "c@1", task=TASK, aliases=("c_at_1",), of=("correct", "unanswered"), fixed_denominator=True, undefined=NO_QUESTIONS,
    cite=PENAS + ", formula (4)",
)  # fmt: skip
def c_at_1(n: int, correct: int, unanswered: int) -> tuple[int, int]:
    """c@1 = (nac + nu · nac/n) / n: unanswered questions are worth the accuracy over all questions.

    The four systems of table 3 of the paper:

    >>> for nac, naw, nu in [(237, 156, 107), (236, 264, 0), (187, 230, 83), (189, 311, 0)]:
    ...     top, bottom = c_at_1(nac + naw + nu, nac, nu)
    ...     print(f"{top / bottom:.2f}")
    0.58
    0.47
    0.44
    0.38

    Answering nothing is worth nothing, and answering everything is worth the accuracy:

    >>> c_at_1(500, 0, 500)[0], c_at_1(500, 189, 0) == (189 * 500, 500 * 500)
    (0, True)
    """
    return correct * (n + unanswered), n * n


@sums(
    "precision", task=TASK, aliases=("precision_answered", "unanswered_as_precision"), of=("correct", "incorrect"),
    ignores=("unanswered",), undefined=NOTHING_ANSWERED, cite=PENAS + ", formula (5), section 3.4",
)  # fmt: skip
def precision(n: int, correct: int, incorrect: int) -> tuple[int, int]:
    """nac / (nac + naw): the share of answers that are right.

    It can be gamed by answering only one certain question.

    >>> precision(500, 1, 0)
    (1, 1)
    >>> top, bottom = c_at_1(500, 1, 499)
    >>> round(top / bottom, 3)
    0.004
    """
    return correct, correct + incorrect


@sums("coverage", task=TASK, of=("unanswered",), mean=True, undefined=NO_QUESTIONS, cite=PENAS, higher_is_better=None)
def coverage(n: int, unanswered: int) -> tuple[int, int]:
    """(nac + naw) / n: the share of questions answered.

    >>> coverage(500, 107)
    (393, 500)
    """
    return n - unanswered, n


@sums(
    "all_unanswered_right", task=TASK, of=("correct", "unanswered"), mean=True, undefined=NO_QUESTIONS,
    cite=PENAS + ", section 3.2 (rejected there)",
)  # fmt: skip
def all_unanswered_right(n: int, correct: int, unanswered: int) -> tuple[int, int]:
    """(nac + nu) / n, for teaching only: a system that never answers gets the highest score.

    >>> all_unanswered_right(500, 0, 500)
    (500, 500)
    """
    return correct + unanswered, n


@sums(
    "unanswered_as_error", task=TASK, of=("correct", "incorrect", "unanswered"), undefined=NOTHING_ANSWERED,
    cite=PENAS + ", formula (6), section 3.5 (rejected there)",
)  # fmt: skip
def unanswered_as_error(n: int, correct: int, incorrect: int, unanswered: int) -> tuple[int, int]:
    """(nac + nu · naw/(nac+naw)) / n, for teaching only: unanswered questions count by the share of wrong answers.

    It can be gamed by answering one question wrongly and no other; c@1 cannot.

    >>> top, bottom = unanswered_as_error(500, 0, 1, 499)
    >>> top / bottom
    0.998
    >>> c_at_1(500, 0, 499)[0]
    0
    """
    answered = correct + incorrect
    return correct * answered + unanswered * incorrect, n * answered


@sums(
    "Omniscience", task=TASK, aliases=("omniscience_index",), low=-100.0, high=100.0, of=("correct", "incorrect"),
    mean=True, undefined=NO_QUESTIONS, cite=JACKSON,
)  # fmt: skip
def omniscience(n: int, correct: int, incorrect: int) -> tuple[int, int]:
    """100 · (nac - naw) / n, that is 100 · UF.

    >>> top, bottom = omniscience(500, 237, 156)
    >>> round(top / bottom, 1)
    16.2
    """
    return 100 * (correct - incorrect), n


@sums(
    "hallucination_rate", task=TASK, higher_is_better=False, of=("incorrect", "unanswered"),
    ignores=("correct",), undefined="where every answer is right", cite=JACKSON,
)  # fmt: skip
def hallucination_rate(n: int, incorrect: int, unanswered: int) -> tuple[int, int]:
    """naw / (naw + nu): of the questions not answered correctly, the share answered anyway.

    >>> hallucination_rate(500, 156, 107)
    (156, 263)
    """
    return incorrect, incorrect + unanswered


@sums(
    "SimpleQA_F", task=TASK, of=("correct", "incorrect"), undefined=NO_QUESTIONS,
    cite="Wei et al., Measuring short-form factuality in large language models, 2024",
)  # fmt: skip
def simpleqa_f(n: int, correct: int, incorrect: int) -> tuple[int, int]:
    """The harmonic mean of accuracy nac/n and precision nac/(nac+naw), that is 2 nac / (n + nac + naw).

    4 right, 1 wrong and 5 unanswered: accuracy 0.4, precision 0.8, harmonic mean 2·0.32/1.2 = 8/15.

    >>> simpleqa_f(10, 4, 1)
    (8, 15)
    """
    return 2 * correct, n + correct + incorrect


def target(text: str) -> Fraction:
    """a confidence target from 0 up to but not including 1"""
    from fractions import Fraction

    # Exact, but not of 1e-999999999, whose denominator would have a billion digits.
    value = Fraction(text) if abs(number(text)) > 1e-300 else Fraction(0)
    if not 0 <= value < 1:
        raise ValueError("expected a number of at least 0 and below 1")
    return value


@sums(
    "confidence_target", task=TASK, aliases=("CT",), parameters={"t": target}, at="t", low=None,
    of=("correct", "incorrect"), mean=True, undefined=NO_QUESTIONS,
    cite="Kalai, Nachum, Vempala and Zhang, Why Language Models Hallucinate, 2025",
)  # fmt: skip
def confidence_target(n: int, correct: int, incorrect: int, t: Fraction) -> tuple[int, int]:
    """(nac - naw · t/(1-t)) / n: rewards answering where the confidence exceeds t.

    `CT@0.5` is UF and `CT@0` is accuracy. At t = 3/4 a wrong answer costs 3: 6 right, 1 wrong, 3 unanswered give (6 - 3) / 10.

    >>> from fractions import Fraction
    >>> top, bottom = confidence_target(10, 6, 1, t=Fraction(3, 4))
    >>> top / bottom
    0.3
    >>> confidence_target(500, 237, 156, t=Fraction(1, 2)) == utility(500, 237, 156)
    True
    """
    wrong, right = t.numerator, t.denominator - t.numerator
    return correct * right - incorrect * wrong, n * right


def _per_cluster(correct: Sequence[int], unanswered: Sequence[int], cluster: Sequence[str | None]) -> list[float]:
    counts: dict[str, list[int]] = {}
    for right, declined, name in zip(correct, unanswered, cluster, strict=True):
        if name is None:
            return []
        count = counts.setdefault(name, [0, 0, 0])
        count[0] += 1
        count[1] += right
        count[2] += declined
    return [top / bottom for top, bottom in (c_at_1(*count) for count in counts.values())]


@whole("c@1_cluster_mean", task=TASK, of=("correct", "unanswered", "cluster"), undefined=NO_CLUSTERS, cite=QA4MRE)
def c_at_1_cluster_mean(
    correct: Sequence[int], unanswered: Sequence[int], cluster: Sequence[str | None]
) -> float | None:
    """The mean over clusters (a passage and its questions) of c@1 within the cluster.

    Test a: 1 right of 2 answered, c@1 = 0.5. Test b: 1 right, 1 unanswered of 2, c@1 = (1 + 1/2)/2 = 0.75.

    >>> c_at_1_cluster_mean([1, 0, 1, 0], [0, 0, 0, 1], ["a", "a", "b", "b"])
    0.625
    """
    values = _per_cluster(correct, unanswered, cluster)
    return sum(values) / len(values) if values else None


@whole("c@1_cluster_median", task=TASK, of=("correct", "unanswered", "cluster"), undefined=NO_CLUSTERS, cite=QA4MRE)
def c_at_1_cluster_median(
    correct: Sequence[int], unanswered: Sequence[int], cluster: Sequence[str | None]
) -> float | None:
    """The median over clusters of c@1 within the cluster; of an even number, the mean of the two in the middle.

    >>> c_at_1_cluster_median([1, 0, 1, 0, 0], [0, 0, 0, 1, 0], ["a", "a", "b", "b", "c"])
    0.5
    """
    values = sorted(_per_cluster(correct, unanswered, cluster))
    return (values[(len(values) - 1) // 2] + values[len(values) // 2]) / 2 if values else None
