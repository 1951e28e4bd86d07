"""The finding of a campaign and how far to trust it: the first two things a report says."""

from __future__ import annotations

from dataclasses import replace

from assay.analyses.brief_numbers import brief, digits_of
from assay.analyses.campaign.next_steps import next_steps
from assay.analyses.campaign.result import Board, BoardRun, CampaignResults, MeasureResults
from assay.analyses.campaign.run_findings import run_findings, unnamed_finding
from assay.analyses.comparison.finding import (
    borderline_runs,
    decimals,
    finding,
    lead_limits,
    leading_runs,
    shown_ranks,
    significant_lead,
    tiers_of_ranked,
    top_two,
)
from assay.analyses.comparison.result import Comparison
from assay.analyses.marked_text import MarkedText, mark
from assay.errors import counted
from assay.figures.measure_names import in_words

MIN_TOPICS = 2
"""With fewer topics there is no interval and no test."""


def with_finding(campaign: CampaignResults) -> CampaignResults:
    """Return the campaign with its finding, what it says on trust, and the numbers of its board.

    campaign   with its comparison, if it has one, and the intervals of the first measure
    """
    main = campaign.measures[0]
    if campaign.comparison is not None:
        # A baseline that is listed apart may have the best value, and is no leader.
        apart = tuple(run for i, run in enumerate(campaign.runs) if i in campaign.unranked)
        campaign = replace(campaign, comparison=replace(campaign.comparison, apart=apart))
        if apart and main.tiers and campaign.comparison is not None:
            tiers = tiers_of_ranked(campaign.comparison)
            main = replace(main, tiers=[str(tiers.get(run, "")) for run in campaign.runs])
            campaign = replace(campaign, measures=[main, *campaign.measures[1:]])
    board = _board(campaign, main)
    trust = [sentence for sentence in (*_resolution(campaign), _excluded(campaign)) if sentence]
    campaign = replace(campaign, board=board, finding=_finding(campaign, main, board.digits), trust=trust)
    return replace(
        campaign,
        run_findings=run_findings(campaign),
        unnamed_finding=unnamed_finding(campaign),
        next_steps=next_steps(campaign),
    )


def _board(campaign: CampaignResults, main: MeasureResults) -> Board:
    """Return the runs in the order of the comparison, with its values; without a comparison, in that of the campaign."""
    compared = campaign.comparison
    places = campaign.places(main)
    if compared is None:
        runs = [
            BoardRun(i, main.values[i], main.intervals[i] if main.intervals else None, places[i] or "", "", True)
            for i in campaign.order
        ]
        return Board(runs, _digits(main, None), ranked=False, topics=len(campaign.topics))
    position = {run: i for i, run in enumerate(campaign.runs)}
    leading, perhaps = leading_runs(compared), borderline_runs(compared)
    # Intervals of ranks count all runs that were compared, baselines too.
    ranks = {} if campaign.unranked else shown_ranks(compared)
    tiers = {run.run: run.tier for run in compared.runs if run.tier is not None}
    if compared.apart and tiers:
        tiers = tiers_of_ranked(compared)
    runs: list[BoardRun] = []
    for run in compared.runs:
        i = position[run.run]
        ends = None if run.interval is None else (run.interval.low, run.interval.high)
        rank = ranks.get(run.run, "") if ranks else places[i] or ""
        tier = str(tiers.get(run.run, ""))
        runs.append(BoardRun(i, run.value, ends, rank, tier, run.run in leading, run.run in perhaps))
    runs.sort(key=lambda run: run.position in campaign.unranked)
    return Board(
        runs,
        _digits(main, compared),
        bool(ranks),
        compared.topics,
        compared.settings["confidence"],
        significant_lead(compared),
    )


def _finding(campaign: CampaignResults, main: MeasureResults, digits: int) -> MarkedText:
    if campaign.comparison is not None:
        return finding(campaign.comparison)
    return MarkedText.of(_untested(campaign, main, digits))


