"""A task is declared once, by keyword."""

from __future__ import annotations

import pytest

from assay.tasks import Task, get


def test_what_a_task_does_not_have_or_does_not_say_is_an_error() -> None:
    with pytest.raises(TypeError, match="a task has no attribute 'colour'"):
        get("ranked").but(colour="red")
    with pytest.raises(TypeError, match="the task 'mine' lacks 'title'"):
        Task(name="mine")


def test_a_changed_task_leaves_the_first_alone() -> None:
    ranked = get("ranked")
    other = ranked.but(noun="query")
    assert (ranked.noun, other.noun, other.title) == ("topic", "query", ranked.title)
