"""What a comparison found, in one or two sentences, and how large a lead must be to count.

Findings follow from the pairs with the leader, not from tiers: a run two tiers down may still not differ from the leader.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from math import ceil, floor, sqrt

import numpy as np

from assay.analyses.brief_numbers import MAX_DIGITS, MAX_NAMED, brief, digits_of, several, word
from assay.analyses.comparison.result import Comparison, PairResult, RunResult, shown_p
from assay.errors import counted

BORDERLINE = 2.58
"""A p-value within so many of its own standard errors of the level could be on the other side with another seed."""


def finding(result: Comparison) -> str:
    """Return who leads and who cannot be told apart from the leader; of a baseline, who beats it.

    result   a comparison by one measure
    """
    valued = [run for run in result.runs if run.value is not None]
    if len(valued) < 2:
        return (
            f"There is nothing to compare: {counted(len(valued), 'run')} of {len(result.runs)} have {result.measure}."
        )
    if result.compared == 1:
        return _two_runs(result, result.pairs[0])
    if result.higher_is_better is None:
        return _without_direction(result)
    if result.tiers is not None:
        return _leader(result, valued)
    shared = {pair.b for pair in result.pairs}
    return _baseline(result, shared.pop()) if len(shared) == 1 else _chosen_pairs(result)


def named_parts(sentence: str, names: Sequence[str]) -> list[tuple[str, bool]]:
    """Split a sentence at the names of runs; each part with whether it is one. Of two names that match, the longer one counts.

    >>> named_parts("b-2 leads; b cannot be told apart from it.", ["b", "b-2"])
    [('b-2', True), (' leads; ', False), ('b', True), (' cannot be told apart from it.', False)]
    """
    if not names:
        return [(sentence, False)]
    alternatives = "|".join(map(re.escape, sorted(names, key=len, reverse=True)))
    parts = re.split(rf"(?<![\w/.-])({alternatives})(?![\w/-])", sentence)
    return [(part, place % 2 == 1) for place, part in enumerate(parts) if part]


def resolution(result: Comparison) -> str:
    """Return the smallest lead that is significant here and the largest that is not, and what the top two's own test says.

    Nothing for a single pair, whose own line says it, and where no pair was tested.
    """
    sizes, significant = _tested(result)
    if len(sizes) < 2:
        return ""
    name, digits = result.measure, max(decimals(result) - 1, 0)
    leads = "Differences" if result.tiers is None or result.higher_is_better is None else "Leads"
    if not sizes.any():
        return f"No two runs differ in {name}."
    if not significant.any():
        text = f"No difference in {name} is significant here; the largest is {brief(sizes.max(), digits)}"
    elif significant.all():
        text = f"All differences in {name} are significant here; the smallest is {brief(sizes.min(), digits)}"
    else:
        least, most = float(sizes[significant].min()), float(sizes[~significant].max())
        if most < least:
            upper, lower, digits = _between(least, most, digits)
            small = f"{leads.lower()} of {brief(lower, digits)} or less are not"
            text = f"{leads} of {brief(upper, digits)} {name} or more are significant here, {small}"
        else:
            upper, lower = _up(most, digits), _down(least, digits)
            never = f", below {brief(lower, digits)} never" if lower > 0 else ""
            text = f"{leads} above {brief(upper, digits)} {name} are always significant here{never}; between, it depends on the pair"
    top = _top_two(result)
    if top is not None and top.difference is not None and top.decided_by is not None:
        text += f"; the top two differ by {brief(abs(top.difference), digits)} (p {shown_p(top.decided_by)})"
    return f"{text}."


def significant_lead(result: Comparison) -> float | None:
    """Return the lead from which every difference is significant here, rounded up; None where there is no such limit, or one pair.

    result   a comparison by one measure
    """
    sizes, significant = _tested(result)
    if len(sizes) < 2 or not significant.any():
        return None
    least, most = float(sizes[significant].min()), float(sizes[~significant].max(initial=0.0))
    if most >= least:
        return None
    return _between(least, most, max(decimals(result) - 1, 0))[0] if most > 0 else _up(least, decimals(result))


def decimals(result: Comparison) -> int:
    """Return how many decimals the values have: two significant digits of the leader's standard error."""
    ends = next((run.interval for run in result.runs if run.interval is not None), None)
    return 3 if ends is None else digits_of(ends.low, ends.high)


