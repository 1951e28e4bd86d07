"""What a comparison found, in one or two sentences, and how large a lead must be to count.

Findings follow from the pairs with the leader, not from tiers: a run two tiers down may still not differ from the leader.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from math import ceil, floor, sqrt

import numpy as np

from assay.analyses.brief_numbers import (
    MAX_DIGITS,
    MAX_NAMED,
    WORDS,
    as_written,
    brief,
    digits_of,
    how_many,
    several,
    word,
)
from assay.analyses.comparison import paired_tests
from assay.analyses.comparison.result import CANNOT_SAY, Comparison, PairResult, RunResult, shown_p
from assay.analyses.comparison.sentences import interval_of
from assay.analyses.marked_text import MarkedText, mark
from assay.errors import counted
from assay.figures.measure_names import in_words

BORDERLINE = 2.58
"""A p-value within so many of its own standard errors of the level could be on the other side with another seed."""


def finding(result: Comparison) -> MarkedText:
    """Return who leads by how much and who cannot be told apart from the leader; of a baseline, who beats it.

    The names of runs are marked.

    result   a comparison by one measure
    """
    return MarkedText.of(f"{_finding(result)}{_of_labels(result)}")


def _finding(result: Comparison) -> str:
    valued = [run for run in result.runs if run.value is not None]
    if len(valued) < 2:
        has = f"{counted(len(valued), 'run')} of {len(result.runs)} have {in_words(result.measure)}"
        return f"There is nothing to compare: {has}."
    if result.compared == 1:
        return _two_runs(result, result.pairs[0])
    if result.higher_is_better is None:
        return _without_direction(result)
    if result.tiers is not None:
        return _leader(result, valued)
    shared = {pair.b for pair in result.pairs}
    return _baseline(result, shared.pop()) if len(shared) == 1 else _chosen_pairs(result)


def _of_labels(result: Comparison) -> str:
    """Say, of runs that a machine judged, what people's labels decide; nothing of others, and of two runs."""
    orders = [pair.order for pair in result.pairs if pair.order is not None]
    few = [run.run for run in result.runs if run.labels is not None and run.value is None]
    after = (
        f" {several([mark(run) for run in few])} {'has' if len(few) == 1 else 'have'} too few labels." if few else ""
    )
    if len(orders) < 2:
        return after
    decided, turned = sum(order != CANNOT_SAY for order in orders), orders.count("turns")
    text = f" People's labels of {_labelled(result)} decide {_out_of(decided, len(orders))}"
    if turned:
        text += f", {turned} against the machine's order"
    left = len(orders) - decided
    return f"{text}; of the other {left} they cannot say.{after}" if decided and left else f"{text}.{after}"


def _out_of(decided: int, pairs: int) -> str:
    return f"all {pairs} pairs" if decided == pairs else f"{decided or 'none'} of {counted(pairs, 'pair')}"


def _labelled(result: Comparison) -> str:
    """Say how many topics people labelled: 105 to 109 of 600 questions."""
    counts = [run.labels for run in result.runs if run.labels is not None and run.value is not None]
    fewest, most = min(counts), max(counts)
    many = f"{fewest:,}" if fewest == most else f"{fewest:,} to {most:,}"
    return f"{many} of {result.topics:,} {result.noun}s"


def resolution(result: Comparison) -> str:
    """Return the smallest lead that is significant here and the largest that is not, and what the top two's own test says.

    Nothing for a single pair, whose own line says it, and where no pair was tested.
    """
    return " ".join(filter(None, (lead_limits(result), top_two(result))))


