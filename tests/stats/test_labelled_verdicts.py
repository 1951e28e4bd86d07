"""What is corrected, and by what."""

from __future__ import annotations

import numpy as np
import pytest

from assay.stats.labelled_verdicts import FORMS, Labelled, drawn_oddly


@pytest.mark.parametrize("form", FORMS.values())
@pytest.mark.parametrize("u", [0.0, 0.2, 0.7])
def test_the_slope_of_a_form_is_its_derivative(form, u) -> None:
    step = 1e-6
    assert (form.factor(u + step) - form.factor(u - step)) / (2 * step) == pytest.approx(form.slope(u), abs=1e-8)


def test_forms_are_the_measures() -> None:
    """237 right, 156 wrong, 107 unanswered of 500: c@1 .58 and accuracy .47, as Peñas and Rodrigo print."""
    p, u = 237 / 393, 107 / 500
    assert round(p * FORMS["c@1"].factor(u), 2) == 0.58
    assert round(p * FORMS["accuracy"].factor(u), 2) == 0.47
    assert p * FORMS["precision"].factor(u) == p


def test_unanswered_questions_have_no_verdict() -> None:
    run = Labelled.of([1, 0, 1, None], [None, 1, 1, None], [False, False, True, False])
    assert (run.asked, run.share) == (3, 1 / 3)
    assert run.labelled.tolist() == [False, True, False, False]
    assert run.others.tolist() == [True, False, False, False]


def test_labels_that_were_chosen_by_what_the_judge_said() -> None:
    judge = [1.0] * 50 + [0.0] * 50
    chosen = Labelled.of(judge, [1] * 20 + [None] * 80)
    assert drawn_oddly(chosen) == (1.0, 30 / 80)
    drawn = Labelled.of(judge, np.where(np.arange(100) % 5 == 0, 1.0, np.nan))
    assert drawn_oddly(drawn) is None
