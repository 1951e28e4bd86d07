"""A risk that is promised: the tests by hand, and the promise held against systems whose risk is known."""

from __future__ import annotations

import json
from math import comb

import numpy as np
import pytest

import assay
from assay.analyses.abstention.guarantee import GRID, STARTS, Guarantee, fewest_answers, ladder
from assay.errors import InputError, UsageError


def answers(pairs, **more) -> bytes:
    """A run of (right, confidence) pairs; None is unanswered."""
    words = {1: "correct", 0: "incorrect", None: "unanswered"}
    rows = [{"id": f"q{i:04}", "outcome": words[c], "confidence": p} for i, (c, p) in enumerate(pairs)]
    for name, values in more.items():
        for row, value in zip(rows, values, strict=True):
            row[name] = value
    return "\n".join(map(json.dumps, rows)).encode()


def test_thresholds_are_fixed_and_fall() -> None:
    assert list(GRID) == sorted(set(GRID), reverse=True)
    assert {0.0, 0.001, 0.5, 0.99, 0.999, 0.9999, 1.0, *STARTS, *(i / 100 for i in range(101))} <= set(GRID)


def test_p_values_are_binomial_tails() -> None:
    steps = ladder([1] * 9 + [0] + [1] * 20, [0.97] * 10 + [0.6] * 20, 0.2, 0.1)
    by = {step.threshold: step for step in steps}
    assert 0.98 not in by, "nobody is so sure"
    assert (by[0.97].answers, by[0.97].wrong) == (10, 1)
    assert by[0.97].p == pytest.approx(0.8**10 + 10 * 0.2 * 0.8**9)
    assert by[0.6].p == pytest.approx(sum(comb(30, w) * 0.2**w * 0.8 ** (30 - w) for w in (0, 1)))


def test_levels_begin_at_the_starts_and_are_carried_on() -> None:
    """200 right answers at 0.92, 1,000 wrong ones at 0.5: refused from 0.92 on, where no level has begun, to 0.51."""
    steps = {step.threshold: step for step in ladder([1] * 200 + [0] * 1000, [0.92] * 200 + [0.5] * 1000, 0.1, 0.1)}
    assert steps[0.92].level == 0
    assert not steps[0.92].promised
    assert [steps[t].level for t in (0.9, 0.89, 0.71, 0.7, 0.51, 0.5)] == pytest.approx(
        [0.02, 0.02, 0.02, 0.04, 0.04, 0.04]
    )
    assert [steps[t].promised for t in (0.9, 0.51, 0.5, 0.4)] == [True, True, False, False]
    assert steps[0.49].level == 0, "a hypothesis that stands passes nothing on"
    assert steps[0.4].level == pytest.approx(0.02)


def test_what_is_promised_in_words() -> None:
    pairs = [(1, 0.95)] * 90 + [(0, 0.95)] + [(0, 0.3)] * 20 + [(None, None)] * 9
    found = assay.threshold(None, answers(pairs), risk=0.1, confidence=0.9)
    assert isinstance(found, Guarantee)
    # 1 wrong of 91 where 10% would be: 0.9⁹¹ + 91 · 0.1 · 0.9⁹⁰ = 0.0008, below a fifth of 0.1.
    assert (found.threshold, found.answers, found.wrong, found.coverage) == (0.31, 91, 1, 91 / 120)
    assert found.promise == (
        "With 90% probability, at most 10% of the answers stated with a confidence of 0.31 or more are wrong, on questions "
        "drawn as these were. Here that is 91 of 120 questions (75.8%), 1 of them wrong (1.1%)."
    )
    assert found.coverage_as_is == pytest.approx(111 / 120)
    assert found.risk_as_is == pytest.approx(21 / 111)
    told = found.to_dict()
    assert told["threshold"] == 0.31
    assert told["as_is"] == {"coverage": found.coverage_as_is, "risk": found.risk_as_is}
    assert told["tested"][-1]["threshold"] == 0
    assert told["promise"] == found.promise
    assert "answer from a confidence of 0.31 on" in repr(found)
    header, rows = found.rows()
    assert header == ["threshold", "answers", "wrong", "p", "level", "promised"]
    assert len(rows) == len(found.tested)


def test_everything_may_be_answered() -> None:
    found = assay.threshold(None, answers([(1, 0.9)] * 200), risk=0.05, confidence=0.9)
    assert found.threshold == 0
    assert "of the answers it gives are wrong" in found.promise
    assert "answer everything" in repr(found)


