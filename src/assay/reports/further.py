"""Sections of a report that come from other verbs than those that score: what the submissions were worth, whether the
judges agree, what people would say of what a machine judged.

A result that another verb returns has its section here with one more line of `SHOWN`.
"""

from __future__ import annotations

from collections.abc import Sequence
from importlib import import_module
from typing import Any

from assay.errors import UsageError
from assay.reports.model import Section

SHOWN = {
    "Checked": ("checking", "report_section"),
    "JudgeAgreement": ("agreeing", "report_section"),
    "Correction": ("correcting", "report_section"),
}
"""By the name of its class, the module of pages and the function that makes its one section."""


def further_sections(results: Sequence[Any]) -> list[Section]:
    """A section for every result, in the order given; each kind once."""
    made: dict[str, Section] = {}
    for result in results:
        name = type(result).__name__
        if name not in SHOWN:
            raise UsageError(f"`also`: a report has no section for {name}; expected {' or '.join(SHOWN)}")
        if name in made:
            raise UsageError(f"`also`: holds {name} twice; a report has one section for it")
        module, function = SHOWN[name]
        made[name] = getattr(import_module(f"assay.reports.pages.{module}"), function)(result)
    return list(made.values())
