"""What `assay reliability` prints, on studies altered by hand."""

from __future__ import annotations

from dataclasses import replace

import pytest

from assay.analyses.reliability.reliability import Reliability, reliability
from assay.reports import results


@pytest.fixture
def study(scores) -> Reliability:
    return reliability(scores, measures=["AP"], trials=50, size=6)


def test_no_lead_is_said_where_none_holds(study):
    measure = study.measures["AP"]
    assert measure.extrapolation is not None
    never = replace(measure.extrapolation, required_difference=None, interval=(0.18, None))
    text = results.text(replace(study, measures={"AP": replace(measure, extrapolation=never)}))
    row = next(line for line in text.splitlines() if line.startswith("AP "))
    assert row.split("  ")[0] == "AP"
    assert "none up to .20" in row
    assert ".18 to none" in row
    assert "is reversed on new ones" not in text


def test_rates_of_reversal_surround_the_lead_that_holds(study):
    measure = study.measures["AP"]
    assert measure.extrapolation is not None
    far = replace(measure.extrapolation, required_difference=0.07, interval=(0.05, 0.09))
    lines = results.text(replace(study, measures={"AP": replace(measure, extrapolation=far)})).splitlines()
    head = next(i for i, line in enumerate(lines) if line.startswith("a lead in AP on 12 topics"))
    assert lines[head].split()[-5:] == [".05–.06", ".06–.07", ".07–.08", ".08–.09", ".09–.10"]
    rates = [float(rate.rstrip("%")) for rate in lines[head + 2].split()[-5:]]
    assert rates == sorted(rates, reverse=True)


def test_with_verbose_the_pages_of_the_report_follow(study):
    brief, whole = results.text(study), results.text(study, verbose=True)
    assert whole.splitlines()[0] == brief.splitlines()[0]
    assert "Stability with 6 topics" in whole
    assert "Stability" not in brief.replace("-v (stability", "")
