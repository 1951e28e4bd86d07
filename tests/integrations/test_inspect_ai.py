"""How the metrics are registered with Inspect, and the logs of an evaluation compared. Stand-ins for Inspect's decorator and registry;
the real ones are in tests/peers/test_inspect_extension_peer.py."""

from __future__ import annotations

import importlib
import sys
from types import ModuleType
from types import SimpleNamespace as Standin

import pytest
from inspect_logs import header, json_log, sample

import assay
from assay.errors import UsageError
from assay.integrations.tallies import MEASURES

MODULE = "assay.integrations.inspect_ai"


def installed(monkeypatch, metric, name_of=lambda name: f"assay/{name}"):
    """The module as it is where a tool with this decorator is installed."""
    scorer, util = ModuleType("inspect_ai.scorer"), ModuleType("inspect_ai.util")
    vars(scorer).update(Metric=object, SampleScore=object, Value=object, metric=metric)
    vars(util).update(registry_info=lambda made: Standin(name=name_of(made.registered)))
    for name, module in (
        ("inspect_ai", ModuleType("inspect_ai")),
        ("inspect_ai.scorer", scorer),
        ("inspect_ai.util", util),
    ):
        monkeypatch.setitem(sys.modules, name, module)
    monkeypatch.delitem(sys.modules, MODULE, raising=False)
    module = importlib.import_module(MODULE)
    monkeypatch.delitem(sys.modules, MODULE)
    return module


def decorator(registered):
    def metric(name, *, scores="auto"):
        def register(factory):
            registered[name] = scores
            made = lambda *args, **named: factory(*args, **named)  # noqa: E731
            made.registered = name
            return made

        return register

    return metric


def test_every_metric_asks_for_scores_as_they_were_given(monkeypatch) -> None:
    registered: dict[str, str] = {}
    module = installed(monkeypatch, decorator(registered))
    assert registered == dict.fromkeys(MEASURES, "unreduced")
    scores = [Standin(sample_id=i, scorer="s", score=Standin(value=v, answer="x", reason=None, metadata=None, history=[]))
              for i, v in enumerate("CCCIN")]  # fmt: skip
    found = {name: getattr(module, name)()(scores) for name in MEASURES}
    assert found == {"c_at_1": (3 + 3 / 5) / 5, "coverage": 4 / 5, "precision_answered": 3 / 4, "uf": 2 / 5}
    scores[0].score.value = "P"
    assert module.uf(right_from=0.5)(scores) == 2 / 5


def test_an_editable_install_has_the_same_names(monkeypatch) -> None:
    registered: dict[str, str] = {}
    installed(monkeypatch, decorator(registered), name_of=lambda name: name)
    assert {name for name in registered if "/" in name} == {f"assay/{name}" for name in MEASURES}


def test_an_inspect_that_reduces_before_any_metric(monkeypatch) -> None:
    def metric(name):  # as it was before 0.3.241
        return lambda factory: factory

    module = installed(monkeypatch, metric)
    with pytest.raises(UsageError, match=r"since 0\.3\.241.*upgrade inspect_ai.*assay evaluate LOG"):
        module.c_at_1()


class TestHook:
    """The module is imported wherever Inspect looks for extensions: a hook comes with it where it is asked for."""

    @pytest.mark.parametrize("variable", [None, "", "0"])
    def test_it_stays_away(self, monkeypatch, variable) -> None:
        monkeypatch.delenv("ASSAY_COMPARE", raising=False)
        if variable is not None:
            monkeypatch.setenv("ASSAY_COMPARE", variable)
        monkeypatch.delitem(sys.modules, "assay.integrations.inspect_hooks", raising=False)
        installed(monkeypatch, decorator({}))
        assert "assay.integrations.inspect_hooks" not in sys.modules

    def test_it_comes_along(self, monkeypatch) -> None:
        monkeypatch.setenv("ASSAY_COMPARE", "1")
        monkeypatch.setitem(sys.modules, "assay.integrations.inspect_hooks", hook := ModuleType("hook"))
        installed(monkeypatch, decorator({}))
        assert sys.modules["assay.integrations.inspect_hooks"] is hook

    def test_an_inspect_without_hooks_says_so(self, monkeypatch, capsys) -> None:
        monkeypatch.setenv("ASSAY_COMPARE", "1")
        monkeypatch.delitem(sys.modules, "assay.integrations.inspect_hooks", raising=False)
        module = installed(monkeypatch, decorator({}))
        assert "this version of Inspect has no hooks. Fix: upgrade inspect_ai" in capsys.readouterr().err
        assert module.c_at_1


class OneLog:
    """Inspect's logs are models, which give their fields to whoever iterates over them."""

    def __init__(self, location: str) -> None:
        self.location = location

    def __iter__(self):
        yield "location", self.location


class TestCompare:
    @pytest.fixture
    def module(self, monkeypatch):
        return installed(monkeypatch, decorator({}))

    def test_what_eval_returns_is_read_where_it_was_written(self, module, tmp_path) -> None:
        paths: list[str] = []
        for model, outcomes in (("made/a", "CCNI"), ("made/b", "CIII")):
            about = header(model=model)
            paths.append(str(tmp_path / f"{model[-1]}.json"))
            (tmp_path / f"{model[-1]}.json").write_bytes(
                json_log([sample(i, value=value) for i, value in enumerate(outcomes)], about)
            )
        given = [Standin(location=paths[0]), Standin(location=f"file://{paths[1]}")]
        found = module.compare(given)
        assert found.measure == "c@1"
        assert {run.run: run.value for run in found.runs} == {"made/a": (2 + 2 / 4) / 4, "made/b": 1 / 4}
        assert str(found) == str(module.compare(paths)) == str(module.compare(tmp_path))
        with pytest.raises(UsageError, match="at least 2 runs"):
            module.compare(OneLog(paths[0]))
        assert str(found) == str(assay.compare(str(tmp_path)))
        assert module.compare(paths, "UF", baseline="made/b").pairs[0].difference == 1 / 4 - -2 / 4

    @pytest.mark.parametrize(
        ("logs", "said"),
        [
            ([], "no logs given"),
            ([Standin(location="")], "never written"),
            ("s3://bucket/a.eval", "not on this machine"),
        ],
    )
    def test_logs_that_cannot_be_read(self, module, logs, said) -> None:
        with pytest.raises(UsageError, match=said):
            module.compare(logs)
