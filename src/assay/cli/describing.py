"""--characteristics: what an organiser says of each run."""

from __future__ import annotations

from assay.cli.options import tell

TYPE_CHECKING = False
if TYPE_CHECKING:
    from argparse import ArgumentParser

    from assay.table import Scores


def add_characteristics(parser: ArgumentParser) -> None:
    """--characteristics FILE.toml."""
    parser.add_argument(
        "--characteristics", metavar="FILE.toml", help="a table per run: organisation, type, resources used …"
    )


def described(scores: Scores, path: str | None) -> Scores:
    """The table with every run's characteristics; what is told are the runs the file describes and nobody gave."""
    if path is None:
        return scores
    from assay.formats.characteristics import read_characteristics
    from assay.formats.sources import source_of

    shared, runs = read_characteristics(source_of(path))
    for name in runs:
        if name not in scores.runs:
            tell(f"{path}: describes {name!r}, which is not among the runs")
    plain = [run for run in scores.runs if run not in runs]
    if runs and plain:
        tell(f"{path}: says nothing of {', '.join(plain[:3])}{' …' if len(plain) > 3 else ''}")
    return scores.described(lambda run: {**shared, **runs.get(run, {})})
