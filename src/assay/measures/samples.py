"""Measures of questions answered several times, of partial credit and of cost.

A view is one question; `view.samples` are its samples (mostly one), without failed ones:

    sample.right, sample.answered   whether it is right; whether there is an answer
    sample.score                    from 0 to 1: 1 right, 0 wrong or unanswered, or partial credit between
    sample.text                     the normalised answer
    sample.usage                    latency, tokens and cost, where the log or table has them; steps, where the log has them
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import comb
from typing import Any, Protocol

from assay.measures.accuracy_and_c_at_1 import COUNT, TASK
from assay.measures.define import measure, sums
from assay.measures.parameters import positive


class Sample(Protocol):
    right: bool
    answered: bool
    score: float
    text: str | None
    usage: Mapping[str, float | None]


class SampledQuestion(Protocol):
    samples: Sequence[Sample]


CHEN = "Chen et al., Evaluating Large Language Models Trained on Code, 2021"
TAU = "Yao et al., τ-bench: A Benchmark for Tool-Agent-User Interaction in Real-World Domains, 2024"
WANG = "Wang et al., Self-Consistency Improves Chain of Thought Reasoning in Language Models, ICLR 2023"
MILLER = "Miller, Adding Error Bars to Evals: A Statistical Approach to Language Model Evaluations, 2024"
FEWER = "where a question has fewer than k samples"
AT_K: dict[str, Any] = {"task": TASK, "parameters": {"k": positive}, "at": "k", "of_samples": True}


@measure("score", task=TASK, aliases=("partial_credit",), cite=MILLER)
def score(view: Sample) -> float:
    """The mean score of the answers, from 0 to 1: 1 for a right one, 0 for a wrong one or none, or partial credit.

    >>> from types import SimpleNamespace as Sample
    >>> score(Sample(score=0.5))
    0.5
    """
    return view.score


@measure("pass", aliases=("pass_at_{k}",), undefined=FEWER, cite=CHEN, **AT_K)
def pass_at_k(view: SampledQuestion, k: int) -> float | None:
    """`pass@k` = 1 - C(m-c, k) / C(m, k): the chance that at least one of k samples is right, of m of which c are.

    It is the mean over all choices of k of the m samples, and so unbiased. 2 right of 4: 1 - 1/6 for k = 2.

    >>> from types import SimpleNamespace as Sample
    >>> view = Sample(samples=[Sample(right=right) for right in (True, True, False, False)])
    >>> round(pass_at_k(view, k=2), 4), pass_at_k(view, k=5)
    (0.8333, None)
    """
    m, c = len(view.samples), _right(view)
    return None if m < k else 1 - comb(m - c, k) / comb(m, k)


@measure("pass^k", aliases=("pass^{k}",), undefined=FEWER, cite=TAU, **AT_K)
def pass_hat_k(view: SampledQuestion, k: int) -> float | None:
    """`pass^k`, as in `pass^4`, = C(c, k) / C(m, k): the chance that all of k samples are right, of m of which c are.

    2 right of 4: 1/6 for k = 2.

    >>> from types import SimpleNamespace as Sample
    >>> view = Sample(samples=[Sample(right=right) for right in (True, True, False, False)])
    >>> round(pass_hat_k(view, k=2), 4), pass_hat_k(view, k=1)
    (0.1667, 0.5)
    """
    m, c = len(view.samples), _right(view)
    return None if m < k else comb(c, k) / comb(m, k)


@measure("maj", aliases=("maj_at_{k}",), undefined=FEWER + ", or k > 1 and an answer has no text", cite=WANG, **AT_K)
def majority_at_k(view: SampledQuestion, k: int) -> float | None:
    """`maj@k`: the chance that the answer most of k samples give is right, over all choices of k of the m samples.

    Answers are compared after normalisation; a sample without an answer has no vote; ties for the first place
    are broken at random. Paris (right) twice, Rome twice, Oslo once: of the 10 choices of 3, Paris
    wins 3, Rome 3, and the other 4, one of each, are a draw of three, so 3/10 + 4/10 · 1/3. A single sample is its own
    majority: `maj@1` is the share of right samples, and needs no text.

    >>> from types import SimpleNamespace as Sample
    >>> votes = [("paris", True), ("paris", True), ("rome", False), ("rome", False), ("oslo", False)]
    >>> view = Sample(samples=[Sample(text=text, right=right, answered=True) for text, right in votes])
    >>> round(majority_at_k(view, k=3), 4)
    0.4333
    >>> majority_at_k(view, k=5)
    0.5
    """
    m = len(view.samples)
    if m >= k == 1:
        return _right(view) / m
    if m < k or any(sample.answered and sample.text is None for sample in view.samples):
        return None
    votes: dict[str, list[bool]] = {}
    for sample in view.samples:
        if sample.answered and sample.text is not None:
            votes.setdefault(sample.text, []).append(sample.right)
    sizes = {answer: len(verdicts) for answer, verdicts in votes.items()}
    silent = m - sum(sizes.values())
    won = sum(
        _ways_to_win(size, [other for name, other in sizes.items() if name != answer], silent, k)
        * sum(votes[answer])
        / size
        for answer, size in sizes.items()
    )
    return won / comb(m, k)


def _ways_to_win(size: int, others: Sequence[int], silent: int, k: int) -> float:
    """Count the choices of k samples in which an answer given `size` times wins; ties count as shares."""
    total = 0.0
    for votes in range(1, min(size, k) + 1):
        # (samples chosen among the other answers, number of answers tied with this one) → number of ways
        ways: dict[tuple[int, int], int] = {(0, 0): 1}
        for other in others:
            grown: dict[tuple[int, int], int] = {}
            for (chosen, shared), count in ways.items():
                for its in range(min(other, votes, k - votes - chosen) + 1):
                    key = chosen + its, shared + (its == votes)
                    grown[key] = grown.get(key, 0) + count * comb(other, its)
            ways = grown
        left = k - votes
        total += comb(size, votes) * sum(
            count * comb(silent, left - chosen) / (1 + shared)
            for (chosen, shared), count in ways.items()
            if left - chosen <= silent
        )
    return total


def _right(view: SampledQuestion) -> int:
    return sum(sample.right for sample in view.samples)


USED: dict[str, Any] = {
    "task": TASK,
    "high": None,
    "higher_is_better": False,
    "undefined": "where the log or table lacks it",
}


@measure("latency", cite=MILLER, **USED)
def latency(view: Sample) -> float | None:
    """Seconds an answer took, where the log or table has it.

    >>> from types import SimpleNamespace as Sample
    >>> latency(Sample(usage={"latency": 1.5}))
    1.5
    """
    return view.usage.get("latency")


@measure("tokens", cite=MILLER, **USED)
def tokens(view: Sample) -> float | None:
    """Tokens an answer took, where the log or table has it.

    >>> from types import SimpleNamespace as Sample
    >>> tokens(Sample(usage={"tokens": 15}))
    15
    """
    return view.usage.get("tokens")


@measure("steps", cite=TAU, **USED)
def steps(view: Sample) -> float | None:
    """Turns an agent took, where the log has them.

    >>> from types import SimpleNamespace as Sample
    >>> steps(Sample(usage={"steps": 12}))
    12
    """
    return view.usage.get("steps")


@measure("cost", cite=MILLER, **USED)
def cost(view: Sample) -> float | None:
    """Dollars an answer cost, where the log or table has it.

    >>> from types import SimpleNamespace as Sample
    >>> cost(Sample(usage={"cost": 0.002}))
    0.002
    """
    return view.usage.get("cost")


@sums("declined", higher_is_better=None, of=("declined",), **COUNT)
def declined(n: int, declined: int) -> tuple[int, int]:
    """Questions left unanswered because the system does not know the answer, by the log or a pattern.

    >>> declined(500, 94)
    (94, 1)
    """
    return declined, 1


@sums("refused", higher_is_better=None, of=("refused",), **COUNT)
def refused(n: int, refused: int) -> tuple[int, int]:
    """Questions left unanswered because the system will not answer, by the log or a pattern.

    >>> refused(500, 3)
    (3, 1)
    """
    return refused, 1


@sums("unparsed", higher_is_better=None, of=("unparsed",), **COUNT)
def unparsed(n: int, unparsed: int) -> tuple[int, int]:
    """Questions whose answer the harness could not extract, whatever `unparsed=` makes of them.

    >>> unparsed(500, 7)
    (7, 1)
    """
    return unparsed, 1
