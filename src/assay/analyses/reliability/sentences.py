"""Sentences about reliability: which leads are significant on these topics, and which would hold on new ones."""

from __future__ import annotations

from assay.analyses.reliability.reliability import MIN_PAIRS, MeasureStudy, Reliability, SizeResult
from assay.errors import counted
from assay.stats.extrapolation import INTERVAL_CONFIDENCE, REACH, Extrapolation

AT = 4
"""The index of fuzziness .05 on the curve."""


def repeating(noun: str) -> str:
    """The topics that the swap method's difference is for."""
    return f"another set of {noun}s of this size"


def _too_few(study: Reliability, at: SizeResult, measure: str) -> str:
    pairs = f"{counted(study.pairs, 'pair')} of {len(study.runs)} runs, fewer than {MIN_PAIRS}"
    return f"With {at.size} {study.noun}s, too few pairs to advise which difference in {measure} to believe ({pairs})."


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
    return f"{_significant(study, result, here, f' in {measure}')}{_on_new_topics(study, result)}"


def _significant(study: Reliability, measure: MeasureStudy, here: str, unit: str = "") -> str:
    """Say which leads a test calls significant on the topics of the study."""
    critical = measure.critical
    if critical is None:
        return ""
    here = f"{here[:1].upper()}{here[1:]}"
    if study.pairs == 1:
        return f"{here}, a lead{unit} of about {critical.alone:.2g} or more is significant. "
    return (
        f"{here}, leads{unit} of about {critical.together:.2g} or more are significant when all {study.pairs} pairs are "
        f"tested, and of about {critical.alone:.2g} when one pair is (medians over the pairs). "
    )


def _on_new_topics(study: Reliability, measure: MeasureStudy) -> str:
    """Say which lead would hold on other topics by the swap method, on as many as there are where it reaches so far."""
    at, beyond = measure.at[-1], measure.extrapolation
    assert at.swap is not None
    if study.too_few_pairs:
        return _too_few(study, at, measure.name)
    difference, level = at.swap.required_difference_stays, f"{study.confidence:.0%} confidence"
    how = f"(swap method, {study.trials} trials, seed {study.seed})"
    lead = "no lead" if difference is None else f"a lead of {difference:.2f} or more"
    if beyond is None:
        return f"On {at.size} new {study.noun}s, {lead} holds at {level} {how}."
    likely = "no lead up to 0.20"
    if beyond.required_difference is not None:
        likely = f"a lead of about {beyond.required_difference:.2f} or more"
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
    low, high = ("none" if end is None else f"{end:.2f}" for end in extrapolation.interval)
    return f"{low} to {high}"


def conclusion(study: Reliability, measure: MeasureStudy) -> str:
    """Say which difference in a measure to believe, and how far the best two runs are apart."""
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
            difference = beyond.required_difference
            about = "none up to 0.20" if difference is None else f"about {difference:.2f}"
            text += f"; with your {beyond.size}, {about} (extrapolated{_trust(beyond)})"
        elif study.topics > REACH * at.size:
            text += (
                f"; your {study.topics} {study.noun}s are too many to extrapolate to from {at.size}, try a larger size"
            )
        text += "."
    text = f"{text} {_significant(study, measure, f'on these {study.topics} {study.noun}s')}".rstrip()
    gap = measure.gap
    if gap is not None:
        # Smaller differences are rounding of sums.
        shown = "are tied" if gap < 1e-12 else f"differ by {gap:.2f}" if gap >= 0.01 else f"differ by {gap:.2g}"
        text += f" Your best two runs ({measure.best[0][0]} and {measure.best[1][0]}) {shown}."
    return text


def _believed(study: Reliability, at: SizeResult, name: str) -> str:
    difference = None if at.swap is None else at.swap.required_difference_stays
    if difference is None:
        return (
            f"With {at.size} {study.noun}s, no {name} difference is large enough to believe at "
            f"{100 * study.confidence:g}% confidence (measured)"
        )
    what = f"a difference in {name} of at least {difference:.2f}" if difference else f"any difference in {name}"
    return f"With {at.size} {study.noun}s, believe {what} (measured)"
