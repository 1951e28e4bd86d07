"""What every user model promises: a probability for each rank, and for each model its worked example (its doctest)."""

from __future__ import annotations

import doctest

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from assay.errors import UsageError
from assay.measures.engines import user_models
from assay.measures.engines.user_models import (
    MODELS,
    Expected,
    GainScale,
    expectations,
    expected,
    listed_costs,
    listed_gains,
)
from assay.measures.views.ranked import RankedView

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


chances = st.lists(st.floats(0, 1), min_size=1, max_size=8)


def stopping(continuing: list[float]) -> list[float]:
    """L as it is defined: those who come, and stop."""
    seeing, found = 1.0, []
    for chance in continuing:
        found.append(seeing * (1 - chance))
        seeing *= chance
    return found


@given(chances, st.data())
def test_totals_are_those_of_where_readers_stop(continuing, data) -> None:
    n = len(continuing)
    gains = data.draw(st.lists(st.floats(0, 1), min_size=n, max_size=n))
    costs = data.draw(st.lists(st.floats(0.1, 5), min_size=n, max_size=n))
    found = expectations(continuing, gains, costs)
    if all(chance == 1 for chance in continuing):
        assert found.total_utility is None is found.total_cost
        return
    ends = stopping(continuing)
    assert found.total_utility == pytest.approx(sum(end * sum(gains[: i + 1]) for i, end in enumerate(ends)), abs=1e-9)
    assert found.total_cost == pytest.approx(sum(end * sum(costs[: i + 1]) for i, end in enumerate(ends)), abs=1e-9)


def test_where_everybody_stops_the_total_is_the_rate_times_the_depth() -> None:
    found = expectations([0.5, 0.8, 0.0], [1, 0, 1], [2, 1, 1])  # V is 1, .5, .4
    assert found.depth == pytest.approx(1.9)
    assert found.utility == pytest.approx(1.4 / 1.9)
    assert found.total_utility == pytest.approx(1.4)
    assert found.cost == pytest.approx(2.9 / 1.9)
    assert found.total_cost == pytest.approx(2.9)


def test_a_ranking_is_asked_once() -> None:
    asked = []

    def model(gains, costs, p):
        asked.append(p)
        return [p] * len(gains)

    view = RankedView.of([1])
    assert expected(view, model, {"p": 0.5}, GainScale(depth=2)) is expected(
        view, model, {"p": 0.5}, GainScale(depth=2)
    )
    assert asked == [0.5]
    expected(view, model, {"p": 0.25}, GainScale(depth=2))
    expected(view, model, {"p": 0.25}, GainScale(depth=2), best=True)
    assert asked == [0.5, 0.25, 0.25]


RANKING = RankedView.of([2, None, 0, 1, -1, 3], unretrieved=[1])


@pytest.mark.parametrize(
    ("scale", "gains"),
    [
        (GainScale(depth=7), [1, 0, 0, 1, 0, 1, 0]),
        (GainScale(rel=2, depth=7), [1, 0, 0, 0, 0, 1, 0]),
        (GainScale(max_rel=2, depth=4), [1, 0, 0, 0.5]),
        (GainScale(min_rel=1, max_rel=3, depth=6), [0.5, 0, 0, 0, 0, 1]),
        (GainScale(gains={0: 0, 1: 0.1, 2: 0.3, 3: 0.7}, depth=6), [0.3, 0, 0, 0.1, 0, 0.7]),
    ],
)
def test_gains(scale: GainScale, gains) -> None:
    assert listed_gains(RANKING, scale) == gains


def test_gains_were_everything_unjudged_good() -> None:
    assert listed_gains(RANKING, GainScale(max_rel=2, depth=8), best=True) == [1, 1, 0, 0.5, 1, 1, 1, 1]
    assert listed_gains(RANKING, GainScale(rel=2, depth=7), best=True) == [1, 1, 0, 0, 1, 1, 1]


def test_relevance_follows_the_level_of_the_evaluation() -> None:
    assert listed_gains(RankedView.of([1, 2], level=2), GainScale(depth=2)) == [0, 1]
    assert listed_gains(RankedView.of([1, 2], level=2), GainScale(depth=2), best=True) == [0, 1]


def test_costs_by_grade() -> None:
    assert listed_costs(RANKING, GainScale(costs={0: 2, 2: 7}, depth=8)) == [7, 2, 2, 2, 2, 7, 2, 2]
    assert listed_costs(RANKING, GainScale(costs={1: 7}, depth=4)) == [7, 1, 1, 7]
    assert listed_costs(RANKING, GainScale(depth=2)) == [1, 1]


def test_gains_beyond_1_are_refused() -> None:
    with pytest.raises(UsageError, match=r"a document of grade 3 gains 3; .*: write max_rel=3"):
        listed_gains(RANKING, GainScale(gains={1: 0.5, 2: 1}))


def test_a_scale_upside_down_is_refused() -> None:
    with pytest.raises(UsageError, match="min_rel=2 is not below max_rel=2"):
        listed_gains(RANKING, GainScale(min_rel=2, max_rel=2))


def test_an_empty_list_is_read_to_the_depth() -> None:
    found = expected(RankedView.of([], [1]), lambda gains, costs: [1.0] * 9 + [0.0], {}, GainScale(depth=10))
    assert found == Expected(0.0, 0.0, 1.0, 10.0, 10.0)
