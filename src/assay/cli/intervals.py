"""--intervals of assay evaluate: how far each number could be off, by resampling topics."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from argparse import ArgumentParser
    from typing import Any

    from assay.stats.intervals import Interval
    from assay.table import Scores

    Found = dict[str, dict[str, Interval | None]]


def add_intervals(parser: ArgumentParser) -> None:
    """--intervals."""
    parser.add_argument(
        "--intervals",
        action="store_true",
        help="with 95%% bootstrap intervals (`assay compare` has those of differences)",
    )


def intervals_of(scores: Scores) -> Found:
    """Measure → run → interval."""
    from assay.stats.comparing import run_intervals

    return {m.name: run_intervals(scores, m) for m in scores.measures}


def into_json(found: Found, result: dict[str, Any]) -> dict[str, Any]:
    """Each run's entry with `intervals`: {measure: {"interval": [low, high], "method", "confidence"} or null}."""
    for entry in result["runs"] if found else ():
        entry["intervals"] = {
            name: None
            if (interval := by_run.get(entry["run"])) is None
            else {
                "interval": [interval.low, interval.high],
                "method": interval.method,
                "confidence": interval.confidence,
            }
            for name, by_run in found.items()
        }
    return result
