"""Tests mirror the package: src/assay/x/y.py has its tests in tests/x/test_y.py."""

from __future__ import annotations

from pathlib import Path

import pytest

import assay

PACKAGE = Path(assay.__file__).parent
TESTS = Path(__file__).parent
ELSEWHERE = {
    "measures/define.py": ("test_contributing.py", "other names of `measures/declare.py`, as a newcomer uses them"),
    "reports/drawings.py": ("reports/test_letters.py", "plain data, which `reports/letters.py` draws"),
    "resampling/kernels.py": (
        "native/test_resample.py",
        "other names of `native/resample.py`, where its functions stand",
    ),
    **{
        f"reports/charts/{path.name}": (
            "reports/test_charts.py",
            "one table of charts holds all of them to the same rules",
        )
        for path in (PACKAGE / "reports" / "charts").glob("[!_]*.py")
    },
}
"""Modules whose tests stand in a file of another name, and why."""
MODULES = sorted(str(path.relative_to(PACKAGE)) for path in PACKAGE.rglob("*.py") if not path.name.startswith("_"))


@pytest.mark.parametrize("module", MODULES)
def test_a_modules_tests_stand_where_its_name_says(module: str) -> None:
    path = Path(module)
    expected = path.parent / f"test_{path.name}"
    if module in ELSEWHERE:
        expected = Path(ELSEWHERE[module][0])
    assert (TESTS / expected).exists(), f"tests/{expected} is missing: it would hold the tests of src/assay/{module}"


def test_exceptions_are_modules_there_are_and_have_no_file_of_their_own() -> None:
    for module in ELSEWHERE:
        path = Path(module)
        assert module in MODULES
        assert not (TESTS / path.parent / f"test_{path.name}").exists(), f"{module} has a test file: it is no exception"
