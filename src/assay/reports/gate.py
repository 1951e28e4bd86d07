"""Write a gate's result as a Markdown comment: verdict, numbers, and the questions that flipped.

Names come from untrusted files, so each is written as code: it cannot mention a user, become a link or close a tag.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from assay.analyses.comparison.by_group import Comparisons
from assay.analyses.comparison.finding import finding
from assay.analyses.comparison.result import Comparison, PairResult, RunResult
from assay.analyses.marked_text import parts_of
from assay.figures.items.question_outcomes import FlippedTopic, FlippedTopics, flips
from assay.figures.topic_groups import groups
from assay.io.escaping import in_html, plain
from assay.reports.model import counted
from assay.table.scores import Scores

MAX_LISTED_FLIPS = 10
"""Flipped questions listed in each direction."""
VERDICTS = ("inferior", "undecided", "non-inferior")
"""Worst first: the gate's verdict is the first that any pair has."""


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
    absent: Sequence[str] = ()
    """Runs without a result in the group."""

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
                compared.append(Compared(group.label, None, (), f"{result.measure}: {group.why}", group.absent))
            else:
                of_these = _flips(scores.restricted(topics[group.values]), group.comparison)
                compared.append(Compared(group.label, group.comparison, of_these, absent=group.absent))
    return compared


def _flips(scores: Scores, result: Comparison) -> list[FlippedTopics | None]:
    return [flips(scores, pair.b, pair.a, result.measure) for pair in result.pairs]


def verdict(compared: Sequence[Compared]) -> str:
    """Return the worst verdict: inferior, then undecided, then non-inferior; undecided where nothing was compared."""
    verdicts = {"undecided" if pair.gate is None else pair.gate for comparison in compared for pair in comparison.pairs}
    verdicts |= {"undecided" for comparison in compared if comparison.comparison is None or comparison.absent}
    return next((word for word in VERDICTS if word in verdicts), "undecided")


