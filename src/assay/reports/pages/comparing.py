"""A comparison of runs by one measure: leaderboard with tiers, pairs, and the sentences a person takes home."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from assay.analyses.comparison.result import Comparison, PairResult, shown_p, signed
from assay.reports import model
from assay.reports.model import Block, Cell, Note, Section, Table, TableColumn, averaged, counted, numbers
from assay.stats import multiple_comparisons
from assay.stats.bootstrap_intervals import Interval

LABELS = {name: one.label for name, one in multiple_comparisons.declared().items()}
RESAMPLED = ("bootstrap", "randomisation", "Tukey")
"""Words in the name of a method that resamples."""
MANY_PAIRS = 60
"""More pairs than this are not read one by one."""
FEW_PAIRS, FIRST_PAIRS = 12, 3
"""Pairs that get a sentence each; of more, the first ones do."""


def sections(result: Comparison) -> list[Section]:
    """The whole of it, as a command prints it."""
    blocks = (_board(result), *_direction(result), *_pair_blocks(result, sentences(result)))
    return [Section(f"compared-{result.measure}", "", blocks)]


def _direction(result: Comparison) -> list[Block]:
    """Say whether higher or lower is better where scores were read from elsewhere, or where lower is."""
    stated = "higher_is_better" in result.settings
    if result.higher_is_better is None or (result.higher_is_better and not stated):
        return []
    return [Note(f"{result.measure}: {'higher' if result.higher_is_better else 'lower'} is better.")]


def pairs_section(result: Comparison) -> Section:
    """What a campaign's report says beside its leaderboard, which tells how tiers are made."""
    blocks = _pair_blocks(result, _about_pairs(result))
    return Section("pairs-section", f"Which runs differ in {result.measure}", tuple(blocks))


def _board(result: Comparison) -> Table:
    """The runs, best first, with intervals, and with tiers where all pairs were compared."""
    confidence = _percent(result)
    tiered = result.tiers is not None
    rows = tuple(
        (
            *([model.missing() if run.tier is None else model.text(run.tier)] if tiered else []),
            model.text(run.run),
            with_interval(run.value, run.interval),
        )
        for run in result.runs
    )
    head = TableColumn(
        f"{result.measure} [{confidence} interval]", numeric=True, domain=_domain(row[-1] for row in rows)
    )
    columns = (*([TableColumn("tier")] if tiered else []), TableColumn("run"), head)
    title = f"{result.measure} of {counted(len(result.runs), 'run')} on {result.extent}"
    title += f", {result.average}" if result.average else ""
    # The table of pairs says the same below it.
    caption = interval_rule(result) if result.compared > MANY_PAIRS else ""
    return Table(f"board-{result.measure}", title, columns, rows, caption)


def with_interval(value: float | None, interval: Interval | None) -> Cell:
    return model.interval(value, interval and interval.low, interval and interval.high)


def _domain(cells: Iterable[Cell]) -> tuple[float, float] | None:
    """From the lowest to the highest end of the intervals."""
    ends = [end for cell in cells for end in (cell.low, cell.high) if end is not None]
    return (min(ends), max(ends)) if ends else None


def _percent(result: Comparison) -> str:
    return f"{100 * result.settings['confidence']:g}%"


def _pair_blocks(result: Comparison, said: Sequence[str]) -> list[Block]:
    blocks: list[Block] = [_pair_table(result)] if result.compared <= MANY_PAIRS else []
    return blocks + [Note(sentence) for sentence in said]


