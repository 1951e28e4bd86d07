"""How numbers were computed, as captions say it."""

from __future__ import annotations

import assay
from assay.analyses.campaign.method import describe_method


def test_the_method_names_topics_policy_level_depth_and_version():
    scores = assay.evaluate({"q": {"d": 2}}, {"r": {"q": {"d": 1.0}}}, ["AP"], level=2, depth=10, missing="skip")
    text = describe_method(scores)
    assert text.startswith(
        "1 topic; topics a run leaves out are left out; relevant from grade 2; the first 10 documents"
    )
    assert assay.__version__ in text
