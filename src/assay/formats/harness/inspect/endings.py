"""How the samples of an Inspect log ended: cancelled, at a limit, stopped by a content filter, or with an edited score."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence

import msgspec

from assay.errors import InputError, counted
from assay.formats.harness.inspect.scores import Score

TYPE_CHECKING = False
if TYPE_CHECKING:
    from assay.formats.harness.inspect.reader import InspectSample
    from assay.io.archives import Archive

CANCELLED = ("CancelledError(", "Cancelled(")
"""What the error of a cancelled sample begins with, under asyncio and under trio (inspect_ai._util.error)."""
REFUSAL = "ModelRefusalError("
"""What the error of a sample begins with that stops at a refusal (`fail_on_refusal`)."""
FILTER = "content_filter"
FILTERED, EDITED = b'"content_filter"', b'"provenance"'
"""A sample without these neither was stopped by a filter nor has an edited score."""
MAX_SCANNED, MAX_MEMBERS = 32 << 20, 1000
"""Unpacked bytes, and samples, that are searched for what summaries omit: a third of a second."""
NOT_COUNTED = f"stops by a content filter and edited scores are counted in archives of up to {MAX_MEMBERS} samples and 32 MB alone"


class Stopped(msgspec.Struct, gc=False):
    """One answer of a model, without its text."""

    stop_reason: str | None = None


class Ended(msgspec.Struct):
    """The output of a model, without its texts."""

    choices: list[Stopped] = []


class Limit(msgspec.Struct, gc=False):
    """The limit that stopped a sample; summaries have its name alone."""

    type: str = ""


class SampleError(msgspec.Struct, gc=False):
    """The error that stopped a sample; summaries have its message alone."""

    message: str = ""


class Omitted(msgspec.Struct):
    """What a sample has and its summary omits."""

    id: str | int
    epoch: int = 1
    output: Ended | None = None
    scores: dict[str, Score] | None = None


_omitted = msgspec.json.Decoder(Omitted)


def error_of(sample: InspectSample) -> str | None:
    """Return the message of the error that stopped a sample."""
    return sample.error.message if isinstance(sample.error, SampleError) else sample.error


def was_cancelled(sample: InspectSample) -> bool:
    """Return whether a sample was stopped from outside."""
    return (error_of(sample) or "").startswith(CANCELLED)


def refused(sample: InspectSample) -> bool:
    """Return whether a refusal of the model ended the sample as an error."""
    return (error_of(sample) or "").startswith(REFUSAL)


def complete(archive: Archive, members: Sequence[str], samples: Iterable[InspectSample]) -> bool:
    """Add to summaries the stop reasons and edits that only the samples have; return whether the log is small enough.

    No outcome depends on them, so a damaged sample is no error here.
    """
    if len(members) > MAX_MEMBERS or sum(map(archive.size, members)) > MAX_SCANNED:
        return False
    by_identity = {(sample.id, sample.epoch): sample for sample in samples}
    for name in members:
        try:
            content = archive.read(name)
            if FILTERED not in content and EDITED not in content:
                continue
            found = _omitted.decode(content)
        except (InputError, msgspec.DecodeError, UnicodeDecodeError, RecursionError):
            continue
        sample = by_identity.get((found.id, found.epoch))
        if sample is not None:
            sample.output = found.output
            _add_histories(sample.scores or {}, found.scores or {})
    return True


def _add_histories(scores: Mapping[str, Score], whole: Mapping[str, Score]) -> None:
    for name, score in scores.items():
        if name in whole:
            score.history = whole[name].history


def endings(samples: Sequence[InspectSample], scorer: str) -> str:
    """Return how many samples ended in an unusual way, in words; empty where none did.

    >>> from assay.formats.harness.inspect.reader import InspectSample
    >>> endings([InspectSample("a", limit="token"), InspectSample("b", error="CancelledError()"), InspectSample("c")], "match")
    'of 3 samples, 1 was cancelled, 1 stopped at a limit (token)'
    """
    cancelled = sum(map(was_cancelled, samples))
    limits = Counter(limit for sample in samples if (limit := _limit(sample)))
    filtered = sum(refused(sample) or _stop_reason(sample) == FILTER for sample in samples)
    edited = sum((score := (sample.scores or {}).get(scorer)) is not None and score.edited for sample in samples)
    kinds = [name if len(limits) == 1 else f"{count} {name}" for name, count in limits.most_common()]
    counts = (
        (cancelled, "was cancelled", "were cancelled"),
        (limits.total(), *[f"stopped at a limit ({', '.join(kinds)})"] * 2),
        (filtered, "was stopped by a content filter", "were stopped by a content filter"),
        (edited, "has an edited score", "have an edited score"),
    )
    parts = [f"{count} {one if count == 1 else several}" for count, one, several in counts if count]
    return f"of {counted(len(samples), 'sample')}, {', '.join(parts)}" if parts else ""


def _limit(sample: InspectSample) -> str | None:
    return sample.limit.type if isinstance(sample.limit, Limit) else sample.limit


def _stop_reason(sample: InspectSample) -> str | None:
    return sample.output.choices[0].stop_reason if sample.output is not None and sample.output.choices else None
