"""Which interpreters the core may walk the dicts of."""

from __future__ import annotations

import subprocess
import sys

import pytest

from assay.core import interpreter as module
from assay.core.interpreter import interpreter

pytestmark = pytest.mark.native_only


def test_an_interpreter_with_another_object_layout_is_refused(monkeypatch) -> None:
    assert interpreter() is not None
    monkeypatch.setattr(module, "LIBRARY", None)
    assert interpreter() is None
    monkeypatch.undo()
    monkeypatch.setattr(sys.implementation, "name", "pypy")
    assert interpreter() is None
    monkeypatch.undo()
    monkeypatch.setattr(module.ctypes, "pythonapi", object())  # an embedded one that exports no functions
    assert interpreter() is None
    monkeypatch.undo()
    monkeypatch.setattr(module, "TYPE_AT", 2 * module.TYPE_AT)  # as without a global lock
    assert interpreter() is None
    monkeypatch.undo()
    monkeypatch.setattr(module, "REAL_AT", 0)  # where the reference count is
    assert interpreter() is None


def test_numpy_is_neither_needed_nor_imported() -> None:
    code = (
        "import sys; from assay.core.dicts_and_frames import gold_of_dicts, run_of_dicts\n"
        "assert run_of_dicts({'q': {'a': 1.0}}, gold_of_dicts({'q': {'a': 1}}), {}).num_ret == [1]\n"
        "assert 'numpy' not in sys.modules"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
