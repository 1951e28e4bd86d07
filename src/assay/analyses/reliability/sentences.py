"""Sentences about reliability: which leads are significant on these topics, and which would hold on new ones."""

from __future__ import annotations

from math import ceil, log10

from assay.analyses.brief_numbers import brief, two_digits
from assay.analyses.reliability.reliability import MIN_PAIRS, MeasureStudy, Reliability, SizeResult
from assay.errors import counted
from assay.figures.measure_names import in_words
from assay.stats.extrapolation import INTERVAL_CONFIDENCE, REACH, Extrapolation

AT = 4
"""The index of fuzziness .05 on the curve."""


def finding(study: Reliability) -> str:
    """Return which lead in the first measure would hold on new topics, and how far the best two runs are apart."""
    measure = next(iter(study.measures.values()))
    at, beyond, name, noun = measure.at[-1], measure.extrapolation, in_words(measure.name), study.noun
    if at.swap is None:
        point = at.stability[AT]
        text = (
            f"On {counted(at.size, noun)}, {name} puts two runs in the wrong order in {point.minority_rate:.1%} of comparisons "
            f"and calls {point.ties:.1%} ties"
        )
    elif measure.too_large:
        text = steps_too_small(measure)
    elif study.too_few_pairs:
        pairs = "one pair of runs" if study.pairs == 1 else f"{counted(study.pairs, 'pair')} of {len(study.runs)} runs"
        text = f"From {pairs} it cannot be said which lead in {name} would hold on new {noun}s ({MIN_PAIRS} pairs are needed)"
    else:
        size, difference = at.size, at.swap.required_difference_stays
        if beyond is not None:
            size, difference = beyond.size, beyond.required_difference
        would = "would probably hold" if beyond is not None else "would hold"
        lead = f"no {name} lead up to .20" if difference is None else f"a lead of {brief(difference, 2)} {name} or more"
        lead = f"any lead in {name}" if difference == 0 else lead
        text = f"On {counted(size, f'new {noun}')}, {lead} {would}"
    gap = "" if measure.gap is None else f"; your best two {apart(measure.gap)}"
    return f"{text}{gap}."


def steps_too_small(measure: MeasureStudy) -> str:
    """Say that leads are counted in steps for scores from 0 to 1, and by what to divide these.

    >>> steps_too_small(MeasureStudy(name="WER", at=[], extrapolation=None, best=[], missing=0, undefined=0, largest=43.0))
    'Leads in WER are counted in steps of .01 up to .20, which suits scores from 0 to 1, not up to 43; divide the scores by 100'
    """
    return (
        f"Leads in {in_words(measure.name)} are counted in steps of .01 up to .20, which suits scores from 0 to 1, not up to "
        f"{measure.largest:.3g}; divide the scores by {10 ** ceil(log10(measure.largest)):,}"
    )


def apart(gap: float) -> str:
    """Say how far the best two runs are apart; smaller differences than 1e-12 are rounding of sums."""
    return "are tied" if gap < 1e-12 else f"differ by {shown_gap(gap)}"


def shown_gap(gap: float) -> str:
    """Return the difference of the best two runs with two decimals, or two significant digits where it is small."""
    return "0" if gap < 1e-12 else brief(gap, 2) if gap >= 0.01 else two_digits(gap)


def repeating(noun: str) -> str:
    """The topics that the swap method's difference is for."""
    return f"another set of {noun}s of this size"


def _too_few(study: Reliability, at: SizeResult, measure: str) -> str:
    pairs = f"{counted(study.pairs, 'pair')} of {len(study.runs)} runs, fewer than {MIN_PAIRS}"
    return f"With {at.size} {study.noun}s, too few pairs to advise which difference in {in_words(measure)} to believe ({pairs})."


def required_difference(study: Reliability, measure: str, among: int) -> str:
    """Return the leaderboard's advice: which leads are significant here, and which would hold on new topics.

    Swaps are measured on disjoint halves of the topics; a set of the full size needs an extrapolation.

    among   topics of the campaign; the study leaves out those on which some run has no value
    """
    result = study.measures[measure]
    if result.at[-1].swap is None:
        return ""
    here = f"on these {among} {study.noun}s"
    if study.topics != among:
        here = f"on the {study.topics:,} of {among:,} {study.noun}s on which every run has a value"
    return f"{_significant(study, result, here, f' in {in_words(measure)}')}{_on_new_topics(study, result)}"


