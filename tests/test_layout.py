"""Tests mirror the package: src/assay/x/y.py has its tests in tests/x/test_y.py."""

from __future__ import annotations

from pathlib import Path

import assay

PACKAGE = Path(assay.__file__).parent
TESTS = Path(__file__).parent
ELSEWHERE = {
    "collections/pools/pool_depth.py": "collections/pools/test_pool.py",  # the defaults of `assay.pool`
    "reports/chart_theme.py": "reports/test_charts.py",  # a configuration, which every chart is drawn with
    "reports/team_report.py": "reports/test_packages.py",  # the index page of a package
    "demo/gallery.py": "cli/commands/test_demo.py",  # `assay demo --gallery` writes it
}
"""Modules whose tests are in a file of another name."""


def test_every_module_has_its_tests() -> None:
    for path in PACKAGE.rglob("[!_]*.py"):
        module = path.relative_to(PACKAGE)
        expected = ELSEWHERE.get(module.as_posix(), module.with_name(f"test_{module.name}").as_posix())
        if module.parts[:2] == ("reports", "charts"):
            expected = "reports/test_charts.py"  # one table holds every chart to the same rules
        assert (TESTS / expected).exists(), (
            f"tests/{expected} is missing: it would hold the tests of src/assay/{module}"
        )
