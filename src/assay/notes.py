"""What a careful reader should know of one run, beside its scores."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence
    from typing import Any


class Notes:
    """One run's notes; None, 0 and nothing are nothing to tell."""

    __slots__ = (
        "beyond_target", "characteristics", "declined", "ignored_topics", "judging", "nil_answers", "periods", "refusals",
        "unjudged", "warnings",
    )  # fmt: skip

    def __init__(
        self,
        *,
        judging: str | None = None,
        warnings: Iterable[str] = (),
        ignored_topics: int = 0,
        unjudged: int | None = None,
        beyond_target: int = 0,
        refusals: int | None = None,
        nil_answers: int | None = None,
        declined: int | None = None,
        periods: Sequence[str] | None = None,
        characteristics: Mapping[str, Any] | None = None,
    ) -> None:
        self.judging = judging
        """The rule by which answers were held against the gold, in words."""
        self.warnings = list(warnings)
        self.ignored_topics = ignored_topics
        """Topics of the run that have no gold."""
        self.unjudged = unjudged
        self.beyond_target = beyond_target
        """Answers to list questions beyond the number asked for."""
        self.refusals = refusals
        """Answers that read as a refusal."""
        self.nil_answers = nil_answers
        """Questions whose NIL answer was given another confidence."""
        self.declined = declined
        """Answers withheld for their confidence."""
        self.periods = periods
        """The names of the time periods of a filtering run."""
        self.characteristics = characteristics
        """What the organiser says of the run; None where nobody was asked."""

    def copy(self, **changes: Any) -> Notes:
        """The same notes, but for the changes named."""
        return Notes(**{**{name: getattr(self, name) for name in self.__slots__}, **changes})

    def as_dict(self) -> dict[str, Any]:
        """What there is to tell, for the JSON output."""
        kept = {name: getattr(self, name) for name in self.__slots__}
        asked = ("unjudged", "refusals", "nil_answers", "declined", "characteristics")
        return {name: value for name, value in kept.items() if value or (name in asked and value is not None)}
