"""Every choice that changes a number, in one small object that is printed with every result."""

from __future__ import annotations

from assay.errors import UsageError

MISSING = ("zero", "skip", "common", "unanswered", "incorrect", "error")
UNDEFINED = ("zero", "skip")


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
        if depth is not None and depth < 1:
            raise UsageError(f"depth={depth}: expected a whole number of at least 1")
        self.missing = missing
        self.undefined = undefined
        self.depth = depth
        self.level = level
        self.judged_only = judged_only
        self.seed = seed
        self.extra = extra
        """Choices that only one task knows, such as `abstain_below` for outcomes."""

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