def test_too_few_questions_for_any_promise() -> None:
    assert fewest_answers(0.05, 0.1) == 77
    few, enough = (assay.threshold(None, answers([(1, 0.99)] * n), risk=0.05, confidence=0.9) for n in (76, 77))
    assert few.threshold is None
    assert (few.coverage, few.answers, few.wrong) == (None, None, None)
    assert few.promise == (
        "No threshold can be promised with this many questions: that at most 5% of its answers are wrong, with 90% probability, "
        "takes at least 77 answers without an error, and 76 were given."
    )
    assert enough.threshold == 0
    wrong = assay.threshold(None, answers([(0, 0.9), (1, 0.9)] * 100), risk=0.05, confidence=0.9)
    assert wrong.threshold is None
    assert "too many of the surest answers are wrong" in wrong.promise
    assert "nothing can be promised" in repr(wrong)


def test_clusters_are_refused() -> None:
    pairs = [(1, 0.9)] * 100
    alone = answers(pairs, cluster=[f"c{i}" for i in range(100)])
    assert assay.threshold(None, alone, risk=0.1).threshold == 0
    together = answers(pairs, cluster=[f"c{i // 2}" for i in range(100)])
    with pytest.raises(
        InputError, match=r"100 questions come in 50 clusters, .* nothing can be promised; keep one question"
    ):
        assay.threshold(None, together, risk=0.1)


def test_what_cannot_be_asked() -> None:
    run = answers([(1, 0.9), (0, 0.2)])
    for wrong in ({"risk": 0}, {"risk": 1.0}, {"risk": 0.1, "confidence": 1.0}):
        with pytest.raises(UsageError, match="expected a number between 0 and 1"):
            assay.threshold(None, run, **wrong)
    for other in ({"measure": "UF"}, {"folds": 5}, {"resamples": 100}):
        with pytest.raises(
            UsageError, match=r"is of a threshold that improves a measure, and `risk=0.1` promises a risk"
        ):
            assay.threshold(None, run, risk=0.1, **other)
    with pytest.raises(InputError, match="answered without a confidence"):
        assay.threshold(None, answers([(1, None)]), risk=0.1)


def kept(right, risk: float, n: int, draws: int, seed: int) -> tuple[float, float]:
    """How often nothing was promised that is not so, and how often something was; confidences are even on [0, 1]."""
    random = np.random.default_rng(seed)
    grid = (np.arange(100_000) + 0.5) / 100_000
    wrong = np.cumsum((1 - right(grid))[::-1])[::-1]
    broken = promised = 0
    for _ in range(draws):
        stated = random.random(n)
        correct = (random.random(n) < right(stated)).astype(int)
        found = [step.threshold for step in ladder(correct, stated, risk, 0.1) if step.promised]
        if found:
            promised += 1
            at = min(int(min(found) * len(grid)), len(grid) - 1)
            broken += wrong[at] / (len(grid) - at) > risk
    return 1 - broken / draws, promised / draws


@pytest.mark.parametrize("seed", [1, 2])
def test_the_promise_is_kept_and_is_one(seed) -> None:
    """Right with the fourth root of what is stated: the risk of all is 0.2, of the surest half 0.073. Less three standard
    errors of 250 draws."""
    held, promised = kept(lambda p: p**0.25, 0.1, 600, 250, seed)
    assert held >= 0.9 - 3 * np.sqrt(0.09 / 250)
    assert promised > 0.8


def test_the_promise_is_kept_where_every_one_would_be_broken() -> None:
    """At a risk just above the one promised, whatever was stated, a promise is broken whenever it is made: the worst case."""
    held, promised = kept(lambda p: 0 * p + 0.899, 0.1, 600, 400, 3)
    assert held == pytest.approx(1 - promised)
    assert held >= 0.9 - 3 * np.sqrt(0.09 / 400)
    assert promised > 0.01, "or the level is not used"


def test_the_promise_is_kept_where_the_surest_are_wrong() -> None:
    """Risk falls as confidence does: nothing is assumed of it."""
    held, _ = kept(lambda p: np.where(p > 0.95, 0.5, 0.95), 0.075, 800, 250, 4)
    assert held >= 0.9 - 3 * np.sqrt(0.09 / 250)


def test_answers_below_every_start_are_said_to_be_so() -> None:
    """1,000 right answers at 0.3: no test begins there, and none of them is wrong."""
    found = assay.threshold(None, answers([(1, 0.3)] * 1000 + [(1, 0.5)] * 5), risk=0.05, confidence=0.9)
    assert found.threshold is None
    assert "wrong" not in found.promise.split("takes")[1]
    assert "a confidence of 0.4 or more" in found.promise
    assert "there are 5, and 1000 with less" in found.promise


def test_without_a_level_nothing_is_promised_however_small_p_is() -> None:
    """2,000 right answers at 0.3: 0.5²⁰⁰⁰ is less than any number that can be written, but no level has come so far."""
    [*_, last] = ladder([1] * 2000, [0.3] * 2000, 0.5, 0.1)
    assert (last.p, last.level, last.promised) == (0.0, 0.0, False)


def test_one_answer_was_given() -> None:
    assert "and 1 was given" in assay.threshold(None, answers([(1, 0.5)]), risk=0.05).promise
