"""lm-evaluation-harness: samples of three layouts.

    0.4.0-0.4.2   one indented JSON array a task
    0.4.3-0.4.6   an object a line; the filters of a task follow one another, unnamed
    from 0.4.7    an object a line, with `filter` and `metrics`

A question is known by the harness's own hash of its document (older files are hashed the same way), so that logs of
different versions and subsets share their questions. In multiple choice, the chosen option follows from the
log-likelihoods by the rule of the metric. The confidence is always the softmax probability of that option: log-likelihoods per
character are no probabilities.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from functools import partial
from hashlib import sha256
from math import fsum
from typing import Any

import msgspec

from assay.errors import FormatError, InputError
from assay.formats.answers.outcome_words import Words
from assay.formats.answers.rows import DECLINED, FAILED, NO_VERDICT, UNPARSED, Rows, RowTexts
from assay.formats.harness.lm_eval_results import SamplesInfo, named
from assay.formats.harness.log_likelihoods import best, number, numbers, per_length, probability, warn_of_contradictions
from assay.formats.harness.logs import Log, LogReading, Total, cached, distinct_id
from assay.formats.json_files import decode, decode_text, error_text, repeated_key, stated
from assay.formats.recognition import reads
from assay.io.file_pieces import Lines
from assay.io.heads import Head
from assay.io.sources import Source

INVALID = ["[invalid]"]
"""A filter's output for a response without an answer."""
BOOKKEEPING = frozenset(
    {"doc_id", "doc", "target", "arguments", "resps", "filtered_resps", "filter", "metrics", "doc_hash"}
    | {"prompt_hash", "target_hash"}
)
LOWER = frozenset({"perplexity", "word_perplexity", "byte_perplexity", "bits_per_byte", "brier_score", "ter", "wer"})
"""Metrics that are better the lower they are, where no results file says so."""
BY_CHOICE = ("acc", "exact_match", "acc_norm", "acc_bytes")
"""Metrics that are right where the choice is."""
ASKING = ("question", "query", "problem", "goal", "input", "instruction", "prompt", "sentence", "ctx", "text")
"""Members of a document that hold the question, in the order they are looked for."""
Item = bytes | msgspec.Raw


class _Mark(msgspec.Struct):
    """The facts about all samples that reading one of them needs."""

    doc_id: int | str
    filter: str | None = None
    metrics: list[str] = []


class _Texts(msgspec.Struct):
    doc: dict[str, Any]
    target: Any = None
    arguments: dict[str, dict[str, Any]] | list[list[Any]] | None = None
    resps: list[Any] | None = None
    filtered_resps: Any = None


def _samples(head: Head) -> bool:
    """a first object with `doc_id`, `doc` and `filtered_resps`, on a line or in an array."""
    if not (head.has("doc_id") and head.has("doc")):
        return False
    # The first sample's document precedes the other keys, and may be longer than a head.
    return head.has("filtered_resps") or (not head.record and head.text.lstrip(b"[{ \r\n\t").startswith(b'"doc_id"'))


@reads(
    "lm-eval",
    role="log",
    task="outcomes",
    yields="samples of lm-evaluation-harness, 0.4.0 on",
    recognises=_samples,
    shapes="json array",
    markers=("doc_id",),
    recovers="line, member",
    companions={
        ("json", "results", "configs", "versions"): (
            "holds the means of lm-evaluation-harness; give the samples_….jsonl beside it"
        ),
    },
)
def read_lm_eval(source: Source, reading: LogReading) -> list[Rows]:
    """Return one run on one task."""
    names = named(source)
    log = reading.log(source, f"lm-evaluation-harness {names.version}".strip())
    log.warnings += names.warnings
    marks = [_decoded(log, place, item, _Mark) for place, item in _items(log)]
    if not marks:
        raise InputError(f"{source.name}: holds no samples; expected the log of at least one question")
    metric = _metric(log, names, marks)
    filter, chosen_marks = _samples_of_filter(log, names, marks)
    kind = _sample_type(metric)
    stands: dict[str, tuple[int, int]] = {}
    contradictions = 0
    values: list[float] = []
    for index, (place, item) in enumerate(_items(log)):
        if index in chosen_marks:
            sample = _decoded(log, place, item, kind)
            _check_once(log, place, item, metric)
            contradictions += _add(log, names, metric, sample, place, stands, values)
    _check_results(log, names, f"{metric},{filter}", values)
    log.warnings += warn_of_contradictions(source.name, contradictions, metric)
    rows = log.rows(names.run, names.task)
    rows.variant = names.date
    rows.asked = names.asked
    lines = Lines(source)
    log.texts_of = lambda rows, question, sample: _texts(log, lines, names, rows, *stands[question])
    return log.finish()