def pairs_with_leader(result: Comparison) -> list[PairResult]:
    """Return the pairs of the best run with each other one, best first, where all pairs were compared.

    Of more than two runs these are the first ones, as pairs are in the order of the runs.
    """
    return list(result.pairs[: len(result.runs) - 1]) if result.tiers is not None else []


def _leader(result: Comparison, valued: Sequence[RunResult]) -> str:
    leader, others, digits = valued[0], len(valued) - 1, decimals(result)
    assert leader.value is not None
    value = f"{result.measure} {brief(leader.value, digits)}{_averaged(result)}"
    same = [run.run for run in valued if run.value == leader.value]
    pairs = [pair for pair in pairs_with_leader(result) if pair.difference is not None]
    perhaps = [pair.b for pair in pairs if _borderline(result, pair)]
    tied = [pair.b for pair in pairs if not pair.significant and pair.b not in (*perhaps, *same)]
    below = [pair.b for pair in pairs if pair.significant and pair.better == leader.run]
    above = [pair.b for pair in pairs if pair.significant and pair.better == pair.b]
    compared = {pair.b for pair in pairs}
    alone = [run.run for run in valued[1:] if run.run not in compared]
    it = "it" if len(same) == 1 else leader.run
    after = f" {several(alone)} cannot be compared with {it}." if alone else ""
    sizes, significant = _tested(result)
    if not significant.any():
        extreme = "highest" if result.higher_is_better else "lowest"
        number = f"{brief(leader.value, digits)}{_averaged(result)}"
        best = f"{several(same)} {'has' if len(same) == 1 else 'have'} the {extreme} {result.measure} ({number})"
        if not len(sizes):
            return f"None of the {counted(result.compared, 'pair')} can be tested. {best}.{after}"
        return f"No run can be told from another on these {result.topics:,} {result.noun}s. {best}.{after}"
    leads = f"{leader.run} leads ({value})" if len(same) == 1 else f"{several(same)} share the lead ({value})"
    after += _may_be_first(result, bool(perhaps))
    if above:
        return f"{leads}, though {several(above)} {_is(above)} significantly better on the {result.noun}s that both have.{after}"
    if len(below) == others:
        return f"{leads} and beats the other {word(others)}.{after}"
    count = len(tied) + len(perhaps)
    if count == others:
        return f"{leads}, but none of the other {word(others)} can be told apart from it.{after}"
    if count > MAX_NAMED:
        same = sum(not pair.significant for pair in pairs)
        number = f"About {same:,}" if perhaps else word(count).capitalize()
        return f"{leads}. {number} of the other {word(others)} cannot be told apart from {it}.{after}"
    if perhaps:
        named = f"{several(tied)} and perhaps {several(perhaps)}" if tied else f"Perhaps {several(perhaps)}"
        return f"{leads}. {named} cannot be told apart from {it}.{after}"
    if not tied:
        return f"{leads}.{after}"
    text = f"{leads}. {several(tied)} cannot be told apart from {it}"
    if len(tied) + len(below) == others and len(same) == 1 and _all_beat(result, tied, below):
        everyone = ("both beat", "all three beat", "all four beat")[len(tied) - 1]
        text += f"; {everyone} {below[0] if len(below) == 1 else f'the other {word(len(below))}'}"
    return f"{text}.{after}"


def _may_be_first(result: Comparison, about: bool) -> str:
    if result.ranks is None or len(result.ranks.may_be_first) < 2:
        return ""
    return f" {'About ' if about else ''}{len(result.ranks.may_be_first)} of {len(result.ranks)} may be first."


def _two_runs(result: Comparison, pair: PairResult) -> str:
    if pair.difference is None or pair.decided_by is None:
        return pair.sentence
    value = {run.run: run.value for run in result.runs}
    digits = decimals(result)
    size = f"{brief(abs(pair.difference), max(digits - 1, 0))} {result.measure}{_averaged(result)}"
    both = f"on {result.topics if pair.topics is None else pair.topics:,} {result.noun}s"
    if not pair.significant:
        first, second = sorted((pair.a, pair.b), key=[run.run for run in result.runs].index)
        shown = " and ".join(brief(value[run] or 0.0, digits) for run in (first, second))
        same = ""
        if pair.equivalence is not None and pair.equivalence.equivalent:
            same = f", and are shown to differ by less than {pair.equivalence.margin:g}"
        return f"{first} and {second} cannot be told apart {both} ({result.measure} {shown}{_averaged(result)}){same}."
    if pair.better is None:
        return f"{pair.a} is {'above' if pair.difference > 0 else 'below'} {pair.b} by {size} {both}."
    return f"{pair.better} beats {pair.b if pair.better == pair.a else pair.a} by {size} {both}."


