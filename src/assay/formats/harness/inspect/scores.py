"""Inspect's scores: the scorers of a log, and the outcome of each score."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, NamedTuple

import msgspec

from assay.formats.answers.rows import CORRECT, DECLINED, INCORRECT, REFUSED, UNANSWERED, UNPARSED

CONFIDENCE = "confidence"
SIMPLEQA = {"correct": CORRECT, "incorrect": INCORRECT, "not_attempted": UNANSWERED}
"""inspect_evals' SimpleQA scores an answer by three keys, one of which is 1."""
OF_THE_MODEL = {"refusal": REFUSED, "no_response": None}
"""Reasons of a score by which the model gave no answer, with the kind of unanswered each is."""
OF_THE_INSTRUMENT = ("grader_failed", "scoring_failed")
MALFORMED = "invalid_response_format"
LONGEST_PROBLEM = 120


class Edit(msgspec.Struct, gc=False):
    """One entry of a score's history; the scorer's own entry has no provenance."""

    value: Any = "UNCHANGED"
    provenance: Any = None


class Metadata(msgspec.Struct, gc=False):
    """The part of a score's metadata that is used."""

    confidence: Any = None
    title_case: Any = msgspec.field(default=None, name="Confidence")
    upper_case: Any = msgspec.field(default=None, name="CONFIDENCE")
    unscored_reason: Any = None


class Score(msgspec.Struct, gc=False):
    """The score of one sample by one scorer."""

    value: str | bool | int | float | list[Any] | dict[str, Any] | None = None
    """None is a NaN, or no value at all."""
    answer: str | None = None
    reason: str | None = None
    metadata: Metadata | None = None
    history: list[Edit] | None = None

    @property
    def edited(self) -> bool:
        """Whether the value was changed after scoring; summaries do not show it."""
        return any(edit.provenance is not None and edit.value != "UNCHANGED" for edit in self.history or ())


class ScoreKey(NamedTuple):
    """The source of outcomes: a scorer, or one key of its values."""

    scorer: str
    key: str | None = None


class Verdict(NamedTuple):
    """The outcome of a score, as arguments of `Log.add`."""

    value: Any = None
    state: int | None = None
    kind: str | None = None
    problem: str | None = None


def parts_of(samples: Iterable[Mapping[str, Score] | None]) -> dict[str, ScoreKey]:
    """Return, by the name a user chooses, each scorer, or each key of scorers with several.

    >>> list(parts_of([{"judge": Score({"tone": 1, "facts": 0, "confidence": 0.5}), "exact": Score("C")}]))
    ['judge/tone', 'judge/facts', 'exact']
    """
    keys: dict[str, dict[str, None]] = {}
    for scores in samples:
        for scorer, score in (scores or {}).items():
            known = keys.get(scorer)
            if known is None:
                known = keys[scorer] = {}
            if type(score.value) is dict:
                known.update(dict.fromkeys(score.value))
    parts: dict[str, ScoreKey] = {}
    for scorer, known in keys.items():
        named = [key for key in known if key.lower() != CONFIDENCE] or list(known)
        if not named or {*named} == SIMPLEQA.keys():
            parts[scorer] = ScoreKey(scorer)
        elif len(named) == 1:
            parts[scorer] = ScoreKey(scorer, named[0])
        else:
            parts.update({f"{scorer}/{key}": ScoreKey(scorer, key) for key in named})
    return parts


def confidence_of(score: Score) -> object:
    """Return the confidence of an answer from the score's keys or metadata, or None."""
    if type(score.value) is dict:
        for key, value in score.value.items():
            if value is not None and key.lower() == CONFIDENCE:
                return value
    metadata = score.metadata
    if metadata is None or metadata.confidence is not None:
        return None if metadata is None else metadata.confidence
    return metadata.upper_case if metadata.title_case is None else metadata.title_case


def _reason(score: Score) -> str | None:
    """Return why a score is unusual; from 0.3.245 on in the metadata, later in a field of its own."""
    if score.reason is None and score.metadata is not None and score.metadata.unscored_reason is not None:
        return OF_THE_INSTRUMENT[0]
    return score.reason


def summaries_suffice(samples: Iterable[Mapping[str, Score] | None]) -> bool:
    """Return whether summaries hold everything of their scores.

    Before 0.3.124 they held only a value. A value although the grader failed may have been edited in, which only the sample's
    history shows.
    """
    bare = True
    for scores in samples:
        for score in (scores or {}).values():
            bare = bare and score.history is score.metadata is score.answer is score.reason is None
            if score.value is not None and _reason(score) in OF_THE_INSTRUMENT:
                return False
    return not bare


def verdict(score: Score, part: ScoreKey) -> Verdict:
    """Return the outcome of a score by the chosen scorer or key; raise ValueError where it has none.

    >>> verdict(Score("N"), ScoreKey("exact")).kind, verdict(Score(None, reason="grader_failed"), ScoreKey("judge")).problem
    ('declined', 'grader_failed')
    """
    reason = _reason(score)
    if reason in OF_THE_INSTRUMENT and not (score.value is not None and score.edited):
        return Verdict(problem=reason)
    value = _value(score.value, part)
    if isinstance(value, Verdict):
        return value
    right = value is True or value in ("C", "c", 1)
    if reason in OF_THE_MODEL and not right:
        return Verdict(state=UNANSWERED, kind=OF_THE_MODEL[reason])
    if reason == MALFORMED:
        return Verdict(state=UNANSWERED, kind=UNPARSED) if value is None else Verdict(value, kind=UNPARSED)
    if value is None:
        return Verdict(problem=shortened(reason) if reason else "the score is no number (NaN)")
    if value == "N":
        # Inspect's own `pattern` scored so, for some versions, what did not match.
        return Verdict(value, kind=UNPARSED if part.scorer == "pattern" else DECLINED)
    return Verdict(value, kind=UNPARSED if score.answer == "" and value in ("I", 0, False) else None)


def _value(value: Any, part: ScoreKey) -> Any:
    """Return the chosen value, or a verdict where its keys are states."""
    if isinstance(value, list):
        raise ValueError("a list of values; expected one value, or several under names of their own")
    if not isinstance(value, dict):
        if part.key is not None and value is not None:
            raise ValueError(f"{value!r:.60} where others are scored by {part.key!r}; expected the same of all")
        return value
    if part.key is None:
        return _simpleqa(value)
    part_value = value.get(part.key)
    if isinstance(part_value, list | dict):
        raise ValueError(f"{part.key}: {part_value!r:.60}; expected one value")
    return part_value


def _simpleqa(value: Mapping[str, Any]) -> Verdict:
    stated = [state for state in SIMPLEQA if value.get(state)]
    if not stated:
        return Verdict(problem=f"none of {', '.join(SIMPLEQA)} is 1")
    if len(stated) > 1 or value[stated[0]] != 1:
        raise ValueError(f"{value!r:.100}; expected 1 for one of {', '.join(SIMPLEQA)} and 0 for the others")
    return Verdict(state=SIMPLEQA[stated[0]], kind=DECLINED if stated[0] == "not_attempted" else None)


def shortened(text: str) -> str:
    """Return the start of the first line of a message.

    >>> shortened("rate limit\\n  at line 3")
    'rate limit'
    """
    first = text.strip().partition("\n")[0].strip()
    return first if len(first) <= LONGEST_PROBLEM else first[: LONGEST_PROBLEM - 1] + "…"
