"""Sentences about reliability: which difference to believe, on these topics and on another set of them."""

from __future__ import annotations

from assay.analyses.reliability.reliability import FEWEST_PAIRS, MeasureStudy, Reliability, SizeResult
from assay.errors import counted
from assay.stats.extrapolation import INTERVAL_CONFIDENCE, REACH, Extrapolation

AT = 4
"""The place of fuzziness .05 on the curve."""


def repeating(noun: str) -> str:
    """What the swap method's difference says, in the words that stand wherever it is printed."""
    return f"a statement about repeating the comparison on another set of {noun}s of this size"


def _too_few(study: Reliability, at: SizeResult, measure: str) -> str:
    """Why there is no advice."""
    pairs = f"{counted(study.pairs, 'pair')} of {len(study.runs)} runs, fewer than {FEWEST_PAIRS}"
    return f"With {at.size} {study.noun}s, too few pairs to advise which difference in {measure} to believe ({pairs})."


def required_difference(study: Reliability, measure: str, among: int) -> str:
    """What the leaderboard says of a difference to believe: on these topics, and on another set of as many.

    What was measured is said of the largest sets that share no topic, half of them; the topics there are need an extrapolation.

    among   topics of the campaign; the study leaves those out that some run has no value on
    """
    result = study.measures[measure]
    at = result.at[-1]
    if at.swap is None:
        return ""
    return f"{_critical(study, result, among)} {_repeated(study, at, result)}".strip()


def _critical(study: Reliability, measure: MeasureStudy, among: int) -> str:
    critical = measure.critical
    if critical is None:
        return ""
    many = f", or by about {critical.together:.2g} where all {study.pairs} pairs are tested" if study.pairs > 1 else ""
    return (
        f"The critical difference: {_on(study, among)}, two runs are told apart that differ by about "
        f"{critical.alone:.2g} in {measure.name}{many} (a statement about this set; median over the pairs)."
    )


def _on(study: Reliability, among: int) -> str:
    if study.topics == among:
        return f"on these {among} {study.noun}s"
    return f"on the {study.topics:,} of {among:,} {study.noun}s on which every run has a value"


def _repeated(study: Reliability, at: SizeResult, measure: MeasureStudy) -> str:
    """The swap method's answer, for as many topics as there are where it reaches so far."""
    swap, level, beyond = at.swap, f"{study.confidence:.0%}", measure.extrapolation
    assert swap is not None
    if study.too_few_pairs:
        return _too_few(study, at, measure.name)
    difference = swap.required_difference_stays
    measured = f"on two sets of {at.size} {study.noun}s"
    how = f"(swap method, {study.trials} trials, seed {study.seed})"
    if difference is None:
        measured_text = f"no difference seen {measured} stays the same way round at {level} confidence"
    else:
        measured_text = (
            f"a difference of at least {difference:.2f} stays the same way round at {level} confidence {measured}"
        )
    if beyond is None:
        return f"The believable difference, {repeating(study.noun)}: {measured_text} {how}."
    about = (
        "none up to 0.20 would"
        if beyond.required_difference is None
        else f"about {beyond.required_difference:.2f} would"
    )
    trust = f", {INTERVAL_CONFIDENCE:.0%} interval {interval_ends(beyond)}" if beyond.interval is not None else ""
    return (
        f"The believable difference, {repeating(study.noun)}: with {beyond.size} {study.noun}s {about} stay the same way "
        f"round (extrapolated{trust}); measured, {measured_text} {how}."
    )


def interval_ends(extrapolation: Extrapolation) -> str:
    """The interval in words; an end that no difference up to .20 reaches is none."""
    if extrapolation.interval is None:
        return "n/a"
    low, high = ("none" if end is None else f"{end:.2f}" for end in extrapolation.interval)
    return f"{low} to {high}"


def conclusion(study: Reliability, measure: MeasureStudy) -> str:
    """What a person takes home about one measure."""
    at, name = measure.at[-1], measure.name
    if at.swap is None:
        point = at.stability[AT]
        text = (
            f"With {at.size} {study.noun}s, {name} gets {point.minority_rate:.1%} of the comparisons wrong and calls "
            f"{point.ties:.1%} ties (f = 0.05)."
        )
    elif study.too_few_pairs:
        text = _too_few(study, at, name)
    else:
        text = _believed(study, at, name)
        beyond = measure.extrapolation
        if beyond is not None:
            text += _further(beyond)
        elif beyond is None and study.topics > REACH * at.size:
            text += (
                f"; your {study.topics} {study.noun}s are too many to extrapolate to from {at.size}, try a larger size"
            )
        text += "."
    text += _told_apart(study, measure)
    gap = measure.gap
    if gap is not None:
        # Sums of floating-point scores: what differs by less than this does not differ.
        shown = "are tied" if gap < 1e-12 else f"differ by {gap:.2f}" if gap >= 0.01 else f"differ by {gap:.2g}"
        text += f" Your best two runs ({measure.best[0][0]} and {measure.best[1][0]}) {shown}."
    return text


def _told_apart(study: Reliability, measure: MeasureStudy) -> str:
    """What a test says beside it, about this set and no other."""
    critical = measure.critical
    if critical is None:
        return ""
    text = f" On these {study.topics} {study.noun}s themselves, runs that differ by about {critical.alone:.2g} are told apart"
    if study.pairs > 1:
        text += f" as a pair by itself, and by about {critical.together:.2g} where all {study.pairs} pairs are tested"
    return text + " (assay compare, a statement about this set; median over the pairs)."


def _further(extrapolation: Extrapolation) -> str:
    """The extrapolation, with what it is worth."""
    about = (
        "none up to 0.20"
        if extrapolation.required_difference is None
        else f"about {extrapolation.required_difference:.2f}"
    )
    trust = (
        f", {INTERVAL_CONFIDENCE:.0%} interval {interval_ends(extrapolation)}"
        if extrapolation.interval is not None
        else ""
    )
    return f"; with your {extrapolation.size}, {about} (extrapolated{trust})"


def _believed(study: Reliability, at: SizeResult, name: str) -> str:
    difference = None if at.swap is None else at.swap.required_difference_stays
    if difference is None:
        return (
            f"With {at.size} {study.noun}s, no {name} difference is large enough to believe at "
            f"{100 * study.confidence:g}% confidence (measured)"
        )
    what = f"a difference in {name} of at least {difference:.2f}" if difference else f"any difference in {name}"
    return f"With {at.size} {study.noun}s, believe {what} (measured)"
