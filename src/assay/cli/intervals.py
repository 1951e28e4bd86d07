"""--intervals of assay evaluate: how far each number could be off, by resampling topics."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from argparse import ArgumentParser
    from collections.abc import Sequence
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


def with_columns(
    found: Found, header: Sequence[str], rows: Sequence[Sequence[Any]], format: str
) -> tuple[list[str], list[list[Any]], list[int]]:
    """The table with each measure's interval beside it, and where its own columns have gone.

    For people one column `[low, high]`, for programs two numbers.
    """
    together = format in ("table", "markdown", "latex")
    wide: list[str] = []
    place: list[int] = []
    for name in header:
        place.append(len(wide))
        wide.append(name)
        if name in found:
            wide += [f"{name} 95%"] if together else [f"{name}_low", f"{name}_high"]
    body: list[list[Any]] = []
    for row in rows:
        cells: list[Any] = []
        for name, cell in zip(header, row, strict=True):
            cells.append(cell)
            if name in found:
                interval = found[name].get(row[0])
                cells += [_shown(interval)] if together else _ends(interval)
        body.append(cells)
    return wide, body, place


def _ends(interval: Interval | None) -> list[float | None]:
    return [None, None] if interval is None else [interval.low, interval.high]


def _shown(interval: Interval | None) -> str:
    return "n/a" if interval is None else f"[{interval.low:.4f}, {interval.high:.4f}]"


def into_json(found: Found, result: dict[str, Any]) -> dict[str, Any]:
    """Each run's entry with `intervals`: {measure: {"interval": [low, high], "method", "confidence"} or null}."""
    for entry in result["runs"] if found else ():
        entry["intervals"] = {
            name: None
            if (interval := by_run.get(entry["run"])) is None
            else {"interval": _ends(interval), "method": interval.method, "confidence": interval.confidence}
            for name, by_run in found.items()
        }
    return result
