"""Properties of every command, from its declaration."""

from __future__ import annotations

import subprocess
import sys
from contextlib import nullcontext
from importlib import import_module
from pathlib import Path

import pytest

from assay.cli import commands, main

EVERY = commands.every()
WITHOUT_TABLE = (
    "assay.collections.assessment.judge.Sitting",
    "assay.table.scores.Scores",
    "assay.reports.report.Report",
)


def test_every_module_is_a_command_of_its_name_and_has_a_place_in_the_help() -> None:
    modules = {path.stem for path in Path(commands.__file__).parent.glob("[!_]*.py")}
    assert {command.name for command in EVERY} == modules
    known = {command.name: command.group for command in EVERY}
    assert all(known[command.after] == command.group for command in EVERY if command.after)
    assert [command.group for command in EVERY if command.after is None] == list(commands.GROUPS)


@pytest.mark.parametrize("command", EVERY, ids=[command.name for command in EVERY])
def test_a_command_explains_itself(command, capsys) -> None:
    assert 10 < len(command.summary) < 90
    assert not command.summary.endswith(".")
    with pytest.raises(SystemExit) if command.add_options else nullcontext():
        assert main([command.name, "-h"]) == 0
    assert "example" in capsys.readouterr().out


@pytest.mark.parametrize("name", sorted({name for command in EVERY for name in command.results}))
def test_a_result_class_is_there(name) -> None:
    module, _, kind = name.rpartition(".")
    assert isinstance(getattr(import_module(module), kind), type)


def test_a_command_imports_no_other() -> None:
    script = (
        "import sys; from assay.cli import commands; commands.find('compare').parser([]); "
        "print(*(m for m in sys.modules if m.startswith('assay.cli.commands.') or m.endswith('.result')))"
    )
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    assert done.stdout.split() == ["assay.cli.commands.compare"]


def test_what_is_no_command_is_none() -> None:
    assert [commands.find(name) for name in ("nosuch", "__init__", "a.b", "")] == [None] * 4
