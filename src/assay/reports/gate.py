"""What a gate found, as the Markdown of one comment below a proposed change: verdict, numbers, and the questions that flipped.

Names come from files that anybody may have made, so each stands as code: there it can mention nobody, link nowhere and close no tag.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from assay.analyses.comparison.by_group import Comparisons
from assay.analyses.comparison.result import Comparison, PairResult
from assay.figures.flipped_topics import FlippedTopic, FlippedTopics, flips
from assay.figures.topic_groups import groups
from assay.io.escaping import in_html, plain
from assay.reports.model import counted
from assay.table.scores import Scores

SHOWN = 10
"""Flipped questions that are named, for the worse and for the better."""
VERDICTS = ("inferior", "undecided", "non-inferior")
"""The first that any pair has is the gate's own."""


@dataclass(frozen=True)
class Compared:
    """One comparison that the gate looked at."""

    where: str
    """The group of questions, or nothing where it is all of them."""
    comparison: Comparison | None
    flips: Sequence[FlippedTopics | None]
    """Of each of its pairs."""
    why: str = ""
    """Why there is no comparison, where there is none."""

    @property
    def pairs(self) -> Sequence[PairResult]:
        return () if self.comparison is None else self.comparison.pairs


def looked_at(scores: Scores, results: Sequence[Comparison | Comparisons]) -> list[Compared]:
    """Every comparison of a gate, with the questions that flipped.

    scores    the table they were made from
    results   one for each measure, of all questions or within groups
    """
    found: list[Compared] = []
    for result in results:
        if isinstance(result, Comparison):
            found.append(Compared("", result, _flips(scores, result)))
            continue
        topics = {group.values: group.topics for group in groups(scores, result.fields)}
        for group in result.groups:
            if group.comparison is None:
                found.append(Compared(group.label, None, (), f"{result.measure}: {group.why}"))
            else:
                of_these = _flips(scores.restricted(topics[group.values]), group.comparison)
                found.append(Compared(group.label, group.comparison, of_these))
    return found


def _flips(scores: Scores, result: Comparison) -> list[FlippedTopics | None]:
    return [flips(scores, pair.b, pair.a, result.measure) for pair in result.pairs]


def verdict(compared: Sequence[Compared]) -> str:
    """The worst of all: inferior before undecided before non-inferior. Where nothing was compared nobody can tell."""
    found = {"undecided" if pair.gate is None else pair.gate for one in compared for pair in one.pairs}
    found |= {"undecided" for one in compared if one.comparison is None}
    return next((word for word in VERDICTS if word in found), "undecided")


def comment(compared: Sequence[Compared], margin: float, undecided: str, link: str | None = None) -> str:
    """The whole comment.

    margin      by how much a run may be worse
    undecided   whether a gate that cannot tell is to `pass` or to `fail`
    link        where the report is, for those who want all of it
    """
    found = verdict(compared)
    effect = {"non-inferior": "passed", "inferior": "stopped"}.get(
        found, "let through" if undecided == "pass" else "stopped"
    )
    # By several measures the same questions flip: once is enough.
    flipped = dict.fromkeys(block for one in compared for block in _flipped(one))
    blocks = [
        f"### Gate: {found}, {effect}",
        _table(compared),
        "\n".join(f"- {line}" for one in compared for line in _sentences(one, margin)),
        *flipped,
        _rule(margin, undecided),
        *([f"[The whole report]({_address(link)})"] if link else []),
    ]
    return "\n\n".join(blocks) + "\n"


def code(text: str) -> str:
    """A name as code, in a cell too, whatever backticks and bars it holds.

    >>> print(code("bm25"), code("a`b"), code("a|b"))
    `bm25` `` a`b `` `a\\|b`
    """
    shown = plain(text).replace("|", r"\|")
    fence = "`" * (1 + max(map(len, re.findall("`+", shown)), default=0))
    return f"{fence}{shown}{fence}" if len(fence) == 1 else f"{fence} {shown} {fence}"


def _address(link: str) -> str:
    """An address that ends where its bracket does."""
    return re.sub(r"[\s()<>\\]", lambda found: f"%{ord(found[0]):02X}", plain(link))


def _table(compared: Sequence[Compared]) -> str:
    groups = any(one.where for one in compared)
    first = ["on"] if groups else []
    levels = {pair.interval.confidence for one in compared for pair in one.pairs if pair.interval is not None}
    interval = f"{100 * levels.pop():g}% interval" if len(levels) == 1 else "interval"
    header = [*first, "measure", "baseline", "candidate", "difference", interval, "verdict"]
    aligned = [*("---" for _ in first), "---", "---", "---", "--:", ":-:", "---"]
    rows = [row for one in compared for row in _rows(one, groups)]
    return "\n".join(f"| {' | '.join(cells)} |" for cells in (header, aligned, *rows))


