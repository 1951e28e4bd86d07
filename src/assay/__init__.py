"""assay: which system is really better, and is the test big enough to say so?

    import assay

    scores = assay.evaluate("qrels.txt", "runs/", ["AP", "nDCG@10"])   # prints as the table
    scores["AP"]; scores["AP", "bm25"]                                 # {run: value}; {topic: value}
    assay.compare(scores, "AP")                                        # intervals, tests, tiers
    assay.reliability(scores, "AP")                                    # would other topics say the same?
    assay.report(scores).save("trec.html")

`compare`, `reliability` and `report` take a score table, or gold and runs as `evaluate` does. docs/python.md is the tutorial.
Everything is imported when it is first used, so that `import assay` costs next to nothing.
"""

from __future__ import annotations

from assay._version import __version__

TYPE_CHECKING = False
if TYPE_CHECKING:
    from assay import figures, measures
    from assay.assessing.sittings import Sitting, judge
    from assay.checking.check import Checked, check
    from assay.errors import AssayError, FormatError, InputError, UsageError
    from assay.measures import define
    from assay.measures.counts import of_counts
    from assay.measures.registry import find as measure
    from assay.reports.build import report
    from assay.reports.report import Report
    from assay.score_files import read_scores, scores
    from assay.scoring import Gold, evaluate, read_gold
    from assay.settings import Settings
    from assay.stats.agreeing import agree
    from assay.stats.agreements import JudgeAgreement
    from assay.stats.calibrations import calibrations
    from assay.stats.comparing import compare
    from assay.stats.correcting import correct
    from assay.stats.corrections_found import Correction
    from assay.stats.correlation import agreement
    from assay.stats.declining import Threshold
    from assay.stats.grouped import Comparisons, compare_by, intervals_by
    from assay.stats.guarantees import Guarantee
    from assay.stats.hierarchical import hierarchical
    from assay.stats.overlapping import overlap, p_mrr
    from assay.stats.pricing import Pricing, price
    from assay.stats.results import Comparison
    from assay.stats.run_intervals import run_intervals
    from assay.stats.sequences import compare_sequence, confidence_sequence
    from assay.stats.suite_results import Suite
    from assay.stats.suites import suite
    from assay.stats.thresholds import threshold
    from assay.stores import Store
    from assay.studies.items import Items, items
    from assay.studies.label_planning import LabelPlan, plan_labels
    from assay.studies.left_out import left_out
    from assay.studies.left_out_results import LeftOut
    from assay.studies.newly_judged import NewlyJudged, newly_judged
    from assay.studies.planning import Plan, plan
    from assay.studies.pooling import pool
    from assay.studies.pools import Pool
    from assay.studies.sampling import Sampling, sampling
    from assay.studies.study import Reliability, reliability
    from assay.table import Scores

_PLACES = {
    "AssayError": "errors",
    "Checked": "checking.check",
    "Comparison": "stats.results",
    "Comparisons": "stats.grouped",
    "Correction": "stats.corrections_found",
    "FormatError": "errors",
    "Gold": "scoring",
    "Guarantee": "stats.guarantees",
    "InputError": "errors",
    "Items": "studies.items",
    "JudgeAgreement": "stats.agreements",
    "LabelPlan": "studies.label_planning",
    "LeftOut": "studies.left_out_results",
    "NewlyJudged": "studies.newly_judged",
    "Plan": "studies.planning",
    "Pool": "studies.pools",
    "Pricing": "stats.pricing",
    "Reliability": "studies.study",
    "Report": "reports.report",
    "Sampling": "studies.sampling",
    "Scores": "table",
    "Settings": "settings",
    "Sitting": "assessing.sittings",
    "Store": "stores",
    "Suite": "stats.suite_results",
    "Threshold": "stats.declining",
    "UsageError": "errors",
    "agree": "stats.agreeing",
    "agreement": "stats.correlation",
    "calibrations": "stats.calibrations",
    "check": "checking.check",
    "compare": "stats.comparing",
    "compare_by": "stats.grouped",
    "compare_sequence": "stats.sequences",
    "confidence_sequence": "stats.sequences",
    "correct": "stats.correcting",
    "evaluate": "scoring",
    "hierarchical": "stats.hierarchical",
    "intervals_by": "stats.grouped",
    "items": "studies.items",
    "judge": "assessing.sittings",
    "left_out": "studies.left_out",
    "measure": "measures.registry",
    "newly_judged": "studies.newly_judged",
    "of_counts": "measures.counts",
    "overlap": "stats.overlapping",
    "p_mrr": "stats.overlapping",
    "plan": "studies.planning",
    "plan_labels": "studies.label_planning",
    "pool": "studies.pooling",
    "price": "stats.pricing",
    "read_gold": "scoring",
    "read_scores": "score_files",
    "reliability": "studies.study",
    "report": "reports.build",
    "run_intervals": "stats.run_intervals",
    "sampling": "studies.sampling",
    "scores": "score_files",
    "suite": "stats.suites",
    "threshold": "stats.thresholds",
}
"""Where each public name lives."""

_MODULES = {"define": "assay.measures.define", "figures": "assay.figures", "measures": "assay.measures"}

__all__ = [
    "AssayError", "Checked", "Comparison", "Comparisons", "Correction", "FormatError", "Gold", "Guarantee", "InputError", "Items",
    "JudgeAgreement", "LabelPlan", "LeftOut", "NewlyJudged", "Plan", "Pool", "Pricing", "Reliability", "Report", "Sampling", "Scores",
    "Settings", "Sitting", "Store", "Suite", "Threshold", "UsageError", "__version__", "agree", "agreement", "calibrations", "check",
    "compare", "compare_by", "compare_sequence", "confidence_sequence", "correct", "define", "evaluate", "figures", "hierarchical",
    "intervals_by", "items", "judge", "left_out", "measure", "measures", "newly_judged", "of_counts", "overlap", "p_mrr", "plan",
    "plan_labels", "pool", "price", "read_gold", "read_scores", "reliability", "report", "run_intervals", "sampling", "scores", "suite",
    "threshold",
]  # fmt: skip


def __getattr__(name: str) -> object:
    from importlib import import_module

    if name in _MODULES:
        return import_module(_MODULES[name])
    if name not in _PLACES:
        raise AttributeError(f"module 'assay' has no attribute {name!r}; it has {', '.join(__all__)}")
    return getattr(import_module(f"assay.{_PLACES[name]}"), {"measure": "find"}.get(name, name))


def __dir__() -> list[str]:
    return __all__