def lead_limits(result: Comparison) -> str:
    """Return the smallest lead that is significant here and the largest that is not."""
    sizes, significant, near = _tested(result)
    if len(sizes) < 2:
        return ""
    name, digits = in_words(result.measure), max(decimals(result) - 1, 0)
    leads = "Differences" if result.tiers is None or result.higher_is_better is None else "Leads"
    if not sizes.any():
        return f"No two runs differ in {name}."
    if not (significant & ~near).any():
        sure = "surely " if near.any() else ""
        return f"No difference in {name} is {sure}significant here; the largest is {_size(sizes.max(), digits)}."
    if (significant & ~near).all():
        return f"All differences in {name} are significant here; the smallest is {_size(sizes.min(), digits)}."
    # What another seed could decide otherwise counts as both.
    least, most = float(sizes[significant | near].min()), float(sizes[~significant | near].max())
    if most < least:
        upper, lower, digits = _between(least, most, digits)
        small = f"{leads.lower()} of {brief(lower, digits)} or less are not"
        return f"{leads} of {brief(upper, digits)} {name} or more are significant here, {small}."
    upper, lower = _up(most, digits), _down(least, digits)
    never = f", below {brief(lower, digits)} never" if lower > 0 else ""
    always = f"{leads} above {brief(upper, digits)} {name} are always significant here{never}"
    return f"{always}; between, it depends on the pair."


def top_two(result: Comparison) -> str:
    """Return by how much the top two differ, and whether these topics decide between them; empty for a single pair."""
    pairs = pairs_with_leader(result)
    if result.compared < 2 or not pairs or not _tested(result)[0].any():
        return ""
    top = pairs[0]
    if top.difference is None or top.decided_by is None:
        return ""
    if not top.difference:
        return f"The top two have the same {in_words(result.measure)}."
    size = f"The top two differ by {_size(top.difference, max(decimals(result) - 1, 0))} (p {shown_p(top.decided_by)})"
    if _borderline(result, top):
        return f"{size}, which is at the limit of significance."
    if top.significant:
        return f"{size}, which is significant."
    topics = result.topics if top.topics is None else top.topics
    return f"{size}: {topics:,} {result.noun}s do not decide between them."


def significant_lead(result: Comparison) -> float | None:
    """Return the lead from which every difference is significant here, rounded up; None where there is no such limit, or one pair.

    result   a comparison by one measure
    """
    sizes, significant, near = _tested(result)
    if len(sizes) < 2 or not (significant & ~near).any():
        return None
    least, most = float(sizes[significant | near].min()), float(sizes[~significant | near].max(initial=0.0))
    if most >= least:
        return None
    return _between(least, most, max(decimals(result) - 1, 0))[0] if most > 0 else _up(least, decimals(result))


def decimals(result: Comparison) -> int:
    """Return how many decimals the values have: two significant digits of the leader's standard error."""
    ends = next((run.interval for run in result.runs if run.interval is not None), None)
    return 3 if ends is None else digits_of(ends.low, ends.high)


def leading_run(result: Comparison) -> RunResult:
    """Return the best run that may lead: one that is not listed apart, unless all are."""
    return next((run for run in result.runs if run.run not in result.apart), result.runs[0])


def tiers_of_ranked(result: Comparison) -> dict[str, int]:
    """Return the tiers of the runs that may lead, without those that are listed apart: 1 is the best.

    result   a comparison of all pairs
    """
    ranked = [i for i, run in enumerate(result.runs) if run.value is not None and run.run not in result.apart]
    tiers: dict[str, int] = {}
    number, best = 1, next(iter(ranked), 0)
    for place in ranked:
        pair = _pair(result, best, place) if place != best else None
        if pair is not None and pair.significant and pair.better == pair.a:
            number, best = number + 1, place
        tiers[result.runs[place].run] = number
    return tiers


def pairs_with_leader(result: Comparison) -> list[PairResult]:
    """Return the pairs of the leader with each other run that may lead, best first, where all pairs were compared."""
    return [] if result.tiers is None else _pairs_of_leader(result, apart=False)


def pairs_with_apart(result: Comparison) -> list[PairResult]:
    """Return the pairs of the leader with each run that is listed apart, as the leader against that run."""
    return [] if result.tiers is None else _pairs_of_leader(result, apart=True)


def _pairs_of_leader(result: Comparison, *, apart: bool) -> list[PairResult]:
    leader = leading_run(result).run
    place = next(i for i, run in enumerate(result.runs) if run.run == leader)
    if place == 0 and not result.apart:
        # Pairs are in the order of the runs, so that these are the first ones.
        return [] if apart else list(result.pairs[: len(result.runs) - 1])
    others = [i for i, run in enumerate(result.runs) if i != place and (run.run in result.apart) == apart]
    return [_pair(result, place, i) for i in others]


