"""Can the evaluation be trusted? Stability, swap, discriminative power, and how many topics it takes.

from assay.studies import reliability, plan

study = reliability(scores, size=[10, 25, 50], trials=1000)
study.measures["AP"].at[-1].swap.required_difference
study.to_dict()                        # the JSON of `assay reliability`
"""

from __future__ import annotations

from assay.studies.design import Components, variance_components
from assay.studies.planning import MeasurePlan, Plan, plan
from assay.studies.stability import StabilityPoint, stability
from assay.studies.study import MeasureStudy, Reliability, reliability
from assay.studies.swap import Extrapolation, Swap, extrapolate, swap

__all__ = [
    "Components", "Extrapolation", "MeasurePlan", "MeasureStudy", "Plan", "Reliability", "StabilityPoint",
    "Swap", "extrapolate", "plan", "reliability", "stability", "swap", "variance_components",
]  # fmt: skip