def _items(log: Log) -> Iterator[tuple[int, Item]]:
    """Yield every sample with its physical line; of an array, with its index."""
    source = log.source
    if source.head.shape == "array":
        yield from enumerate(_array(source), 1)
        return
    for line, content in enumerate(source.lines(), 1):
        if content.strip():
            yield line, content


def _array(source: Source) -> Sequence[Item]:
    return decode(source, list[msgspec.Raw], "one array of samples")


def _decoded(log: Log, place: int, item: Item, kind: Any) -> Any:
    """Decode a sample as its type."""
    expected = "one whole sample of lm-evaluation-harness"
    return decode_text(bytes(item), msgspec.json.Decoder(kind), partial(_error, log, place), expected)


def _error(log: Log, place: int, problem: str) -> FormatError:
    return log.error(*_where(log, place), problem)


def _where(log: Log, place: int) -> tuple[int, str]:
    return (0, f"sample {place}") if log.source.head.shape == "array" else (place, "")


def _check_once(log: Log, place: int, item: Item, metric: str) -> None:
    """Refuse a sample that repeats a key that is read."""
    text = bytes(item)
    if text.count(b'"%s":' % metric.encode()) > 1 or text.count(b'"doc_id":') > 1 or text.count(b'"filter":') > 1:
        twice = repeated_key(text)
        if twice is not None:
            raise _error(log, place, f"the key {twice!r} appears twice in one object; expected each once")


def _metric(log: Log, names: SamplesInfo, marks: Sequence[_Mark]) -> str:
    """Return the metric that is the outcome: the chosen one, the only one, or acc beside acc_norm."""
    known = list(dict.fromkeys(name for mark in marks for name in mark.metrics))
    if not known:
        place, item = next(_items(log))
        first = _decoded(log, place, item, dict[str, Any])
        known = [name for name, value in first.items() if name not in BOOKKEEPING and isinstance(value, int | float)]
    usual = "acc" if {*known} == {"acc", "acc_norm"} else None
    metric = log.reading.choose("metric", known, log.source, usual)
    if usual and log.reading.chosen("metric") is None:
        log.warnings.append(
            "lm-evaluation-harness: of the metrics acc and acc_norm, acc is the outcome (`metric='acc_norm'` takes the other)"
        )
    if metric in names.lower or metric in LOWER:
        raise InputError(f"{log.source.name}: {metric} is better the lower it is; choose another of {', '.join(known)}")
    return metric


def _check_results(log: Log, names: SamplesInfo, key: str, values: Sequence[float]) -> None:
    """Compare the samples with the results file beside them."""
    if not names.date:
        return
    metric = key.partition(",")[0]
    known = metric in names.means and all(value == value for value in values)
    place = f"results_{names.date}.json"
    claimed = Total(names.counted or names.effective, stated(names.scores.get(key)) if known else None)
    counted = Total(len(values), fsum(values) / len(values) if known else None)
    if names.counted is None and claimed.score is not None and claimed.agrees_in_score(counted):
        # `--samples` asks fewer questions than the results count as effective.
        if not claimed.agrees(counted):
            log.warnings.append(
                f"{log.source.name}: {place} counts {claimed.samples} questions, the file has {counted.samples} with the same {metric}"
            )
        return
    log.check_total(place, claimed, counted, metric)


def _samples_of_filter(log: Log, names: SamplesInfo, marks: Sequence[_Mark]) -> tuple[str, set[int]]:
    """Return the filter and the samples of it, by index; each question must be among them once."""
    filters = list(dict.fromkeys(mark.filter for mark in marks))
    if None in filters and len(filters) > 1:
        raise InputError(
            f"{log.source.name}: some samples name their filter and some do not; expected files of one version"
        )
    if None in filters:
        return _samples_of_pass(log, names, marks)
    known = [name for name in filters if name is not None]
    # A task without filters has one called none: where others have several, it has nothing to choose.
    chosen = "none" if known == ["none"] else log.reading.choose("filter", known, log.source)
    indices = [index for index, mark in enumerate(marks) if mark.filter == chosen]
    if len({marks[index].doc_id for index in indices}) < len(indices):
        raise InputError(f"{log.source.name}: a question appears twice under the filter {chosen!r}; expected each once")
    return chosen, {*indices}