def _pair(result: Comparison, i: int, j: int) -> PairResult:
    """Return the pair of the runs at two places, the first against the second, where all pairs were compared."""
    number = _number(len(result.runs), min(i, j), max(i, j))
    if number < len(result.pairs):
        pair = result.pairs[number]
    else:  # of many pairs, only the first are listed
        assert result.every is not None
        difference, p = float(result.every.difference[number]), float(result.every.p[number])
        a, b = result.runs[min(i, j)].run, result.runs[max(i, j)].run
        known, significant = difference == difference, p <= _level(result) and difference != 0
        better = None if not difference else a if (difference > 0) == result.higher_is_better else b
        pair = PairResult(
            a=a, b=b, difference=difference if known else None, decided_by=p if p == p else None, significant=significant,
            better=better,
        )  # fmt: skip
    if i < j:
        return pair
    return replace(pair, a=pair.b, b=pair.a, difference=None if pair.difference is None else -pair.difference)


def _number(count: int, i: int, j: int) -> int:
    """Return the number of the pair of the runs at places i < j among all pairs of so many runs."""
    return i * count - i * (i + 1) // 2 + j - i - 1


def _size(difference: float, digits: int) -> str:
    """Return the size of a difference, with as many digits as it takes not to look like none, at least `digits`.

    >>> _size(-0.048, 2), _size(0.0004, 2), _size(0.0, 2)
    ('.05', '.0004', '.00')
    """
    while difference and digits < MAX_DIGITS and not round(abs(difference), digits):
        digits += 1
    return brief(abs(difference), digits)


def _leader(result: Comparison, valued: Sequence[RunResult]) -> str:
    """Return the finding on the runs that may lead; the runs that are listed apart, such as baselines, follow."""
    ranked = [run for run in valued if run.run not in result.apart] or list(valued)
    return f"{_first(result, ranked)}{_of_apart(result, ranked[0].run)}"


def _first(result: Comparison, valued: Sequence[RunResult]) -> str:
    leader, others, digits = valued[0], len(valued) - 1, decimals(result)
    assert leader.value is not None
    name = mark(leader.run)
    value = f"{in_words(result.measure)} {brief(leader.value, digits)}{_averaged(result)}"
    if not others:
        return f"{name} has {value}."
    same = [run.run for run in valued if run.value == leader.value]
    pairs = [pair for pair in pairs_with_leader(result) if pair.difference is not None]
    perhaps = [pair.b for pair in pairs if _borderline(result, pair)]
    tied = [pair.b for pair in pairs if not pair.significant and pair.b not in (*perhaps, *same)]
    below = [pair.b for pair in pairs if pair.significant and pair.better == leader.run and pair.b not in perhaps]
    above = [pair.b for pair in pairs if pair.significant and pair.better == pair.b]
    compared = {pair.b for pair in pairs}
    alone = [run.run for run in valued[1:] if run.run not in compared]
    it = "it" if len(same) == 1 else name
    after = f" {_named(alone)} cannot be compared with {it}." if alone else ""
    sizes, significant, borderline = _tested(result, within=[run.run for run in valued])
    if not significant.any() and not borderline.any():
        extreme = "highest" if result.higher_is_better else "lowest"
        number = f"{brief(leader.value, digits)}{_averaged(result)}"
        have = f"{_named(same)} {'has' if len(same) == 1 else 'have'} the {extreme} {in_words(result.measure)}"
        best = f"{have} ({number}){_ahead(result, valued)}"
        if not len(sizes):
            return f"None of the {counted(result.compared, 'pair')} can be tested. {best}.{after}"
        return f"No run can be told from another on these {result.topics:,} {result.noun}s. {best}.{after}"
    by = _ahead_by(result, valued)
    leads = f"{name} leads{f' by {by}' if by else ''} ({value})"
    if len(same) > 1:
        leads = f"{_named(same)} share the lead ({value})"
    after += _may_be_first(result)
    if above:
        better = f"{_named(above)} {_is(above)} significantly better on the {result.noun}s that both have"
        return f"{leads}, though {better}.{after}"
    if len(below) == others:
        return f"{leads} and beats the other {word(others) if others > 1 else 'run'}.{after}"
    count = len(tied) + len(perhaps)
    if count == others:
        any_other = f"none of the other {word(others)} can" if others > 1 else f"{_named(tied or perhaps)} cannot"
        return f"{leads}, but {any_other} be told apart from it.{after}"
    if count > MAX_NAMED:
        number = how_many(len(tied), len(perhaps)).capitalize()
        return f"{leads}. {number} of the other {word(others)} cannot be told apart from {it}.{after}"
    if perhaps:
        named = f"{_named(tied)} and perhaps {_named(perhaps)}" if tied else f"Perhaps {_named(perhaps)}"
        return f"{leads}. {named} cannot be told apart from {it}.{after}"
    if not tied:
        return f"{leads}.{after}"
    text = f"{leads}. {_named(tied)} cannot be told apart from {it}"
    if len(tied) + len(below) == others and len(same) == 1 and _all_beat(result, tied, below):
        everyone = ("both beat", "all three beat", "all four beat")[len(tied) - 1]
        text += f"; {everyone} {mark(below[0]) if len(below) == 1 else f'the other {word(len(below))}'}"
    return f"{text}.{after}"