def _rows(one: Compared, groups: bool) -> Iterator[list[str]]:
    first = [code(one.where)] if groups else []
    if one.comparison is None:
        yield [*first, *["n/a"] * 5, "**undecided**"]
        return
    values = {run.run: run.value for run in one.comparison.runs}
    for pair in one.pairs:
        runs = [f"{code(run)} {_number(values.get(run))}" for run in (pair.b, pair.a)]
        ends = pair.interval and f"[{pair.interval.low:+.4f}, {pair.interval.high:+.4f}]"
        difference = "n/a" if pair.difference is None else f"{pair.difference:+.4f}"
        average = f", {one.comparison.average}" if one.comparison.average else ""
        yield [*first, f"{code(one.comparison.measure)}{average}", *runs, difference, ends or "n/a", f"**{pair.gate}**"]


def _number(value: float | None) -> str:
    return "n/a" if value is None else f"{value:.4f}"


def _sentences(one: Compared, margin: float) -> Iterator[str]:
    """Who is better, and what an undecided gate would need."""
    where = f" on {code(one.where)}" if one.where else ""
    if one.comparison is None:
        yield f"Not compared{where}: {code(one.why)}."
    for pair in one.pairs:
        yield f"{_better(pair, one.comparison)}{where}.{_too_few(pair, one.comparison, margin)}"


def _better(pair: PairResult, result: Comparison | None) -> str:
    measure, extent = (code(result.measure), result.extent) if result else ("", "")
    a, b = code(pair.a), code(pair.b)
    if pair.difference == 0:
        return f"{a} and {b} are equal in {measure} on {extent}"
    if pair.significant and pair.better is not None:
        other = pair.b if pair.better == pair.a else pair.a
        return f"{code(pair.better)} is better than {code(other)} in {measure} on {extent}"
    ahead = f"; {code(pair.better)} is ahead by the estimate" if pair.better else ""
    return f"Neither of {a} and {b} is shown to be better in {measure} on {extent}{ahead}"


def _too_few(pair: PairResult, result: Comparison | None, margin: float) -> str:
    """What undecided means, and how large a difference these questions do show."""
    if pair.gate != "undecided" or result is None:
        return ""
    if pair.interval is None:
        return f" **Too few {result.noun}s to tell** whether {code(pair.a)} is worse: there is no interval."
    shown = (
        "" if pair.detectable is None else f" They show a true difference of {pair.detectable:.4f} four times in five."
    )
    return (
        f" **Too few {result.noun}s to tell** whether {code(pair.a)} is worse by more than {margin:g}: the interval reaches to both "
        f"sides of the margin.{shown} `assay plan` says how many would be enough."
    )


def _flipped(one: Compared) -> Iterator[str]:
    """The questions that changed, folded away: how many stand in the line one sees."""
    if one.comparison is None:
        return
    noun = one.comparison.noun
    for pair, found in zip(one.pairs, one.flips, strict=True):
        if found is None or not (found.worse or found.better):
            continue
        total = counted(len(found.worse) + len(found.better), noun)
        where = f" on {_bare(one.where)}" if one.where else ""
        graded = isinstance((*found.worse, *found.better)[0].before, float)
        what = f"changed in {_bare(one.comparison.measure)}" if graded else "flipped"
        runs = f"from {_bare(pair.b)} to {_bare(pair.a)}"
        head = f"{total} {what}{where} {runs}: {len(found.worse)} for the worse, {len(found.better)} for the better"
        rows = [*_changes(found.worse, "worse"), *_changes(found.better, "better")]
        lines = [f"| {noun} | {code(pair.b)} | {code(pair.a)} | |", "| --- | --- | --- | --- |", *rows]
        hidden = len(found.worse[SHOWN:]) + len(found.better[SHOWN:])
        more = [f"\n{counted(hidden, f'more {noun}')}; the report has them all."] if hidden else []
        yield "\n".join([f"<details><summary>{head}</summary>\n", *lines, *more, "\n</details>"])


def _bare(text: str) -> str:
    """A name where Markdown is not read: in the line of what is folded away."""
    return f"<code>{in_html(plain(text))}</code>"


def _changes(flips: Sequence[FlippedTopic], which: str) -> list[str]:
    return [f"| {code(one.topic)} | {_state(one.before)} | {_state(one.after)} | {which} |" for one in flips[:SHOWN]]


def _state(value: str | float) -> str:
    return value if isinstance(value, str) else f"{value:.4f}"


def _rule(margin: float, undecided: str) -> str:
    passes = "passes" if undecided == "pass" else "fails"
    return (
        f"The margin is {margin:g}. Non-inferior: the whole interval says that the candidate is worse by less, or better. Inferior: "
        f"that it is worse by more. Undecided: it says neither, which is not the same as no harm; here it {passes}."
    )