def _samples_of_pass(log: Log, names: SamplesInfo, marks: Sequence[_Mark]) -> tuple[str, set[int]]:
    """Return one unnamed filter and its samples: filters are passes over all questions, one after the other."""
    ids = [mark.doc_id for mark in marks]
    size = len(set(ids))
    passes = len(ids) // size
    if ids != ids[:size] * passes:
        raise InputError(
            f"{log.source.name}: {size} questions in {len(ids)} samples, and not in whole passes, one per filter; expected "
            "the file as lm-evaluation-harness wrote it"
        )
    if passes == 1:
        return names.filters[0] if len(names.filters) == 1 else "none", {*range(size)}
    known = names.filters if len(names.filters) == passes else [str(count) for count in range(1, passes + 1)]
    if known is not names.filters and log.reading.chosen("filter") is None:
        raise InputError(
            f"{log.source.name}: holds {passes} passes over {size} questions, one per filter, and does not say which is which "
            f"(nor does a results file beside it); `filter=1` to `filter={passes}` choose one, in the order of the task's filters"
        )
    chosen = log.reading.choose("filter", known, log.source)
    start = known.index(chosen) * size
    return chosen, {*range(start, start + size)}


def _sample_type(metric: str) -> Any:
    """Return a type with the metric as `value`, which builds no other text of a line."""
    fields: list[Any] = [
        ("doc", dict[str, Any]),
        ("target", Any, None),
        ("arguments", dict[str, Continuation] | list[list[Any]] | None, None),
        ("resps", msgspec.Raw, msgspec.Raw(b"null")),
        ("filtered_resps", Any, None),
        ("doc_hash", str | None, None),
        ("value", Any, msgspec.UNSET),
    ]
    return msgspec.defstruct("Sample", fields, rename={"value": metric})


def _add(
    log: Log, names: SamplesInfo, metric: str, sample: Any, place: int, known: dict[str, tuple[int, int]], values: list[float]
) -> bool:  # fmt: skip
    """Add one question; return whether its log-likelihoods contradict its metric.

    values   takes the number the question is scored by, NaN where it has none
    """
    value = sample.value
    try:
        digest = sample.doc_hash or document_hash(sample.doc)
    except RecursionError as deep:
        raise _error(log, place, f"its document is {error_text(deep)}") from None
    line, where = _where(log, place)
    if isinstance(value, list | dict):
        raise _error(log, place, f"{metric} is {value!r:.40}; expected a metric with one number a question")
    problem = None
    worth = number(float(value) if isinstance(value, bool) else value)
    values.append(worth)
    in_words = worth != worth and in_a_word(value, log.reading.words)
    if not in_words and (value is msgspec.UNSET or value is None or worth != worth):
        problem = f"has no {metric}" if value in (None, msgspec.UNSET) else f"{metric} is {value!r:.40}"
    logs = likelihoods(sample.filtered_resps)
    options = [] if logs is None else choice_texts(sample.arguments, sample.doc, names.delimiter)
    choice = None if logs is None or metric not in BY_CHOICE else chosen(metric, logs, options)
    right = gold_of(sample.target, options) if choice is not None else None
    contradicts = right is not None and worth in (0.0, 1.0) and (right == choice) != (worth == 1.0)
    if contradicts:
        choice = None
    unparsed = sample.filtered_resps == INVALID
    if choice is not None:
        text = options[choice] if choice < len(options) else None
    else:
        # Where the filter found no answer, the raw response shows whether it is a refusal.
        text = first_text(msgspec.json.decode(sample.resps) if unparsed else sample.filtered_resps)
    identity = distinct_id(digest[:12], known)
    known[identity] = len(known), place
    log.add(
        identity, run=names.run, task=names.task, value=value if in_words else worth, problem=problem, line=line, where=where,
        text=text, kind=UNPARSED if unparsed else DECLINED if in_words else None, content=digest,
        confidence=None if choice is None or logs is None else probability(logs, choice),
        fields=fields_of(sample.doc, names.group),
    )  # fmt: skip
    return contradicts


def _texts(log: Log, lines: Lines, names: SamplesInfo, rows: Rows, row: int, place: int) -> RowTexts:
    """Return prompt, gold and answer of one sample."""
    source = log.source
    several = source.head.shape == "array"
    item = cached(source, lambda: _array(source))[place - 1] if several else lines[place]
    sample: _Texts = _decoded(log, place, item, _Texts)
    asked_text = next((sample.doc[name] for name in ASKING if isinstance(sample.doc.get(name), str)), None)
    pairs = listed(sample.arguments)
    if isinstance(sample.arguments, dict):
        pairs = [[pair.get("arg_0"), pair.get("arg_1")] for pair in sample.arguments.values()]
    prompt = first_text(pairs)
    gold, answer = sample.target, rows.texts[row]
    if likelihoods(sample.filtered_resps) is None:
        answer = first_text(sample.resps) or answer
    else:
        options = choice_texts(pairs, sample.doc, names.delimiter)
        right = gold_of(gold, options)
        gold = options[right] if right is not None and 0 <= right < len(options) else gold
    return RowTexts(asked_text, None if gold is None else str(gold), prompt, answer)