def _ahead_by(result: Comparison, valued: Sequence[RunResult]) -> str:
    """Return by how much the leader's value is better than the next; empty where both are equal.

    Empty too where cells are missing: values are then adjusted, and pairs are compared on the topics that both have.
    """
    first, second = valued[0].value, valued[1].value
    if first is None or second is None or first == second or result.contradictions is not None:
        return ""
    return _size(first - second, max(decimals(result) - 1, 0))


def _ahead(result: Comparison, valued: Sequence[RunResult]) -> str:
    by = _ahead_by(result, valued)
    return f", {by} {'above' if result.higher_is_better else 'below'} {mark(valued[1].run)}" if by else ""


def _of_apart(result: Comparison, leader: str) -> str:
    """Return what the leader's pairs with the runs that are listed apart say: who beats it, then who cannot be told from it."""
    pairs = [pair for pair in pairs_with_apart(result) if pair.decided_by is not None]
    perhaps = [pair.b for pair in pairs if _borderline(result, pair)]
    sure = [pair for pair in pairs if pair.b not in perhaps]
    beat = [pair.b for pair in sure if pair.significant and pair.better == pair.b]
    beaten = [pair.b for pair in sure if pair.significant and pair.better == pair.a]
    tied = [pair.b for pair in sure if not pair.significant]
    sentences: list[str] = []
    if beat:
        sentences.append(f"{_baselines(beat)} {'beats' if len(beat) == 1 else 'beat'} {mark(leader)}.")
    if tied or perhaps:
        parts = [_baselines(tied)] if tied else []
        parts += [f"perhaps {_baselines(perhaps)}"] if perhaps else []
        sentences.append(f"{' and '.join(parts)} cannot be told apart from {mark(leader)}.")
    if beaten and not sentences:
        sentences.append(f"{mark(leader)} also beats {_baselines(beaten)}.")
    return "".join(f" {sentence[0].upper()}{sentence[1:]}" for sentence in sentences)


def _baselines(names: Sequence[str]) -> str:
    if len(names) > MAX_NAMED:
        return f"{word(len(names))} baselines"
    return f"the baseline{'' if len(names) == 1 else 's'} {_named(names)}"


def _named(names: Sequence[str]) -> str:
    """Return the names of runs, marked, or how many there are."""
    return several([mark(name) for name in names])


def _may_be_first(result: Comparison) -> str:
    # Intervals of ranks count the runs that are listed apart too.
    if result.ranks is None or result.apart:
        return ""
    least, most = _bounds_of_first(result)
    count = len(result.ranks.may_be_first)
    if least < most:
        few = most < len(WORDS)
        number = f"{least} {'or' if most - least == 1 else 'to'} {most}" if few else f"About {(least + most) // 2:,}"
    elif count > 1:
        number = f"{count:,}"
    else:
        return ""
    return f" {number} of {len(result.ranks)} may be first."


