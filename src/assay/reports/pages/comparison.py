"""The pages of `assay compare`: runs by one measure with tiers, pairs, and sentences."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from assay.analyses.comparison.finding import finding, resolution
from assay.analyses.comparison.result import Comparison, PairResult, RankResult
from assay.analyses.comparison.sentences import (
    LABELS,
    MAX_LISTED_PAIRS,
    about_pairs,
    decided_by,
    growing_rule,
    interval_of,
    interval_rule,
    pair_rule,
    percent,
    resamples_of,
    sentences,
)
from assay.errors import shorten_list
from assay.figures.measure_names import in_words
from assay.reports import model
from assay.reports.model import Block, Cell, Note, Section, Table, TableColumn, averaged, counted, numbers
from assay.reports.pages.page_parts import as_note, interval_domain
from assay.stats.bootstrap_intervals import Interval

MAX_UNKNOWN = 8
"""Runs without a cost that are named."""

TYPE_CHECKING = False
if TYPE_CHECKING:
    from assay.analyses.comparison.value_for_money import ValueForMoney


def sections(result: Comparison) -> list[Section]:
    """Return everything that the command prints."""
    remarks = [Note(text) for text in (resolution(result),) if text]
    blocks = (
        Note(finding(result)),
        _board(result),
        *remarks,
        *_direction(result),
        *_pair_blocks(result, sentences(result)),
        *(cost_blocks(result.cost) if result.cost is not None else ()),
    )
    return [Section(f"compared-{result.measure}", "", blocks)]


def report_section(result: Comparison) -> Section:
    """Return the section of a report on runs that a machine judged, compared as people would judge them."""
    listed = result.compared <= MAX_LISTED_PAIRS
    tables = [_board(result), *([pair_table(result)] if listed else [])]
    named = [replace(table, id=f"judged-{table.id}") for table in tables]
    # The caption of the pairs names the method.
    method = [] if listed else [Note(f"Decided by {decided_by(result)}{resamples_of(result)}.")]
    blocks = (Note(finding(result)), *named, *method, *map(as_note, result.notes))
    title = f"Which runs would people call better by {in_words(result.measure)}?"
    return Section("judged-comparison-section", title, blocks)


def cost_blocks(money: ValueForMoney) -> list[Block]:
    """Return the runs by cost, how often each is on the frontier, and what a cheaper run gives up."""
    rows = tuple(
        (
            model.text(run.run),
            model.number(run.cost),
            model.text("yes" if run.on_frontier else "no"),
            model.text(f"{run.share:.0%}"),
        )
        for run in money.runs
    )
    label = f"{money.label[:1].lower()}{money.label[1:]}"
    heads = (TableColumn("run"), *numbers(label), TableColumn("on the frontier"), *numbers("in resamples"))
    caption = (
        "On the frontier: no other run is at least as good and cheaper. In resamples: the share of "
        f"{money.resamples:,} resamples in which this is so."
    )
    unknown = (
        f"Score or cost unknown: {shorten_list(money.unknown, MAX_UNKNOWN, last=' and ')}." if money.unknown else ""
    )
    notes = [Note(text) for text in (*money.sentences, unknown) if text]
    return [Table("cost-frontier", "Value for money", heads, rows, caption), *notes]


def _direction(result: Comparison) -> list[Block]:
    """Say whether higher or lower is better where scores were read from elsewhere, or where lower is."""
    stated = "higher_is_better" in result.settings
    if result.higher_is_better is None or (result.higher_is_better and not stated):
        return []
    return [Note(f"{in_words(result.measure)}: {'higher' if result.higher_is_better else 'lower'} is better.")]


def pairs_section(result: Comparison) -> Section:
    """Return the section on pairs of a campaign's report, whose leaderboard explains the tiers."""
    blocks = _pair_blocks(result, about_pairs(result))
    return Section("pairs-section", f"Which runs differ in {in_words(result.measure)}", tuple(blocks))


def _board(result: Comparison) -> Table:
    """List the runs, best first, with intervals, and with tiers where all pairs were compared."""
    confidence = percent(result)
    tiered, adjusted = result.tiers is not None, result.contradictions is not None
    judged = any(run.labels is not None for run in result.runs)
    rows = tuple(
        (
            *([model.missing() if run.tier is None else model.text(run.tier)] if tiered else []),
            model.text(run.run),
            *([model.number(run.value)] if adjusted else []),
            *([model.number(run.machine)] if judged else []),
            with_interval(run.raw if adjusted else run.value, run.interval),
            *([model.count(run.entered)] if adjusted else []),
            *([model.count(run.labels)] if judged else []),
            *([_rank(result.ranks.of(run.run))] if result.ranks is not None else []),
            *([model.count(run.not_different)] if tiered else []),
        )
        for run in result.runs
    )
    head = TableColumn(
        f"{in_words(result.measure)} [{confidence} interval]",
        numeric=True,
        domain=interval_domain(row[1 + tiered + adjusted + judged] for row in rows),
    )
    columns = (TableColumn("run"), head)
    if adjusted:
        means = TableColumn(
            "adjusted", f"{in_words(result.measure)} adjusted for the {result.noun}s that a run has", numeric=True
        )
        columns = (TableColumn("run"), means, head, *numbers(f"{result.noun}s"))
    if judged:
        machine = TableColumn("machine", f"{result.measure} by the machine alone", numeric=True)
        head = TableColumn(
            f"people [{confidence} interval]",
            f"{result.measure} as people would judge",
            numeric=True,
            domain=head.domain,
        )
        columns = (
            TableColumn("run"),
            machine,
            head,
            TableColumn("labels", f"{result.noun}s that people labelled", numeric=True),
        )
    if result.ranks is not None:
        columns = (
            *columns,
            TableColumn("rank", f"interval of the rank: all hold at once with {confidence}", numeric=True),
        )
    if tiered:
        alike = TableColumn("n.s.", "runs not significantly different from this one", numeric=True)
        columns = (TableColumn("tier"), *columns, alike)
    title = f"{in_words(result.measure)} of {counted(len(result.runs), 'run')} on {result.extent}"
    title += f", {result.average}" if result.average else ""
    # The table of pairs has the rule in its caption.
    caption = interval_rule(result) if result.compared > MAX_LISTED_PAIRS else ""
    return Table(f"board-{result.measure}", title, columns, rows, caption)


