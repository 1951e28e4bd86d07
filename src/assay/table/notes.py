"""What a careful reader should know of one run, beside its scores."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from typing import Any


UNPARSED = "unparsed"
NAMED = 3
"""Failures that are named one by one."""


class Notes:
    """One run's notes; what nobody looked for is None.

    >>> Notes(judging="by hand", unjudged=0).as_dict()
    {'judging': 'by hand', 'unjudged': 0}
    """

    judging: str | None = None
    """The rule by which answers were held against the gold, in words."""
    ignored_topics: int | None = None
    """Topics of the run that have no gold."""
    unjudged: int | None = None
    """Answers that nobody judged."""
    beyond_target: int | None = None
    """Answers to list questions beyond the number asked for."""
    refusals: int | None = None
    """Answers that read as a refusal."""
    nil_answers: int | None = None
    """Questions whose NIL answer was given another confidence."""
    declined: int | None = None
    """Answers withheld for their confidence."""
    failed: int | None = None
    """Samples on which the instrument failed, and not the model."""
    no_verdict: int | None = None
    """Samples whose cell for right or wrong is empty, and which are excluded."""
    of_samples: bool | None = None
    """Whether these are samples of questions that have several."""
    failures: Mapping[str, str] | None = None
    """Which these are, and why."""
    counted_failures: str | None = None
    """What they count, in words."""
    kinds: Mapping[str, int] | None = None
    """How many questions of each kind of unanswered there are."""
    tool: str | None = None
    """What wrote the log, with its version."""
    periods: Sequence[str] | None = None
    """The names of the time periods of a filtering run."""
    characteristics: Mapping[str, Any] | None = None
    """What the organiser says of the run."""

    def __init__(self, *, warnings: Sequence[str] = (), **told: Any) -> None:
        self.warnings = list(warnings)
        vars(self).update(told)

    def copy(self, **changes: Any) -> Notes:
        """The same notes, but for the changes named."""
        return Notes(**{**vars(self), **changes})

    def remarks(self, run: str, noun: str) -> list[str]:
        """What was done to a run before it was scored, and what of it was not looked at, a line each.

        >>> Notes(ignored_topics=2).remarks("bm25", "topic")
        ['bm25: 2 topics without judgments ignored']
        """
        lines = [*self.warnings, *self.remarks_of_failures(run, noun)]
        if self.no_verdict:
            unit = _plural(self.no_verdict, "sample" if self.of_samples else noun)
            lines.append(f"{run}: {self.no_verdict} {unit} without a verdict (empty cell) excluded")
        if self.kinds:
            told = ", ".join(f"{count} {kind}" for kind, count in sorted(self.kinds.items()))
            how = " (how these count: `unparsed=`)" if UNPARSED in self.kinds else ""
            lines.append(f"{run}: without an answer: {told}{how}")
        for count, what in (
            (self.refusals, "answers match a refusal pattern and count as unanswered (`refusal=`)"),
            (self.nil_answers, "questions have a NIL answer whose confidence was set (`nil_confidence=`)"),
            (self.declined, "answers are withheld for their confidence (`abstain_below=`)"),
        ):
            if count is not None:
                lines.append(f"{run}: {count} {what}")
        if self.ignored_topics:
            lines.append(f"{run}: {self.ignored_topics} {noun}s without judgments ignored")
        return lines

    def remarks_of_failures(self, run: str, noun: str) -> list[str]:
        """On how many topics, or samples of them, the instrument failed, which they are, and what became of them."""
        if not self.failed:
            return []
        what = _plural(self.failed, "sample" if self.of_samples else noun)
        few = [f"{name}: {why}" if why else name for name, why in list((self.failures or {}).items())[:NAMED]]
        more = " …" if self.failed > NAMED else ""
        return [
            f"{run}: {self.failed} {what} failed, the instrument and not the model ({'; '.join(few)}{more}); "
            f"{self.counted_failures} (`failed=`)"
        ]

    def as_dict(self) -> dict[str, Any]:
        """What there is to tell, for the JSON output."""
        return {name: value for name, value in vars(self).items() if value is not None and value != []}


def _plural(count: int, noun: str) -> str:
    return noun if count == 1 else f"{noun}s"
