"""Choices that make no sense for a task: better an error than a setting that is printed and does nothing."""

from __future__ import annotations

from assay.errors import UsageError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from assay.settings import Settings

POLICIES = ("zero", "skip", "common", "error")
NEUTRAL = {"depth": None, "level": 1, "judged_only": False}


def refuse(settings: Settings, *names: str, why: str) -> None:
    """Complain of a choice among depth, level and judged_only, or of a policy for missing topics that is of outcomes.

    >>> from assay.settings import Settings
    >>> refuse(Settings(level=2), "level", why="answers have no levels")
    Traceback (most recent call last):
    assay.errors.UsageError: --level: answers have no levels
    """
    for name in names:
        if getattr(settings, name) != NEUTRAL[name]:
            raise UsageError(f"--{name.replace('_', '-')}: {why}")
    if settings.missing not in POLICIES:
        raise UsageError(f"--missing {settings.missing}: expected one of {', '.join(POLICIES)} for this task")