def _rank(rank: RankResult | None) -> Cell:
    return model.missing() if rank is None else model.text(interval_of(rank))


def with_interval(value: float | None, interval: Interval | None) -> Cell:
    return model.interval(value, interval and interval.low, interval and interval.high)


def _pair_blocks(result: Comparison, sentences: Sequence[str]) -> list[Block]:
    blocks: list[Block] = [pair_table(result)] if result.compared <= MAX_LISTED_PAIRS else []
    return blocks + [Note(sentence) for sentence in sentences]


def pair_table(result: Comparison) -> Table:
    """List all pairs."""
    test, correct = result.settings["test"], result.settings["correct"]
    adjusted = correct != "none" and any(correct in pair.adjusted for pair in result.pairs)
    counts = any(pair.won is not None for pair in result.pairs)
    looks = any(pair.growing is not None for pair in result.pairs)
    judged = any(pair.order is not None for pair in result.pairs)
    rows = tuple(
        (
            model.text(pair.a),
            model.text(pair.b),
            with_interval(pair.difference, pair.interval),
            _p_value(pair, pair.adjusted.get(correct) if adjusted else pair.p.get(test)),
            *([model.number(pair.machine), model.text(pair.order or "")] if judged else []),
            *([look(pair)] if looks else []),
            *(model.count(count) for count in (pair.won, pair.tied, pair.lost) if counts),
        )
        for pair in result.pairs
    )
    columns = [
        TableColumn("a"),
        TableColumn("b"),
        TableColumn(
            f"a - b [{percent(result)} interval]", numeric=True, domain=interval_domain(row[2] for row in rows)
        ),
        # Only the p-value that agrees with the interval; JSON and CSV have all.
        *numbers(f"p ({LABELS[correct] if adjusted else test})"),
        *([TableColumn("machine", "a - b for the machine", numeric=True), TableColumn("its order")] if judged else []),
        *(
            [
                TableColumn(
                    "growing log",
                    "interval that may be looked at after every topic, and when it excluded 0",
                    numeric=True,
                )
            ]
            if looks
            else []
        ),
        *([TableColumn(name, f"{result.noun}s", numeric=True) for name in ("won", "tied", "lost")] if counts else []),
    ]
    title = f"Differences in {in_words(result.measure)}"
    of = f", {result.average}" if result.average else ""
    how = f"{counted(len(result.runs), 'run')} on {result.extent}{of}. {pair_rule(result)}"
    caption = f"{title}, a - b, and p by {decided_by(result)}. {how} {growing_rule(result)}"
    return averaged(Table(f"pairs-{result.measure}", title, tuple(columns), rows, caption.strip(), sortable=True))


def _p_value(pair: PairResult, p: float | None) -> Cell:
    """Return a p-value, marked where the pair differs significantly."""
    return model.number(p).but(tag="significant", best=True) if pair.significant and p is not None else model.number(p)


def look(pair: PairResult) -> Cell:
    """Return the always-valid interval, or what was seen where there is none."""
    look = pair.growing
    if look is None:
        return model.missing()
    if look.low is None or look.high is None:
        first, second = look.halves
        return model.text(f"drifts: {first:.4f}, then {second:.4f}")
    since = f", excludes 0 since {look.first}" if look.first is not None else ", holds 0"
    return model.text(f"[{look.low:.4f}, {look.high:.4f}]{since}")


def agreement_section(agreements: Sequence[dict[str, Any]]) -> Section:
    """Return the agreement of rankings: rows of x, y, runs and the coefficients."""
    rows = tuple(
        (
            model.text(agreement["x"]),
            model.text(agreement["y"]),
            model.count(agreement["runs"]),
            *(model.number(agreement[name]) for name in ("tau_b", "tau_ap", "rbo")),
        )
        for agreement in agreements
    )
    heads = (TableColumn("ranking"), TableColumn("reference"), *numbers("runs", "tau-b", "tau-AP", "RBO"))
    return Section("agreement", "", (Table("agreement-table", "Agreement of the rankings", heads, rows),))
