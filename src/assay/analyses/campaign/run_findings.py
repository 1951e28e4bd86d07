"""The first sentence of a run's page: its place, what its pair with the leader says, and on how many topics it is best."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from assay.analyses.brief_numbers import MAX_NAMED, brief, how_many, ordinal, several, word
from assay.analyses.campaign.result import Board, BoardRun, CampaignResults, MeasureResults, RunFinding
from assay.analyses.comparison.finding import leading_run, pairs_with_apart, pairs_with_leader
from assay.analyses.comparison.result import PairResult
from assay.analyses.marked_text import MarkedText, mark, marked
from assay.errors import counted
from assay.figures.common import tied_ranks
from assay.figures.measure_names import in_words


def run_findings(campaign: CampaignResults) -> list[RunFinding]:
    """Return the finding of every run, in the order of the runs.

    campaign   with its finding, its board, and its comparison if it has one
    """
    board = campaign.board
    assert board is not None
    places, topics = _places(campaign, board), _topics(campaign)
    findings: dict[int, RunFinding] = {}
    for run in board.runs:
        i = run.position
        place = _place(campaign, board, run, places[i])
        against, unnamed = ("", "") if run.value is None else _against_leader(campaign, board, run)
        marked = (MarkedText.of(place), MarkedText.of(against))
        findings[i] = RunFinding(*marked, unnamed, "" if run.value is None else topics[i])
    absent = " was not compared"
    return [
        findings.get(i) or RunFinding(MarkedText.of(f"{mark(name)}{absent}")) for i, name in enumerate(campaign.runs)
    ]


def unnamed_finding(campaign: CampaignResults) -> str:
    """Return how good the best run is and what its pairs say, without the names of runs; empty where no run is better.

    campaign   with its board, and its comparison if it has one
    """
    board, main = campaign.board, campaign.measures[0]
    assert board is not None
    ranked = [run for run in board.runs if run.value is not None and run.position not in campaign.unranked]
    if len(ranked) < 2 or not main.orders_runs:
        return ""
    best = ranked[0]
    value = f"{in_words(main.name)} {brief(best.value or 0, board.digits)}{_averaged(campaign)}"
    against = _against_leader(campaign, board, best)[1]
    return f"The best of {counted(len(ranked), 'run')} has {value} and {against}."


def _places(campaign: CampaignResults, board: Board) -> dict[int, str | None]:
    """Return the places by the board's values, which are those of the topics that decide."""
    ranked = [None if run.position in campaign.unranked else run.value for run in board.runs]
    places = tied_ranks(ranked, campaign.measures[0].higher_is_better)
    return {run.position: place for run, place in zip(board.runs, places, strict=True)}


def _place(campaign: CampaignResults, board: Board, run: BoardRun, place: str | None) -> str:
    main, name = campaign.measures[0], mark(campaign.runs[run.position])
    measure = in_words(main.name)
    if run.value is None:
        return f"{name} has no {measure} on {_these(campaign, board)}"
    value = f"{measure} {brief(run.value, board.digits)}{_averaged(campaign)}"
    ranked = sum(other.value is not None and other.position not in campaign.unranked for other in board.runs)
    if len(board.runs) == 1:
        return marked(campaign.finding).removesuffix(".")
    if not main.orders_runs:
        return f"{name} has {value}; the median of {counted(len(board.runs), 'run')} is {_median(main, board)}"
    if run.position in campaign.unranked:
        return f"{name} is a baseline without a place ({value})"
    spread = f", ranks {run.rank} plausible" if board.ranked and "–" in run.rank else ""
    first, _, last = (place or "").partition("..")
    if last:
        return f"{name} shares places {first} to {last} of {ranked:,} ({value}{spread})"
    return f"{name} is {ordinal(int(first))} of {ranked:,} ({value}{spread})"


def _these(campaign: CampaignResults, board: Board) -> str:
    return f"these {board.topics:,} {campaign.unit}s" if board.topics > 1 else f"this {campaign.unit}"


def _averaged(campaign: CampaignResults) -> str:
    average = campaign.comparison.average if campaign.comparison is not None else ""
    return f", {average}" if average else ""


def _median(main: MeasureResults, board: Board) -> str:
    median = main.median
    return "undefined" if median is None else brief(median, board.digits or int(median % 1 != 0))


