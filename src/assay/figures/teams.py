"""The team that a run belongs to."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from assay.errors import UsageError
from assay.formats.auxiliary.characteristics import in_words

TEAM = ("organisation", "organization", "team", "group")
"""Characteristics that say whose run it is, the first of them that there is."""


def team_of(run: str, traits: Mapping[str, Any], pattern: str | None = None) -> str:
    """Return a run's team: by its characteristics, else by a pattern on its name, else the run.

    told      the characteristics of the run
    pattern   a regular expression; its first group, where it has one, is the team

    >>> team_of("uogRun1", {"organisation": "Glasgow"}), team_of("uogRun1", {}, "[a-z]+"), team_of("uogRun1", {})
    ('Glasgow', 'uog', 'uogRun1')
    """
    named = next((in_words(traits[name]) for name in TEAM if traits.get(name)), None)
    if named is not None or pattern is None:
        return named or run
    try:
        match = re.match(pattern, run)
    except re.error as problem:
        raise UsageError(f"`team_from={pattern!r}`: is no regular expression: {problem}") from None
    return (match[1 if match.re.groups else 0] or run) if match else run
