"""Specifications of charts against Altair, which checks them by Vega-Lite's own schema.

`make peers` makes the environment; elsewhere this is skipped.
"""

from __future__ import annotations

import pytest
from tests.reports.test_charts import ALL

import assay
from assay.reports.plots import KINDS, Plot

pytestmark = pytest.mark.peer
altair = pytest.importorskip("altair", reason="altair is not installed")


@pytest.mark.parametrize("name", ALL)
def test_altair_takes_every_chart(name):
    altair.Chart.from_dict(Plot(ALL[name]).spec)


@pytest.mark.parametrize(
    ("of", "name"), [key for key in KINDS if key[1] not in ("reliability-diagram", "risk-coverage")]
)
def test_altair_takes_every_plot(of, name):
    qrels = {f"q{i}": {"d": 1} for i in range(12)}
    runs = {f"r{n}": {f"q{i}": {"d" if i < n else "x": 1.0} for i in range(12)} for n in (12, 10, 6, 4, 1)}
    scores = assay.evaluate(qrels, runs, ["AP"], keep=True)
    results = {
        "Scores": lambda: scores,
        "Comparison": lambda: assay.compare(scores, "AP"),
        "Reliability": lambda: assay.reliability(scores, "AP", trials=20, size=[3, 6], discrimination=("tukey",)),
    }
    altair.Chart.from_dict(results[of]().plot(name).spec)
