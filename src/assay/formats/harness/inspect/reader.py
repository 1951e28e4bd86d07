"""Inspect: `.eval` archives and `.json` logs, from 0.3.33 on.

Of an archive the header and the summaries are read, which hold no completions; the samples themselves, one at a time, where
the summaries do not have all of a score. Outcomes never come from `reductions`, in which no answer has become a 0.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from functools import partial
from typing import Any

import msgspec

from assay.errors import InputError, UnscoredError
from assay.formats.answers.rows import REFUSED, UNANSWERED, Rows
from assay.formats.harness.inspect.endings import (
    NOT_COUNTED,
    Ended,
    Limit,
    SampleError,
    complete,
    endings,
    error_of,
    refused,
    was_cancelled,
)
from assay.formats.harness.inspect.header import (
    LogHeader,
    Scored,
    compare_header,
    heading,
    read_header,
    started,
    variant_of,
    version_of,
)
from assay.formats.harness.inspect.scores import (
    Score,
    ScoreKey,
    confidence_of,
    parts_of,
    shortened,
    summaries_suffice,
    verdict,
)
from assay.formats.harness.inspect.texts import Message, text_of, texts_in_archive, texts_in_json
from assay.formats.harness.logs import UNSET, Log, LogReading
from assay.formats.json_files import decode_text
from assay.formats.recognition import reads
from assay.io.heads import BOM, Head
from assay.io.sources import Source

TYPE_CHECKING = False
if TYPE_CHECKING:
    from assay.io.archives import Archive

SUMMARIES, JOURNAL, SAMPLES = "summaries.json", "_journal/summaries/", "samples/"
WHOLE_SCORES = (0, 3, 124)
"""From this version on the summaries have all of a score."""
REMOVED = "Key removed from summary (> 1k)"
LONGEST_FIELD = 200
"""Questions are grouped by what fits on a line; summaries cut longer texts."""
COMPARED = 1000
"""Characters by which questions of several logs are compared: summaries may hold no more."""


class Usage(msgspec.Struct, gc=False):
    """Tokens and cost of a model."""

    total_tokens: float | None = None
    total_cost: float | None = None


class InspectSample(msgspec.Struct, gc=False):
    """One answer of a question, from a summary or a sample; messages and completions are skipped."""

    id: str | int
    epoch: int = 1
    input: str | list[Message] | None = None
    target: str | list[str] | int | float | None = None
    metadata: msgspec.Raw = msgspec.Raw()
    scores: dict[str, Score] | None = None
    score: Score | None = None
    """Very old logs had one."""
    model_usage: dict[str, Usage] = {}
    total_time: float | None = None
    working_time: float | None = None
    error: str | SampleError | None = None
    limit: str | Limit | None = None
    output: Ended | None = None
    """Not in summaries."""
    invalidation: Any = None

    def lighten(self) -> None:
        """Drop references to the decoded text: a raw part would keep all of it in memory."""
        self.input = text_of(self.input)[:COMPARED]
        self.metadata = msgspec.Raw(bytes(self.metadata))


class JsonLog(LogHeader):
    """A log as one JSON document."""

    samples: list[InspectSample] | None = None


_one = msgspec.json.Decoder(InspectSample)
_several = msgspec.json.Decoder(list[InspectSample])
_whole = msgspec.json.Decoder(JsonLog)
_fields = msgspec.json.Decoder(dict[str, Any])


def _recognises(head: Head) -> bool:
    """A zip archive; or a JSON object that begins with version and status and has an object called eval."""
    if head.shape == "zip":
        return True
    if head.shape != "json" or re.match(rb'\{\s*"(version|status|eval)"\s*:', head.text) is None:
        return False
    status = re.search(rb'"status"\s*:\s*"(success|error|cancelled|started)"', head.text)
    return status is not None and re.search(rb'"eval"\s*:\s*\{', head.text) is not None


@reads(
    "inspect",
    role="log",
    task="outcomes",
    yields="the samples of one evaluation by Inspect, `.eval` or `.json`, scored by one of its scorers",
    recognises=_recognises,
    shapes="zip json",
    markers=("eval",),
    recovers="member of samples",
)
def read_inspect(source: Source, reading: LogReading) -> list[Rows]:
    """Return the rows of an Inspect log."""
    if not source.is_bytes:
        raise InputError(f"{source.name}: expected the file of an Inspect log, found {type(source.data).__name__}")
    if source.head.shape == "zip":
        from assay.io.archives import Archive

        with Archive(source) as archive:
            header, finished = read_header(archive)
            samples, where, complete_samples = _of_archive(archive, header)
    else:
        whole = decode_text(source.read().removeprefix(BOM), _whole, lambda problem: source.error(None, problem))
        header, finished, samples, where, complete_samples = whole, True, _last(whole.samples or ()), "samples", True
    log = reading.log(source, heading(header))
    log.texts_of = texts_in_archive(source) if source.head.shape == "zip" else texts_in_json(source)
    part = _fill(log, header, samples, where)
    _check_header(log, header, samples, part)
    _say_how_it_ended(log, header, finished, samples, part)
    if not complete_samples:
        log.rows(log.source.label or header.eval.model, header.eval.task).details.append(
            f"{source.name}: {NOT_COUNTED}"
        )
    return log.finish()


def _of_archive(archive: Archive, header: LogHeader) -> tuple[list[InspectSample], str, bool]:
    """Return the samples of an archive, the member they were read from, and whether they are all that the log knows."""
    members = [name for name in archive.names(SAMPLES) if name.endswith(".json")]
    summaries, where = _summaries(archive)
    enough = (
        version_of(header) >= WHOLE_SCORES
        and not header.invalidated  # a summary does not say which samples are
        and len(summaries) >= len(members)  # those of a run that was killed come later than its samples
        and summaries_suffice(sample.scores for sample in summaries)
    )
    if enough or not members:
        return summaries, where, complete(archive, members, summaries)
    if len(summaries) > len(members):
        problem = f"{where} speaks of {len(summaries)} samples, and {SAMPLES} has {len(members)}; expected all of them"
        raise InputError(f"{archive.name}: {problem}")
    return _last(_each(archive, members)), SAMPLES, True


def _summaries(archive: Archive) -> tuple[list[InspectSample], str]:
    """Return the summaries; of an unfinished log, those in its journal."""
    if SUMMARIES in archive:
        names = [SUMMARIES]
    else:
        names = sorted(archive.names(JOURNAL), key=lambda name: (len(name), name))
    samples: list[InspectSample] = []
    for name in names:
        samples += decode_text(archive.read(name), _several, partial(archive.error, name))
    return _last(samples), f"member {names[0]}" if names else ""


def _each(archive: Archive, members: Iterable[str]) -> Iterator[InspectSample]:
    for name in members:
        sample = decode_text(archive.read(name), _one, partial(archive.error, name))
        sample.lighten()
        yield sample


def _last(samples: Iterable[InspectSample]) -> list[InspectSample]:
    """Return each sample once, the last where it was run again."""
    return list({(sample.id, sample.epoch): sample for sample in samples}.values())


def _fill(log: Log, header: LogHeader, samples: list[InspectSample], where: str) -> ScoreKey:
    """Add every sample as a row; return the scorer or key that outcomes are taken from."""
    for sample in samples:
        if sample.score is not None and sample.scores is None:
            sample.scores = {header.scorer: sample.score}
    parts = parts_of(sample.scores for sample in samples)
    if not parts:
        raise UnscoredError(_nothing_scored(log.source.name, header, samples))
    part = parts[log.reading.choose("scorer", list(parts), log.source)]
    run, task = log.source.label or header.eval.model, header.eval.task
    rows = log.rows(run, task)
    rows.variant = variant_of(header)
    rows.created = header.eval.created if isinstance(header.eval.created, str) else ""
    rows.arguments = msgspec.json.encode(header.eval.task_args or {}, order="sorted").decode()
    rows.ended = "" if header.status == "success" else started(header)
    no_numbers: list[object] = []
    for sample in samples:
        identity = str(sample.id)
        score = (sample.scores or {}).get(part.scorer)
        value, state, kind, problem = _outcome(log, sample, score, part, where)
        confidence = None if score is None else _number(confidence_of(score), no_numbers)
        log.add(
            identity, run=run, task=task, value=UNSET if value is None else value, state=state, kind=kind, problem=problem,
            sample=sample.epoch, confidence=confidence, text=None if score is None else score.answer, where=where,
            fields=None if (task, identity) in log.reading.fields else _groups(sample),
            content=_content(sample), usage=_usage(sample, header.eval.model),
        )  # fmt: skip
    if no_numbers:
        log.warnings.append(
            f"{log.source.name}: {len(no_numbers)} confidences are no numbers ({no_numbers[0]!r:.40} …) and are left out"
        )
    return part


def _check_header(log: Log, header: LogHeader, samples: list[InspectSample], part: ScoreKey) -> None:
    """Refuse a log that lacks samples its header counts, or whose samples score otherwise, unless scores were edited."""
    scored = [Scored(str(s.id), _value_of(s, part), s.error is not None, s.invalidation is not None) for s in samples]
    difference = compare_header(header, part, scored)
    if difference is None:
        return
    stated, counted, metric = difference
    if stated.samples == counted.samples and _any_edited(log, samples, part):
        log.warnings.append(
            f"{log.source.name}: the header states {metric} {stated.score:.4f}; the file gives {counted.score:.4f}, with scores "
            "edited since; the file counts"
        )
        return
    log.check_total("the header", stated, counted, metric, plain_mean=True)


def _value_of(sample: InspectSample, part: ScoreKey) -> Any:
    """Return the value of the chosen scorer or key."""
    score = (sample.scores or {}).get(part.scorer)
    if score is None or part.key is None or not isinstance(score.value, dict):
        return None if score is None else score.value
    return score.value.get(part.key)


def _any_edited(log: Log, samples: Iterable[InspectSample], part: ScoreKey) -> bool:
    """Return whether a score was edited later, which samples show and summaries may not."""
    from assay.io.archives import Archive

    if log.source.head.shape == "zip":
        with Archive(log.source) as archive:
            members = [name for name in archive.names(SAMPLES) if name.endswith(".json")]
            samples = [*samples, *_each(archive, members)]
    return any(score.edited for sample in samples for score in filter(None, [(sample.scores or {}).get(part.scorer)]))


def _outcome(
    log: Log, sample: InspectSample, score: Score | None, part: ScoreKey, where: str
) -> tuple[Any, int | None, str | None, str | None]:
    """Return value, state, kind and problem of a sample."""
    if sample.invalidation is not None:
        return None, None, None, "invalidated"
    if score is None:
        if refused(sample):
            return None, UNANSWERED, REFUSED, None
        return None, None, None, _stopped(sample) or f"not scored by {part.scorer}"
    try:
        return verdict(score, part)
    except ValueError as problem:
        raise log.error(0, where, f"question {str(sample.id)!r}: scorer {part.scorer} gives {problem}") from None


def _stopped(sample: InspectSample) -> str:
    """Return why a sample was stopped, empty where it was not."""
    return "cancelled" if was_cancelled(sample) else shortened(error_of(sample) or "")


def _nothing_scored(name: str, header: LogHeader, samples: list[InspectSample]) -> str:
    ended = f"its status is {header.status!r}"
    if not samples:
        return f"{name}: holds no samples, and {ended}; expected the log of at least one question"
    stopped = [sample for sample in samples if sample.error is not None]
    if not stopped:
        return f"{name}: none of its {len(samples)} samples is scored, and {ended}; score it with `inspect score`"
    failed = f"{len(stopped)} of its {len(samples)} samples failed ({_stopped(stopped[0])})"
    return f"{name}: has no scores: {failed}, and {ended}; run the evaluation again"


def _number(value: object, no_numbers: list[object]) -> float | None:
    """Return a confidence as a number; what is no number is collected and left out."""
    if value is None or type(value) is float:
        return value
    try:
        if not isinstance(value, int | str) or isinstance(value, bool):
            raise ValueError
        return float(value)
    except (ValueError, OverflowError):
        no_numbers.append(value)
        return None


def _groups(sample: InspectSample) -> Mapping[str, Any]:
    """Return the metadata of a sample that questions can be grouped by."""
    raw = bytes(sample.metadata)
    try:
        metadata = _fields.decode(raw) if raw else {}
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError, ValueError):
        return {}
    return {
        name: value
        for name, value in metadata.items()
        if isinstance(value, bool | int | float) or (isinstance(value, str) and len(value) <= LONGEST_FIELD and value != REMOVED)
    }  # fmt: skip


def _content(sample: InspectSample) -> str:
    target = sample.target
    gold = "\n".join(target) if isinstance(target, list) else str(target)
    question = sample.input if isinstance(sample.input, str) else text_of(sample.input)
    return f"{question[:COMPARED]}\n{gold[:COMPARED]}"


def _usage(sample: InspectSample, model: str) -> dict[str, float | None]:
    """Return what the model itself used, without its judge."""
    took = sample.model_usage.get(model, Usage())
    seconds = sample.total_time if sample.working_time is None else sample.working_time
    return {"latency": seconds, "tokens": took.total_tokens, "cost": took.total_cost}


def _say_how_it_ended(
    log: Log, header: LogHeader, finished: bool, samples: list[InspectSample], part: ScoreKey
) -> None:
    """Warn of an evaluation that was stopped early or asked part of the questions, and of samples that ended unusually."""
    name = log.source.name
    whole = finished and header.status == "success"
    through = samples if whole else [sample for sample in samples if sample.error is None]
    questions = len({sample.id for sample in through})
    there = header.eval.dataset.samples
    limit = header.eval.config.limit
    expected = len(header.eval.dataset.sample_ids or ()) or (there if limit is None else None)
    if expected is None:
        expected = questions if isinstance(limit, list) else limit
    rows = log.rows(log.source.label or header.eval.model, header.eval.task)
    if there is not None and len({sample.id for sample in samples}) < there:
        rows.asked = there
    of = f"{questions} of {expected} questions" if expected is not None else f"{questions} questions"
    repeats = header.eval.config.epochs or 1
    if repeats > 1 and expected is not None:
        of += f", {len(through)} of {expected * repeats} samples"
    unusual = endings(samples, part.scorer)
    remark = ""
    if not whole:
        remark = f"is the log of an evaluation that {started(header) if finished else 'was not finished'}: {of}"
    elif expected is not None and questions < expected:
        remark = f"has {of} that were asked"
    if remark or unusual:
        log.warnings.append(f"{name}: {'; '.join(filter(None, (remark, unusual)))}")
    if there is not None and expected is not None and expected < there:
        few = f" (limit {limit})" if isinstance(limit, int) else ""
        log.warnings.append(f"{name}: {expected} of the {there} questions of its data set{few}")