def _pair_table(result: Comparison) -> Table:
    test, correct = result.settings["test"], result.settings["correct"]
    adjusted = correct != "none" and any(correct in pair.adjusted for pair in result.pairs)
    counts = any(pair.won is not None for pair in result.pairs)
    chances = any(pair.probability is not None for pair in result.pairs)
    looks = any(pair.growing is not None for pair in result.pairs)
    rows = tuple(
        (
            model.text(pair.a),
            model.text(pair.b),
            with_interval(pair.difference, pair.interval),
            model.number(pair.adjusted.get(correct) if adjusted else pair.p.get(test)),
            *([model.number(pair.probability, 3)] if chances else []),
            *([_look(pair)] if looks else []),
            *(model.count(count) for count in (pair.won, pair.tied, pair.lost) if counts),
        )
        for pair in result.pairs
    )
    columns = [
        TableColumn("a"),
        TableColumn("b"),
        TableColumn(f"a - b [{_percent(result)} interval]", numeric=True, domain=_domain(row[2] for row in rows)),
        # The p that the interval agrees with, and no other; files have them all.
        *numbers(f"p ({LABELS[correct] if adjusted else test})"),
        *([TableColumn("P(a better)", "by a hierarchical model of topics and runs", numeric=True)] if chances else []),
        *(
            [TableColumn("always valid", "interval for a growing log, and when it left 0 out", numeric=True)]
            if looks
            else []
        ),
        *([TableColumn(name, f"{result.noun}s", numeric=True) for name in ("won", "tied", "lost")] if counts else []),
    ]
    title = f"Differences in {result.measure}"
    of = f", {result.average}" if result.average else ""
    how = f"{counted(len(result.runs), 'run')} on {result.extent}{of}. {pair_rule(result)}"
    caption = f"{title}, a - b, and p by {decided_by(result)}. {how}"
    return averaged(Table(f"pairs-{result.measure}", title, tuple(columns), rows, caption.strip(), sortable=True))


def _look(pair: PairResult) -> Cell:
    """An interval that stays right however often it is looked at."""
    look = pair.growing
    if look is None or look.low is None or look.high is None:
        return model.missing()
    since = f", decided after {look.first}" if look.first is not None else ", undecided"
    return model.text(f"[{look.low:.4f}, {look.high:.4f}]{since}")


def sentences(result: Comparison) -> list[str]:
    """What a person takes home."""
    if len(result.pairs) == 1 or result.tiers is None:
        return _about_pairs(result)
    return [*_about_pairs(result), f"Tiers: {result.settings['tiers']}."]


def _about_pairs(result: Comparison) -> list[str]:
    few = result.compared <= FEW_PAIRS
    said = [pair.sentence for pair in (result.pairs if few else result.pairs[:FIRST_PAIRS])]
    return said + (_details(result) if result.compared == 1 else [_shares(result)])


def _shares(result: Comparison) -> str:
    """The share of pairs significant at .01 and .05, as Sakai reports it."""
    test = result.settings["test"]
    plain = result.significant[test]
    together = {name: result.significant[name] for name in ("maxt", "tukey") if result.significant.get(name)}
    compared, every = _defined(result), result.compared
    if not compared:
        return f"None of the {every} pairs can be compared."
    if not plain:
        return f"None of the {every} pairs can be tested."
    of = "" if compared == every else f" that can be compared, of {every}"
    text = f"{compared} pairs{of}: {plain['0.01']:.0%} significant at .01 and {plain['0.05']:.0%} at .05 by {test}, "
    text += "unadjusted" + "".join(
        f"; {share['0.01']:.0%} and {share['0.05']:.0%} by {'max-T' if name == 'maxt' else 'Tukey HSD'}"
        for name, share in together.items()
    )
    return text + ("; the CSV and JSON forms list them all." if every > MANY_PAIRS else ".")


def _defined(result: Comparison) -> int:
    """Pairs of runs that both have a value."""
    if result.every is None:
        return sum(pair.difference is not None for pair in result.pairs)
    return sum(value == value for value in result.every.difference.tolist())


