"""How the numbers of a campaign were computed, as the sentence that captions end with."""

from __future__ import annotations

from assay._version import __version__
from assay.table import missing_topics
from assay.table.scores import Scores


def describe_method(scores: Scores) -> str:
    """Name the topics, the policy for missing ones, the choices that change numbers, and the version."""
    settings = scores.settings
    parts = [scores.extent(), _missing_policy(scores), *getattr(settings, "directions", ())]
    if (right_from := getattr(settings, "right_from", None)) is not None:
        parts.append(f"correct from a score of {right_from:g}")
    if (level := getattr(settings, "level", None)) is not None:
        parts.append(f"relevant from grade {level}")
    if (depth := getattr(settings, "depth", None)) is not None:
        parts.append("the first document" if depth == 1 else f"the first {depth} documents")
    if getattr(settings, "judged_only", False):
        parts.append("judged documents only")
    return "; ".join(parts) + f"; assay {__version__}."


def _missing_policy(scores: Scores) -> str:
    """What a topic counts that a run has no results on; in logs these are failures of the harness."""
    failed = getattr(scores.settings, "failed", None)
    if failed is None or not any(scores.run(run).notes.tool for run in scores.runs):
        return missing_topics.in_words(scores.settings, scores.task.noun)
    return missing_topics.failed_in_words(scores.settings, scores.task.noun)
