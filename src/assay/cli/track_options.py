"""Options of the tracks: ranked answers, lists, series, nuggets, filtering; and what every task's report shows."""

from __future__ import annotations

from assay.cli.track_tables import has_table
from assay.errors import UsageError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from argparse import ArgumentParser, Namespace
    from typing import Any

    from assay.measures.declare import Measure
    from assay.table import Scores

OPTIONS = ("answers", "unjudged", "unused_judgments", "support", "periods", "period_count")
"""Options that only some tasks know; each task's own OPTIONS say which."""


def add_tracks(parser: ArgumentParser, figures: bool = True) -> None:
    """How the tracks judge, and (not for the report itself) the data behind their reports."""
    group = parser.add_argument_group("tracks: qa, list, context, nuggets, filtering, known-item")
    if figures:
        group.add_argument(
            "--figures", action="store_true",
            help="the data behind the report's tables and graphs, under a key of the JSON",
        )  # fmt: skip
    group.add_argument(
        "--characteristics", metavar="FILE.toml", help="a table per run: organisation, type, resources used …"
    )
    _add_choices(group)
    group.add_argument(
        "--periods", metavar="FILE", help="filtering: last document of each period, or documents with their times"
    )
    group.add_argument("--period-count", type=int, metavar="N", help="into how many periods times are cut (default 4)")


def add_track_choices(parser: ArgumentParser) -> None:
    """How the tracks judge, for commands that only want the scores."""
    _add_choices(parser.add_argument_group("tracks: qa, list, context, nuggets"))


def _add_choices(group: Any) -> None:
    group.add_argument("--answers", type=int, metavar="N", help="how many answers a question may have (qa, context: 5)")
    group.add_argument(
        "--unjudged", choices=("error", "incorrect"), help="what an answer counts that nobody judged (default: error)"
    )
    group.add_argument(
        "--unused-judgments", choices=("error", "ignore"),
        help="what to do about a judgment of an answer no run gave (default: error)",
    )  # fmt: skip
    group.add_argument("--support", metavar="FILE", help="documents that support an answer, beside answer patterns")


def figure_format(format: str | None, output: str | None) -> str:
    """Figures are JSON; any other format asked for is a mistake."""
    from assay.cli.output import format_of

    chosen = format_of(format, output)
    if format not in (None, "json") or (output is not None and chosen not in ("table", "json")):
        raise UsageError(f"--figures is data for programs and comes as JSON, not as {chosen}: -f json")
    return "json"


def figure_needs(task: Any) -> tuple[list[Measure], tuple[str, ...]]:
    """The measures and ingredient columns a task's figures are made from."""
    from assay.figures import module_of
    from assay.scoring import chosen

    module = module_of(task.NAME)
    return chosen(module.MEASURES, task) if module.MEASURES else [], module.COLUMNS


def wants_figures(args: Namespace, task: Any) -> bool:
    """Whether a command prints anything that is made from the task's figures."""
    asked = getattr(args, "figures", None)
    return asked is not None and (asked or has_table(task.NAME, args))


def figures_of(scores: Scores) -> Any:
    """A task's figures. The table's runs must hold what `figure_needs` names."""
    from assay.figures import module_of
    from assay.tasks import get

    needed, _ = figure_needs(get(scores.task))
    return module_of(scores.task).figures(scores.beside(needed))


def figure_data(scores: Scores) -> dict[str, Any]:
    """A task's figures as plain data."""
    from dataclasses import asdict

    return asdict(figures_of(scores))


def describe_runs(scores: Scores, path: str) -> list[str]:
    """Give every run its characteristics; what is told are the runs the file describes and nobody gave."""
    from assay.formats.characteristics import read_characteristics
    from assay.formats.sources import source_of

    shared, described = read_characteristics(source_of(path))
    for run in scores.runs:
        scores.run(run).notes["characteristics"] = {**shared, **described.get(run, {})}
    lines = [
        f"{path}: describes {name!r}, which is not among the runs" for name in described if name not in scores.runs
    ]
    plain = [run for run in scores.runs if run not in described]
    if described and plain:
        lines.append(f"{path}: says nothing of {', '.join(plain[:3])}{' …' if len(plain) > 3 else ''}")
    return lines
