"""Which of the other measures put another run first than the first measure does."""

from __future__ import annotations

from assay.analyses.brief_numbers import brief
from assay.analyses.campaign.result import CampaignResults, MeasureResults
from assay.errors import counted
from assay.figures.measure_names import in_words

MAX_OTHER_MEASURES = 2
"""Measures that put another run first, of which a sentence names so many."""


def measures_finding(campaign: CampaignResults) -> str:
    """Return which of the other measures put another run first; empty where there is none, or one run."""
    leader, known = _other_leaders(campaign)
    if leader is None or not known:
        return ""
    name = campaign.runs[leader]
    alone = [measure for measure, leading in known if leading == [leader]]
    other = [(measure, leading) for measure, leading in known if leader not in leading]
    if len(known) == 1 and alone:
        return f"{in_words(alone[0].name)} also puts {name} first."
    every = (
        "both"
        if len(known) == len(alone) == 2
        else f"all {len(known)}"
        if len(alone) == len(known)
        else f"{len(alone)} of the {len(known)}"
    )
    parts = []
    if alone:
        text = f"{every} other measures that rank runs also {'puts' if len(alone) == 1 else 'put'} {name} first"
        parts.append(f"{text[0].upper()}{text[1:]}.")
    parts += [_other_first(campaign, measure, leading, leader) for measure, leading in other[:MAX_OTHER_MEASURES]]
    if len(other) > MAX_OTHER_MEASURES:
        more = counted(len(other) - MAX_OTHER_MEASURES, "more measure")
        parts.append(f"{more} {'put' if len(other) - MAX_OTHER_MEASURES > 1 else 'puts'} others first.")
    shared = len(known) - len(alone) - len(other)
    parts += (
        [f"By {'one measure' if shared == 1 else f'{shared} measures'} {name} shares the first place."]
        if shared
        else []
    )
    return " ".join(parts)


def count_other_measures(campaign: CampaignResults) -> tuple[int, int, int] | None:
    """Return how many other measures rank the runs, how many of them put the same run first, and how many another one.

    None where the first measure has no single leader, or ranks alone.
    """
    leader, known = _other_leaders(campaign)
    if leader is None or not known:
        return None
    alone = sum(leading == [leader] for _, leading in known)
    return len(known), alone, sum(leader not in leading for _, leading in known)


def _other_leaders(campaign: CampaignResults) -> tuple[int | None, list[tuple[MeasureResults, list[int]]]]:
    """Return the position of the leader, if there is one, and each other measure with the runs that it puts first."""
    ranking = [measure for measure in campaign.measures if measure.orders_runs]
    if not ranking or ranking[0] is not campaign.measures[0] or len(campaign.runs) < 2:
        return None, []
    leaders = _leaders(campaign, ranking[0])
    known = [(measure, leading) for measure in ranking[1:] if (leading := _leaders(campaign, measure))]
    return (leaders[0] if len(leaders) == 1 else None), known


def _other_first(campaign: CampaignResults, measure: MeasureResults, leading: list[int], leader: int) -> str:
    """Return which run a measure puts first, and the values of both."""
    first = campaign.runs[leading[0]] if len(leading) == 1 else f"{len(leading)} runs"
    values = [measure.values[i] for i in (leading[0], leader)]
    digits = 0 if measure.run_digits == 0 else 3
    known = [brief(value, digits) for value in values if value is not None]
    return f"{in_words(measure.name)} puts {first} first{f' ({known[0]} to {known[1]})' if len(known) == 2 else ''}."


def _leaders(campaign: CampaignResults, measure: MeasureResults) -> list[int]:
    """Return the positions of the runs with the best value; none where no run has one."""
    known = {i: value for i, value in enumerate(measure.values) if value is not None and i not in campaign.unranked}
    if not known:
        return []
    best = max(known.values()) if measure.higher_is_better else min(known.values())
    return [i for i, value in known.items() if value == best]
