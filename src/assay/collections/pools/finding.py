"""How much there is to judge, and how far the scores depend on any single team, in one or two sentences."""

from __future__ import annotations

from statistics import median

from assay.analyses.brief_numbers import MAX_NAMED, apart, listed, number_of, percent
from assay.figures.measure_names import in_words

TYPE_CHECKING = False
if TYPE_CHECKING:
    from assay.collections.pools.leave_one_out import Change, LeftOut
    from assay.collections.pools.pool import Pool

DIGITS = 3


def of_pool(pool: Pool) -> str:
    """Say how many documents to judge, and how many of a topic."""
    counts = [len(documents) for documents in pool.topics.values()]
    pooled = sum(pool.sizes.values())
    runs = number_of(pool.runs, "run") + (f" of {number_of(pool.teams, 'team')}" if pool.teams < pool.runs else "")
    if not sum(counts):
        return f"Nothing is left to judge: all {number_of(pooled, 'document')} that {runs} pooled are judged already."
    low, high = min(counts), max(counts)
    each = f"{low:,}" if low == high else f"{low:,} to {high:,} (median {median(counts):,g})"
    topics = f"{each} for each of {number_of(len(counts), 'topic')}" if len(counts) > 1 else "all of one topic"
    return f"Judge {number_of(sum(counts), 'document')}: {topics}, from {runs}."


def of_left_out(result: LeftOut) -> str:
    """Say which team alone found most relevant documents, and which run would lose most without its own team's."""
    most = max(team.relevant for team in result.teams)
    relevant = number_of(result.relevant, "relevant document")
    if not most:
        text = f"No team alone found any of {relevant}."
    else:
        names = [team.name for team in result.teams if team.relevant == most]
        text = f"{names[0] if len(names) == 1 else _each(names)} alone found {most:,} of {relevant}."
    changes, measure = result.own, in_words(result.measure)
    drop, fall = result.largest_drop(changes), result.deepest_fall(changes)
    if drop is None:
        return f"{text} Unpooled, no run would have {'a lower' if result.higher_is_better else 'a higher'} {measure}."
    before, after = apart(drop.before, drop.after, DIGITS)
    share = "" if drop.relative is None else f" ({'+' if drop.relative > 0 else '−'}{percent(abs(drop.relative))})"
    return f"{text} Unpooled, {drop.run} would lose most: {measure} {after}, not {before}{share}.{_fall(drop, fall)}"


def _fall(drop: Change, fall: Change | None) -> str:
    if fall is None:
        return " No run would rank lower."
    if fall.run == drop.run or drop.fall == fall.fall:
        return f" It would fall from rank {drop.rank_before} to {drop.rank_after}."
    return f" {fall.run} would fall deepest, from rank {fall.rank_before} to {fall.rank_after}."


def _each(names: list[str]) -> str:
    return f"Each of {listed(names) if len(names) <= MAX_NAMED else f'{len(names)} teams'}"
