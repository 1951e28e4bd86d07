"""Inspect's scores: which scorers a log has, and what a score says of an answer."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, NamedTuple

import msgspec

from assay.formats.rows import CORRECT, DECLINED, INCORRECT, REFUSED, UNANSWERED, UNPARSED

CONFIDENCE = "confidence"
SIMPLEQA = {"correct": CORRECT, "incorrect": INCORRECT, "not_attempted": UNANSWERED}
"""inspect_evals' SimpleQA scores an answer by three keys, one of which is 1."""
OF_THE_MODEL = {"refusal": REFUSED, "no_response": None}
"""Reasons of a score by which the model gave no answer, with the kind of unanswered each is."""
OF_THE_INSTRUMENT = ("grader_failed", "scoring_failed")
MALFORMED = "invalid_response_format"
LONGEST_PROBLEM = 120
_mapping = msgspec.json.Decoder(dict[str, Any])


class Edit(msgspec.Struct):
    """One entry of a score's history; the scorer's own has no provenance."""

    value: Any = "UNCHANGED"
    provenance: Any = None


_edits = msgspec.json.Decoder(list[Edit])


class Score(msgspec.Struct, gc=False):
    """What a scorer says of one sample. Of its metadata there may be much, of which little is of use."""

    value: str | bool | int | float | list[Any] | dict[str, Any] | None = None
    """None is a NaN, or no value at all."""
    answer: str | None = None
    reason: str | None = None
    metadata: msgspec.Raw = msgspec.Raw()
    history: msgspec.Raw = msgspec.Raw()

    def lighten(self) -> None:
        """Let go of the text this was decoded from."""
        raw = bytes(self.metadata)
        useful = b'"unscored_reason"' in raw or CONFIDENCE.encode() in raw.lower()
        self.metadata = msgspec.Raw(raw) if useful else msgspec.Raw()
        self.history = msgspec.Raw(bytes(self.history)) if self.edited else msgspec.Raw()

    @property
    def edited(self) -> bool:
        """Whether somebody gave it another value; the summaries do not tell."""
        if b'"provenance"' not in bytes(self.history):
            return False
        try:
            edits = _edits.decode(self.history)
        except (msgspec.DecodeError, UnicodeDecodeError, RecursionError, ValueError):
            return False
        return any(edit.provenance is not None and edit.value != "UNCHANGED" for edit in edits)

    @property
    def is_doubtful(self) -> bool:
        """Whether the instrument failed and there is a value all the same, which somebody may have put there."""
        return self.value is not None and _reason(self) in OF_THE_INSTRUMENT

    @property
    def is_bare(self) -> bool:
        """Whether there is a value and nothing else, as in the summaries before 0.3.124."""
        return self.answer is None and self.reason is None and not bytes(self.metadata) and not bytes(self.history)


class Part(NamedTuple):
    """What outcomes are taken from: a scorer, or one key of those it scores by."""

    scorer: str
    key: str | None = None


class Verdict(NamedTuple):
    """What a score comes to, in the words of `Log.add`."""

    value: Any = None
    state: int | None = None
    kind: str | None = None
    problem: str | None = None


def parts_of(samples: Iterable[Mapping[str, Score] | None]) -> dict[str, Part]:
    """By the name a person chooses it by: each scorer, or where it scores by several keys, each of these.

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
    found: dict[str, Part] = {}
    for scorer, known in keys.items():
        named = [key for key in known if key.lower() != CONFIDENCE] or list(known)
        if not named or {*named} == SIMPLEQA.keys():
            found[scorer] = Part(scorer)
        elif len(named) == 1:
            found[scorer] = Part(scorer, named[0])
        else:
            found.update({f"{scorer}/{key}": Part(scorer, key) for key in named})
    return found


def confidence_of(score: Score) -> object:
    """How sure the answer is, as the score's metadata or one of its keys has it; None where neither does."""
    found = _named_confidence(score.value) if isinstance(score.value, dict) else None
    raw = bytes(score.metadata)
    if found is None and CONFIDENCE.encode() in raw.lower():
        found = _named_confidence(_metadata(raw))
    return found


def _named_confidence(values: Mapping[str, Any]) -> object:
    return next((value for key, value in values.items() if key.lower() == CONFIDENCE and value is not None), None)


def _metadata(raw: bytes) -> Mapping[str, Any]:
    """A score's metadata; what is no object holds nothing anybody could look for."""
    try:
        return _mapping.decode(raw)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError, ValueError):
        return {}


def _reason(score: Score) -> str | None:
    """Why a score is out of the ordinary. From 0.3.245 until it had a field of its own, the metadata said why there was none."""
    if score.reason is not None or b'"unscored_reason"' not in bytes(score.metadata):
        return score.reason
    unscored = _metadata(bytes(score.metadata)).get("unscored_reason")
    return None if unscored is None else OF_THE_INSTRUMENT[0]


def verdict(score: Score, part: Part) -> Verdict:
    """What a score says, of the scorer or the key of it that was chosen. A ValueError where it says nothing one can use.

    >>> verdict(Score("N"), Part("exact")).kind, verdict(Score(None, reason="grader_failed"), Part("judge")).problem
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


def _value(value: Any, part: Part) -> Any:
    """The one value that was chosen; a verdict where its keys are states of their own."""
    if isinstance(value, list):
        raise ValueError("a list of values; expected one value, or several under names of their own")
    if not isinstance(value, dict):
        if part.key is not None and value is not None:
            raise ValueError(f"{value!r:.60} where others are scored by {part.key!r}; expected the same of all")
        return value
    if part.key is None:
        return _simpleqa(value)
    found = value.get(part.key)
    if isinstance(found, list | dict):
        raise ValueError(f"{part.key}: {found!r:.60}; expected one value")
    return found


def _simpleqa(value: Mapping[str, Any]) -> Verdict:
    stated = [state for state in SIMPLEQA if value.get(state)]
    if not stated:
        return Verdict(problem=f"none of {', '.join(SIMPLEQA)} is 1")
    if len(stated) > 1 or value[stated[0]] != 1:
        raise ValueError(f"{value!r:.100}; expected 1 for one of {', '.join(SIMPLEQA)} and 0 for the others")
    return Verdict(state=SIMPLEQA[stated[0]], kind=DECLINED if stated[0] == "not_attempted" else None)


def shortened(text: str) -> str:
    """The first line of a message, and not too much of it.

    >>> shortened("rate limit\\n  at line 3")
    'rate limit'
    """
    first = text.strip().partition("\n")[0].strip()
    return first if len(first) <= LONGEST_PROBLEM else first[: LONGEST_PROBLEM - 1] + "…"
