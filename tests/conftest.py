"""What all tests share."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from hypothesis import settings

# Without a deadline, as a slow machine is no failure. `make slow` runs every property with --hypothesis-profile=thorough.
settings.register_profile("assay", deadline=None, max_examples=100)
settings.register_profile("thorough", deadline=None, max_examples=600)
settings.load_profile("assay")

ROOT = Path(__file__).resolve().parents[1]
pytest_plugins = ["score_table_fixtures"]


def pytest_runtest_setup(item: pytest.Item) -> None:
    """`make twin` runs the tests on the Python twin: those that compare it with the core, or need its speed, wait."""
    if item.get_closest_marker("native_only"):
        from assay.core import binding

        if binding.LIBRARY is None:
            pytest.skip("needs the compiled core")


@pytest.fixture(scope="session")
def shared_data():
    """Public data nobody here wrote: `shared_data("pan20_av", "truth.jsonl")` is a path, or the test is skipped."""
    folder = Path(os.environ.get("ASSAY_DATA", ROOT.parent / "shared" / "data"))

    def find(*names: str) -> Path:
        path = folder.joinpath(*names)
        if not path.exists():
            pytest.skip(f"{'/'.join(names)} is not in the public data (set ASSAY_DATA to its folder)")
        return path

    return find


@pytest.fixture
def registry(monkeypatch):
    """Measures declared in a test last as long as the test."""
    from assay.measures import define

    monkeypatch.setattr(define, "_declared", {task: dict(names) for task, names in define._declared.items()})