def _baseline(result: Comparison, baseline: str) -> str:
    pairs = [pair for pair in result.pairs if pair.difference is not None]
    beats = [pair.a for pair in pairs if pair.significant and pair.better == pair.a]
    below = [pair.a for pair in pairs if pair.significant and pair.better == baseline]
    tied = [pair.a for pair in pairs if not pair.significant]
    if not beats and not below:
        return f"None of {counted(len(pairs), 'run')} can be told apart from {baseline} in {result.measure}{_averaged(result)}."
    parts = (
        [f"{several(beats)} {'beats' if len(beats) == 1 else 'beat'} {baseline} in {result.measure}{_averaged(result)}"]
        if beats
        else []
    )
    if tied:
        parts.append(f"{several(tied)} cannot be told apart from {'it' if parts else baseline}")
    if below:
        parts.append(f"{several(below)} {_is(below)} below {'it' if parts else baseline}")
    return f"{'; '.join(parts)}."


def _chosen_pairs(result: Comparison) -> str:
    differ = [pair for pair in result.pairs if pair.significant]
    text = f"{len(differ)} of {counted(result.compared, 'pair')} {'differs' if len(differ) == 1 else 'differ'} significantly"
    wins = [f"{pair.better} beats {pair.b if pair.better == pair.a else pair.a}" for pair in differ if pair.better]
    return (
        f"{text} in {result.measure}: {', '.join(wins)}."
        if 0 < len(wins) <= MAX_NAMED
        else f"{text} in {result.measure}."
    )


def _without_direction(result: Comparison) -> str:
    sizes, significant = _tested(result)
    differ = f"{int(significant.sum())} of {counted(len(sizes), 'pair')} differ significantly"
    return f"{differ} in {result.measure}, which has no better or worse."


def _all_beat(result: Comparison, tied: Sequence[str], below: Sequence[str]) -> bool:
    """Return whether each of the runs tied with the leader is significantly better than each that the leader beats."""
    place = {run.run: i for i, run in enumerate(result.runs)}
    count = len(place)

    def beaten(winner: str, loser: str) -> bool:
        # Pairs are in the order of the runs, so a run without the better value wins no pair.
        i, j = place[winner], place[loser]
        if i > j:
            return False
        number = i * count - i * (i + 1) // 2 + j - i - 1
        if result.every is not None:
            return bool(result.every.p[number] <= _level(result) and result.every.difference[number])
        return result.pairs[number].significant and result.pairs[number].better == winner

    return all(beaten(winner, loser) for winner in tied for loser in below)


def leading_runs(result: Comparison) -> set[str]:
    """Return the leader and the runs that are not significantly below it; of a comparison without a leader, all."""
    runs = {run.run for run in result.runs}
    if result.tiers is None:
        return runs
    leader = result.runs[0].run
    return runs - {pair.b for pair in pairs_with_leader(result) if pair.significant and pair.better == leader}


def _tested(result: Comparison) -> tuple[np.ndarray, np.ndarray]:
    """Return the sizes of the differences that were tested, and whether each is significant."""
    if result.every is not None:
        tested = np.isfinite(result.every.p)
        return np.abs(result.every.difference[tested]), result.every.p[tested] <= _level(result)
    pairs = [pair for pair in result.pairs if pair.decided_by is not None and pair.difference is not None]
    return np.array([abs(pair.difference or 0.0) for pair in pairs]), np.array(
        [pair.significant for pair in pairs], dtype=bool
    )


def borderline_runs(result: Comparison) -> set[str]:
    """Return the runs of which another seed could say otherwise whether they can be told from the leader."""
    return {pair.b for pair in pairs_with_leader(result) if _borderline(result, pair)}


def _level(result: Comparison) -> float:
    """Return the error rate at which pairs are tested."""
    return round(1 - result.settings["confidence"], 12)


def _top_two(result: Comparison) -> PairResult | None:
    first = pairs_with_leader(result)[:1]
    return first[0] if first else None


def _borderline(result: Comparison, pair: PairResult) -> bool:
    """Return whether another seed could have decided otherwise."""
    if pair.exact or pair.decided_by is None:
        return False
    p, level = pair.decided_by, 1 - result.settings["confidence"]
    return abs(p - level) <= BORDERLINE * sqrt(level * (1 - level) / result.settings["resamples"])


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
