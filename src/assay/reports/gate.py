"""Write a gate's result as a Markdown comment: verdict, numbers, and the questions that flipped.

Names come from untrusted files, so each is shown as code, where it can mention no user, link nowhere and close no tag.
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

MAX_LISTED_FLIPS = 10
"""Flipped questions listed in each direction."""
VERDICTS = ("inferior", "undecided", "non-inferior")
"""Worst first: the first that any pair has is the gate's."""


@dataclass(frozen=True)
class Compared:
    """One comparison of a gate."""

    where: str
    """The group of questions; empty for all of them."""
    comparison: Comparison | None
    flips: Sequence[FlippedTopics | None]
    """For each of its pairs."""
    why: str = ""
    """Why there is no comparison."""

    @property
    def pairs(self) -> Sequence[PairResult]:
        return () if self.comparison is None else self.comparison.pairs


def looked_at(scores: Scores, results: Sequence[Comparison | Comparisons]) -> list[Compared]:
    """Return every comparison of a gate with the questions that flipped.

    scores    the table they were made from
    results   one for each measure, of all questions or within groups
    """
    compared: list[Compared] = []
    for result in results:
        if isinstance(result, Comparison):
            compared.append(Compared("", result, _flips(scores, result)))
            continue
        topics = {group.values: group.topics for group in groups(scores, result.fields)}
        for group in result.groups:
            if group.comparison is None:
                compared.append(Compared(group.label, None, (), f"{result.measure}: {group.why}"))
            else:
                of_these = _flips(scores.restricted(topics[group.values]), group.comparison)
                compared.append(Compared(group.label, group.comparison, of_these))
    return compared


def _flips(scores: Scores, result: Comparison) -> list[FlippedTopics | None]:
    return [flips(scores, pair.b, pair.a, result.measure) for pair in result.pairs]


def verdict(compared: Sequence[Compared]) -> str:
    """Return the worst verdict: inferior, then undecided, then non-inferior; undecided where nothing was compared."""
    verdicts = {"undecided" if pair.gate is None else pair.gate for comparison in compared for pair in comparison.pairs}
    verdicts |= {"undecided" for comparison in compared if comparison.comparison is None}
    return next((word for word in VERDICTS if word in verdicts), "undecided")


def comment(compared: Sequence[Compared], margin: float, undecided: str, link: str | None = None) -> str:
    """Return the whole comment.

    margin      by how much a run may be worse
    undecided   whether an undecided gate is to `pass` or to `fail`
    link        the address of the report
    """
    outcome = verdict(compared)
    effect = {"non-inferior": "passed", "inferior": "stopped"}.get(
        outcome, "let through" if undecided == "pass" else "stopped"
    )
    # By several measures the same questions flip: once is enough.
    flipped = dict.fromkeys(block for comparison in compared for block in _flipped(comparison))
    blocks = [
        f"### Gate: {outcome}, {effect}",
        _table(compared),
        "\n".join(f"- {line}" for comparison in compared for line in _sentences(comparison, margin)),
        *flipped,
        _rule(margin, undecided),
        *([f"[The whole report]({_address(link)})"] if link else []),
    ]
    return "\n\n".join(blocks) + "\n"


def code(text: str) -> str:
    """Return a name as code that is safe in a table cell, whatever backticks and bars it has.

    >>> print(code("bm25"), code("a`b"), code("a|b"))
    `bm25` `` a`b `` `a\\|b`
    """
    shown = plain(text).replace("|", r"\|")
    fence = "`" * (1 + max(map(len, re.findall("`+", shown)), default=0))
    return f"{fence}{shown}{fence}" if len(fence) == 1 else f"{fence} {shown} {fence}"


def _address(link: str) -> str:
    """Escape what would end the brackets around an address."""
    return re.sub(r"[\s()<>\\]", lambda found: f"%{ord(found[0]):02X}", plain(link))


