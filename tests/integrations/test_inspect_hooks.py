"""What the hook prints after an evaluation, with stand-ins for Inspect; the real one is in tests/peers/test_inspect_extension_peer.py."""

from __future__ import annotations

import asyncio
import importlib
import sys
from types import ModuleType
from types import SimpleNamespace as Standin

import pytest
from inspect_logs import header, json_log, sample

from assay.cli import main

MODULE = "assay.integrations.inspect_hooks"


class Hooks:
    """Inspect's base class does nothing."""


@pytest.fixture
def registered():
    return []


@pytest.fixture
def module(monkeypatch, registered):
    """The module as it is where Inspect is, and where nobody set the variable."""
    inspect, scorer, hooks, log = (
        ModuleType(f"inspect_ai{name}") for name in ("", ".scorer", ".hooks", ".log")
    )  # fmt: skip
    vars(scorer).update(Metric=object, SampleScore=object, Value=object, metric=lambda name: lambda factory: factory)
    vars(hooks).update(Hooks=Hooks, hooks=lambda name, description: lambda made: registered.append(name) or made)
    vars(log).update(list_eval_logs=lambda folder: HEADERS[folder], read_eval_log=lambda info, header_only: info)
    for made in (inspect, scorer, hooks, log):
        monkeypatch.setitem(sys.modules, made.__name__, made)
    monkeypatch.delenv("ASSAY_COMPARE", raising=False)
    for name in (MODULE, "assay.integrations.inspect_ai"):
        monkeypatch.delitem(sys.modules, name, raising=False)
    found = importlib.import_module(MODULE)
    monkeypatch.delitem(sys.modules, MODULE)
    monkeypatch.delitem(sys.modules, "assay.integrations.inspect_ai")
    return found


HEADERS: dict[str, list[Standin]] = {}


def of(task, model, location="", status="success", **more):
    about = {"task": task, "model": model, "task_id": f"{task}-{model}", "created": "1", "eval_set_id": None, **more}
    return Standin(status=status, location=location, eval=Standin(**about))


@pytest.fixture
def logs(tmp_path):
    found = []
    for model, outcomes in (("made/a", "CCNI"), ("made/b", "CIII")):
        path = tmp_path / f"{model[-1]}.json"
        path.write_bytes(json_log([sample(i, value=value) for i, value in enumerate(outcomes)], header(model=model)))
        found.append(of("capitals", model, str(path)))
    return found


def ended(module, logs, **more):
    asyncio.run(
        module.Comparing().on_run_end(Standin(**{"eval_set_id": None, "exception": None, "logs": logs, **more}))
    )


def test_it_is_what_compare_prints(module, registered, logs, capsys) -> None:
    assert registered == ["compare"]
    ended(module, logs)
    out, err = capsys.readouterr()
    assert main(["compare", *(log.location for log in logs)]) == 0
    told = capsys.readouterr()
    assert (out, err) == (f"\ncapitals\n\n{told.out}", told.err)


def test_the_variable_holds_options(module, logs, capsys, monkeypatch) -> None:
    monkeypatch.setenv("ASSAY_COMPARE", "-m UF --baseline made/b -f csv")
    ended(module, logs)
    assert capsys.readouterr().out.splitlines()[4].startswith("UF,made/a,made/b,0.75,")
    monkeypatch.setenv("ASSAY_COMPARE", "-m UF --tie x")
    ended(module, logs)
    out, err = capsys.readouterr()
    assert out == ""
    assert err.startswith("assay compare: --tie: expected a number")
    assert "assay: capitals is not compared; set options in ASSAY_COMPARE" in err
    monkeypatch.setenv("ASSAY_COMPARE", "-m 'UF")
    ended(module, logs)
    assert "No closing quotation" in capsys.readouterr().err


@pytest.mark.parametrize(("value", "on"), [(None, True), ("1", True), ("-m UF", True), ("0", False), ("", False)])
def test_it_can_be_turned_off(module, monkeypatch, value, on) -> None:
    if value is not None:
        monkeypatch.setenv("ASSAY_COMPARE", value)
    assert module.Comparing().enabled() is on


def test_what_is_not_compared_is_said(module, logs, capsys) -> None:
    broken = of("rivers", "made/c", status="error")
    far = [of("lakes", f"made/{name}", "s3://bucket/lakes.eval") for name in "ab"]
    ended(module, [broken, logs[0], *far])
    out, err = capsys.readouterr()
    assert out == ""
    assert err.splitlines() == [
        "assay: rivers by made/c: error, so it is not compared",
        "assay: capitals: one finished log, made/a; a comparison needs two models",
        "assay: lakes is not compared: s3://bucket/lakes.eval: is not on this machine. Fix: copy the log here and give its path",
    ]


def test_a_run_within_a_set_waits_for_its_end(module, logs, capsys) -> None:
    ended(module, logs, eval_set_id="set")
    ended(module, logs, exception=KeyboardInterrupt())
    assert capsys.readouterr() == ("", "")


def test_of_a_set_the_newest_of_each_task_and_model(module) -> None:
    first, again = (of("t", "a", f"{n}", eval_set_id="set", created=n) for n in "12")
    other, stranger = of("t", "b", "3", eval_set_id="set", created="3"), of("t", "c", "4", eval_set_id="another")
    HEADERS["folder"] = [again, stranger, other, first]
    assert module.read_eval_set("folder", "set") == [again, other]


def test_the_end_of_a_set(module, monkeypatch) -> None:
    told = []
    monkeypatch.setattr(module, "print_comparisons", told.extend)
    HEADERS["folder"] = [of("t", "a", eval_set_id="set"), of("t", "b", eval_set_id="set")]
    asyncio.run(module.Comparing().on_eval_set_end(Standin(log_dir="folder", eval_set_id="set")))
    assert told == HEADERS["folder"]