def _bounds_of_first(result: Comparison) -> tuple[int, int]:
    """Return how many runs may be first if every pair that another seed could decide otherwise is significant, and if none is."""
    assert result.ranks is not None
    place = {run.run: i for i, run in enumerate(result.runs)}
    if result.every is not None:
        first, second = np.triu_indices(len(place), 1)
        better = result.every.difference > 0 if result.higher_is_better else result.every.difference < 0
        losers, p = np.where(better, second, first), result.every.p
        near = np.abs(p - _level(result)) <= _doubt(result)
        significant = (p <= _level(result)) & (result.every.difference != 0)
    else:
        decided = [pair for pair in result.pairs if pair.better is not None]
        losers = np.array([place[_other(pair)] for pair in decided], dtype=int)
        near = np.array([_borderline(result, pair) for pair in decided], dtype=bool)
        significant = np.array([pair.significant for pair in decided], dtype=bool)
    beaten = [set(losers[significant | near].tolist()), set(losers[significant & ~near].tolist())]
    least, most = (sum(place[rank.run] not in among for rank in result.ranks) for among in beaten)
    return least, most


def _two_runs(result: Comparison, pair: PairResult) -> str:
    if pair.difference is None or pair.decided_by is None:
        return _unmarked_pair(pair)
    value = {run.run: run.value for run in result.runs}
    name, digits = in_words(result.measure), decimals(result)
    size = f"{_size(pair.difference, max(digits - 1, 0))} {name}{_averaged(result)}"
    both = f"on {result.topics if pair.topics is None else pair.topics:,} {result.noun}s"
    if pair.machine is not None:
        return _two_judged_runs(result, pair, digits)
    if _borderline(result, pair) and pair.better is not None:
        close = f"p is close to {as_written(_level(result))}"
        return f"{mark(pair.better)} perhaps beats {mark(_other(pair))} by {size} {both} ({close})."
    if not pair.significant:
        first, second = sorted((pair.a, pair.b), key=[run.run for run in result.runs].index)
        shown = " and ".join(brief(value[run] or 0.0, digits) for run in (first, second))
        same = ""
        if pair.equivalence is not None and pair.equivalence.equivalent:
            same = f", and are shown to differ by less than {pair.equivalence.margin:g}"
        who = f"{mark(first)} and {mark(second)}"
        return f"{who} cannot be told apart {both} ({name} {shown}{_averaged(result)}){same}."
    if pair.better is None:
        return f"{mark(pair.a)} is {'above' if pair.difference > 0 else 'below'} {mark(pair.b)} by {size} {both}."
    return f"{mark(pair.better)} beats {mark(_other(pair))} by {size} {both}."


def _unmarked_pair(pair: PairResult) -> str:
    """Return the sentence of a pair that cannot be tested, which begins with both names."""
    names = f"{pair.a} and {pair.b}"
    rest = pair.sentence.removeprefix(names)
    return f"{mark(pair.a)} and {mark(pair.b)}{rest}" if rest != pair.sentence else pair.sentence


def _other(pair: PairResult) -> str:
    """Return the run of a pair that is not the better one."""
    return pair.b if pair.better == pair.a else pair.a


def _two_judged_runs(result: Comparison, pair: PairResult, digits: int) -> str:
    """Say which of two runs people would call better, or that their labels do not decide."""
    less, labels, measure = max(digits - 1, 0), f"{_labelled(result)} labelled", in_words(result.measure)
    difference, machine = pair.difference or 0.0, pair.machine or 0.0
    if pair.order == CANNOT_SAY:
        first, second = [run.run for run in result.runs if run.run in (pair.a, pair.b)]
        sign = 1 if first == pair.a else -1
        people, judge = (brief(sign * value, digits) for value in (difference, machine))
        return (
            f"Cannot say whether {mark(first)} or {mark(second)} is better: people's labels do not decide ({labels}). "
            f"{mark(first)} is ahead by {people} {measure} as people would judge, by {judge} for the machine."
        )
    better = pair.better or (pair.a if difference > 0 else pair.b)
    worse = pair.b if better == pair.a else pair.a
    by = brief(machine if better == pair.a else -machine, less)
    machine_says = f"the machine says {by}" if pair.order == "holds" else f"the machine puts {mark(worse)} first"
    verb = "beats" if pair.better is not None else "is above"
    lead = f"{brief(abs(difference), less)} {measure}"
    return f"{mark(better)} {verb} {mark(worse)} by {lead} as people would judge ({labels}); {machine_says}."


