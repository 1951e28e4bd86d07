"""Topics of a campaign: how far the runs are apart on each, the hardest, and those on which a run gains and loses most."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from assay.analyses.brief_numbers import brief
from assay.analyses.campaign.result import CampaignResults, MeasureResults
from assay.figures.common import AgainstMedian, against, natural


@dataclass(frozen=True, slots=True)
class TopicSpread:
    """The best and the worst value on a topic, their distance, and the runs with the best one; None where none is defined."""

    best: float | None
    worst: float | None
    spread: float | None
    best_runs: tuple[str, ...]


def topic_spread(campaign: CampaignResults, measure: MeasureResults, topic: int) -> TopicSpread:
    """Return how far the runs are apart on the topic at a position."""
    known = {run: values[topic] for run, values in zip(campaign.runs, measure.topics, strict=True)}
    known = {run: value for run, value in known.items() if value is not None}
    if not known:
        return TopicSpread(None, None, None, ())
    high, low = max(known.values()), min(known.values())
    best, worst = (high, low) if measure.higher_is_better else (low, high)
    return TopicSpread(best, worst, high - low, tuple(run for run, value in known.items() if value == best))


def hardest_topics(measure: MeasureResults, order: Sequence[int], most: int) -> list[int]:
    """Return the positions of the topics with the worst medians, the hardest first, equals in the order given."""
    sign = 1 if measure.higher_is_better else -1
    medians = measure.topic_medians
    known = [(sign * value, topic) for topic in order if (value := medians[topic]) is not None]
    return [topic for _, topic in sorted(known, key=lambda pair: pair[0])[:most]]


@dataclass(frozen=True, slots=True)
class TopicGain:
    """A run's value on a topic, the median of its peers, and the difference."""

    topic: str
    value: float | None
    median: float | None
    difference: float


def extreme_topics(
    topics: Sequence[str], graph: AgainstMedian, higher_is_better: bool, most: int
) -> tuple[list[TopicGain], list[TopicGain]]:
    """Return the topics on which a run is furthest above and furthest below the median, each list best first."""
    sign = 1 if higher_is_better else -1
    columns = zip(topics, graph.values, graph.medians, graph.differences, strict=True)
    gains = [TopicGain(topic, value, median, difference) for topic, value, median, difference in columns if difference]
    gains.sort(key=lambda gain: (-sign * gain.difference, natural(gain.topic)))
    best = [gain for gain in gains[:most] if sign * gain.difference > 0]
    return best, [gain for gain in gains[-most:] if sign * gain.difference < 0]


def against_all(campaign: CampaignResults, position: int) -> AgainstMedian | None:
    """Return a run against the median of all runs by topic; None of one run, or where no measure has values by topic."""
    measure = campaign.topic_measure
    if measure is None or len(campaign.runs) < 2:
        return None
    return against(measure.name, measure.topics[position], measure.topic_medians)


def topics_finding(campaign: CampaignResults) -> str:
    """Return which runs are best on how many topics, and where the first run gains most; empty of one run.

    campaign   with values by topic
    """
    measure = campaign.topic_measure
    if measure is None or len(campaign.runs) < 2 or measure.topic_digits == 0 or not measure.orders_runs:
        return ""
    wins = Counter(
        spread.best_runs[0]
        for topic in range(len(campaign.topics))
        if len((spread := topic_spread(campaign, measure, topic)).best_runs) == 1
    )
    if not wins:
        return f"No run alone is the best on any {campaign.unit}."
    (first, most), *others = sorted(wins.items(), key=lambda item: (-item[1], natural(item[0])))
    text = f"{first} alone is the best run on {most} of {len(campaign.topics):,} {campaign.unit}s"
    text += f", {others[0][0]} on {others[0][1]}" if others else ""
    leader = campaign.order[0]
    # The points of one question, such as UF's from -1 to 1, are no gain that a reader can judge.
    graph = against_all(campaign, leader) if measure is campaign.measures[0] else None
    gains = [] if graph is None else extreme_topics(campaign.topics, graph, measure.higher_is_better, 1)[0]
    if gains:
        gain = brief(abs(gains[0].difference), 2)
        sign = "+" if gains[0].difference > 0 else "−"
        text += f". {campaign.runs[leader]} gains most on {campaign.unit} {gains[0].topic} ({sign}{gain} against the median)"
    return f"{text}."


def rare_outcomes(
    campaign: CampaignResults, position: int
) -> tuple[list[tuple[int, int, int]], list[tuple[int, int, int]]]:
    """Return the questions a run gets right and half of the runs or fewer do, rarest first, and those it does not get right and
    more than half do: each as its position, how many runs are right, and of how many.
    """
    from assay.figures.items.question_outcomes import DECLINED, RIGHT, WRONG

    mine = campaign.endings[campaign.runs[position]]
    best: list[tuple[int, int, int]] = []
    worst: list[tuple[int, int, int]] = []
    for topic, endings in enumerate(zip(*(campaign.endings[run] for run in campaign.runs), strict=True)):
        right, known = endings.count(RIGHT), sum(ending in (RIGHT, WRONG, DECLINED) for ending in endings)
        if mine[topic] == RIGHT and 2 * right <= known:
            best.append((topic, right, known))
        elif mine[topic] in (WRONG, DECLINED) and 2 * right > known:
            worst.append((topic, right, known))
    best.sort(key=lambda item: (item[1] / item[2], natural(campaign.topics[item[0]])))
    worst.sort(key=lambda item: (-item[1] / item[2], natural(campaign.topics[item[0]])))
    return best, worst
