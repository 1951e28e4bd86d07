"""AlpacaEval's published preferences as the annotations they were taken from."""

from __future__ import annotations

import csv
import lzma
from pathlib import Path

from assay.formats.answers.battles import Battle

BASELINE = "gpt4_1106_preview_reference"


def battles_of(folder: Path) -> list[Battle]:
    """Every model against the baseline; a preference of 0 is a draw, and an empty one was never annotated."""
    preferences, lengths = (_table(folder / name) for name in ("preference.csv.xz", "length.csv.xz"))
    found: list[Battle] = []
    for row, length in zip(preferences, lengths, strict=True):
        for model, text in row.items():
            if model != "q" and text:
                won = 0.5 if float(text) == 0 else float(text) - 1
                found.append(
                    Battle(row["q"], model, BASELINE, won, int(float(length[model])), int(float(length[BASELINE])))
                )
    return found


def published(folder: Path) -> dict[str, dict[str, float]]:
    """The leaderboard's numbers, in percent, by model."""
    with (folder / "expected_leaderboard.csv").open(encoding="utf-8") as file:
        rows = {row[""]: row for row in csv.DictReader(file)}
    return {
        model: {name: float(row[name]) for name in ("win_rate", "standard_error", "length_controlled_winrate")}
        for model, row in rows.items()
        if row["length_controlled_winrate"]
    }


def _table(path: Path) -> list[dict[str, str]]:
    with lzma.open(path, "rt", encoding="utf-8") as file:
        return list(csv.DictReader(file))