def _against_leader(campaign: CampaignResults, board: Board, run: BoardRun) -> tuple[str, str]:
    """Return what the pair with the leader says, or of the leader all its pairs: with names, and without."""
    compared = campaign.comparison
    if len(board.runs) < 2 or not campaign.measures[0].orders_runs:
        return "", ""
    if compared is None or compared.tiers is None:
        return "was not tested against the others", "was not tested against the others"
    leader, name = leading_run(compared).run, campaign.runs[run.position]
    pairs = pairs_with_leader(compared)
    if name == leader:
        if not pairs:
            return "", ""  # all others are listed apart
        perhaps = {campaign.runs[other.position] for other in board.runs if other.perhaps}
        return _of_leader([pair for pair in pairs if pair.decided_by is not None], perhaps)
    pair = next(pair for pair in (*pairs, *pairs_with_apart(compared)) if name in (pair.a, pair.b))
    # A run listed below another one can only be better where the two have other topics than the board.
    shared = " on what both have" if compared.contradictions is not None else ""
    named, unnamed = (_of_pair(pair, name, run, leader) for leader in (f"the leader {mark(leader)}", "the leader"))
    better = pair.significant and pair.better == name
    return f"{named}{shared if better else ''}", f"{unnamed}{shared if better else ''}"


def _of_pair(pair: PairResult, name: str, run: BoardRun, leader: str) -> str:
    if pair.decided_by is None:
        return f"cannot be compared with {leader}"
    borderline = " (borderline)" if run.perhaps else ""
    if not pair.significant:
        return f"cannot be told apart from {leader}{borderline}"
    if pair.better == name:
        return f"is significantly better than {leader}{borderline}"
    return f"is significantly below {leader}{borderline}"


def _of_leader(pairs: Sequence[PairResult], borderline: Collection[str]) -> tuple[str, str]:
    perhaps = [pair.b for pair in pairs if pair.b in borderline]
    tied = [pair.b for pair in pairs if not pair.significant and pair.b not in borderline]
    if not pairs:
        return "cannot be compared with the others", "cannot be compared with the others"
    the_other = "the other run" if len(pairs) == 1 else f"the other {word(len(pairs))}"
    if not tied and not perhaps:
        return f"beats {the_other}", f"beats {the_other}"
    if len(tied) == len(pairs):
        unnamed = f"any of {the_other}" if len(pairs) > 1 else the_other
    else:
        unnamed = f"{how_many(len(tied), len(perhaps))} of {the_other}"
    names = [[mark(name) for name in group] for group in (tied, perhaps)]
    named = " and perhaps ".join(several(group) for group in names if group)
    named = f"perhaps {named}" if perhaps and not tied else named
    if len(tied) + len(perhaps) > MAX_NAMED or len(tied) == len(pairs) > 1:
        named = unnamed
    return f"cannot be told apart from {named}", f"cannot be told apart from {unnamed}"


def _topics(campaign: CampaignResults) -> list[str]:
    """Return on how many topics each run is best; of one that is best on none, on how many it is above the median.

    A topic on which all runs are equal has no best run. Of answers, return how many questions are right.
    """
    main, unit = campaign.measures[0], campaign.unit
    if campaign.endings:
        return [_right_on(campaign.endings[run], unit) for run in campaign.runs]
    if not main.topics or not main.orders_runs or len(campaign.runs) < 2:
        return [""] * len(campaign.runs)
    sign = 1 if main.higher_is_better else -1
    alone, shared, above, known = ([0] * len(campaign.runs) for _ in range(4))
    for values, median in zip(zip(*main.topics, strict=True), main.topic_medians, strict=True):
        defined = [sign * value for value in values if value is not None]
        best = max(defined, default=0.0)
        holders = sum(value == best for value in defined)
        for i, value in enumerate(values):
            if value is None:
                continue
            known[i] += 1
            above[i] += median is not None and sign * value > sign * median
            if sign * value == best and holders < len(defined):
                (alone if holders == 1 else shared)[i] += 1
    return [_best_on(*counts, unit) for counts in zip(alone, shared, above, known, strict=True)]


def _right_on(endings: Sequence[str], unit: str) -> str:
    from assay.figures.items.question_outcomes import FAILS, LEFT_OUT

    answered = [ending for ending in endings if ending not in (FAILS, LEFT_OUT)]
    return f"is right on {answered.count('right'):,} of {counted(len(answered), unit)}" if answered else ""


def _best_on(alone: int, shared: int, above: int, known: int, unit: str) -> str:
    if not known:
        return ""
    of = f"of {counted(known, unit)}"
    if alone and shared:
        return f"is best on {alone:,} {of} and level with the best on {shared:,}"
    if alone or shared:
        return f"is best on {alone:,} {of}" if alone else f"is level with the best on {shared:,} {of}"
    return f"is above the median on {f'{above:,}' if above else 'none'} {of}"
