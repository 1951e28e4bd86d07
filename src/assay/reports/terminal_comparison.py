"""What `assay compare` prints: the finding, the runs with intervals, ranks and tiers, and the pairs against the leader."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from assay.analyses.brief_numbers import brief
from assay.analyses.comparison.finding import (
    decimals,
    finding,
    leading_run,
    leading_runs,
    pairs_with_leader,
    resolution,
    shown_ranks,
)
from assay.analyses.comparison.result import Comparison, PairResult, RunResult, shown_p
from assay.analyses.comparison.sentences import (
    MAX_LISTED_PAIRS,
    about_ranks,
    decided_by,
    failure_sentences,
    flips_of,
    growing_rule,
    interval_rule,
    moved_most,
    pair_rule,
    percent,
    sentences,
    smallest_p,
)
from assay.figures.measure_names import in_words
from assay.reports import model
from assay.reports.model import Block, Note, Section, Table, TableColumn, counted
from assay.reports.pages.comparison import cost_blocks, look, pair_table
from assay.reports.terminal_intervals import interval_strips
from assay.reports.terminal_width import cells_wide

MAX_NAMED = 3
"""The last column names up to this many runs that a run cannot be told from, and counts more."""
MAX_AGAINST = 10
"""So many of the pairs with the leader are listed; a table of 129 runs has a column about all of them."""
SHOWN_PAIRS = ("leader", "all", "none")


def comparison_sections(
    result: Comparison, width: int | None = None, pairs: str = "leader", verbose: bool = False
) -> list[Section]:
    """Return everything that the command prints of one measure.

    width     which the runs must fit into: the drawing goes first, then the interval
    pairs     which pairs are listed: those with the leader or baseline, all, or none
    verbose   also a sentence for each of the first pairs, all p-values, and how intervals were made
    """
    blocks = [*_blocks(result, width, pairs), *map(Note, _method(result, pairs, verbose))]
    return [Section(f"compared-{result.measure}", "", tuple(blocks))]


def _blocks(result: Comparison, width: int | None, pairs: str) -> list[Block]:
    """Return the same without the method."""
    blocks: list[Block] = [Note(finding(result)), _board(result, width)]
    remarks = [
        _single_pair(result) if result.compared == 1 else resolution(result),
        *_requested_ranks(result),
        *failure_sentences(result),
    ]
    blocks += [Note(remark) for remark in remarks if remark]
    listed = _listed_pairs(result, pairs)
    blocks += [listed] if listed is not None else []
    return [*blocks, *cost_blocks(result.cost)] if result.cost is not None else blocks


def group_sections(
    result: Any, width: int | None = None, pairs: str = "leader", verbose: bool = False
) -> list[Section]:
    """Return a section per group with its comparison, or why there is none; the method once, below the last.

    result   `Comparisons`
    """
    sections: list[Section] = []
    if result.of_runs:
        sections.append(Section("groups", "", (Note(f"{result.notes[0][:1].upper()}{result.notes[0][1:]}."),)))
    compared = [group.comparison for group in result.groups if group.comparison is not None]
    for place, group in enumerate(result.groups, start=1):
        size = counted(len(group.runs), "run") if result.of_runs else counted(group.topics, result.noun)
        blocks: list[Block] = [Note(f"Not compared: {group.why}.")]
        if group.comparison is not None:
            blocks = _blocks(group.comparison, width, pairs)
            blocks += [Note(f"{note}.") for note in group.comparison.notes]
            if result.of_runs and group.median is not None:
                blocks.append(
                    Note(
                        f"Median {in_words(result.measure)} of the {size}: {brief(group.median, decimals(group.comparison))}."
                    )
                )
            if verbose or group.comparison is compared[-1]:
                blocks += map(Note, _method(group.comparison, pairs, verbose))
        sections.append(Section(f"group-{place}", f"{group.label}: {size}", tuple(blocks)))
    return sections


def _board(result: Comparison, width: int | None) -> Table:
    """List the runs, best first, with intervals, and where all pairs were compared with ranks and tiers."""
    digits = decimals(result)
    tiered = result.tiers is not None and result.compared > 1
    ranked, adjusted = result.ranks is not None and tiered, result.contradictions is not None
    apart = _cannot_be_told_from(result) if tiered else {}
    leading = leading_runs(result)
    ends = [(None, None) if run.interval is None else (run.interval.low, run.interval.high) for run in result.runs]
    own_values = [run.value if run.raw is None else run.raw for run in result.runs]
    drawn = interval_strips(
        [(value, low, high) for value, (low, high) in zip(own_values, ends, strict=True)],
        [run.run in leading for run in result.runs],
    )
    interval, strips = f"{percent(result)} interval", drawn.scale if drawn else ""
    columns: dict[TableColumn, list[str]] = {}
    if tiered:
        tiers = [run.tier for run in result.runs]
        first = [tier if tier not in tiers[:place] else None for place, tier in enumerate(tiers)]
        columns[TableColumn("tier", numeric=True)] = ["" if tier is None else str(tier) for tier in first]
    if ranked:
        ranks = shown_ranks(result)
        columns[TableColumn("rank", numeric=True)] = [ranks.get(run.run, "") for run in result.runs]
    columns[TableColumn("run")] = [run.run for run in result.runs]
    if adjusted:
        columns[TableColumn("adjusted", numeric=True)] = [_value(run.value, digits) for run in result.runs]
    judged = any(run.labels is not None for run in result.runs)
    if judged:
        columns[TableColumn(f"{in_words(result.measure)}: machine", numeric=True)] = [
            _value(run.machine, digits) for run in result.runs
        ]
    own = [run.raw if adjusted else run.value for run in result.runs]
    columns[TableColumn("people" if judged else in_words(result.measure), numeric=True)] = [
        _value(value, digits) for value in own
    ]
    columns[TableColumn(interval, numeric=True)] = [_ends(run, digits) for run in result.runs]
    if drawn:
        columns[TableColumn(strips)] = drawn.strips
    if adjusted:
        columns[TableColumn(f"{result.noun}s", numeric=True)] = [str(run.entered) for run in result.runs]
    if judged:
        columns[TableColumn("labels", numeric=True)] = [str(run.labels) for run in result.runs]
    if tiered:
        columns[TableColumn("cannot be told from")] = [apart.get(run.run, "-") for run in result.runs]
    for label in (strips, interval):
        if width is not None and _total_width(columns) > width:
            columns = {column: cells for column, cells in columns.items() if column.label != label}
    rows = [tuple(map(model.text, cells)) for cells in zip(*columns.values(), strict=True)]
    return Table(f"board-{result.measure}", "", tuple(columns), tuple(rows))


def _total_width(columns: Mapping[TableColumn, Sequence[str]]) -> int:
    return sum(max(map(cells_wide, (column.label, *cells))) + 2 for column, cells in columns.items()) - 2


def _cannot_be_told_from(result: Comparison) -> dict[str, str]:
    """Return the last column: names where there are few, else how many."""
    counts = {run.run: run.not_different for run in result.runs}
    names: dict[str, list[str]] = {run.run: [] for run in result.runs}
    if result.every is None:
        for pair in result.pairs:
            if pair.difference is not None and not pair.significant:
                names[pair.a].append(pair.b)
                names[pair.b].append(pair.a)
    return {
        run: ", ".join(names[run]) if 0 < len(names[run]) <= MAX_NAMED else counted(count, "run") if count else "-"
        for run, count in counts.items()
        if count is not None
    }


def _value(value: float | None, digits: int) -> str:
    return model.NOT_AVAILABLE if value is None else brief(value, digits)


def _ends(run: RunResult, digits: int) -> str:
    return "" if run.interval is None else f"{brief(run.interval.low, digits)} to {brief(run.interval.high, digits)}"


def _listed_pairs(result: Comparison, pairs: str) -> Table | None:
    if pairs == "none":
        return None
    if pairs == "all":
        return replace(pair_table(result), caption="") if result.compared <= MAX_LISTED_PAIRS else None
    if result.compared == 1:
        [pair] = result.pairs
        against = pair.a if pair.better == pair.a and result.tiers is not None else pair.b
        return _against(result, against, [pair])
    shared = {pair.b for pair in result.pairs} if result.tiers is None else set()
    if result.tiers is not None:
        return _against(result, leading_run(result).run, pairs_with_leader(result))
    return _against(result, shared.pop(), result.pairs) if len(shared) == 1 else _listed_pairs(result, "all")


def _against(result: Comparison, against: str, pairs: Sequence[PairResult]) -> Table | None:
    """List the pairs of one run with each other, as the other minus this one."""
    digits = decimals(result)
    turned = [pair if pair.b == against else _turned(pair) for pair in pairs if pair.difference is not None]
    if not turned:
        return None
    counts, looks = any(pair.won is not None for pair in turned), any(pair.growing is not None for pair in turned)
    judged = any(pair.order is not None for pair in turned)
    margin = next((pair.equivalence.margin for pair in turned if pair.equivalence is not None), None)
    columns = [
        TableColumn(f"against {against}"),
        *([TableColumn("machine", numeric=True)] if judged else []),
        TableColumn("people" if judged else "difference", numeric=True),
        TableColumn(f"{percent(result)} interval", numeric=True),
        TableColumn("p", numeric=True),
        *([TableColumn("the machine's order")] if judged else []),
        *([TableColumn(f"{result.noun}s won, lost", numeric=True)] if counts else []),
        *([TableColumn(f"differ by less than {margin:g}", numeric=True)] if margin is not None else []),
        *([TableColumn("growing log", numeric=True)] if looks else []),
    ]
    rows: list[model.TableRow] = []
    for pair in turned[:MAX_AGAINST]:
        ends = pair.interval
        cells = [
            pair.a,
            *([_value(pair.machine, digits)] if judged else []),
            _value(pair.difference, digits),
            "" if ends is None else f"{brief(ends.low, digits)} to {brief(ends.high, digits)}",
            model.NOT_AVAILABLE if pair.decided_by is None else shown_p(pair.decided_by).removeprefix("= "),
            *([pair.order or ""] if judged else []),
            *(["" if pair.won is None else f"{pair.won}, {pair.lost}"] if counts else []),
            *(
                ["shown" if pair.equivalence and pair.equivalence.equivalent else "not shown"]
                if margin is not None
                else []
            ),
        ]
        rows.append((*map(model.text, cells), *([look(pair)] if looks else [])))
    if len(turned) > MAX_AGAINST:
        rows.append(model.Span(f"… and {len(turned) - MAX_AGAINST} more: -f csv has all"))
    return Table(f"against-{result.measure}", "", tuple(columns), tuple(rows))


def _turned(pair: PairResult) -> PairResult:
    """Return a pair the other way round, for display."""
    ends = pair.interval and replace(pair.interval, low=-pair.interval.high, high=-pair.interval.low)
    difference = None if pair.difference is None else -pair.difference
    growing = pair.growing
    if growing is not None:
        low, high = (None if end is None else -end for end in (growing.high, growing.low))
        growing = replace(growing, low=low, high=high, halves=(-growing.halves[0], -growing.halves[1]))
    machine = None if pair.machine is None else -pair.machine
    return replace(
        pair, a=pair.b, b=pair.a, difference=difference, interval=ends, won=pair.lost, lost=pair.won, growing=growing, machine=machine,
    )  # fmt: skip


def _single_pair(result: Comparison) -> str:
    """Return, of two runs that cannot be told apart, which difference could have been seen: the rest of the pair's sentence."""
    [pair] = result.pairs
    rest = pair.sentence.removesuffix(".").partition("; ")[2]
    return f"{rest[:1].upper()}{rest[1:]}." if rest and not pair.significant else ""


def _requested_ranks(result: Comparison) -> list[str]:
    return about_ranks(result)[1:]


def _method(result: Comparison, pairs: str, verbose: bool) -> list[str]:
    """Return the test, the tiers' rule and what else there is to see, in a line each."""
    how = decided_by(result)
    runs = f"{counted(len(result.runs), 'run')} on {result.extent}{f', {result.average}' if result.average else ''}"
    lines = [f"{how[:1].upper()}{how[1:]}{flips_of(result)}. {runs}."]
    lines[0] += f" {smallest_p(result)}" if smallest_p(result) else ""
    if result.higher_is_better is False or (result.higher_is_better and "higher_is_better" in result.settings):
        lines[0] += f" {in_words(result.measure)}: {'higher' if result.higher_is_better else 'lower'} is better."
    if result.tiers is not None and result.compared > 1:
        lines.append(f"Tiers: {result.settings['tiers']}.")
    lines += [growing_rule(result)] if growing_rule(result) else []
    if result.compared == 1:
        lines += moved_most(result)
    if verbose:
        return [*lines, *sentences(result), interval_rule(result), pair_rule(result)]
    more = "" if pairs == "all" or result.compared == 1 else "--show-pairs all, "
    return [*lines, f"More: {more}-v"]
