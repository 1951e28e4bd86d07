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

TYPE_CHECKING = False
if TYPE_CHECKING:
    from assay import figures, measures
    from assay._version import __version__
    from assay.analyses.abstention.calibration import calibrations
    from assay.analyses.abstention.price import price
    from assay.analyses.abstention.threshold import threshold
    from assay.analyses.comparison.by_group import compare_by, intervals_by
    from assay.analyses.comparison.compare import compare
    from assay.analyses.comparison.run_intervals import run_intervals
    from assay.analyses.correction.correct import correct
    from assay.analyses.items import items
    from assay.analyses.judges.agree import agree
    from assay.analyses.overlap import overlap, p_mrr
    from assay.analyses.planning.more_samples import sampling
    from assay.analyses.planning.plan import plan
    from assay.analyses.planning.plan_labels import plan_labels
    from assay.analyses.reliability.newly_correct_answers import newly_judged
    from assay.analyses.reliability.reliability import reliability
    from assay.analyses.suites.suite import suite
    from assay.collections.assessment.judge import judge
    from assay.collections.checking.check import check
    from assay.collections.pools.leave_one_out import left_out
    from assay.collections.pools.pool import pool
    from assay.errors import AssayError, FormatError, InputError, UsageError
    from assay.measures import define
    from assay.measures.counts import of_counts
    from assay.measures.registry import find as measure
    from assay.reports.report import Report, report
    from assay.scoring.evaluate import Gold, evaluate, read_gold
    from assay.scoring.score_files import read_scores, scores
    from assay.scoring.store import Store
    from assay.settings import Settings
    from assay.stats.rank_correlation import agreement
    from assay.table.scores import Scores

_MODULE_OF = {
    "AssayError": "errors",
    "FormatError": "errors",
    "Gold": "scoring.evaluate",
    "InputError": "errors",
    "Report": "reports.report",
    "Scores": "table.scores",
    "Settings": "settings",
    "Store": "scoring.store",
    "UsageError": "errors",
    "__version__": "_version",
    "agree": "analyses.judges.agree",
    "agreement": "stats.rank_correlation",
    "calibrations": "analyses.abstention.calibration",
    "check": "collections.checking.check",
    "compare": "analyses.comparison.compare",
    "compare_by": "analyses.comparison.by_group",
    "correct": "analyses.correction.correct",
    "evaluate": "scoring.evaluate",
    "intervals_by": "analyses.comparison.by_group",
    "items": "analyses.items",
    "judge": "collections.assessment.judge",
    "left_out": "collections.pools.leave_one_out",
    "measure": "measures.registry",
    "newly_judged": "analyses.reliability.newly_correct_answers",
    "of_counts": "measures.counts",
    "overlap": "analyses.overlap",
    "p_mrr": "analyses.overlap",
    "plan": "analyses.planning.plan",
    "plan_labels": "analyses.planning.plan_labels",
    "pool": "collections.pools.pool",
    "price": "analyses.abstention.price",
    "read_gold": "scoring.evaluate",
    "read_scores": "scoring.score_files",
    "reliability": "analyses.reliability.reliability",
    "report": "reports.report",
    "run_intervals": "analyses.comparison.run_intervals",
    "sampling": "analyses.planning.more_samples",
    "scores": "scoring.score_files",
    "suite": "analyses.suites.suite",
    "threshold": "analyses.abstention.threshold",
}
"""The module of each public function and class; docs/python.md says why each is public."""

_PUBLIC_MODULES = {"define": "assay.measures.define", "figures": "assay.figures", "measures": "assay.measures"}

__all__ = [
    "AssayError", "FormatError", "Gold", "InputError", "Report", "Scores", "Settings", "Store", "UsageError", "__version__", "agree",
    "agreement", "calibrations", "check", "compare", "compare_by", "correct", "define", "evaluate", "figures", "intervals_by", "items",
    "judge", "left_out", "measure", "measures", "newly_judged", "of_counts", "overlap", "p_mrr", "plan", "plan_labels", "pool", "price",
    "read_gold", "read_scores", "reliability", "report", "run_intervals", "sampling", "scores", "suite", "threshold",
]  # fmt: skip


if not TYPE_CHECKING:  # type checkers would take any name for one that exists

    def __getattr__(name: str) -> object:
        from importlib import import_module

        if name in _PUBLIC_MODULES:
            return import_module(_PUBLIC_MODULES[name])
        if name not in _MODULE_OF:
            result = (
                "; results' classes are in the packages of their functions (docs/reference.md)"
                if name[:1].isupper()
                else ""
            )
            raise AttributeError(f"module 'assay' has no attribute {name!r}{result}; it has {', '.join(__all__)}")
        return getattr(import_module(f"assay.{_MODULE_OF[name]}"), {"measure": "find"}.get(name, name))


def __dir__() -> list[str]:
    return __all__