def _table(compared: Sequence[Compared]) -> str:
    groups = any(comparison.where for comparison in compared)
    first = ["on"] if groups else []
    levels = {
        pair.interval.confidence for comparison in compared for pair in comparison.pairs if pair.interval is not None
    }
    interval = f"{100 * levels.pop():g}% interval" if len(levels) == 1 else "interval"
    header = [*first, "measure", "baseline", "candidate", "difference", interval, "verdict"]
    aligned = [*("---" for _ in first), "---", "---", "---", "--:", ":-:", "---"]
    rows = [row for comparison in compared for row in _rows(comparison, groups)]
    return "\n".join(f"| {' | '.join(cells)} |" for cells in (header, aligned, *rows))


def _rows(compared: Compared, groups: bool) -> Iterator[list[str]]:
    first = [code(compared.where)] if groups else []
    if compared.comparison is None:
        yield [*first, *["n/a"] * 5, "**undecided**"]
        return
    values = {run.run: run.value for run in compared.comparison.runs}
    for pair in compared.pairs:
        runs = [f"{code(run)} {_number(values.get(run))}" for run in (pair.b, pair.a)]
        ends = pair.interval and f"[{pair.interval.low:+.4f}, {pair.interval.high:+.4f}]"
        difference = "n/a" if pair.difference is None else f"{pair.difference:+.4f}"
        average = f", {compared.comparison.average}" if compared.comparison.average else ""
        yield [
            *first,
            f"{code(compared.comparison.measure)}{average}",
            *runs,
            difference,
            ends or "n/a",
            f"**{pair.gate}**",
        ]


def _number(value: float | None) -> str:
    return "n/a" if value is None else f"{value:.4f}"


def _sentences(compared: Compared, margin: float) -> Iterator[str]:
    """Say which run is better, and what an undecided gate needs."""
    where = f" on {code(compared.where)}" if compared.where else ""
    if compared.comparison is None:
        yield f"Not compared{where}: {code(compared.why)}."
    for pair in compared.pairs:
        yield f"{_better(pair, compared.comparison)}{where}.{_too_few(pair, compared.comparison, margin)}"


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
    """Explain an undecided verdict, and the difference that these questions can show."""
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


def _flipped(compared: Compared) -> Iterator[str]:
    """List the questions that changed, folded; the visible line counts them."""
    if compared.comparison is None:
        return
    noun = compared.comparison.noun
    for pair, changes in zip(compared.pairs, compared.flips, strict=True):
        if changes is None or not (changes.worse or changes.better):
            continue
        total = counted(len(changes.worse) + len(changes.better), noun)
        where = f" on {_bare(compared.where)}" if compared.where else ""
        graded = isinstance((*changes.worse, *changes.better)[0].before, float)
        what = f"changed in {_bare(compared.comparison.measure)}" if graded else "flipped"
        runs = f"from {_bare(pair.b)} to {_bare(pair.a)}"
        head = f"{total} {what}{where} {runs}: {len(changes.worse)} for the worse, {len(changes.better)} for the better"
        rows = [*_changes(changes.worse, "worse"), *_changes(changes.better, "better")]
        lines = [f"| {noun} | {code(pair.b)} | {code(pair.a)} | |", "| --- | --- | --- | --- |", *rows]
        hidden = len(changes.worse[MAX_LISTED_FLIPS:]) + len(changes.better[MAX_LISTED_FLIPS:])
        more = [f"\n{counted(hidden, f'more {noun}')}; the report has them all."] if hidden else []
        yield "\n".join([f"<details><summary>{head}</summary>\n", *lines, *more, "\n</details>"])


def _bare(text: str) -> str:
    """Return a name as HTML code, for the summary of a folded part."""
    return f"<code>{in_html(plain(text))}</code>"


def _changes(flips: Sequence[FlippedTopic], which: str) -> list[str]:
    return [
        f"| {code(flip.topic)} | {_state(flip.before)} | {_state(flip.after)} | {which} |"
        for flip in flips[:MAX_LISTED_FLIPS]
    ]


def _state(value: str | float) -> str:
    return value if isinstance(value, str) else f"{value:.4f}"


def _rule(margin: float, undecided: str) -> str:
    passes = "passes" if undecided == "pass" else "fails"
    return (
        f"The margin is {margin:g}. Non-inferior: the whole interval says that the candidate is worse by less, or better. Inferior: "
        f"that it is worse by more. Undecided: it says neither, which is not the same as no harm; here it {passes}."
    )
