"""Arrange scores and figures as pages of the report: a module per task, with

run_page(figures, campaign, position)    the page of a run
sections(figures, campaign)              optional: sections beside the leaderboard
meta(figures)                            optional: further entries of the report's header
peer_graphs(figures, position)           optional: a run against the median of corresponding runs
HAS_AVERAGES                             set if a run's page has blocks that reveal no judgments
"""

from __future__ import annotations

from importlib import import_module
from types import ModuleType

MODULES = {
    "ranked": "ranked", "outcomes": "outcomes", "known-item": "known_item", "filtering": "filtering", "qa": "qa",
    "list": "questions", "context": "context", "nuggets": "questions", "generation": "generation", "diversity": "diversity",
    "pairwise": "pairwise",
}  # fmt: skip
"""By task, the module of its pages; other tasks use `scores`."""


def module_of(task: str) -> ModuleType:
    """Return the module that lays out a task's pages."""
    return import_module(f"assay.reports.pages.{MODULES.get(task, 'scores')}")
