"""Topics of a campaign: how far the runs are apart on each, the hardest, and those on which a run gains and loses most."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

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
