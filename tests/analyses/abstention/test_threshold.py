"""The one door to thresholds: by a measure, or by a risk."""

from __future__ import annotations

from declined import informed

import assay
from assay.analyses.abstention.cross_validated_threshold import Threshold
from assay.analyses.abstention.guarantee import Guarantee


def run() -> bytes:
    words = {1: "correct", 0: "incorrect"}
    lines = [f"a,q{i:04},{words[c]},{p}" for i, (c, p) in enumerate(informed(200))]
    return ("run,id,outcome,confidence\n" + "\n".join(lines) + "\n").encode()


def test_a_measure_or_a_risk() -> None:
    by_measure, by_risk = assay.threshold(None, run(), "UF", resamples=20), assay.threshold(None, run(), risk=0.3)
    assert isinstance(by_measure, Threshold)
    assert isinstance(by_risk, Guarantee)
    assert by_measure.measure == "UF"
    assert by_risk.risk == 0.3
    scores = assay.evaluate(None, run(), ["c@1"])
    assert assay.threshold(scores, risk=0.3, name="a").threshold == by_risk.threshold
