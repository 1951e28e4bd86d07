"""How many labels: from a pilot, from stated agreement, and what cannot be planned."""

from __future__ import annotations

import numpy as np
import pytest

from assay.analyses.planning.plan_labels import LabelPlan, plan_labels
from assay.errors import InputError, UsageError
from assay.stats.labelled_verdicts import Labelled
from assay.stats.prediction_powered import prediction_powered


def pilot(rng, labelled: int, questions: int):
    truth = (rng.random(questions) < 0.6).astype(float)
    judge = np.where(rng.random(questions) < 0.9, truth, 1 - truth)
    return judge.tolist(), [*truth[:labelled].tolist(), *[None] * (questions - labelled)]


def test_a_pilot_by_hand() -> None:
    """People 1 1 0 0, the judge 1 0 0 0: variances 1/3 and 1/4, covariance 1/6, so ρ = √(1/3); chance 1/2, kappa 1/2."""
    found = plan_labels([1, 0, 0, 0, 1, 0], [1, 1, 0, 0, None, None], width=0.5, questions=1000).plans["mean"]
    assert (found.variance, found.correlation) == (pytest.approx(1 / 3), pytest.approx(3**-0.5))
    assert (found.sensitivity, found.specificity, found.kappa) == (0.5, 1.0, 0.5)
    assert (found.labelled, found.questions) == (4, 1000)
    # 1/3 · (2 · 1.96/.5)² = 20.5; (1 - 1/3) · 20.49 / (1 - 20.49/3000) = 13.75.
    assert found.needed["human-only"] == 21
    assert found.needed["PPI++"] == 14
    assert found.saved == 7


def test_what_a_plan_says_of_the_labels_at_hand_is_what_ppi_finds() -> None:
    judge, human = pilot(np.random.default_rng(3), 80, 400)
    interval = prediction_powered(Labelled.of(judge, human), 0.95)
    assert interval is not None
    found = plan_labels(judge, human, width=0.1, labels=80).plans["mean"]
    assert found.widths["PPI++"] == pytest.approx(interval.high - interval.low, rel=0.03)
    assert found.widths["human-only"] > found.widths["PPI++"]
    assert found.narrowest == pytest.approx(2 * 1.96 * (found.variance / 400) ** 0.5, rel=1e-4)


def test_the_range_holds_the_truth_about_as_often_as_it_says() -> None:
    """Of 100 pilots of 60 labels; the truth is what the plan of the agreement itself says."""
    rng = np.random.default_rng(4)
    truth = (
        plan_labels(width=0.1, sensitivity=0.9, specificity=0.9, rate=0.6, questions=2000).plans["mean"].needed["PPI++"]
    )
    held = 0
    for _ in range(100):
        judge, human = pilot(rng, 60, 100)
        low, high = plan_labels(judge, human, width=0.1, questions=2000, resamples=300).plans["mean"].range
        held += low <= truth <= high
    assert held >= 85


def test_more_than_there_are() -> None:
    found = plan_labels(width=0.05, correlation=0.8, rate=0.5, questions=1000).plans["mean"]
    assert set(found.needed.values()) == {None}
    assert found.questions_needed == 1537  # .25 · (2 · 1.96/.05)²
    assert found.narrowest == pytest.approx(0.06198, abs=1e-5)
    assert found.saved is None


def test_kappa_is_the_correlation_where_both_call_as_many_right() -> None:
    by_kappa = plan_labels(width=0.1, kappa=0.6, rate=0.5).plans["mean"].needed
    # Half right, sensitivity and specificity .8: agreement .8, chance .5, kappa .6.
    by_shares = plan_labels(width=0.1, sensitivity=0.8, specificity=0.8, rate=0.5).plans["mean"].needed
    assert by_kappa == by_shares == {"PPI++": 246, "Rogan-Gladen": 683, "human-only": 385}


def test_a_stated_difference() -> None:
    found = plan_labels(width=0.1, correlation=0.6, variance_of_differences=0.25).plans["difference"]
    assert found.needed == {"PPI++": 246, "Rogan-Gladen": None, "human-only": 385}


def test_the_same_pilot_makes_the_same_plan_and_all_of_it_is_plain_data() -> None:
    table = b"id,run,judge,human\n" + b"".join(
        f"q{i},{run},{(i + k) % 3 > 0:d},{'' if i > 40 else int((i + 2 * k) % 5 > 1)}\n".encode()
        for i in range(60)
        for k, run in enumerate("ab")
    )
    one, two = plan_labels(table, width=0.3), plan_labels(table, width=0.3)
    assert one.to_dict() == two.to_dict()
    assert plan_labels(table, width=0.3, seed=1).to_dict() != one.to_dict()
    assert list(one.plans) == ["a", "b", "a - b"]
    header, rows = one.rows()
    assert header == ["of", "method", "labels needed", "width"]
    assert len(rows) == 9
    assert one.plans["a - b"].needed["Rogan-Gladen"] is None
    assert plan_labels(table, width=0.3, resamples=0).plans["a"].range is None
    assert isinstance(one, LabelPlan)