def _untested(campaign: CampaignResults, main: MeasureResults, digits: int) -> str:
    """Return the finding of a campaign whose runs were not compared; the names of runs are marked."""
    measure = in_words(main.name)
    valued = [i for i in campaign.order if main.values[i] is not None]
    # A baseline that is ranked apart may have the best value, and is not the best run.
    valued = [i for i in valued if i not in campaign.unranked] or valued
    extent = f"{counted(len(campaign.topics), campaign.unit)}"
    if not valued:
        return f"No run has {measure} on {extent}."
    best = valued[0]
    value = brief(main.values[best] or 0, digits)
    if len(valued) == 1:
        low, high = main.ends(best)
        interval = ""
        if low is not None and high is not None:
            # One digit less than the value, as on the board.
            ends = [brief(end, max(digits - 1, 0)) for end in (low, high)]
            interval = f" (95% interval {' to '.join(ends)})"
        return f"{mark(campaign.runs[best])} reaches {measure} {value}{interval} on {extent}."
    first = [mark(campaign.runs[i]) for i in valued if main.values[i] == main.values[best]]
    if not main.orders_runs:
        return f"{measure} of {counted(len(valued), 'run')} on {extent}; it has no better or worse."
    extreme = "highest" if main.higher_is_better else "lowest"
    if len(first) == len(valued):
        every = "Both runs" if len(valued) == 2 else f"All {counted(len(valued), 'run')}"
        return f"{every} have the same {measure} ({value}) on {extent}."
    who = first[0] if len(first) == 1 else f"{len(first)} runs"
    have = "has" if len(first) == 1 else "have"
    return f"{who} {have} the {extreme} {measure} ({value}) of {counted(len(valued), 'run')} on {extent}; they were not tested."


def _resolution(campaign: CampaignResults) -> list[str]:
    """Return which leads are significant here, and what the top two's own test says, which stands out; where nothing was tested, why."""
    compared = campaign.comparison
    if compared is None:
        few = len(campaign.topics) < MIN_TOPICS
        return [f"One {campaign.unit} cannot tell runs apart."] if few and len(campaign.runs) > 1 else []
    if compared.compared == 1:
        [pair] = compared.pairs
        # The names of the runs may have a semicolon too.
        rest = pair.sentence.removeprefix(f"{pair.a} and {pair.b}").removesuffix(".").partition("; ")[2]
        return [f"{rest[:1].upper()}{rest[1:]}."] if rest and not pair.significant else []
    return [lead_limits(compared), MarkedText.of(mark(top_two(compared)))]


def _excluded(campaign: CampaignResults) -> str:
    """Say how many topics are excluded for all runs because some run lacks them, and which whole tasks."""
    compared = campaign.comparison
    if compared is None or not compared.left_out:
        return ""
    total = compared.topics + compared.left_out
    lacking: dict[str, list[str]] = {}
    for run, task in campaign.suite.missing if campaign.suite else ():
        lacking.setdefault(task, []).append(run)
    whole = sum(campaign.suite.tasks[task] for task in lacking) if campaign.suite else 0
    parts: list[str] = []
    for task, runs in lacking.items():
        who = mark(runs[0]) if len(runs) == 1 else f"{len(runs)} runs"
        parts.append(f"{task} is excluded for all, as {who} {'has' if len(runs) == 1 else 'have'} no results there.")
    rest = compared.left_out - whole
    if rest > 0:
        of = total - whole
        parts.append(
            f"{rest:,} of {of:,} {campaign.unit}s failed or are missing for some run and are excluded for all."
        )
    return MarkedText.of(" ".join(parts))


def _digits(main: MeasureResults, compared: Comparison | None) -> int:
    if all(value is None or isinstance(value, int) for value in main.values):
        return 0
    if compared is not None:
        return decimals(compared)
    ends = next((ends for ends in main.intervals if ends is not None), None)
    return digits_of(*ends) if ends is not None else 3
