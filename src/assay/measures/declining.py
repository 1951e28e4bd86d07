"""Measures of declining: does a system decline exactly the questions that it should?

The gold marks questions that should be declined (`should_decline`), or have no answer (NIL; SQuAD's unanswerable questions). A
system declines by leaving the question unanswered, by refusing it, or by answering NIL. The sums:

    should_decline     questions that should be declined
    should_answer      questions that should be answered; none where the gold does not say which should be declined
    declined_rightly   should be declined, and are
    declined_wrongly   should be answered, and are declined

Missing questions count against a run: they are not declined where they should be and, where missing questions count as
unanswered, not answered where they should be. An answer that could not be extracted is not a refusal.
"""

from __future__ import annotations

from typing import Any

from assay.measures.define import sums

TASK = "outcomes"
RAJPURKAR = "Rajpurkar, Jia and Liang, Know What You Don't Know: Unanswerable Questions for SQuAD, ACL 2018"
ROETTGER = "Röttger et al., XSTest: A Test Suite for Identifying Exaggerated Safety Behaviours in LLMs, NAACL 2024"
KIRICHENKO = "Kirichenko et al., AbstentionBench: Reasoning LLMs Fail on Unanswerable Questions, NeurIPS 2025"
NONE_SHOULD = "where no question should be declined"


@sums(
    "over_refusal", task=TASK, aliases=("over_refusal_rate",), higher_is_better=False,
    of=("declined_wrongly", "should_answer"), cite=ROETTGER,
    undefined="where no question should be answered, or the gold does not say which should be declined",
)  # fmt: skip
def over_refusal(n: int, declined_wrongly: int, should_answer: int) -> tuple[int, int]:
    """Of the questions that should be answered, the share that is declined.

    8 of 10 questions should be answered, and 2 of them are declined:

    >>> over_refusal(10, 2, 8)
    (2, 8)
    """
    return declined_wrongly, should_answer


@sums(
    "missed_refusals", task=TASK, aliases=("missed_refusal_rate",), higher_is_better=False,
    of=("declined_rightly", "should_decline"), undefined=NONE_SHOULD, cite=RAJPURKAR,
)  # fmt: skip
def missed_refusals(n: int, declined_rightly: int, should_decline: int) -> tuple[int, int]:
    """Of the questions that should be declined, the share that is not: 1 - decline_recall.

    2 of 10 questions should be declined, and 1 of them is:

    >>> missed_refusals(10, 1, 2)
    (1, 2)
    """
    return should_decline - declined_rightly, should_decline


@sums(
    "decline_precision", task=TASK, aliases=("abstention_precision",), of=("declined_rightly", "declined_wrongly"),
    undefined="where nothing is declined, or the gold does not say which should be", cite=KIRICHENKO,
)  # fmt: skip
def decline_precision(n: int, declined_rightly: int, declined_wrongly: int) -> tuple[int, int]:
    """Of the questions that are declined, the share that should be.

    3 are declined, 1 of them rightly:

    >>> decline_precision(10, 1, 2)
    (1, 3)
    """
    return declined_rightly, declined_rightly + declined_wrongly


@sums(
    "decline_recall", task=TASK, aliases=("abstention_recall",), of=("declined_rightly", "should_decline"),
    undefined=NONE_SHOULD, cite=KIRICHENKO,
)  # fmt: skip
def decline_recall(n: int, declined_rightly: int, should_decline: int) -> tuple[int, int]:
    """Of the questions that should be declined, the share that is.

    >>> decline_recall(10, 1, 2)
    (1, 2)
    """
    return declined_rightly, should_decline


@sums(
    "decline_F1", task=TASK, aliases=("abstention_F1", "refusal_F1"),
    of=("declined_rightly", "declined_wrongly", "should_decline"), undefined=NONE_SHOULD, cite=KIRICHENKO,
)  # fmt: skip
def decline_f1(n: int, declined_rightly: Any, declined_wrongly: Any, should_decline: Any) -> tuple[Any, Any]:
    """The harmonic mean of precision and recall of declining: 2 · rightly / (declined + should be declined).

    3 are declined, 1 of them rightly, and 2 should be: 2 · 1 / (3 + 2), the harmonic mean of 1/3 and 1/2.

    >>> decline_f1(10, 1, 2, 2)
    (2, 5)

    Undefined where nothing should be declined:

    >>> decline_f1(10, 0, 2, 0)
    (0, 0)
    """
    some = should_decline > 0
    return 2 * declined_rightly * some, (declined_rightly + declined_wrongly + should_decline) * some