def _significant(study: Reliability, measure: MeasureStudy, here: str, unit: str = "") -> str:
    """Say which leads a test calls significant on the topics of the study."""
    critical = measure.critical
    if critical is None:
        return ""
    here = f"{here[:1].upper()}{here[1:]}"
    if study.pairs == 1:
        return f"{here}, a lead{unit} of about {two_digits(critical.alone)} or more is significant. "
    return (
        f"{here}, leads{unit} of about {two_digits(critical.together)} or more are significant when all {study.pairs} pairs are "
        f"tested, and of about {two_digits(critical.alone)} when one pair is (medians over the pairs). "
    )


def _on_new_topics(study: Reliability, measure: MeasureStudy) -> str:
    """Say which lead would hold on other topics by the swap method, on as many as there are where it reaches so far."""
    at, beyond = measure.at[-1], measure.extrapolation
    assert at.swap is not None
    if measure.too_large:
        return f"{steps_too_small(measure)}."
    if study.too_few_pairs:
        return _too_few(study, at, measure.name)
    difference, level = at.swap.required_difference_stays, f"{study.confidence:.0%} confidence"
    how = f"(swap method, {study.trials} trials, seed {study.seed})"
    lead = "no lead" if difference is None else f"a lead of {brief(difference, 2)} or more"
    if beyond is None:
        return f"On {at.size} new {study.noun}s, {lead} holds at {level} {how}."
    likely = "no lead up to .20"
    if beyond.required_difference is not None:
        likely = f"a lead of about {brief(beyond.required_difference, 2)} or more"
    return (
        f"On {beyond.size} new {study.noun}s, {likely} would probably hold (extrapolated{_trust(beyond)}); "
        f"measured on two sets of {at.size}, {lead} holds at {level} {how}."
    )


def _trust(extrapolation: Extrapolation) -> str:
    if extrapolation.interval is None:
        return ""
    return f", {INTERVAL_CONFIDENCE:.0%} interval {interval_ends(extrapolation)}"


def interval_ends(extrapolation: Extrapolation) -> str:
    """Return the interval in words; an end that no difference up to .20 reaches is none."""
    if extrapolation.interval is None:
        return "n/a"
    low, high = ("none" if end is None else brief(end, 2) for end in extrapolation.interval)
    return f"{low} to {high}"


def conclusion(study: Reliability, measure: MeasureStudy) -> str:
    """Say which difference in a measure to believe, and how far the best two runs are apart."""
    at, name = measure.at[-1], measure.name
    if at.swap is None:
        point = at.stability[AT]
        text = (
            f"With {at.size} {study.noun}s, {in_words(name)} gets {point.minority_rate:.1%} of the comparisons wrong and calls "
            f"{point.ties:.1%} ties (f = .05)."
        )
    elif measure.too_large:
        text = f"{steps_too_small(measure)}."
    elif study.too_few_pairs:
        text = _too_few(study, at, name)
    else:
        text = _believed(study, at, name)
        beyond = measure.extrapolation
        if beyond is not None:
            difference = beyond.required_difference
            about = "none up to .20" if difference is None else f"about {brief(difference, 2)}"
            text += f"; with your {beyond.size}, {about} (extrapolated{_trust(beyond)})"
        elif study.topics > REACH * at.size:
            text += (
                f"; your {study.topics} {study.noun}s are too many to extrapolate to from {at.size}, try a larger size"
            )
        text += "."
    text = f"{text} {_significant(study, measure, f'on these {study.topics} {study.noun}s')}".rstrip()
    gap = measure.gap
    if gap is not None:
        text += f" Your best two runs ({measure.best[0][0]} and {measure.best[1][0]}) {apart(gap)}."
    return text


def _believed(study: Reliability, at: SizeResult, name: str) -> str:
    difference = None if at.swap is None else at.swap.required_difference_stays
    if difference is None:
        return (
            f"With {at.size} {study.noun}s, no {in_words(name)} difference is large enough to believe at "
            f"{100 * study.confidence:g}% confidence (measured)"
        )
    what = f"any difference in {in_words(name)}"
    if difference:
        what = f"a difference in {in_words(name)} of at least {brief(difference, 2)}"
    return f"With {at.size} {study.noun}s, believe {what} (measured)"
