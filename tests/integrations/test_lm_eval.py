"""How metrics and aggregations are registered with lm-evaluation-harness, and what they make of its values. Stand-ins for its registry
and its exact match; the real ones are in tests/peers/test_lm_eval_extension_peer.py."""

from __future__ import annotations

import importlib
import json
import math
import sys
from types import ModuleType

import pytest

from assay.errors import AssayError, UsageError
from assay.integrations.tallies import MEASURES

MODULE = "assay.integrations.lm_eval"


@pytest.fixture
def aggregations() -> dict[str, object]:
    return {}


@pytest.fixture
def metrics() -> dict[str, tuple[object, str, dict[str, bool]]]:
    return {}


@pytest.fixture
def module(monkeypatch, aggregations, metrics):
    """The module as it is where the tool is installed."""

    def register_aggregation(name):
        return lambda function: aggregations.setdefault(name, function)

    def register_metric(*, metric, aggregation, **better):
        assert aggregation in aggregations
        return lambda function: metrics.setdefault(metric, (function, aggregation, better))

    def exact_match(references, predictions, ignore_case=False):
        [[right], [said]] = references, predictions
        return {"exact_match": float(said.lower() == right.lower() if ignore_case else said == right)}

    tool, api = ModuleType("lm_eval"), ModuleType("lm_eval.api")
    registry, rules = ModuleType("lm_eval.api.registry"), ModuleType("lm_eval.api.metrics")
    vars(registry).update(register_aggregation=register_aggregation, register_metric=register_metric)
    vars(rules).update(exact_match_fn=exact_match)
    for part in (tool, api, registry, rules):
        monkeypatch.setitem(sys.modules, part.__name__, part)
    monkeypatch.delitem(sys.modules, MODULE, raising=False)
    module = importlib.import_module(MODULE)
    monkeypatch.delitem(sys.modules, MODULE)
    return module


def test_what_is_registered(module, aggregations, metrics) -> None:
    assert aggregations == {name: getattr(module, name) for name in MEASURES}
    more_is_better = {"higher_is_better": True}
    assert metrics == {name: (module.outcome, name, {} if name == "coverage" else more_is_better) for name in MEASURES}


def test_aggregations(module) -> None:
    items = ["C", 1.0, True, "I", "N"]
    found = {name: getattr(module, name)(items) for name in MEASURES}
    assert found == {"c_at_1": (3 + 3 / 5) / 5, "coverage": 4 / 5, "precision_answered": 3 / 4, "uf": 2 / 5}
    assert module.c_at_1([*items, float("nan")]) == found["c_at_1"]
    assert math.isnan(module.precision_answered(["N"]))


def test_partial_credit(module) -> None:
    with pytest.raises(UsageError, match=r"`right_from=0\.5`"):
        module.c_at_1([1.0, 0.5])
    assert module.c_at_1([1.0, 0.5], right_from=0.5) == 1.0


def test_an_unknown_word(module) -> None:
    with pytest.raises(AssayError, match="'2' is scored 'maybe'; expected correct"):
        module.c_at_1(["C", "maybe"])


@pytest.mark.parametrize(
    ("said", "refusal", "state"),
    [
        ("Paris", "I don'?t know", "C"),
        ("paris", "I don'?t know", "I"),
        ("Well, i dont know", "I don'?t know", "N"),
        ("no idea", ["I don'?t know", "idea"], "N"),
        ("", ["I don'?t know", r"^\s*$"], "N"),
        ("", "I don'?t know", "I"),
    ],
)
def test_outcomes(module, said, refusal, state) -> None:
    found = module.outcome(references=["Paris"], predictions=[said], refusal=refusal)
    assert found == state
    assert json.dumps({"c_at_1": found}) == f'{{"c_at_1": "{state}"}}'


def test_the_rule_of_exact_match(module) -> None:
    assert module.outcome(["Paris"], ["paris"], refusal="know", ignore_case=True) == "C"
    assert module.outcome(["I know"], ["I know"], refusal="know") == "C", (
        "what is right is no refusal, whatever its words"
    )


def test_what_would_be_lost(module) -> None:
    with pytest.raises(UsageError, match='refusal: "I don'):
        module.outcome(["Paris"], ["Paris"])
    with pytest.raises(UsageError, match="process_results that returns C, I or N"):
        any([module.outcome(["Paris"], ["Rome"], refusal="know")])
