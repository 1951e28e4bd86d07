"""What to open after the finding: the two best runs topic by topic, the other measures, and how far the result holds."""

from __future__ import annotations

from assay.analyses.campaign.other_measures import count_other_measures
from assay.analyses.campaign.result import CampaignResults, NextStep
from assay.analyses.comparison.finding import leading_run, pairs_with_leader


def next_steps(campaign: CampaignResults) -> list[NextStep]:
    """Return what a reader of the finding may want to open next, each with what it says; nothing for a single run.

    campaign   with its comparison and its study of reliability, if it has them
    """
    if len(campaign.runs) < 2:
        return []
    steps = (_top_two(campaign), _measures(campaign), _trust(campaign))
    return [step for step in steps if step is not None]


def _top_two(campaign: CampaignResults) -> NextStep | None:
    compared = campaign.comparison
    if compared is None:
        return None
    # Of two runs whose pair is the only one, the finding has no leader, but the pages compare them too.
    pairs = pairs_with_leader(compared)
    if not pairs or pairs[0].difference is None:
        return None
    pair, leader, unit = pairs[0], leading_run(compared).run, campaign.unit
    other, won, lost = (pair.b, pair.won, pair.lost) if pair.a == leader else (pair.a, pair.lost, pair.won)
    says = f"{unit} by {unit}"
    if won is not None and lost is not None:
        says = f"better on {won:,} {unit}{'' if won == 1 else 's'}, worse on {lost:,}"
    return NextStep("compare", f"{leader} against {other}", says, (leader, other))


def _measures(campaign: CampaignResults) -> NextStep | None:
    counts = count_other_measures(campaign)
    if counts is None:
        return None
    known, same, different = counts
    if known == 1:
        says = (
            "puts the same run first" if same else "puts another run first" if different else "has no single best run"
        )
        return NextStep("measures", "The other measure", says)
    if different:
        says = f"{different} of {known} put{'s' if different == 1 else ''} another run first"
    else:
        how_many = ("both" if known == 2 else f"all {known}") if same == known else f"{same} of {known}"
        says = f"{how_many} put{'s' if same == 1 else ''} the same run first"
    return NextStep("measures", "Other measures", says)


def _trust(campaign: CampaignResults) -> NextStep:
    topics = campaign.board.topics if campaign.board is not None else len(campaign.topics)
    says = f"would it hold on {topics:,} new {campaign.unit}s?"
    return NextStep("trust", "Trust", says if campaign.reliability is not None else "what could change it")