@pytest.mark.parametrize(
    ("choices", "told"),
    [
        ({"width": 0, "correlation": 0.5, "rate": 0.5}, "`width=0`"),
        ({"width": 0.1}, "needs a pilot"),
        ({"width": 0.1, "sensitivity": 0.9, "rate": 0.5}, "go together"),
        ({"width": 0.1, "sensitivity": 0.9, "specificity": 0.9}, "expected `rate`"),
        ({"width": 0.1, "kappa": 0.9, "correlation": 0.9, "rate": 0.5}, "needs a pilot"),
        ({"width": 0.1, "correlation": 0.9}, "needs exactly one of `rate`"),
        ({"width": 0.1, "correlation": 0.9, "rate": 0.5, "variance": 0.2}, "needs exactly one of `rate`"),
        ({"width": 0.1, "correlation": 1.9, "rate": 0.5}, "`correlation=1.9`: expected a number from -1 to 1"),
        ({"width": 0.1, "kappa": 0.9, "rate": 1}, "verdicts do not vary"),
        ({"width": 0.1, "kappa": 0.9, "rate": 0.5, "questions": 1}, "`questions=1`"),
        ({"width": 0.1, "kappa": 0.9, "rate": 0.5, "questions": 10, "labels": 11}, "there are 10 questions"),
        ({"width": 0.1, "kappa": 0.9, "rate": 0.5, "confidence": 1}, "`confidence=1`"),
        ({"width": 0.1, "human": [1]}, "`judge` is missing"),
        ({"width": 0.1, "judge": [1, 0, 1], "human": [1, 0, None], "kappa": 0.5}, "is learnt from the pilot"),
        ({"width": 0.1, "judge": [1, 0, 1], "human": [1, 0, None], "questions": 2, "labels": 3}, "there are 2 questions"),
        ({"width": 0.1, "judge": [1, 0, 1], "human": [1, 0, 1], "questions": 2}, "people labelled 3 already"),
        ({"width": 0.1, "judge": "a.qrels", "human": "b.qrels"}, "`runs` gives them"),
        ({"width": 0.1, "judge": "a.qrels", "runs": "runs"}, "`human` is missing"),
        ({"width": 0.1, "judge": "a.csv", "measure": "AP"}, "`runs` gives them"),
    ],
)  # fmt: skip
def test_what_cannot_be_asked(choices, told) -> None:
    with pytest.raises(UsageError, match=told):
        plan_labels(**choices)


def test_pilots_that_tell_nothing() -> None:
    with pytest.raises(InputError, match="people labelled 1 of 3 questions; a pilot needs at least 2"):
        plan_labels([1, 0, 1], [1, None, None], width=0.1)
    with pytest.raises(InputError, match="people say the same of all 2 questions"):
        plan_labels([1, 0, 1], [1, 1, None], width=0.1)


def test_a_judge_that_never_varies_is_worth_nothing() -> None:
    found = plan_labels([1] * 8, [1, 0, 1, 0, None, None, None, None], width=0.3, questions=500).plans["mean"]
    assert (found.correlation, found.saved) == (None, 0)


def test_where_one_verdict_is_scarce_the_plan_says_what_will_be_printed() -> None:
    """Nine in ten are right, and 55 labels have five or six that say wrong: two labels more, and Student's."""
    found = plan_labels(width=0.12, sensitivity=0.95, specificity=0.9, rate=0.9, questions=1000)
    one = found.plans["mean"]
    assert one.printed > 1.1 * one.width
    assert any(f"would be {one.printed:.3f} wide, and not 0.12" in note for note in found.notes)
    even = plan_labels(width=0.12, sensitivity=0.95, specificity=0.9, rate=0.5, questions=1000)
    assert even.plans["mean"].printed == pytest.approx(0.12, rel=0.02)
    assert even.notes == ()
    assert plan_labels(width=0.12, correlation=0.8, variance=0.1).plans["mean"].printed is None


def test_a_judge_that_always_agrees_or_never_does(recwarn) -> None:
    """Variances of a perfect judge cancel out to just below 0; a judge that is always wrong has a sensitivity just below 0."""
    human = [1, 0, 0, 1, 1, 0, 1, 1, 0, 1]
    same = plan_labels(human, human, width=0.1, questions=100_000).plans["mean"]
    opposite = plan_labels([1 - one for one in human], human, width=0.1, questions=100_000).plans["mean"]
    assert (same.kappa, opposite.sensitivity, opposite.specificity) == (1.0, 0.0, 0.0)
    assert not recwarn.list


def test_a_width_that_overflows_is_refused() -> None:
    with pytest.raises(UsageError, match="`width=1e-200`: too narrow"):
        plan_labels(width=1e-200, correlation=0.7, variance=0.06)