def _details(result: Comparison) -> list[str]:
    pair, lines = result.pairs[0], list[str]()
    if pair.p:
        lines.append("p: " + ", ".join(f"{name} {shown_p(p).removeprefix('= ')}" for name, p in pair.p.items()) + ".")
    if pair.moved:
        moved = ", ".join(f"{m.topic} ({signed(m.difference, 4)})" for m in pair.moved)
        more = f", and {pair.as_much} more by as much as the last" if pair.as_much else ""
        lines.append(f"{result.noun.capitalize()}s that moved most, {pair.a} - {pair.b}: {moved}{more}.")
    return lines


def shared(result: Comparison) -> str:
    """Of how many topics a comparison is, where some run has no value on others; nothing where it is of all."""
    if not result.left_out:
        return ""
    whole = result.topics + result.left_out
    return f" on the {result.topics:,} of {whole:,} {result.noun}s on which every run has a value"


def tier_rule(result: Comparison) -> str:
    """By which rule tiers were made, where all pairs were compared."""
    return f"Tiers{shared(result)}: {result.settings['tiers']} ({decided_by(result)})."


def decided_by(result: Comparison) -> str:
    """The test and the correction that decide, and what both hold for."""
    correct, pairs = result.settings["correct"], counted(result.compared, "pair")
    if correct == "none":
        return result.settings["test"]
    if correct == "tukey":
        return "Tukey's HSD over all pairs"
    measures = result.settings["family"]
    together = f" of {counted(len(measures), 'measure')} ({', '.join(measures)})" if len(measures) > 1 else ""
    return f"{result.settings['test']}, {LABELS[correct]} over {pairs}{together}"


def interval_rule(result: Comparison) -> str:
    """By which methods the intervals of the runs were made."""
    return made_by((run.interval for run in result.runs), f"{_percent(result)} intervals of the runs", _of(result))


def pair_rule(result: Comparison) -> str:
    """By which methods the intervals of the differences were made."""
    every, ends = result.every, (pair.interval for pair in result.pairs)
    adjusted = any(pair.adjusted_by != "none" for pair in result.pairs) if every is None else every.adjusted
    family = "adjusted for the same pairs as p" if adjusted else "not adjusted, as p is not"
    methods = _methods(ends) if every is None else every.methods
    return _made_by(methods, f"{_percent(result)} intervals of the differences, {family},", _of(result))


def _of(result: Comparison) -> str:
    noun = result.noun
    units = f"{result.topics} {noun}s" if result.units == result.topics else f"{result.units} clusters of {noun}s"
    return f", {result.settings['resamples']:,} resamples of {units}, seed {result.settings['seed']}"


def made_by(ends: Iterable[Interval | None], what: str, resamples: str) -> str:
    """By which methods intervals were made; nothing where there are none.

    >>> made_by([None], "95% intervals", ", seed 0")
    ''
    >>> made_by([Interval(0.1, 0.2, 0.95, "Jeffreys")], "95% intervals", ", 10,000 resamples of 50 topics, seed 0")
    '95% intervals by Jeffreys.'
    """
    return _made_by(_methods(ends), what, resamples)


def _methods(ends: Iterable[Interval | None]) -> Sequence[str]:
    return list(dict.fromkeys(end.method for end in ends if end is not None))


def _made_by(methods: Sequence[str], what: str, resamples: str) -> str:
    sampled = any(word in method for method in methods for word in RESAMPLED)
    return f"{what} by {'; '.join(methods)}{resamples if sampled else ''}." if methods else ""


def agreement_section(found: Sequence[dict[str, Any]]) -> Section:
    """How alike rankings are: rows of x, y, runs and the coefficients."""
    rows = tuple(
        (
            model.text(one["x"]),
            model.text(one["y"]),
            model.count(one["runs"]),
            *(model.number(one[name]) for name in ("tau_b", "tau_ap", "rbo")),
        )
        for one in found
    )
    heads = (TableColumn("ranking"), TableColumn("reference"), *numbers("runs", "tau-b", "tau-AP", "RBO"))
    return Section("agreement", "", (Table("agreement-table", "Agreement of the rankings", heads, rows),))
