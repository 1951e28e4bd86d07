"""Parameters of public functions: unknown ones are refused by name, and the types that editors complete are those declared."""

from __future__ import annotations

import inspect
import pickle

import pytest

import assay
from assay import parameters
from assay.analyses.comparison.compare import compare
from assay.tasks import every, get

FUNCTIONS = [name for name in assay.__all__ if inspect.isfunction(getattr(assay, name))]
OWN_CHECK = {"of_counts"}
"""Its `**` parameter is the counts, which depend on the measures."""


def annotations_of(declared: type) -> dict[str, str]:
    """The names and annotations of a class of parameters."""
    names: dict[str, str] = {}
    for base in reversed(declared.__mro__):
        names |= vars(base).get("__annotations__", {})
    return names


def declared_settings(*tasks: str) -> dict[str, str]:
    """The settings of tasks, with their annotations."""
    names: dict[str, str] = {}
    for task in map(get, tasks):
        hints = annotations_of(task.settings)
        for name in task.settings.options():
            assert names.setdefault(name, hints[name]) == hints[name], f"{name} has two types"
    return names


def test_the_settings_that_editors_complete_are_those_that_tasks_declare() -> None:
    assert annotations_of(parameters.TaskSettings) == declared_settings(*(task.name for task in every()))
    of_ranked = annotations_of(parameters.RankedScoring).keys() - annotations_of(parameters.Scoring).keys()
    assert {*of_ranked, "seed"} == declared_settings("ranked").keys()


def keywords(function: object) -> dict[str, str]:
    """The keyword-only parameters of a function, with their annotations."""
    found = inspect.signature(function).parameters.values()  # type: ignore[arg-type]
    return {p.name: p.annotation for p in found if p.kind is p.KEYWORD_ONLY}


def test_what_functions_pass_to_evaluate_and_compare_has_the_types_of_these() -> None:
    passed_on = annotations_of(parameters.Scoring)
    assert passed_on.items() <= keywords(assay.evaluate).items()
    alone = ("runs", "task", "human", "reweight")  # no other function passes these on
    of_compare = {name: kind for name, kind in keywords(compare).items() if name not in alone}
    assert annotations_of(parameters.ComparisonChoices) == of_compare


@pytest.mark.parametrize("name", FUNCTIONS)
def test_every_public_function_refuses_an_unknown_parameter_by_name(name) -> None:
    function = getattr(assay, name)
    known = list(inspect.signature(function).parameters.values())
    required = [None for p in known if p.kind is p.POSITIONAL_OR_KEYWORD and p.default is p.empty]
    if name in OWN_CHECK:
        with pytest.raises(assay.UsageError, match="unknown count 'corect'; expected correct, "):
            function(corect=1)
        return
    with pytest.raises(assay.UsageError, match=r"^unknown parameter `zzz`; parameters are `"):
        function(*required, zzz=1)
    named = [p.name for p in known if p.kind in (p.POSITIONAL_OR_KEYWORD, p.KEYWORD_ONLY)]
    longest = max(named, key=len)
    with pytest.raises(assay.UsageError, match=rf"^unknown parameter `{longest}x`; did you mean `{longest}`\?$"):
        function(*required, **{f"{longest}x": 1})


@pytest.mark.parametrize("name", FUNCTIONS)
def test_no_public_function_has_keywords_without_a_type(name) -> None:
    for parameter in inspect.signature(getattr(assay, name)).parameters.values():
        if parameter.kind is parameter.VAR_KEYWORD and name not in OWN_CHECK:
            declared = parameter.annotation.removeprefix("Unpack[").removesuffix("]")
            assert isinstance(getattr(parameters, declared), type)


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: assay.compare({"q": {"d": 1}}, runs={}, base="bm25"), "unknown parameter `base`; did you mean `baseline`?"),
        (lambda: assay.evaluate({"q": {"d": 1}}, {}, mesures=["AP"]), "unknown parameter `mesures`; did you mean `measures`?"),
        (lambda: assay.read_gold({"q": {"d": 1}}, lvl=2), "unknown parameter `lvl`; did you mean `level`?"),
        (lambda: assay.evaluate({"q": {"d": 1}}, {}, judgements="x"), "unknown parameter `judgements`; did you mean `judgments`?"),
        (
            lambda: assay.evaluate({"q": {"d": 1}}, {}, period_count=3),
            "`period_count=3`: is a setting of the task filtering; this is ranked",
        ),
    ],
)  # fmt: skip
def test_the_nearest_parameter_is_suggested_and_a_setting_of_another_task_is_named_as_one(call, message) -> None:
    with pytest.raises(assay.UsageError) as raised:
        call()
    assert str(raised.value) == message


def test_a_public_function_pickles_and_keeps_its_signature() -> None:
    assert pickle.loads(pickle.dumps(assay.evaluate)) is assay.evaluate
    assert next(iter(inspect.signature(assay.evaluate).parameters)) == "gold"
