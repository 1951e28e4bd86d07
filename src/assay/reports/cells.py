"""Cells of a report's tables: a typed value and the digits shown."""

from __future__ import annotations

from typing import Any, Literal

import msgspec

from assay.errors import counted as counted

Kind = Literal["text", "number", "count", "percent", "share", "interval", "missing"]

NOT_AVAILABLE = "n/a"


class Cell(msgspec.Struct, frozen=True, gc=False):  # made in C: a report has half a million
    """One typed value. `value` sorts; `text` shows.

    >>> number(0.23294).text, count(50000).text, percent(0.309, 1).text, share(152, 492).text
    ('0.2329', '50000', '30.9%', '152 (30.9%)')
    >>> number(None).text, number(0.05, signed=True).text, number(-0.00001, signed=True).text
    ('n/a', '+0.0500', '0.0000')
    """

    kind: Kind
    value: str | float | int | None
    digits: int = 4
    signed: bool = False
    low: float | None = None
    high: float | None = None
    whole: int | None = None
    link: str | None = None
    hint: str = ""
    best: bool = False
    tag: str = ""

    def but(self, **changes: Any) -> Cell:
        """Return a copy with some fields changed."""
        return msgspec.structs.replace(self, **changes)

    @property
    def text(self) -> str:
        value = self.value
        if value is None:
            return NOT_AVAILABLE
        if isinstance(value, str):
            return value
        if self.kind == "count":
            return f"{value:+d}" if self.signed and value else f"{value:d}"
        if self.kind == "percent":
            return f"{_fixed(100 * value, self.digits, self.signed)}%"
        if self.kind == "share":
            part = f"{100 * value / self.whole:.{self.digits}f}%" if self.whole else NOT_AVAILABLE
            return f"{value:d} ({part})"
        return _fixed(value, self.digits, self.signed)

    @property
    def range_text(self) -> str:
        """The interval's ends, `[0.2101, 0.2557]`; empty where there are none."""
        if self.low is None or self.high is None:
            return ""
        return f"[{_fixed(self.low, self.digits, self.signed)}, {_fixed(self.high, self.digits, self.signed)}]"

    @property
    def whole_text(self) -> str:
        """The value, followed by its interval if it has one."""
        return f"{self.text} {self.range_text}" if self.range_text else self.text

    @property
    def numeric(self) -> bool:
        return self.kind != "text"


def _fixed(value: float, digits: int, signed: bool = False) -> str:
    shown = f"{value:+.{digits}f}" if signed else f"{value:.{digits}f}"
    # A difference too small to show has no sign to show either.
    return shown.lstrip("+-") if not shown.strip("+-0.") else shown


def cell(value: str | float | int | None, *, best: bool = False) -> Cell:
    """Return the cell of a value of any kind."""
    kind: Kind = "missing" if value is None else "text" if isinstance(value, str) else "number"
    return Cell("count" if isinstance(value, int) else kind, value, best=best)


def text(value: object, *, link: str | None = None, hint: str = "", tag: str = "") -> Cell:
    """Return a cell of text; `link` is the id of a page or an address, `tag` a word shown beside it."""
    return Cell("text", str(value), link=link, hint=hint, tag=tag)


def number(value: float | None, digits: int = 4, *, signed: bool = False, hint: str = "") -> Cell:
    if value is None or value != value:
        return missing(hint)
    return Cell("number", value, digits, signed, hint=hint)


def count(value: int | None, *, signed: bool = False, hint: str = "") -> Cell:
    return missing(hint) if value is None else Cell("count", value, 0, signed, hint=hint)


def among(value: float | None, digits: int, *, signed: bool = False) -> Cell:
    """Return a value or a median: that of counts may be half-way between two.

    >>> among(92, 0).text, among(92.5, 0).text, among(0.25, 4).text
    ('92', '92.5', '0.2500')
    """
    return number(value, 1 if digits == 0 and value is not None and value % 1 else digits, signed=signed)


def percent(value: float | None, digits: int = 1, *, signed: bool = False, hint: str = "") -> Cell:
    """Return a proportion, shown as a percentage."""
    return missing(hint) if value is None else Cell("percent", value, digits, signed, hint=hint)


def share(part: int | None, whole: int, digits: int = 1, *, hint: str = "") -> Cell:
    """Return a count with its percentage of `whole`, as the reports of TREC print them: `152 (30.9%)`."""
    return missing(hint) if part is None else Cell("share", part, digits, whole=whole, hint=hint)


def interval(
    value: float | None, low: float | None, high: float | None, digits: int = 4, *, signed: bool = False, hint: str = ""
) -> Cell:
    """Return a value with the ends of its confidence interval."""
    return missing(hint) if value is None else Cell("interval", value, digits, signed, low=low, high=high, hint=hint)


def missing(hint: str = "") -> Cell:
    """Return the cell of an undefined value: `n/a`, never 0."""
    return Cell("missing", None, hint=hint)
