"""Win rates at equal length, on battles whose truth is known."""

from __future__ import annotations

import numpy as np
import pytest

from assay.formats.answers.battles import Battle
from assay.measures.engines.length_control import at_equal_length, difficulties


def made(random, systems: dict[str, tuple[float, float]], questions: int):
    """Systems with a level and a liking for length, against a baseline, on questions of known difficulty."""
    gamma = random.normal(0, 1, questions)
    battles = []
    for q in range(questions):
        several = []
        for name, (level, liking) in systems.items():
            longer = int(random.normal(200, 400))
            p = 1 / (1 + np.exp(-(level + liking * np.tanh(longer / 400) + gamma[q])))
            several.append(Battle(str(q), name, "base", float(random.random() < p), 1000 + longer, 1000))
        battles.append(tuple(several))
    return gamma, battles


def test_level_and_difficulty_are_found_again():
    """2,000 questions and eight systems: at equal length each wins what its level says, within 3 points."""
    random = np.random.default_rng(3)
    systems = {f"s{i}": (level, 1.0) for i, level in enumerate(np.linspace(-1.5, 1.5, 8))}
    gamma, battles = made(random, systems, 2000)
    found = difficulties(battles)
    assert np.corrcoef(found, gamma)[0, 1] > 0.75
    assert np.mean(found) == pytest.approx(0, abs=1e-9)
    for place, (level, _) in enumerate(systems.values()):
        won = [(several[place].won,) for several in battles]
        longer = [(several[place].length_a - several[place].length_b,) for several in battles]
        truth = (1 / (1 + np.exp(-(level + gamma)))).mean()
        raw = np.mean(won)
        assert at_equal_length(won, longer, found) == pytest.approx(truth, abs=0.03)
        assert raw > truth + 0.03


def test_without_lengths_no_question_is_harder_than_another():
    battles = [(Battle("q", "x", "base", 1.0), Battle("q", "y", "base", 0.0))] * 3
    assert difficulties(battles) == [0.0, 0.0, 0.0]


def test_one_system_alone_cannot_tell_how_hard_questions_are():
    battles = [(Battle(str(i), "x", "base", float(i % 2), 5 + i, 5),) for i in range(6)]
    assert difficulties(battles) == [0.0] * 6


def test_the_side_of_the_baseline_does_not_matter_and_without_one_there_is_no_difficulty():
    random = np.random.default_rng(4)
    _, battles = made(random, {"x": (0.0, 1.0), "y": (0.5, 0.0), "z": (1.0, 0.5)}, 60)
    turned = [
        tuple(
            Battle(b.question, b.b, b.a, 1 - b.won, b.length_b, b.length_a) if i % 2 else b
            for i, b in enumerate(several)
        )
        for several in battles
    ]
    assert difficulties(turned) == pytest.approx(difficulties(battles), abs=1e-9)
    assert any(difficulties(battles))
    mixed = [(*several, Battle("q", "x", "y", 1.0, 5, 6)) for several in battles]
    assert not any(difficulties(mixed))


def test_what_nobody_saw_is_not_extrapolated():
    won = [(1,), (0,), (1,)]
    assert at_equal_length(won, [(10,), (20,), (30,)], [0.0] * 3) is None
    assert at_equal_length(won, [(-10,), (-20,), (-30,)], [0.0] * 3) is None
    assert at_equal_length(won, [(10,), (10,), (10,)], [0.0] * 3) is None, "longer, and always by as much"
    assert at_equal_length([(1,)], [(-1,)], [0.0]) is None
    assert at_equal_length(won, [(-10,), (20,), (30,)], [0.0] * 3) is not None


def test_equal_lengths_leave_the_win_rate_as_it_is():
    """The small ridge that keeps coefficients finite moves it by less than a thousandth."""
    won = [(1,), (1,), (0,), (1,)] * 10
    assert at_equal_length(won, [(0,)] * 40, [0.0] * 40) == pytest.approx(0.75, abs=1e-3)
    assert at_equal_length([], [], []) is None