NO_GROUP = frozenset(
    {"id", "idx", "index", "question", "query", "answer", "answers", "answerKey", "text", "choices", "target", "gold"}
    | {"label", "prompt", "input", "output", "solution", "context", "passage", "doc_id", "question_id"}
)
LONGEST_GROUP = 40


class Continuation(msgspec.Struct):
    """A continuation that was scored after a prompt."""

    text: Any = msgspec.field(default=None, name="arg_1")


def document_hash(document: dict[str, Any]) -> str:
    """Return what the harness calls `doc_hash`, from 0.4.3 on.

    >>> document_hash({"id": 1})[:12]
    '783cf32f165f'
    """
    text = json.dumps(document, indent=2, ensure_ascii=False)
    return sha256(text.encode("utf-8", "surrogatepass")).hexdigest()


def likelihoods(filtered: Any) -> list[float] | None:
    """Return the log-likelihood of each choice; None where the responses are texts.

    >>> likelihoods([["-1.5", "False"], ["-2", "True"]]), likelihoods(["Paris"])
    ([-1.5, -2.0], None)
    """
    pairs = [listed(pair) for pair in listed(filtered)]
    if len(pairs) < 2 or any(len(pair) != 2 for pair in pairs):
        return None
    return numbers([pair[0] for pair in pairs])


def choice_texts(
    arguments: dict[str, Continuation] | list[list[Any]] | None, document: dict[str, Any], delimiter: str
) -> list[str]:
    """Return the choices as scored, without the delimiter after the prompt; nothing where unknown."""
    if isinstance(arguments, dict):
        choices = [choice.text for choice in arguments.values()]
    else:
        choices = [pair[1] if len(pair) > 1 else None for pair in arguments or []]
    if len({text for text in choices if isinstance(text, str)}) < 2:
        # Where the prompts hold the choices, the text after them is the same for all.
        choices = listed(document.get("choices"))
    texts = [text.removeprefix(delimiter) for text in choices if isinstance(text, str)]
    return texts if len(texts) == len(choices) else []


def chosen(metric: str, logs: list[float], options: list[str]) -> int | None:
    """Return the choice that counts for a metric; None where unknown.

    >>> chosen("acc", [-3.0, -4.0], ["one", "eighteen"]), chosen("acc_norm", [-3.0, -4.0], ["one", "eighteen"])
    (0, 1)
    """
    if metric in ("acc", "exact_match"):
        return best(logs)
    lengths = [len(text if metric == "acc_norm" else text.encode("utf-8", "surrogatepass")) for text in options]
    worth = per_length(logs, lengths)
    return None if worth is None else best(worth)


def gold_of(target: Any, options: list[str]) -> int | None:
    """Return the index of the right choice, which a log gives as a number or a text."""
    if isinstance(target, int) and not isinstance(target, bool):
        return target
    if not isinstance(target, str):
        return None
    if target.isascii() and target.isdecimal() and len(target) < 9:
        return int(target)
    return options.index(target) if target in options else None


def fields_of(document: dict[str, Any], group: str | None) -> dict[str, Any]:
    """Return fields to group questions by: short texts of the document, and the task's group."""
    fields: dict[str, Any] = {} if group is None else {"group": group}
    for name, value in document.items():
        if name not in NO_GROUP and isinstance(value, str) and 0 < len(value) <= LONGEST_GROUP:
            fields.setdefault(name, value)
    return fields


def in_a_word(value: Any, words: Words) -> bool:
    """Return whether a metric's value is an outcome word.

    >>> in_a_word("N", Words()), in_a_word("none", Words()), in_a_word(0.5, Words())
    (True, False, False)
    """
    word = value.strip().lower() if isinstance(value, str) else ""
    return words.known.get(word, FAILED) not in (FAILED, NO_VERDICT) or word in words.partial


def first_text(responses: Any) -> str | None:
    """Return the first text in nested lists of responses."""
    while isinstance(responses, list):
        responses = next(iter(listed(responses)), None)
    return responses if isinstance(responses, str) else None


def listed(value: Any) -> list[Any]:
    """Return a list unchanged, and an empty list for anything else."""
    return value if isinstance(value, list) else []  # pyright: ignore[reportUnknownVariableType]
