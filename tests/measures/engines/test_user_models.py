"""What every user model promises: a probability for each rank, and for each model its worked example (its doctest)."""

from __future__ import annotations

import doctest

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from assay.measures.engines import user_models
from assay.measures.engines.user_models import MODELS

PARAMETERS = {
    "cut": 3, "p": 0.7, "T": 2.0, "hb": 0.5, "hc": 0.5, "middle": 0.5, "halflife": 4.0, "L": 9.0, "b1": 0.9, "R1": 900.0,
    "A": 0.3, "b2": 0.9, "R2": 900.0,
}  # fmt: skip


def own(model) -> dict[str, float]:
    code = model.__code__
    return {name: PARAMETERS[name] for name in code.co_varnames[2 : code.co_argcount]}


@pytest.mark.parametrize("name", MODELS)
@settings(max_examples=40)
@given(st.lists(st.sampled_from([0.0, 0.25, 1.0]), min_size=1, max_size=12), st.sampled_from([0.5, 1.0, 3.0]))
def test_a_probability_for_each_rank(name: str, gains, cost) -> None:
    going = MODELS[name](gains, [cost] * len(gains), **own(MODELS[name]))
    assert len(going) == len(gains)
    assert all(0.0 <= chance <= 1.0 for chance in going)


@pytest.mark.parametrize("name", MODELS)
def test_a_list_of_one_document_is_long_enough(name: str) -> None:
    assert len(MODELS[name]([1.0], [1.0], **own(MODELS[name]))) == 1


def test_every_model_has_a_worked_example() -> None:
    for model in MODELS.values():
        assert doctest.DocTestParser().get_examples(model.__doc__ or "")


def test_the_dynamic_player_with_nothing_changing_is_the_static_one() -> None:
    gains, costs = [0, 0.5, 0, 1, 0, 1], [1.0] * 6
    still = user_models.enough_or_tired(gains, costs, T=1.5, cut=6)
    assert user_models.moody(gains, costs, T=1.5, cut=6, hb=0, hc=0) == still == [1, 1, 1, 0, 0, 0]


def test_the_dynamic_player_gets_used_to_success() -> None:
    """A gain of 1 at rank 1 adds 1·(1 - .5) to a goal of 2: 2 gained at rank 2 are not enough, 3 at rank 3 are."""
    assert user_models.moody([1, 1, 1, 1], [1.0] * 4, T=2, cut=9, hb=1, hc=0) == [1, 1, 0, 0]


def test_costs_tire() -> None:
    assert user_models.enough_or_tired([0, 0, 0], [2.0, 3.0, 1.0], T=1, cut=5) == [1, 0, 0]
    assert user_models.half_life([0, 0], [3.0, 1.0], halflife=3) == [0.5, 0.0]
