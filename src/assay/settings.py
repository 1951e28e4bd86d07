"""Every choice that changes a number, in one small object that is printed with every result."""

from __future__ import annotations

from assay.errors import UsageError

MISSING = ("zero", "skip", "common", "unanswered", "incorrect", "error")
UNDEFINED = ("zero", "skip")

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable


NAMES = ("missing", "undefined", "depth", "level", "judged_only", "seed")


def _is_whole(value: object) -> bool:
    return hasattr(value, "__index__") and not isinstance(value, bool)


class Settings:
    """The choices of one evaluation.

    missing      what a topic counts that a run leaves out: `zero` (as if nothing was retrieved, over all judged topics),
                 `skip` (over the topics the run has), `common` (over the topics all runs have), `error`;
                 for outcomes also `unanswered` and `incorrect`
    undefined    what a topic counts on which a measure has no value: `zero` or `skip`
    depth        documents of a ranking that are looked at, or None for all
    level        lowest grade that counts as relevant
    judged_only  drop documents without a judgment before anything else
    seed         of everything random

    >>> Settings(level=2).as_dict()["level"]
    2
    """

    __slots__ = ("depth", "extra", "judged_only", "level", "missing", "seed", "undefined")

    def __init__(
        self,
        *,
        missing: str = "zero",
        undefined: str = "zero",
        depth: int | None = None,
        level: int = 1,
        judged_only: bool = False,
        seed: int = 0,
        **extra: object,
    ) -> None:
        if missing not in MISSING:
            raise UsageError(f"missing={missing!r}: expected one of {', '.join(MISSING)}")
        if undefined not in UNDEFINED:
            raise UsageError(f"undefined={undefined!r}: expected one of {', '.join(UNDEFINED)}")
        if depth is not None and (not _is_whole(depth) or depth < 1):
            raise UsageError(f"depth={depth!r}: expected a whole number of at least 1")
        for name, value in (("level", level), ("seed", seed)):
            if not _is_whole(value):
                raise UsageError(f"{name}={value!r}: expected a whole number")
        self.missing = missing
        self.undefined = undefined
        self.depth = depth
        self.level = level
        self.judged_only = judged_only
        self.seed = seed
        self.extra = extra
        """Choices that only one task knows, such as `abstain_below` for outcomes."""

    def check(self, task: str, options: Iterable[str]) -> None:
        """Refuse what the task does not know, rather than print it and do nothing."""
        unknown = [name for name in self.extra if name not in options]
        if unknown:
            known = ", ".join(name for name in (*NAMES, *options))
            raise UsageError(f"{unknown[0]!r} is not a setting of the task {task!r}; it has {known}")
        if self.missing in ("unanswered", "incorrect") and task != "outcomes":
            raise UsageError(
                f"--missing {self.missing}: expected one of zero, skip, common, error for the task {task!r}"
            )

    def as_dict(self) -> dict[str, object]:
        """The choices as plain data, for the JSON output and the report."""
        return {
            "missing": self.missing,
            "undefined": self.undefined,
            "depth": self.depth,
            "level": self.level,
            "judged_only": self.judged_only,
            "seed": self.seed,
            **self.extra,
        }
