"""Notes on a run: warnings and counts shown beside its scores."""

from __future__ import annotations

from assay.table.remarks import Remark, as_remark, escape

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from typing import Any


UNPARSED = "unparsed"
JUDGED = "as judged in the file"
"""The rule of runs that state outcomes."""
MAX_NAMED_FAILURES = 3


class Notes:
    """The notes on one run; None means not determined.

    >>> Notes(judging="by hand", unjudged=0).as_dict()
    {'judging': 'by hand', 'unjudged': 0}
    """

    judging: str | None = None
    """The rule by which answers were judged."""
    ignored_topics: int | None = None
    """Topics of the run without gold."""
    unjudged: int | None = None
    """Answers without a judgment."""
    beyond_target: int | None = None
    """Answers to list questions beyond the target number."""
    refusals: int | None = None
    """Answers that match a refusal pattern."""
    nil_answers: int | None = None
    """Questions whose NIL answer has its confidence replaced."""
    declined: int | None = None
    """Answers withheld for their confidence."""
    failed: int | None = None
    """Samples that failed in the harness."""
    no_verdict: int | None = None
    """Samples without a verdict (empty cell), which are excluded."""
    of_samples: bool | None = None
    """Whether the counts above are of samples, not of questions."""
    failures: Mapping[str, str] | None = None
    """Failed samples with the reason."""
    counted_failures: str | None = None
    """The treatment of failed samples, in words."""
    kinds: Mapping[str, int] | None = None
    """Number of unanswered questions by kind (declined, refused, unparsed …)."""
    tool: str | None = None
    """The tool that wrote the log, with its version."""
    details: Sequence[str] | None = None
    """Remarks that change no number; only the JSON has them."""
    periods: Sequence[str] | None = None
    """The names of the time periods of a filtering run."""
    characteristics: Mapping[str, Any] | None = None
    """The run's characteristics, from the organiser."""

    def __init__(self, *, warnings: Sequence[str] = (), **values: Any) -> None:
        self.warnings: list[str] = list(warnings)
        vars(self).update(values)

    def copy(self, **changes: Any) -> Notes:
        """Return a copy with some changes."""
        return Notes(**{**vars(self), **changes})

    def remarks(self, run: str, noun: str) -> list[Remark]:
        """Return a remark for each thing that was changed in or excluded from a run before scoring.

        >>> [str(remark) for remark in Notes(ignored_topics=2).remarks("bm25", "topic")]
        ['bm25: 2 topics without judgments are ignored']
        """
        unit = "sample" if self.of_samples else noun
        remarks = [*(as_remark(line, run) for line in self.warnings), *self.remarks_of_failures(run, noun)]
        if self.no_verdict:
            text = f"{{{unit}}} without a verdict (empty cell) {{is}} excluded"
            remarks.append(Remark(run, text, self.no_verdict))
        if self.kinds:
            counts = dict(sorted(self.kinds.items()))
            texts = [f"{{{'' if i else unit}}} {escape(kind)}" for i, kind in enumerate(counts)]
            how = " (how these count: `unparsed=`)" if UNPARSED in counts else ""
            remarks.append(Remark(run, ", ".join(texts) + how, *counts.values()))
        for count, text in (
            (self.refusals, "{} answers match a refusal pattern and count as unanswered (`refusal=`)"),
            (self.nil_answers, "{} questions have a NIL answer whose confidence was set (`nil_confidence=`)"),
            (self.declined, "{} answers are withheld for their confidence (`abstain_below=`)"),
        ):
            if count is not None:
                remarks.append(Remark(run, text, count))
        if self.ignored_topics:
            remarks.append(Remark(run, f"{{{noun}}} without judgments {{is}} ignored", self.ignored_topics))
        return remarks

    def remarks_of_failures(self, run: str, noun: str) -> list[Remark]:
        """Return the remark about failed topics or samples: how many, the first few, and what they count."""
        if not self.failed:
            return []
        few = [
            f"{name}: {why}" if why else name for name, why in list((self.failures or {}).items())[:MAX_NAMED_FAILURES]
        ]
        more = " …" if self.failed > MAX_NAMED_FAILURES else ""
        unit = "sample" if self.of_samples else noun
        text = f"{{{unit}}} errored in the harness ({{detail}}); {self.counted_failures} (`failed=`)"
        return [Remark(run, text, self.failed, detail="; ".join(few) + more)]

    def as_dict(self) -> dict[str, Any]:
        """Return the notes that are set, for the JSON output."""
        return {name: value for name, value in vars(self).items() if value is not None and value != []}
