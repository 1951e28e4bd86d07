"""The figures of a release: what evaluate, compare and reliability say of every campaign of the gallery.

python tests/support/corpus.py    writes tests/golden/numbers-N.json, N being the version of the numbers
"""

from __future__ import annotations

import contextlib
import io
import json
import os
import tempfile
from pathlib import Path
from typing import Any

from assay._version import NUMBERS
from assay.cli import main
from assay.demo.gallery import CAMPAIGNS, write_data

FOLDER = Path(__file__).parents[1] / "golden"
STUDIED = ("ranked", "outcomes")
"""Campaigns whose reliability is kept as well."""
DIGITS = 12
"""What all machines agree on."""


def figures(name: str, folder: str) -> dict[str, Any]:
    """By command, the numbers of one campaign, whose data are written to a folder."""
    write_data(folder, name)
    words = CAMPAIGNS[name].sources
    scored = _typed(["evaluate", *words], folder)
    found = {"evaluate": {one["run"]: one["scores"] for one in scored["runs"]}}
    # Who made a run changes none of its numbers, and only some commands have room for it.
    at = words.index("--characteristics") if "--characteristics" in words else len(words)
    words = [*words[:at], *words[at + 2 :]]
    compared = _typed(["compare", *words], folder)
    keys = ("a", "b", "difference", "interval", "p", "adjusted")
    found["compare"] = {
        "measure": compared["measure"],
        "tiers": compared["tiers"],
        "pairs": [{key: pair[key] for key in keys} for pair in compared["pairs"]],
    }
    if name in STUDIED:
        study = _typed(["reliability", *words, "--trials", "100"], folder)
        found["reliability"] = study["measures"]
    return _rounded(found)


def _typed(words: list[str], folder: str) -> Any:
    before, out = os.getcwd(), io.StringIO()
    os.chdir(folder)
    try:
        with contextlib.redirect_stdout(out), contextlib.redirect_stderr(said := io.StringIO()):
            code = main([*words, "-f", "json"])
        assert code == 0, said.getvalue()
    finally:
        os.chdir(before)
    return json.loads(out.getvalue())


def _rounded(value: Any) -> Any:
    if isinstance(value, float):
        return float(f"{value:.{DIGITS}g}")
    if isinstance(value, dict):
        return {name: _rounded(inner) for name, inner in value.items()}
    return [_rounded(inner) for inner in value] if isinstance(value, list) else value


def path_of(numbers: int = NUMBERS) -> Path:
    """Where the figures of a version lie."""
    return FOLDER / f"numbers-{numbers}.json"


if __name__ == "__main__":
    FOLDER.mkdir(exist_ok=True)
    with tempfile.TemporaryDirectory() as place:
        every = {name: figures(name, os.path.join(place, name)) for name in CAMPAIGNS}
    path_of().write_text(json.dumps(every, indent=None, separators=(",", ":"), sort_keys=True) + "\n", "utf-8")
