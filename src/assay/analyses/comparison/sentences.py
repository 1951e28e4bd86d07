"""Sentences about a comparison: its pairs, its tiers, and the test, correction and intervals behind them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from assay.analyses.comparison.result import Comparison, RankResult, could_turn, shown_p, signed
from assay.errors import counted, shorten_list
from assay.resampling.sign_flips import SMALL_UNITS
from assay.stats import multiple_comparisons
from assay.stats.bootstrap_intervals import Interval

LABELS = {name: correction.label for name, correction in multiple_comparisons.declared().items()}
RESAMPLING_METHODS = ("bootstrap", "randomisation", "Tukey")
"""Words in the name of a method that resamples."""
MAX_LISTED_PAIRS = 60
"""A table lists up to this many pairs."""
MAX_NAMED_RUNS = 6
"""A sentence names up to this many runs."""
FEW_PAIRS, FIRST_PAIRS = 12, 3
"""Up to so many pairs each have a sentence; of more pairs only the first ones do."""


def percent(result: Comparison) -> str:
    return f"{100 * result.settings['confidence']:g}%"


def sentences(result: Comparison) -> list[str]:
    """What a person takes home."""
    if len(result.pairs) == 1 or result.tiers is None:
        return about_pairs(result)
    return [
        *about_pairs(result),
        f"Tiers: {result.settings['tiers']}. n.s. counts the runs not significantly different from a run.",
        *about_ranks(result),
    ]


def about_ranks(result: Comparison) -> list[str]:
    """Which runs may be first, and what was requested about ranks."""
    ranks = result.ranks
    if ranks is None or len(ranks) < 2:
        return []
    first = ranks.may_be_first
    lines = [
        f"{len(first)} of {len(ranks)} may be first: {shorten_list(first, MAX_NAMED_RUNS)} ({percent(result)}, all ranks at once)."
    ]
    if result.top is not None:
        surely, possibly = ranks.surely_in_first(result.top), ranks.possibly_in_first(result.top)
        lines.append(
            f"Surely among the first {result.top}: {_listed(surely)}. "
            f"Possibly: {_listed([run for run in possibly if run not in surely])}."
        )
    if result.rank_of is not None:
        named = ", ".join(f"{rank.run} {interval_of(rank)}" for rank in result.rank_of)
        lines.append(f"Rank of the runs named beforehand, by their pairs alone: {named}.")
    return lines


def _listed(runs: Sequence[str]) -> str:
    return shorten_list(list(runs), MAX_NAMED_RUNS) if runs else "none"


def interval_of(rank: RankResult) -> str:
    """An interval of ranks, as in 1-4; one rank alone where it is certain.

    >>> interval_of(RankResult("a", 1, 1, 4)), interval_of(RankResult("b", 2, 2, 2))
    ('1–4', '2')
    """
    return f"{rank.low}" if rank.low == rank.high else f"{rank.low}–{rank.high}"


def about_pairs(result: Comparison) -> list[str]:
    few = result.compared <= FEW_PAIRS
    sentences = [pair.sentence for pair in (result.pairs if few else result.pairs[:FIRST_PAIRS])]
    return sentences + (_details(result) if result.compared == 1 else [_shares(result)])


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
    return text + ("; the CSV and JSON forms list them all." if every > MAX_LISTED_PAIRS else ".")


def _defined(result: Comparison) -> int:
    """Pairs of runs that both have a value."""
    if result.every is None:
        return sum(pair.difference is not None for pair in result.pairs)
    return sum(value == value for value in result.every.difference.tolist())


def _details(result: Comparison) -> list[str]:
    pair = result.pairs[0]
    values = ", ".join(f"{name} {shown_p(p).removeprefix('= ')}" for name, p in pair.p.items())
    return [*([f"p: {values}."] if values else []), *moved_most(result)]


def moved_most(result: Comparison) -> list[str]:
    """On which topics the two runs of a single pair differ most; nothing where they differ on none."""
    pair = result.pairs[0]
    if not pair.moved:
        return []
    moved = ", ".join(f"{m.topic} ({signed(m.difference, 4)})" for m in pair.moved)
    more = f", and {pair.as_much} more by as much as the last" if pair.as_much else ""
    return [f"{result.noun.capitalize()}s that moved most, {pair.a} - {pair.b}: {moved}{more}."]


def failure_sentences(result: Comparison) -> list[str]:
    """The sentences of pairs whose difference failed or missing topics could turn round, the first few of them."""
    turned = [pair.sentence for pair in result.pairs if could_turn(pair)] if result.every is None else []
    more = len(turned) - FIRST_PAIRS
    return turned if more <= 0 else [*turned[:FIRST_PAIRS], f"The same holds of {more} more pairs."]


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
    human = result.settings.get("human")
    if human is not None:
        within = f" within {human['reweight']}" if human["reweight"] else ""
        test = f"{human['estimate']} with λ {human['weight']:.2f}{within}, {result.settings['test']}"
        return test if correct == "none" else f"{test}, {LABELS[correct]} over {pairs}"
    if correct == "none":
        return result.settings["test"]
    if correct == "tukey":
        return "Tukey's HSD over all pairs"
    measures = result.settings["family"]
    together = f" of {counted(len(measures), 'measure')} ({', '.join(measures)})" if len(measures) > 1 else ""
    return f"{result.settings['test']}, {LABELS[correct]} over {pairs}{together}"


def interval_rule(result: Comparison) -> str:
    """By which methods the intervals of the runs were made."""
    return made_by(
        (run.interval for run in result.runs), f"{percent(result)} intervals of the runs", resamples_of(result)
    )


def pair_rule(result: Comparison) -> str:
    """By which methods the intervals of the differences were made."""
    every, ends = result.every, (pair.interval for pair in result.pairs)
    adjusted = any(pair.adjusted_by != "none" for pair in result.pairs) if every is None else every.adjusted
    family = "adjusted for the same pairs as p" if adjusted else "not adjusted, as p is not"
    methods = _methods(ends) if every is None else every.methods
    rule = _join_methods(methods, f"{percent(result)} intervals of the differences, {family},", flips_of(result))
    return f"{rule} {smallest_p(result)}".rstrip()


def smallest_p(result: Comparison) -> str:
    """Say below which value no p can be, where units are few; nothing otherwise."""
    if result.units >= SMALL_UNITS or result.settings["test"] != "randomisation":
        return ""
    unit = result.noun if result.units == result.topics else "cluster"
    return f"Over {result.units} {unit}s no p is below {2.0 ** (1 - result.units):.2g}."


def growing_rule(result: Comparison) -> str:
    """What the intervals of a growing log hold for, and what stands where one does not; nothing without them."""
    order = result.settings.get("growing")
    if order is None:
        return ""
    order = "the file" if order == "file" else order
    level = 100 * (1 - (1 - result.settings["confidence"]) / max(result.compared, 1))
    shared = f" over {counted(result.compared, 'pair')}" if result.compared > 1 else ""
    text = f"Growing log: {result.noun}s in the order of {order}. An interval is valid at every look, at {level:.4g}%{shared}"
    text += f", if every {result.noun}'s difference has the same expectation."
    if any(pair.growing is not None and not pair.growing.valid for pair in result.pairs):
        text += (
            " drifts: it does not (CUSUM, p at most .01) or the mean lies outside the interval; the mean differences are those "
            f"of the first and the second half of the {result.noun}s."
        )
    return text


def flips_of(result: Comparison) -> str:
    """How often what was flipped or resampled for the differences: all sign flips, where these are few."""
    if result.settings["test"] == "randomisation" and any(pair.exact for pair in result.pairs[:1]):
        return (
            resamples_of(result)
            .replace(f"{result.settings['resamples']:,} resamples", "all sign flips")
            .rpartition(", ")[0]
        )
    return resamples_of(result)


def resamples_of(result: Comparison) -> str:
    """How often what was resampled, and the seed."""
    noun = result.noun
    units = f"{result.topics} {noun}s" if result.units == result.topics else f"{result.units} clusters of {noun}s"
    return f", {result.settings['resamples']:,} resamples of {units}, seed {result.settings['seed']}"


def made_by(ends: Iterable[Interval | None], what: str, resamples: str) -> str:
    """By which methods intervals were made; nothing where there are none.

    >>> made_by([None], "95% intervals", ", seed 0")
    ''
    >>> made_by([Interval(0.1, 0.2, 0.95, "mid-p")], "95% intervals", ", 10,000 resamples of 50 topics, seed 0")
    '95% intervals by mid-p.'
    """
    return _join_methods(_methods(ends), what, resamples)


def _methods(ends: Iterable[Interval | None]) -> Sequence[str]:
    return list(dict.fromkeys(end.method for end in ends if end is not None))


def _join_methods(methods: Sequence[str], what: str, resamples: str) -> str:
    sampled = any(word in method for method in methods for word in RESAMPLING_METHODS)
    return f"{what} by {'; '.join(methods)}{resamples if sampled else ''}." if methods else ""
