"""Remarks on runs: one line for the runs that share one, with the range of their counts."""

from __future__ import annotations

import re

from assay.errors import counted, shorten_list

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable

COUNT = re.compile(r"\{(\w*)\}")
"""The place of the next count in a text, with its noun: {topic} becomes "1 topic" or "3 topics", {} the number alone. {is} becomes
"is" or "are" by the count before it, {detail} the detail."""
LEADING = re.compile(r"(?:^|(?<= of ))[0-9]{1,18}(?= [a-z])")
MAX_NAMED = 3
"""How many runs a line names; of more it names as many and counts all."""


class Remark:
    """A line about one run.

    run      the run, or anything else a line can be about, such as a measure; empty for a line about all
    text     the line without the run, with the places of counts and detail
    counts   the counts
    detail   what differs between runs; a line about several has the first

    >>> str(Remark("bm25", "{topic} without judgments {is} ignored", 2))
    'bm25: 2 topics without judgments are ignored'
    """

    __slots__ = ("counts", "detail", "run", "text")

    def __init__(self, run: str, text: str, *counts: int, detail: str = "") -> None:
        self.run: str = run
        self.text: str = text
        self.counts: tuple[int, ...] = counts
        self.detail: str = detail

    def __str__(self) -> str:
        return join_remarks([self])[0]

    @property
    def said(self) -> str:
        """The line without the run."""
        return _fill([self])


def escape(text: str) -> str:
    """Return a text in which nothing is the place of a count."""
    return text.replace("{", "{{")


def as_remark(line: str, run: str) -> Remark:
    """Parse a line that may begin with the run's name; numbers at its start and after "of" are counts.

    >>> join_remarks([as_remark("a: 1 of 4 {x} is 7", "a"), as_remark("b: 3 of 4 {x} is 7", "b"), as_remark("odd", "b")])
    ['a, b: 1 to 3 of 4 {x} is 7', 'odd']
    """
    if not line.startswith(f"{run}: "):
        return Remark("", escape(line))
    text = escape(line.removeprefix(f"{run}: "))
    counts = map(int, LEADING.findall(text))
    return Remark(run, LEADING.sub("{}", text), *counts)


def join_remarks(remarks: Iterable[Remark], runs: int = 0, noun: str = "run") -> list[str]:
    """Return a line per text, in the order of the first remark with it, with the runs it is about.

    runs   how many runs there are
    noun   the word for what the remarks are about

    >>> lines = [Remark(run, "{topic} ignored", count) for run, count in (("a", 1), ("b", 3), ("c", 3), ("d", 2))]
    >>> join_remarks(lines[:1]), join_remarks(lines[1:3], 4)
    (['a: 1 topic ignored'], ['b, c: 3 topics ignored'])
    >>> join_remarks(lines), join_remarks(lines, 4)
    (['4 runs (a, b, c and 1 more): 1 to 3 topics ignored'], ['4 runs: 1 to 3 topics ignored'])
    """
    by_text: dict[tuple[str, bool], list[Remark]] = {}
    for remark in remarks:
        by_text.setdefault((remark.text, remark.run == ""), []).append(remark)
    lines: list[str] = []
    for (_, is_about_all), several in by_text.items():
        names = list(dict.fromkeys(remark.run for remark in several))
        subject = "" if is_about_all else f"{_subject(names, runs, noun)}: "
        lines.append(f"{subject}{_fill(several)}")
    return lines


def _subject(names: list[str], runs: int, noun: str) -> str:
    if len(names) <= MAX_NAMED:
        return ", ".join(names)
    return f"{len(names)} {noun}s" if len(names) == runs else f"{len(names)} {noun}s ({shorten_list(names, MAX_NAMED)})"


def _fill(several: list[Remark]) -> str:
    """Put the ranges of the counts, with their nouns, and the detail into the text of some remarks."""
    ranges = [(min(counts), max(counts)) for counts in zip(*(remark.counts for remark in several), strict=True)]
    details = list(dict.fromkeys(remark.detail for remark in several))
    detail = details[0] + (" …" if len(details) > 1 else "")
    place = -1

    def fill(match: re.Match[str]) -> str:
        nonlocal place
        noun = match[1]
        if noun == "detail":
            return detail
        if noun == "is":
            return "is" if ranges[place][1] == 1 else "are"
        place += 1
        low, high = ranges[place]
        return (f"{low} to " if low != high else "") + (counted(high, noun) if noun else str(high))

    return "{".join(COUNT.sub(fill, part) for part in several[0].text.split("{{"))
