"""The pages of a plan, as the terminal prints them."""

from __future__ import annotations

import re

import numpy as np

from assay.analyses.planning.plan import plan
from assay.reports import results
from assay.scoring.score_files import scores as scores_from


def test_a_plan_prints_what_each_method_needs():
    found = plan(difference=0.05, variance=0.04, topics=50)
    [one] = found.measures.values()
    shown = results.text(found, verbose=True)
    for method in ("t-test", "anova", "interval"):
        assert re.search(rf"^{method} +{one.needed[method]} +{one.smallest[method]:.4f}$", shown, re.MULTILINE)
    assert shown.startswith(
        f"To show a difference of .05 between two runs, judge {one.needed['t-test']} topics; 50 are too few."
    )
    assert shown.count(found.finding) == 1


def test_an_end_that_no_number_of_topics_reaches_is_said_so():
    """Runs whose order may be all chance: the price has no upper end."""
    noise = np.random.default_rng(3).normal(0.5, 0.1, (20, 4)) + np.array([0.0, 0.0, 0.0, 0.1])
    found = plan(scores_from(noise.tolist(), measure="AP"), difference=0.05)
    components = found.measures["AP"].components
    low, high = components.topics_interval(0.9, 0.95)
    assert (components.run > 0, high) == (True, None)
    assert f"0.9 takes {components.topics_for(0.9)} [{low}, no number]" in results.text(found, verbose=True)