def _baseline(result: Comparison, baseline: str) -> str:
    pairs = [pair for pair in result.pairs if pair.difference is not None]
    perhaps = [pair.a for pair in pairs if _borderline(result, pair)]
    beats = [pair.a for pair in pairs if pair.significant and pair.better == pair.a and pair.a not in perhaps]
    below = [pair.a for pair in pairs if pair.significant and pair.better == baseline and pair.a not in perhaps]
    tied = [pair.a for pair in pairs if not pair.significant and pair.a not in perhaps]
    name = mark(baseline)
    measure = f"{in_words(result.measure)}{_averaged(result)}"
    if not beats and not below and not perhaps:
        return f"None of {counted(len(pairs), 'run')} can be told apart from {name} in {measure}."
    parts: list[str] = []
    if beats:
        least = min(abs(pair.difference or 0.0) for pair in pairs if pair.a in beats)
        by = f"{_size(least, max(decimals(result) - 1, 0))} {measure}{' or more' if len(beats) > 1 else ''}"
        parts.append(f"{_named(beats)} {'beats' if len(beats) == 1 else 'beat'} {name} by {by}")
    if tied:
        parts.append(f"{_named(tied)} cannot be told apart from {'it' if parts else name}")
    if perhaps:
        parts.append(f"{_named(perhaps)} perhaps cannot be told apart from {'it' if parts else name}")
    if below:
        parts.append(f"{_named(below)} {_is(below)} below {'it' if parts else name}")
    return f"{'; '.join(parts)}."


def _chosen_pairs(result: Comparison) -> str:
    differ = [pair for pair in result.pairs if pair.significant]
    wins = [f"{mark(pair.better)} beats {mark(_other(pair))}" for pair in differ if pair.better]
    about = any(_borderline(result, pair) for pair in result.pairs)
    verb = "differs" if len(differ) == 1 and not about else "differ"
    text = f"{_about(len(differ), about)} of {counted(result.compared, 'pair')} {verb} significantly"
    text += f" in {in_words(result.measure)}"
    return f"{text}: {', '.join(wins)}." if 0 < len(wins) <= MAX_NAMED and not about else f"{text}."


def _without_direction(result: Comparison) -> str:
    sizes, significant, borderline = _tested(result)
    number = _about(int(significant.sum()), bool(borderline.any()))
    differ = f"{number} of {counted(len(sizes), 'pair')} differ significantly"
    return f"{differ} in {in_words(result.measure)}, which has no better or worse."


def _about(count: int, about: bool) -> str:
    return f"{'About ' if about else ''}{count:,}"


def _all_beat(result: Comparison, tied: Sequence[str], below: Sequence[str]) -> bool:
    """Return whether each of the runs tied with the leader is significantly better than each that the leader beats."""
    place = {run.run: i for i, run in enumerate(result.runs)}
    pairs = (_pair(result, place[winner], place[loser]) for winner in tied for loser in below)
    return all(pair.significant and pair.better == pair.a and not _borderline(result, pair) for pair in pairs)


def leading_runs(result: Comparison) -> set[str]:
    """Return the leader and the runs that are not significantly below it; of a comparison without a leader, all."""
    runs = {run.run for run in result.runs}
    if result.tiers is None:
        return runs
    leader = leading_run(result).run
    pairs = [*pairs_with_leader(result), *pairs_with_apart(result)]
    return runs - {pair.b for pair in pairs if pair.significant and pair.better == leader}


