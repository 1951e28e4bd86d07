"""From scores and figures to the report's model: a module per task, with

run_page(figures, campaign, position)    one run's page
sections(figures, campaign)              what its campaign shows beside the leaderboard, where it shows more
meta(figures)                            what the head of the report says, where it says more
"""

from __future__ import annotations

from importlib import import_module
from types import ModuleType

MODULES = {
    "ranked": "ranked", "outcomes": "outcomes", "known-item": "known_item", "filtering": "filtering", "qa": "qa",
    "list": "questions", "context": "context", "nuggets": "questions", "generation": "generation", "diversity": "diversity",
    "pairwise": "pairwise",
}  # fmt: skip
"""By task: the module of its pages. Other tasks have those of plain scores."""


def module_of(task: str) -> ModuleType:
    """Return the module that lays out a task's pages."""
    return import_module(f"assay.reports.pages.{MODULES.get(task, 'scores')}")
