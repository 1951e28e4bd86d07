"""Measures of reading comprehension: SQuAD's exact match and token F1.

A view is one question:

    view.exact, view.overlap    SQuAD's exact match and token F1; None in other tasks
    view.nil                    whether the question has no answer
"""

from __future__ import annotations

from typing import Any, Protocol

from assay.measures.define import measure


class ComprehensionQuestion(Protocol):
    exact: int | None
    overlap: float | None
    nil: bool


TASK = "outcomes"
RAJPURKAR = "Rajpurkar, Jia and Liang, Know What You Don't Know: Unanswerable Questions for SQuAD, ACL 2018"
ONLY_SQUAD = "where the gold is not SQuAD's"
HAS_ANSWER: dict[str, Any] = {"undefined": ONLY_SQUAD + ", or the question has no answer", "cite": RAJPURKAR}


@measure("EM", task=TASK, aliases=("exact",), undefined=ONLY_SQUAD, cite=RAJPURKAR)
def exact_match(view: ComprehensionQuestion) -> float | None:
    """1 where the prediction equals a gold answer after SQuAD's normalisation, or rightly is empty; else 0.

    >>> from types import SimpleNamespace as Question
    >>> exact_match(Question(exact=1))
    1
    """
    return view.exact


@measure("TokenF1", task=TASK, undefined=ONLY_SQUAD, cite=RAJPURKAR)
def token_f1(view: ComprehensionQuestion) -> float | None:
    """SQuAD's F1: the best overlap in words with a gold answer.

    >>> from types import SimpleNamespace as Question
    >>> token_f1(Question(overlap=0.8))
    0.8
    """
    return view.overlap


@measure("HasAns_EM", task=TASK, aliases=("HasAns_exact",), **HAS_ANSWER)
def has_answer_exact(view: ComprehensionQuestion) -> float | None:
    """EM over the questions that have an answer.

    >>> from types import SimpleNamespace as Question
    >>> has_answer_exact(Question(exact=1, nil=False)), has_answer_exact(Question(exact=1, nil=True))
    (1, None)
    """
    return None if view.nil else view.exact


@measure("HasAns_F1", task=TASK, aliases=("HasAns_f1",), **HAS_ANSWER)
def has_answer_f1(view: ComprehensionQuestion) -> float | None:
    """Token F1 over the questions that have an answer.

    >>> from types import SimpleNamespace as Question
    >>> has_answer_f1(Question(overlap=0.8, nil=False))
    0.8
    """
    return None if view.nil else view.overlap


@measure(
    "NoAns_EM", task=TASK, aliases=("NoAns_exact", "NoAns_F1", "NoAns_f1"),
    undefined=ONLY_SQUAD + ", or the question has an answer", cite=RAJPURKAR,
)  # fmt: skip
def no_answer_exact(view: ComprehensionQuestion) -> float | None:
    """EM over the questions that have no answer: the share rightly left empty (token F1 is the same there).

    >>> from types import SimpleNamespace as Question
    >>> no_answer_exact(Question(exact=1, nil=True)), no_answer_exact(Question(exact=1, nil=False))
    (1, None)
    """
    return view.exact if view.nil else None
