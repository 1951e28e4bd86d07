"""assay threshold: when should this system decline?"""

from __future__ import annotations

from assay.cli.options import add_settings, add_sources, load_plugins, settings_of, sources_of, tell
from assay.cli.output import add_output, format_of, render, to_json, write
from assay.errors import UsageError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from argparse import ArgumentParser, Namespace
    from collections.abc import Sequence
    from typing import Any

    from assay.figures.outcomes import RiskPoint
    from assay.stats.declining import Threshold
    from assay.table import Scores

EPILOG = """examples:
  assay threshold gold.jsonl run.jsonl -m c@1
  assay threshold gold.jsonl run.jsonl -m CT@0.75 --folds 5 -f json
  assay threshold --judged graded.csv --run gpt-4o -m UF
"""
FORMATS = ("table", "json", "csv", "tsv")
OF_LISTS = {"answers_given", "right_answers", "with_correct", "answer_correct", "answer_confidence"}
"""Ingredients that have something of every answer of a list."""


def add_parser(subparsers: Any, words: Sequence[str]) -> None:
    """The options of `assay threshold`."""
    from argparse import RawDescriptionHelpFormatter

    parser: ArgumentParser = subparsers.add_parser(
        "threshold",
        description="Find the confidence below which a system should decline to answer, by cross-validation, with the "
        "gain on held-out questions and its bootstrap interval. CSV and TSV hold the risk-coverage curve.",
        epilog=EPILOG,
        formatter_class=RawDescriptionHelpFormatter,
    )
    add_sources(parser)
    add_settings(parser, words)
    group = parser.add_argument_group("the threshold")
    group.add_argument("--run", metavar="NAME", help="which run, where the files hold several")
    group.add_argument("--folds", type=int, default=10, metavar="N", help="folds of the cross-validation (default 10)")
    group.add_argument(
        "--trials", type=int, metavar="N", help="bootstrap resamples (default 2000; 200 for measures of a whole run)"
    )
    group.add_argument(
        "--confidence", type=float, default=0.95, metavar="X", help="of the gain's interval (default 0.95)"
    )
    add_output(parser, FORMATS)


def run(args: Namespace) -> int:
    """Choose, and print."""
    from assay.figures.outcomes import risk_coverage
    from assay.stats.declining import find_threshold

    if getattr(args, "abstain_below", None) is not None:
        raise UsageError("--abstain-below belongs to `assay evaluate`")
    if args.trials is not None and args.trials < 1:
        raise UsageError(f"--trials {args.trials}: expected at least 1")
    format = format_of(args.format, args.output)
    as_is, declined = _tables(args)
    name = as_is.runs[0]
    for line in as_is.run(name).notes.warnings:
        tell(line)
    found = find_threshold(
        as_is,
        declined,
        name,
        as_is.measures[0],
        folds=args.folds,
        confidence=args.confidence,
        trials=args.trials,
        seed=as_is.settings.seed,
    )
    curve = risk_coverage(as_is, name) or []
    for warning in found.warnings:
        tell(f"{name}: {warning}")
    if format == "json":
        write(to_json(as_json(as_is, name, found, curve)), args.output)
    elif format == "table":
        from assay.reports.pages.declining import section
        from assay.reports.text import sections_text

        write(sections_text([section(found, name, curve)]), args.output)
    else:
        rows = [[point.confidence, point.coverage, point.risk] for point in curve]
        write(render(format, ["confidence", "coverage", "risk"], rows), args.output)
    return 0


def _tables(args: Namespace) -> tuple[Scores, Scores]:
    """The run's scores as it is, and had it declined every question."""
    from assay.formats.sources import expand, source_of
    from assay.scoring import chosen, score_run
    from assay.stats.declining import NEEDS
    from assay.table import Scores
    from assay.tasks import outcomes

    load_plugins(args.plugin)
    task = outcomes.TASK
    if args.task not in (None, task.name):
        raise UsageError(f"--task {args.task}: only answers with a confidence can be declined")
    measures = chosen(args.measures or ["c@1"], task)
    if len(measures) > 1:
        raise UsageError("a threshold is chosen for one measure; give -m once")
    at, names = sources_of(args)
    gold = None if at is None else source_of(at)
    runs = expand(names or [])
    settings = task.settings(**settings_of(args))
    questions = task.read(gold, runs, settings)
    joined = [views for source in runs or questions.runs for views in task.join(questions, source, settings)]
    found: list[Any] = [views for views in joined if args.run in (None, views.name)]
    if len(found) != 1:
        known = ", ".join(views.name for views in joined)
        raise UsageError(f"expected one run, found {len(found)}; choose with --run among {known}")
    if found[0].has_lists and (measures[0].declaration.name == "K" or {*measures[0].of} & OF_LISTS):
        raise UsageError(
            f"{measures[0]} counts every answer of a question, and a threshold is chosen for whole questions; "
            "choose it for a measure of the final answers, such as K1 or c@1"
        )
    declined = found[0].copy()
    declined.abstain_below(float("inf"))
    as_is, other = (
        Scores(
            task,
            settings,
            questions.topics,
            measures,
            [score_run(views, measures, NEEDS)],
            questions.fields,
        )
        for views in (found[0], declined)
    )
    return as_is, other


def as_json(scores: Scores, run: str, found: Threshold, curve: list[RiskPoint]) -> dict[str, Any]:
    """Everything that was found, and the curve behind it."""
    from assay import __version__

    columns = scores.run(run)
    return {
        "assay": __version__,
        "run": run,
        "file": columns.file,
        "measure": found.measure,
        "threshold": found.threshold,
        "fold_thresholds": list(found.fold_thresholds),
        "as_is": found.as_is,
        "held_out": found.held_out,
        "gain": found.gain,
        "interval": None if found.interval is None else list(found.interval),
        "confidence": found.confidence,
        "coverage": {"as_is": found.coverage_as_is, "held_out": found.coverage_held_out},
        "questions": len(scores.topics),
        "missing": sum(columns.missing),
        "cluster": found.cluster,
        "trials": found.trials,
        "warnings": list(found.warnings),
        "settings": scores.settings.as_dict(),
        "judging": columns.notes.judging,
        "risk_coverage": [{"confidence": p.confidence, "coverage": p.coverage, "risk": p.risk} for p in curve],
    }
