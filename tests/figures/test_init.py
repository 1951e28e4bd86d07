"""Every task has its figures, and they name measures there are."""

from __future__ import annotations

import pytest

from assay.figures import module_of
from assay.scoring import chosen
from assay.tasks import NAMES, get


@pytest.mark.parametrize("task", [name for name in NAMES if get(name).figures])
def test_every_task_has_its_figures(task: str):
    module = module_of(get(task))
    assert callable(module.figures)
    assert isinstance(module.MEASURES, tuple)
    assert isinstance(module.COLUMNS, tuple)
    known = {measure.name for measure in chosen(module.MEASURES, get(task))} if module.MEASURES else set()
    assert known == set(module.MEASURES)
