"""Thirty-six countries: what is asked of them has one right answer, and a wrong one is wrong."""

from __future__ import annotations

from collections import Counter

from assay.demo.gallery_world import CONTINENTS, FACTS, QUESTIONS, mistaken, name
from assay.random import stream


def test_six_countries_of_each_continent_and_four_facts_of_each() -> None:
    assert Counter(CONTINENTS.values()) == dict.fromkeys(CONTINENTS.values(), 6)
    assert all({*facts} == {*CONTINENTS} for facts in FACTS.values())
    assert len({name(*asked) for asked in QUESTIONS}) == 36 * 4


def test_a_mistake_is_never_right_and_always_of_the_same_kind() -> None:
    for number, (kind, country) in enumerate(QUESTIONS):
        wrong = mistaken(kind, country, stream(1, "test", number))
        assert wrong != FACTS[kind][country]
        assert wrong in FACTS[kind].values()