def comment(compared: Sequence[Compared], margin: float, undecided: str, link: str | None = None) -> str:
    """Return the whole comment.

    margin      by how much a run may be worse
    undecided   `pass` or `fail`: what an undecided gate does
    link        the address of the report
    """
    outcome = verdict(compared)
    unscored = any(pair.gate_reason is not None for comparison in compared for pair in comparison.pairs)
    effect = (
        "let through" if undecided == "pass" and not unscored and not any(c.absent for c in compared) else "stopped"
    )
    effect = {"non-inferior": "passed", "inferior": "stopped"}.get(outcome, effect)
    # The same questions may flip by several measures: list them once.
    flipped = dict.fromkeys(block for comparison in compared for block in _flipped(comparison))
    blocks = [
        f"### Gate: {outcome}, {effect}",
        _table(compared),
        "\n".join(f"- {line}" for comparison in compared for line in _sentences(comparison, margin)),
        *flipped,
        _rule(compared, margin, undecided),
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
    """Escape characters that would end the parentheses around an address."""
    return re.sub(r"[\s()<>\\]", lambda match: f"%{ord(match[0]):02X}", plain(link))


def _table(compared: Sequence[Compared]) -> str:
    groups = any(comparison.where for comparison in compared)
    first = ["on"] if groups else []
    header = [*first, "measure", "baseline", "candidate", "difference", f"bounds, each at {_rate(compared)}", "verdict"]
    aligned = [*("---" for _ in first), "---", "---", "---", "--:", ":-:", "---"]
    rows = [row for comparison in compared for row in _rows(comparison, groups)]
    return "\n".join(f"| {' | '.join(cells)} |" for cells in (header, aligned, *rows))


def _rows(compared: Compared, groups: bool) -> Iterator[list[str]]:
    first = [code(compared.where)] if groups else []
    if compared.comparison is None:
        yield [*first, *["n/a"] * 5, "**undecided**"]
        return
    results = {run.run: run for run in compared.comparison.runs}
    for pair in compared.pairs:
        runs = [f"{code(name)} {_run_value(results.get(name))}" for name in (pair.b, pair.a)]
        ends = pair.gate_bounds and "[{:+.4f}, {:+.4f}]".format(*pair.gate_bounds)
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


def _run_value(run: RunResult | None) -> str:
    """Return a run's value, and its numbers of failed, missing and declined questions."""
    if run is None or run.value is None:
        return "n/a"
    counts = (("failed", run.failed), ("missing", run.missing), ("declined", run.declined))
    parts = [f"{count} {what}" for what, count in counts if count]
    return f"{run.value:.4f} ({', '.join(parts)})" if parts else f"{run.value:.4f}"


def _rate(compared: Sequence[Compared]) -> str:
    """Return the error rate of each bound in percent: half of 1 - confidence."""
    levels = {
        comparison.comparison.settings.get("confidence", 0.95) for comparison in compared if comparison.comparison
    }
    return f"{50 * (1 - levels.pop()):g}%" if len(levels) == 1 else "its level"


def _sentences(compared: Compared, margin: float) -> Iterator[str]:
    """Say what the comparison found, and what an undecided gate needs."""
    where = f" on {code(compared.where)}" if compared.where else ""
    if compared.comparison is None:
        yield f"Not compared{where}: {code(compared.why)}."
    for name in compared.absent if compared.comparison is not None else ():
        yield f"**Not enough evidence{where}**: {code(name)} has no results."
    if compared.comparison is None:
        return
    result = compared.comparison
    for pair in compared.pairs:
        if pair.gate_reason is not None:
            yield f"**Not enough evidence{where}**: {code(pair.gate_reason)}."
    yield "".join(code(part) if is_name else plain(part) for part, is_name in parts_of(finding(result))) + where
    for pair in compared.pairs:
        if pair.gate == "undecided" and pair.gate_reason is None:
            yield _too_few(pair, result, margin, where)


def _too_few(pair: PairResult, result: Comparison, margin: float, where: str) -> str:
    """Explain an undecided verdict, and the difference that these questions can show."""
    if pair.interval is None:
        return f"**Too few {result.noun}s to tell{where}** whether {code(pair.a)} is worse: there is no interval."
    shown = (
        "" if pair.detectable is None else f" They show a true difference of {pair.detectable:.4f} four times in five."
    )
    return (
        f"**Too few {result.noun}s to tell{where}** whether {code(pair.a)} is worse by more than {margin:g}: the bounds lie on both "
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
        more = [f"\n{counted(hidden, f'more {noun}')}; the report lists all."] if hidden else []
        yield "\n".join([f"<details><summary>{head}</summary>\n", *lines, *more, "\n</details>"])


def _bare(text: str) -> str:
    """Return a name as HTML code, for the summary line."""
    return f"<code>{in_html(plain(text))}</code>"


def _changes(flips: Sequence[FlippedTopic], which: str) -> list[str]:
    return [
        f"| {code(flip.topic)} | {_state(flip.before)} | {_state(flip.after)} | {which} |"
        for flip in flips[:MAX_LISTED_FLIPS]
    ]


def _state(value: str | float) -> str:
    return value if isinstance(value, str) else f"{value:.4f}"


def _rule(compared: Sequence[Compared], margin: float, undecided: str) -> str:
    passes = "passes" if undecided == "pass" else "fails"
    verdicts = max(
        (comparison.comparison.settings.get("verdicts") or 1 for comparison in compared if comparison.comparison),
        default=1,
    )
    family = f" The upper bounds hold for all {verdicts} verdicts at once." if verdicts > 1 else ""
    stopped = any(pair.gate_reason is not None for comparison in compared for pair in comparison.pairs)
    effect = "here a run failed on too much: stopped whatever the bounds" if stopped else f"here it {passes}"
    return (
        f"The margin is {margin:g}. Non-inferior: the lower bound says that the candidate is worse by less, or better. Inferior: the "
        f"upper bound says that it is worse by more. Undecided: neither, which is not the same as no harm; {effect}.{family}"
    )
