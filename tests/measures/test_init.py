"""`assay.measures`: every measure under its name."""

from __future__ import annotations

import subprocess
import sys

import pytest

import assay.measures
from assay.measures.registry import declarations, python_name


def test_every_declared_measure_can_be_imported() -> None:
    names = dir(assay.measures)
    for declaration in declarations():
        name = python_name(declaration)
        assert name.isidentifier()
        assert name in names
        assert getattr(assay.measures, name).declaration.name == declaration.name


def test_no_measure_hides_behind_a_module() -> None:
    """A module that is imported is an attribute, and would be found before a measure of its name."""
    modules = {name for steps in assay.measures.registry.MODULES.values() for names in steps for name in names}
    assert not modules & {python_name(d) for d in declarations()}


def test_names_of_python_where_a_measure_cannot_be_written_there() -> None:
    names = ("c_at_1", "f05u", "one_minus_brier", "overall_2014", "overall_2020", "c_at_1_cluster_mean")
    written = ["c@1", "F0.5u", "1-Brier", "overall(2014)", "overall(2020)", "c@1_cluster_mean"]
    assert [str(getattr(assay.measures, name)) for name in names] == written


def test_an_unknown_name_is_an_import_error() -> None:
    with pytest.raises(ImportError):
        from assay.measures import Nothing  # noqa: F401


def test_only_what_is_needed_is_loaded() -> None:
    code = (
        "import sys; from assay.measures import AP, define; "
        "print(sorted(m for m in sys.modules if m in ('numpy', 'assay.measures.qa', 'assay.measures.accuracy_and_c_at_1')))"
    )
    assert subprocess.check_output([sys.executable, "-c", code], text=True).strip() == "[]"


def test_measures_that_nobody_asked_for_are_not_waited_for() -> None:
    code = (
        "import sys, assay; from assay.measures import AP, P; from assay.measures.registry import MODULES; "
        "assay.evaluate({'q': {'d': 1}}, {'q': {'d': 1.0}}, [AP, P@5, 'nDCG@10']); "
        "further = {f'assay.measures.{m}' for names in MODULES['ranked'][1:] for m in names}; "
        "print(sorted(further & set(sys.modules)), len(further) > 1)"
    )
    assert subprocess.check_output([sys.executable, "-c", code], text=True).split() == ["[]", "True"]