def _tested(result: Comparison, within: Sequence[str] | None = None) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Return the sizes of the differences that were tested, whether each is significant, and whether another seed could decide otherwise.

    within   the runs whose pairs count; all by default
    """
    if result.every is not None:
        p, tested = result.every.p, np.isfinite(result.every.p)
        if within is not None and len(within) < len(result.runs):
            counts = np.isin([run.run for run in result.runs], list(within))
            first, second = np.triu_indices(len(counts), 1)
            tested &= counts[first] & counts[second]
        near = np.abs(p[tested] - _level(result)) <= _doubt(result)
        return np.abs(result.every.difference[tested]), p[tested] <= _level(result), near
    pairs = [pair for pair in result.pairs if pair.decided_by is not None and pair.difference is not None]
    if within is not None:
        pairs = [pair for pair in pairs if pair.a in within and pair.b in within]
    sizes = np.array([abs(pair.difference or 0.0) for pair in pairs])
    significant = np.array([pair.significant for pair in pairs], dtype=bool)
    return sizes, significant, np.array([_borderline(result, pair) for pair in pairs], dtype=bool)


def borderline_runs(result: Comparison) -> set[str]:
    """Return the runs of which another seed could say otherwise whether they can be told from the leader."""
    pairs = [*pairs_with_leader(result), *pairs_with_apart(result)]
    return {pair.b for pair in pairs if _borderline(result, pair)}


def shown_ranks(result: Comparison) -> dict[str, str]:
    """Return the interval of each run's rank as a reader sees it: 1–4; 1 or 2–5 where another seed could put the run among the first."""
    perhaps = borderline_runs(result)
    return {
        rank.run: f"1 or {interval_of(rank)}" if rank.low == 2 and rank.run in perhaps else interval_of(rank)
        for rank in result.ranks or ()
    }


def _level(result: Comparison) -> float:
    """Return the error rate at which pairs are tested."""
    return round(1 - result.settings["confidence"], 12)


def _borderline(result: Comparison, pair: PairResult) -> bool:
    """Return whether another seed could have decided otherwise."""
    if pair.exact or pair.decided_by is None:
        return False
    raw = pair.p.get(result.settings.get("test", ""))
    # Corrections other than max-T multiply p-values, and so their errors.
    times = pair.decided_by / raw if raw and pair.adjusted_by not in ("none", "maxt") else 1.0
    return abs(pair.decided_by - _level(result)) <= _doubt(result, times)


def _doubt(result: Comparison, times: float = 1.0) -> float:
    """Return how near to the level a p-value must be that another seed could move to the other side; negative if none could.

    times   how many times as large as the estimated p-value the deciding one is
    """
    settings, level = result.settings, _level(result) / times
    test = paired_tests.declared().get(settings.get("test", ""))
    seeded = test is None or test.resampled or settings.get("interval", "auto") != "auto"
    if not seeded or not settings.get("resamples"):
        return -1.0
    return BORDERLINE * times * sqrt(level * (1 - level) / settings["resamples"])


def _between(least: float, most: float, digits: int) -> tuple[float, float, int]:
    """Return round numbers between the largest difference that is not significant and the smallest that is, and their digits.

    No difference lies between the two, so that the upper number may be less than `least`, and the lower one more than `most`.

    >>> _between(0.2103, 0.1282, 2), _between(0.0552, 0.0451, 2)
    ((0.21, 0.13, 2), (0.055, 0.046, 3))
    """
    for more in range(digits, MAX_DIGITS + 1):
        upper, lower = _down(least, more), _up(most, more)
        if most < upper and lower < upper:
            return upper, lower, more
    return least, most, MAX_DIGITS


def _up(value: float, digits: int) -> float:
    return ceil(round(value * 10**digits, 6)) / 10**digits


def _down(value: float, digits: int) -> float:
    return floor(round(value * 10**digits, 6)) / 10**digits


def _averaged(result: Comparison) -> str:
    adjusted = ", adjusted for missing cells" if result.contradictions is not None else ""
    return f", {result.average}{adjusted}" if result.average else adjusted


def _is(names: Sequence[str]) -> str:
    return "is" if len(names) == 1 else "are"
